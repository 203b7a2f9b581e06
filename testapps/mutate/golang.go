package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A goFile instruments one file: each of its checks is asked about where it decides.
type goFile struct {
	name  string
	text  []byte
	set   *token.FileSet
	next  int // the number of the next check
	found []Check
	edits []edit
	// What is around the node that is looked at.
	path []ast.Node
	// done: the end of the last condition that was replaced. What is in it is left alone.
	done int
}

// An edit puts text in the place of what is between two offsets.
type edit struct {
	from, to int
	text     string
}

// imported is what makes an instrumented file see what it asks, under a name that it has not got.
const imported = `; import switched_ "karousosc/testapps/mutate/on"`

// inGo finds the checks of one file, numbered from first, and returns the text in which they can be switched off.
func inGo(root, name string, first int) ([]Check, string, error) {
	text, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		return nil, "", err
	}
	g := &goFile{name: name, text: text, set: token.NewFileSet(), next: first}
	f, err := parser.ParseFile(g.set, name, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, "", err
	}
	ast.Inspect(f, g.visit)
	if len(g.edits) > 0 {
		end := g.offset(f.Name.End())
		g.edits = append(g.edits, edit{end, end, imported})
	}
	return g.found, applied(string(text), g.edits), nil
}

// applied makes the edits, which do not overlap.
func applied(text string, edits []edit) string {
	slices.SortStableFunc(edits, func(a, b edit) int { return a.from - b.from })
	var b strings.Builder
	at := 0
	for _, e := range edits {
		b.WriteString(text[at:e.from])
		b.WriteString(e.text)
		at = e.to
	}
	return b.String() + text[at:]
}

func (g *goFile) offset(p token.Pos) int { return g.set.Position(p).Offset }

func (g *goFile) source(n ast.Node) string {
	return string(g.text[g.offset(n.Pos()):g.offset(n.End())])
}

// check numbers a check and returns the question whether it is off.
func (g *goFile) check(at ast.Node, kind, what string) string {
	line := g.set.Position(at.Pos()).Line
	g.found = append(g.found, Check{
		Number: g.next, File: g.name, Line: line, Kind: kind, What: oneLine(what), Rule: g.rule(at),
		Func: g.function(),
	})
	g.next++
	return "switched_.Off(" + strconv.Itoa(g.next-1) + ")"
}

func oneLine(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > 110 {
		s = s[:110] + "…"
	}
	return s
}

func (g *goFile) function() string {
	for _, n := range g.path {
		if f, ok := n.(*ast.FuncDecl); ok {
			return f.Name.Name
		}
	}
	return ""
}

var ruleName = regexp.MustCompile(`\brule\.(\w+)`)

// rule is the rule that the statement about a check names, "" if it names none.
func (g *goFile) rule(at ast.Node) string {
	switch s := g.path[len(g.path)-1].(type) {
	case *ast.IfStmt:
		at = s.Body
	case *ast.CaseClause:
		at = s
	}
	if m := ruleName.FindStringSubmatch(g.source(at)); m != nil {
		return m[1]
	}
	return ""
}

func (g *goFile) visit(n ast.Node) bool {
	if n == nil {
		g.path = g.path[:len(g.path)-1]
		return false
	}
	g.path = append(g.path, n)
	if g.offset(n.Pos()) < g.done {
		return true
	}
	switch n := n.(type) {
	case *ast.IfStmt:
		g.decision(n.Cond, n.Body.List)
	case *ast.CaseClause:
		if len(g.path) < 3 {
			break
		}
		if s, ok := g.path[len(g.path)-3].(*ast.SwitchStmt); ok && s.Tag == nil {
			for _, c := range n.List {
				g.decision(c, n.Body)
			}
		}
	case *ast.ReturnStmt:
		g.answer(n)
	case *ast.ExprStmt:
		g.call(n)
	}
	return true
}

// decision switches off a condition about something that rejects, so that it never holds, or about leaving what would
// have been checked, so that it always does.
func (g *goFile) decision(cond ast.Expr, body []ast.Stmt) {
	kind, never := "", true
	switch {
	case rejects(g, body):
		kind = "refusal"
	case accepts(g, body):
		kind, never = "exemption", false
	default:
		return
	}
	if handsOn.MatchString(g.source(cond)) {
		kind = "handed on"
	}
	if writers[g.name] && kind != "refusal" {
		return
	}
	text := g.weaker(cond, kind, never)
	g.replace(cond, without(text, g.check(cond, kind, g.source(cond)), never))
}

// handsOn: somebody else's error.
var handsOn = regexp.MustCompile(`^(err|p|v|wrong|reason|r)\d* != (nil|"")$`)

// without is a condition that never holds, or always, once the check is off.
func without(cond, off string, never bool) string {
	if never {
		return "((" + cond + ") && !" + off + ")"
	}
	return "((" + cond + ") || " + off + ")"
}

