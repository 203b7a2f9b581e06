package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/grafana/sobek/ast"
	"github.com/grafana/sobek/token"

	"karousosc/transpile/syntax"
)

// A jsFile instruments the verifier's runtime, or the models.
type jsFile struct {
	name  string
	text  string
	next  int
	found []Check
	edits []edit
	// about is what the condition that is looked at decides about.
	about string
	// comparing: the innermost named function says whether the advice has what re-execution made.
	comparing bool
	// decided are the complaints that are switched off by their condition.
	decided  map[*ast.CallExpression]bool
	function string
}

var (
	// What says that something is wrong, in the runtime and in the models.
	complaint = regexp.MustCompile(`^(?:problem|wrong|sharing|sharesProxy|unsupported|failed|missing|leftovers|neverFired|edge|before)\d*$|\$impossible$|^check$|^(hooks|watched)\d*\.(manner|shared)$`)
	// The functions that compare what the advice says with what re-execution made.
	comparison = regexp.MustCompile(`^(equals|equalElements|matches|sameDelta|sameKey|changedBy|heralds|asBefore|isPlain)\d*$`)
	// The functions that say what changed of what nobody tracks, and those that list what it consists of.
	difference = regexp.MustCompile(`^(changed|glance|changedVariable|changedPart|difference|firstDifference)\d*$`)
	listing    = regexp.MustCompile(`^(inside|beside|part|hardlyOf)\d*$`)
	pushing    = regexp.MustCompile(`^all\d*\.push$`)
	// The functions that look for what the log has for an operation, or for what it finds without.
	choice = regexp.MustCompile(`^(takeRead|takeWrite|takeObject|latestOwn)\d*$`)
	// Who is about to change something tells so.
	telling = regexp.MustCompile(`^touch\d*$`)
	// What a result is not is said by a text.
	saying = regexp.MustCompile("^[\"`]")
	// What checks a recorded result says that it is all right, or what it is not.
	notSo   = regexp.MustCompile("^[\"`](it is )?not ")
	literal = regexp.MustCompile(`"(R-[a-z]+)"`)
	module  = regexp.MustCompile(`(?m)^ *// ((?:verifier|shared|models)?/?[\w./-]+\.ts)$`)
)

// prologue defines, ahead of a script, what asks whether a check is off. The number of the one that is takes the place
// of the -1 when an engine starts. What fired is kept where the runtime, which watches what the global object has, does
// not see it.
const prologue = `globalThis.$off ??= (() => { const off = /*off*/-1, fired = new Uint8Array(65536), list = [];
const ask = (n) => { if (n === off) return true; if (fired[n] === 0) { fired[n] = 1; list[list.length] = n; } return false; };
ask.fired = () => { let text = ''; for (let i = 0; i < list.length; i++) text += (i > 0 ? ',' : '') + list[i]; list.length = 0; return text; };
return ask; })();
`

// epilogue makes the result of a job tell which checks decided.
const epilogue = `
{ const result = globalThis.__result; globalThis.__result = () => result().replace(/}$/, ',"$fired":[' + globalThis.$off.fired() + ']}'); }
`

// inJavaScript finds the checks of one file, numbered from first, and returns the text in which they can be switched off.
func inJavaScript(root, name string, first int) ([]Check, string, error) {
	text, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		return nil, "", err
	}
	j := &jsFile{name: name, text: string(text), next: first, decided: map[*ast.CallExpression]bool{}}
	program, err := syntax.Parse(j.text)
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", name, err)
	}
	for _, s := range program.Body {
		j.node(s)
	}
	out := prologue + applied(j.text, j.edits)
	if strings.HasSuffix(name, "verifier.js") {
		out += epilogue
	}
	if _, err := syntax.Parse(out); err != nil {
		return nil, "", fmt.Errorf("%s, instrumented: %w", name, err)
	}
	return j.found, out, nil
}

// check numbers a check and returns the question whether it is off.
func (j *jsFile) check(at int, kind, what string) string {
	rest := j.text[at:]
	if end := strings.IndexByte(rest, '\n'); end >= 0 {
		rest = rest[:min(len(rest), max(end, len(what)))]
	}
	rule := ""
	if m := literal.FindStringSubmatch(rest + j.about); m != nil {
		rule = m[1]
	}
	where := j.name
	if all := module.FindAllStringSubmatch(j.text[:at], -1); all != nil {
		where = all[len(all)-1][1]
	}
	j.found = append(j.found, Check{
		Number: j.next, File: j.name, Line: 1 + strings.Count(j.text[:at], "\n"), Kind: kind, What: oneLine(what), Rule: rule, Func: where + " " + j.function,
	})
	j.next++
	return "$off(" + strconv.Itoa(j.next-1) + ")"
}

// span is where an expression is. The tree does not hold parentheses, so that those at its ends are still to be found.
func (j *jsFile) span(n ast.Expression) (from, to int) {
	from, to = syntax.Start(n), syntax.Offset(n.Idx1())
	if from < 0 || to < from {
		return 0, 0
	}
	depth, low := 0, 0
	for _, c := range j.text[from:to] {
		switch c {
		case '(':
			depth++
		case ')':
			depth--
			low = min(low, depth)
		}
	}
	for depth -= low; depth > 0 && j.text[to] == ')'; depth-- {
		to++
	}
	for ; low < 0 && j.text[from-1] == '('; low++ {
		from--
	}
	return from, to
}

