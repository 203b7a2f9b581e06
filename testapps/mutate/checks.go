package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// A Check is a place in the verifier that rejects.
type Check struct {
	File    string // from the module's folder
	Line    int
	Rule    string // as the source names it, "" for an edge
	Text    string // the line
	Without string // the whole file with the check removed
}

// Name tells checks apart.
func (c *Check) Name() string { return fmt.Sprintf("%s:%d %s %s", c.File, c.Line, c.Rule, c.Text) }

// redundant says why no test can notice that a check is missing, for the few of which
// that is so.
func (c *Check) redundant() string {
	for text, why := range map[string]string{
		"the log names something that init never made":                 "a logged value is compared with what its writer's re-execution wrote, and no such object can be written",
		"the log holds a value of a kind that shared state never does": "so is this one, whose kind nothing equals",
		"the log names an object that it never defines":                "the decoder refuses it",
		"heralds(": "what is taken has been seen to be there",
	} {
		if strings.Contains(c.Text, text) {
			return why
		}
	}
	return ""
}

// folders hold the checks that are written in Go.
var folders = []string{"verifier/order", "verifier/reexec", "verifier/verdict", "verifier/advice/v1", "verifier/trace", "verifier/trace/signed"}

// Checks finds all checks. A check of a kind that it knows but cannot remove is an error, so that none is forgotten.
func Checks(root string) ([]Check, error) {
	var all []Check
	for _, folder := range folders {
		names, err := filepath.Glob(filepath.Join(root, folder, "*.go"))
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			cs, err := inGo(root, folder+"/"+filepath.Base(name))
			if err != nil {
				return nil, err
			}
			all = append(all, cs...)
		}
	}
	for _, name := range []string{"runtime/js/dist/verifier.js", "runtime/js/dist/models.js"} {
		cs, err := inJavaScript(root, name)
		if err != nil {
			return nil, err
		}
		all = append(all, cs...)
	}
	return all, nil
}

var ruleName = regexp.MustCompile(`^(rule\.\w+|"[^"]*")$`)

// inGo finds evidence (whatever names a rule), edges, and what decoders refuse.
func inGo(root, name string) ([]Check, error) {
	text, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		return nil, err
	}
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, name, text, 0)
	if err != nil {
		return nil, err
	}
	offset := func(p token.Pos) int { return set.Position(p).Offset }
	source := func(n ast.Node) string { return string(text[offset(n.Pos()):offset(n.End())]) }
	var all []Check
	var path []ast.Node
	add := func(at ast.Node, rule string, old ast.Node, replacement string) {
		line := set.Position(at.Pos()).Line
		all = append(all, Check{
			File: name, Line: line, Rule: rule, Text: strings.TrimSpace(strings.Split(string(text), "\n")[line-1]),
			Without: string(text[:offset(old.Pos())]) + replacement + string(text[offset(old.End()):]),
		})
	}
	never := func(at ast.Node, rule string) {
		cond := condition(path)
		if cond == nil {
			for _, n := range path {
				if r, ok := n.(*ast.ReturnStmt); ok && len(r.Results) == 1 {
					add(at, rule, r.Results[0], "nil")
					return
				}
			}
			err = fmt.Errorf("%s: no condition decides about this check", set.Position(at.Pos()))
			return
		}
		add(at, rule, cond, "false && ("+source(cond)+")")
	}
	decoder := strings.Contains(name, "/advice/") || strings.Contains(name, "/trace/")
	ast.Inspect(f, func(n ast.Node) bool {
		if n == nil {
			path = path[:len(path)-1]
			return false
		}
		path = append(path, n)
		switch n := n.(type) {
		case *ast.CallExpr:
			switch fun := source(n.Fun); {
			case fun == "visit":
				add(n, "edge", n.Fun, "func(_, _ int32) {}")
			case decoder && fun == "d.fail":
				add(n, "malformed", n.Fun, "func(string) {}")
			case decoder && fun == "d.bad" && condition(path) != nil:
				never(n, "malformed")
			case (fun == "fmt.Errorf" || fun == "errors.New") && refuses(path):
				never(n, "refused")
			}
		case *ast.KeyValueExpr:
			if id, ok := n.Key.(*ast.Ident); ok && id.Name == "Rule" && ruleName.MatchString(source(n.Value)) {
				never(n, source(n.Value))
			}
		}
		return true
	})
	return all, err
}

