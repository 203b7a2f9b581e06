package rule

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const root = "../.."

// bodies returns the text of every function and variable of a folder's tests.
func bodies(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	files, err := filepath.Glob(filepath.Join(root, dir, "*_test.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s holds no tests: %v", dir, err)
	}
	set := token.NewFileSet()
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		f, err := parser.ParseFile(set, name, text, 0)
		if err != nil {
			t.Fatal(err)
		}
		body := func(n ast.Node) string {
			return string(text[set.Position(n.Pos()).Offset:set.Position(n.End()).Offset])
		}
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				found[d.Name.Name] = body(d)
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if v, ok := s.(*ast.ValueSpec); ok {
						found[v.Names[0].Name] = body(v)
					}
				}
			}
		}
	}
	return found
}

// Each rule has a test that speaks of it.
func TestEveryRuleIsTested(t *testing.T) {
	folders := map[string]map[string]string{}
	for _, r := range All {
		if len(r.Tests) == 0 {
			t.Errorf("no test rejects by rule %s", r.ID)
		}
		for _, name := range r.Tests {
			dir, f, _ := strings.Cut(name, " ")
			if folders[dir] == nil {
				folders[dir] = bodies(t, dir)
			}
			text, ok := folders[dir][f]
			if !ok || !regexp.MustCompile(`\b(rule\.)?`+regexp.QuoteMeta(r.ID)+`\b`).MatchString(text) {
				t.Errorf("%s does not test rule %s", name, r.ID)
			}
		}
	}
}

// Every rule that the code names is in the list, and the other way round.
func TestEveryCheckHasARule(t *testing.T) {
	known := map[string]bool{Unsupported: false, Shared: false}
	for _, r := range All {
		if known[r.ID] {
			t.Errorf("rule %s is listed twice", r.ID)
		}
		known[r.ID] = true
	}
	names := map[string]string{}
	for _, name := range []string{"A1", "A2", "A3", "A4", "A5", "A6", "A7", "A8", "A9", "A10", "R1", "R2", "R3", "R4", "R5", "R6", "R7", "R8"} {
		names["rule."+name] = name
	}
	used := map[string]string{}
	literal := regexp.MustCompile(`['"](R-[a-z]+)['"]|\b(rule\.[AR]\d+)\b`)
	for _, pattern := range []string{"runtime/js/verifier/*.ts", "verifier/reexec/*.go", "verifier/verdict/*.go", "verifier/order/*.go"} {
		files, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v", pattern, err)
		}
		for _, f := range files {
			if strings.HasSuffix(f, "_test.go") {
				continue
			}
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range literal.FindAllStringSubmatch(string(text), -1) {
				id := m[1]
				if id == "" {
					id = names[m[2]]
				}
				used[id] = f
			}
		}
	}
	for id, f := range used {
		if _, ok := known[id]; !ok {
			t.Errorf("%s rejects by %s, which is no rule", f, id)
		}
	}
	for id, rule := range known {
		if rule && used[id] == "" {
			t.Errorf("no check rejects by rule %s", id)
		}
	}
}