func (j *jsFile) node(n ast.Node) {
	switch n := n.(type) {
	case *ast.FunctionLiteral:
		was, name := j.comparing, j.function
		if n.Name != nil {
			j.function = n.Name.Name.String()
			j.comparing = comparison.MatchString(j.function) && !strings.HasSuffix(j.name, "models.js")
		}
		syntax.Children(n, j.node)
		j.comparing, j.function = was, name
		return
	case *ast.IfStatement:
		j.decision(n)
	case *ast.ExpressionStatement:
		if c, ok := n.Expression.(*ast.CallExpression); ok && j.complains(c) && !j.decided[c] && j.function != "entries" {
			from, to := j.span(c)
			if !j.within(from) {
				j.edits = append(j.edits, edit{from, from, j.check(from, "call", j.text[from:to]) + " || "})
			}
		}
	case *ast.ReturnStatement:
		if n.Argument == nil || !j.comparing {
			break
		}
		from, to := j.span(n.Argument)
		if text := j.text[from:to]; text != "true" && !j.within(from) {
			j.wrap(n.Argument, "answer", false)
		}
	case *ast.ConditionalExpression:
		j.conditional(n)
	case *ast.CallExpression:
		if telling.MatchString(syntax.CalleeText(n.Callee)) && len(n.ArgumentList) == 1 {
			from, to := j.span(n)
			_, end := j.span(n.ArgumentList[0])
			what := syntax.Start(n.ArgumentList[0])
			if !j.within(from) && !j.within(what) {
				j.edits = append(j.edits, edit{from, from, "(" + j.check(from, "told", j.text[from:to]) + " ? " + j.text[what:end] + " : "}, edit{to, to, ")"})
			}
		}
	}
	syntax.Children(n, j.node)
}

// conditional: one of two values says that something is wrong.
func (j *jsFile) conditional(n *ast.ConditionalExpression) {
	from, _ := j.span(n.Consequent)
	to, _ := j.span(n.Alternate)
	call, ok := n.Consequent.(*ast.CallExpression)
	switch {
	case strings.HasPrefix(j.text[from:], "null") && (notSo.MatchString(j.text[to:]) || j.differing()):
		j.wrap(n.Test, "result", false)
	case strings.HasPrefix(j.function, "takeResult") && saying.MatchString(j.text[from:]):
		j.wrap(n.Test, "result", true)
	case strings.HasPrefix(j.function, "takeResult") && saying.MatchString(j.text[to:]):
		j.wrap(n.Test, "result", false)
	case ok && j.complains(call):
		j.wrap(n.Test, "refusal", true)
	}
}

// within: the place is part of what an edit replaces.
func (j *jsFile) within(at int) bool {
	for _, e := range j.edits {
		if e.from <= at && at < e.to {
			return true
		}
	}
	return false
}

// differing: the innermost named function says what changed of what nobody tracks.
func (j *jsFile) differing() bool {
	return difference.MatchString(j.function) && !strings.HasSuffix(j.name, "models.js")
}

func (j *jsFile) complains(c *ast.CallExpression) bool {
	if strings.HasSuffix(j.name, "models.js") && !strings.Contains(j.text[syntax.Start(c):min(syntax.Start(c)+60, len(j.text))], "impossible") {
		return false // what the models cannot do is no check of the advice
	}
	if listing.MatchString(j.function) && pushing.MatchString(syntax.CalleeText(c.Callee)) {
		return true
	}
	return complaint.MatchString(syntax.CalleeText(c.Callee)) || strings.Contains(j.text[syntax.Start(c):min(syntax.Start(c)+60, len(j.text))], "$impossible?.(")
}

// decision: a condition about a complaint, or about what a comparison does not find.
func (j *jsFile) decision(n *ast.IfStatement) {
	body := n.Consequent
	if b, ok := body.(*ast.BlockStatement); ok && len(b.List) > 0 {
		body = b.List[0]
	}
	switch s := body.(type) {
	case *ast.ExpressionStatement:
		c, ok := s.Expression.(*ast.CallExpression)
		if !ok || !j.complains(c) {
			return
		}
		j.decided[c] = true
	case *ast.ReturnStatement:
		if s.Argument == nil {
			return
		}
		from, to := j.span(s.Argument)
		c, ok := s.Argument.(*ast.CallExpression)
		found := j.differing() && j.text[from:to] != "null"
		if !(j.comparing && j.text[from:to] == "false" || found || ok && j.complains(c)) {
			return
		}
	case *ast.BranchStatement:
		if !choice.MatchString(j.function) {
			return
		}
	default:
		return
	}
	j.about = j.text[syntax.Offset(n.Consequent.Idx0()):syntax.Offset(n.Consequent.Idx1())]
	j.wrap(n.Test, "refusal", true)
	j.about = ""
}

// wrap makes a condition, and what it consists of, such that it can be switched off.
func (j *jsFile) wrap(e ast.Expression, kind string, never bool) {
	from, to := j.span(e)
	if from < 0 || to < from || j.within(from) {
		return
	}
	text := j.weaker(e, kind, never)
	j.edits = append(j.edits, edit{from, to, without(text, j.check(from, kind, j.text[from:to]), never)})
}

// weaker does in JavaScript what goFile.weaker does in Go.
func (j *jsFile) weaker(e ast.Expression, kind string, never bool) string {
	from, to := j.span(e)
	b, ok := e.(*ast.BinaryExpression)
	if !ok || b.Operator != token.LOGICAL_OR && b.Operator != token.LOGICAL_AND {
		return j.text[from:to]
	}
	side := func(s ast.Expression) string {
		text := j.weaker(s, kind, never)
		if inner, ok := s.(*ast.BinaryExpression); (b.Operator == token.LOGICAL_OR) == never && !(ok && inner.Operator == b.Operator) {
			from, to := j.span(s)
			text = without(text, j.check(from, kind, j.text[from:to]), never)
		}
		return "(" + text + ")"
	}
	return side(b.Left) + " " + b.Operator.String() + " " + side(b.Right)
}