// refuses tells whether the call at the end of the path is returned as an error under a condition of the code's own: not
// one that only hands on an error.
func refuses(path []ast.Node) bool {
	if len(path) < 2 {
		return false
	}
	if _, ok := path[len(path)-2].(*ast.ReturnStmt); !ok {
		return false
	}
	cond := condition(path)
	if cond == nil {
		return false
	}
	own := true
	ast.Inspect(cond, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && (id.Name == "err" || strings.HasSuffix(id.Name, "Err")) {
			own = false
		}
		return own
	})
	return own
}

// condition is what decides about the innermost statement of the path.
func condition(path []ast.Node) ast.Expr {
	for i := len(path) - 1; i > 0; i-- {
		switch n := path[i].(type) {
		case *ast.IfStmt:
			return n.Cond
		case *ast.CaseClause:
			if s, ok := path[i-2].(*ast.SwitchStmt); ok && s.Tag == nil && len(n.List) == 1 {
				return n.List[0]
			}
		case *ast.FuncDecl:
			return nil
		}
	}
	return nil
}

var (
	// What says that something is wrong, in the runtime and in the models.
	complaint = regexp.MustCompile(`\b(?:problem|wrong|sharing|unsupported)\(|\$impossible\?\.\(`)
	// The same, where it is defined or handed on.
	definition = regexp.MustCompile(`function (?:problem|unsupported|sharing)|const wrong =|g\.\$\w+ = `)
	literal    = regexp.MustCompile(`"R-[a-z]+"`)
	// What checks a recorded result says that it is all right, or what it is not.
	validator = regexp.MustCompile(`\? null : (?:"(?:it is )?not (?:[^"\\]|\\.)*"|` + "`not [^`]*`)")
	// comparison begins a function that compares what the advice says with what re-execution made.
	comparison = regexp.MustCompile(`^( *)function (equals|matches|sameDelta|sameKey)\d*\(`)
	returned   = regexp.MustCompile(`return [^;]*;`)
)

// inJavaScript finds complaints, validators and comparisons.
func inJavaScript(root, name string) ([]Check, error) {
	text, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		return nil, err
	}
	lines := strings.SplitAfter(string(text), "\n")
	var all []Check
	add := func(n int, rule, changed string) {
		was := lines[n]
		lines[n] = changed
		all = append(all, Check{File: name, Line: n + 1, Rule: rule, Text: strings.TrimSpace(was), Without: strings.Join(lines, "")})
		lines[n] = was
	}
	replaced := func(line string, at []int, by string) string { return line[:at[0]] + by + line[at[1]:] }
	// What the models cannot do is no check of the advice.
	models := strings.HasSuffix(name, "models.js")
	inside := "" // the end of the comparison around the line
	for n, line := range lines {
		if m := comparison.FindStringSubmatch(line); m != nil {
			inside = m[1] + "}\n"
		}
		if line == inside {
			inside = ""
		}
		if inside != "" {
			if at := returned.FindStringIndex(line); at != nil && !strings.Contains(line, "return true;") {
				add(n, "R-value", replaced(line, at, "return true;"))
			}
		}
		if at := validator.FindStringIndex(line); at != nil {
			add(n, "R-nondet", replaced(line, at, "? null : null"))
		}
		at := complaint.FindStringIndex(line)
		if at == nil || definition.MatchString(line) || models && strings.Contains(line[at[0]:at[1]], "unsupported") {
			continue
		}
		rule := literal.FindString(line)
		switch call := line[at[0]:at[1]]; {
		case rule != "":
		case strings.HasPrefix(call, "wrong"):
			rule = `"R-object"`
		case strings.Contains(call, "impossible"):
			rule = `"R-nondet"`
		default:
			rule = `"R-unsupported"`
		}
		if rule == `"R-nondet"` && strings.HasPrefix(line[at[0]:], "$") {
			add(n, rule, replaced(line, at, "$nobody?.("))
			continue
		}
		add(n, rule, replaced(line, at, "(() => {})("))
	}
	return all, nil
}