// weaker makes the parts of a condition such that each can be switched off: the sides of what refuses for one reason or
// another, and the bound itself of a comparison. never: the condition refuses.
func (g *goFile) weaker(e ast.Expr, kind string, never bool) string {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return "(" + g.weaker(e.X, kind, never) + ")"
	case *ast.UnaryExpr:
		if e.Op == token.NOT {
			return "!(" + g.weaker(e.X, kind, !never) + ")"
		}
	case *ast.BinaryExpr:
		x, y := "", ""
		switch e.Op {
		case token.LOR, token.LAND:
			x, y = g.weaker(e.X, kind, never), g.weaker(e.Y, kind, never)
			if (e.Op == token.LOR) == never {
				if !connected(e.X, e.Op) {
					x = without(x, g.check(e.X, kind, g.source(e.X)), never)
				}
				if !connected(e.Y, e.Op) {
					y = without(y, g.check(e.Y, kind, g.source(e.Y)), never)
				}
			}
			return "(" + x + ") " + e.Op.String() + " (" + y + ")"
		case token.GEQ, token.LEQ:
			if never && !writers[g.name] {
				off := g.check(e, "bound", g.source(e))
				return "(" + g.source(e) + " && (" + g.source(e.X) + " != " + g.source(e.Y) + " || !" + off + "))"
			}
		case token.GTR, token.LSS:
			if !never && !writers[g.name] {
				off := g.check(e, "bound", g.source(e))
				return "(" + g.source(e) + " || " + g.source(e.X) + " == " + g.source(e.Y) + " && " + off + ")"
			}
		}
	}
	return g.source(e)
}

// connected: the sides of the side are switched off one by one.
func connected(e ast.Expr, op token.Token) bool {
	for {
		p, ok := e.(*ast.ParenExpr)
		if !ok {
			break
		}
		e = p.X
	}
	b, ok := e.(*ast.BinaryExpr)
	return ok && b.Op == op
}

// answer switches off what functions say that answer yes or no: once they always say one, and once the other.
func (g *goFile) answer(r *ast.ReturnStmt) {
	t := g.results()
	if len(r.Results) != 1 || len(t) != 1 {
		return
	}
	if id, ok := t[0].Type.(*ast.Ident); !ok || id.Name != "bool" {
		return
	}
	e := r.Results[0]
	if id, ok := e.(*ast.Ident); ok && (id.Name == "true" || id.Name == "false") {
		return
	}
	text := g.weaker(e, "answer", true)
	text = without(text, g.check(e, "answer", "never "+g.source(e)), true)
	text = without(text, g.check(e, "answer", "always "+g.source(e)), false)
	g.replace(e, text)
}

// replace puts text in the place of an expression.
func (g *goFile) replace(e ast.Expr, text string) {
	g.done = g.offset(e.End())
	g.edits = append(g.edits, edit{g.offset(e.Pos()), g.done, text})
}

// results are those of the innermost function.
func (g *goFile) results() []*ast.Field {
	for _, n := range slices.Backward(g.path) {
		var t *ast.FuncType
		switch f := n.(type) {
		case *ast.FuncDecl:
			t = f.Type
		case *ast.FuncLit:
			t = f.Type
		default:
			continue
		}
		if t.Results == nil {
			return nil
		}
		return t.Results.List
	}
	return nil
}

// calls that are made for what they check or say, but not for what they return.
var calls = regexp.MustCompile(`^(visit|\w+\.(fail|only|reject|bad|doubt|expect|charge|problem|because|end|own\.put|own\.begin)|\w+\.\w+\.Store|fail)$`)

// call switches off a statement that is a call.
func (g *goFile) call(s *ast.ExprStmt) {
	c, ok := s.X.(*ast.CallExpr)
	if !ok || !calls.MatchString(g.source(c.Fun)) {
		return
	}
	kind := "call"
	if g.source(c.Fun) == "visit" {
		kind = "edge"
	}
	from, to := g.offset(s.Pos()), g.offset(s.End())
	g.edits = append(g.edits, edit{from, from, "if !" + g.check(s, kind, g.source(s)) + " { "}, edit{to, to, " }"})
}

var refusing = regexp.MustCompile(`^(\w+\.)?(fail|bad|reject|rejected|failed|Errorf|unusable|damaged|wrong|doubt)$|^errors\.New$|^panic$`)

// rejects tells whether statements refuse something: by what they call, the rule they name, or what they return.
func rejects(g *goFile, body []ast.Stmt) bool {
	yes := false
	for _, s := range body {
		ast.Inspect(s, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit, *ast.IfStmt, *ast.SwitchStmt, *ast.ForStmt, *ast.RangeStmt:
				return false // with decisions of its own
			case *ast.CallExpr:
				yes = yes || refusing.MatchString(g.source(n.Fun))
			case *ast.KeyValueExpr:
				yes = yes || strings.Contains(g.source(n.Key), "Rule")
			}
			return true
		})
	}
	if yes || len(body) == 0 {
		return yes
	}
	r, ok := body[len(body)-1].(*ast.ReturnStmt)
	return ok && len(r.Results) > 0 && !nothing(r.Results[len(r.Results)-1])
}

// accepts tells whether statements end what is being checked.
func accepts(g *goFile, body []ast.Stmt) bool {
	if len(body) == 0 {
		return false
	}
	switch s := body[len(body)-1].(type) {
	case *ast.ReturnStmt:
		return len(s.Results) == 0 || nothing(s.Results[len(s.Results)-1])
	case *ast.BranchStmt:
		return s.Tok == token.CONTINUE || s.Tok == token.BREAK
	}
	return false
}

// nothing: a result that finds nothing wrong.
func nothing(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name == "nil" || e.Name == "true"
	case *ast.BasicLit:
		return e.Value == `""`
	}
	return false
}
