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
		"the log names an object that init never made": "a logged value is compared with what its writer's re-execution wrote, and no such object can be written",
	} {
		if strings.Contains(c.Text, text) {
			return why
		}
	}
	return ""
}

var goFiles = []string{"verifier/order/order.go", "verifier/order/graph.go", "verifier/reexec/reexec.go", "verifier/reexec/life.go", "verifier/reexec/collect.go", "verifier/verdict/verdict.go"}

// Checks finds all checks.
func Checks(root string) ([]Check, error) {
	var all []Check
	for _, name := range goFiles {
		cs, err := inGo(root, name)
		if err != nil {
			return nil, err
		}
		all = append(all, cs...)
	}
	cs, err := inJavaScript(root, "runtime/js/dist/verifier.js")
	return append(all, cs...), err
}

var ruleName = regexp.MustCompile(`Rule: *(rule\.\w+|"[^"]*")`)

// inGo finds returns of evidence, and edges.
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
	var all []Check
	var path []ast.Node
	add := func(at ast.Node, rule string, from, to int, replacement string) {
		line := set.Position(at.Pos()).Line
		all = append(all, Check{
			File: name, Line: line, Rule: rule, Text: strings.TrimSpace(strings.Split(string(text), "\n")[line-1]),
			Without: string(text[:from]) + replacement + string(text[to:]),
		})
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if n == nil {
			path = path[:len(path)-1]
			return false
		}
		path = append(path, n)
		switch n := n.(type) {
		case *ast.CallExpr:
			if id, ok := n.Fun.(*ast.Ident); ok && id.Name == "visit" {
				add(n, "edge", offset(id.Pos()), offset(id.End()), "func(_, _ int32) {}")
			}
		case *ast.ReturnStmt:
			source := string(text[offset(n.Pos()):offset(n.End())])
			m := ruleName.FindStringSubmatch(source)
			if m == nil {
				break
			}
			if cond := condition(path); cond != nil {
				from, to := offset(cond.Pos()), offset(cond.End())
				add(n, m[1], from, to, "false && ("+string(text[from:to])+")")
			}
		}
		return true
	})
	return all, nil
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

// inJavaScript finds calls of problem that name a rule.
func inJavaScript(root, name string) ([]Check, error) {
	text, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		return nil, err
	}
	call := regexp.MustCompile(`\b(problem|wrong)\([^;\n]*?`)
	literal := regexp.MustCompile(`"R-[a-z]+"`)
	var all []Check
	for n, line := range strings.SplitAfter(string(text), "\n") {
		m := call.FindStringIndex(line)
		if m == nil || strings.Contains(line, "function problem") || strings.Contains(line, "const wrong") {
			continue
		}
		rule := literal.FindString(line)
		if rule == "" && !strings.Contains(line, "wrong(") {
			continue
		}
		if rule == "" {
			rule = `"R-object"`
		}
		at := strings.Index(line, "(")
		for _, w := range []string{"problem(", "wrong("} {
			if i := strings.Index(line, w); i >= 0 {
				at = i + len(w) - 1
				line = line[:i] + "(() => {})" + line[at:]
				break
			}
		}
		lines := strings.SplitAfter(string(text), "\n")
		was := strings.TrimSpace(lines[n])
		lines[n] = line
		all = append(all, Check{File: name, Line: n + 1, Rule: rule, Text: was, Without: strings.Join(lines, "")})
	}
	return all, nil
}
