package main

import (
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"karousosc/testapps/scenario"
	"karousosc/verifier/rule"
)

func instrumented(t *testing.T) *Instrumented {
	t.Helper()
	root, err := scenario.Root()
	if err != nil {
		t.Fatal(err)
	}
	in, err := Instrument(root)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// Every rule has a check that can be switched off, and what is instrumented can be parsed.
func TestChecks(t *testing.T) {
	in := instrumented(t)
	rules, kinds := map[string]int{}, map[string]int{}
	for i, c := range in.Checks {
		if c.Number != i {
			t.Fatalf("check %d has number %d", i, c.Number)
		}
		rules[c.Rule]++
		kinds[c.Kind]++
	}
	for name, text := range in.Texts {
		if !strings.HasSuffix(name, ".go") {
			continue // inJavaScript has parsed it
		}
		if _, err := parser.ParseFile(token.NewFileSet(), name, text, 0); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, r := range rule.All {
		switch r.ID {
		case rule.R8, rule.A10: // a cycle is what edges make; malformed is an error of the decoder
		default:
			if rules[r.ID] == 0 && rules[strings.ToUpper(r.ID[2:3])+r.ID[3:]] == 0 {
				t.Errorf("no check of rule %s was found", r.ID)
			}
		}
	}
	for kind, least := range map[string]int{"edge": 10, "refusal": 300, "bound": 50, "exemption": 50, "handed on": 50, "answer": 50, "call": 50, "result": 20} {
		if kinds[kind] < least {
			t.Errorf("%d checks of kind %q were found", kinds[kind], kind)
		}
	}
}

// A check that is said to be equivalent is there.
func TestEquivalents(t *testing.T) {
	in := instrumented(t)
	used := map[string]bool{}
	for i := range in.Checks {
		for _, e := range equivalents {
			if e.is(&in.Checks[i]) {
				used[e.name()] = true
			}
		}
	}
	for _, e := range equivalents {
		if !used[e.name()] {
			t.Errorf("no check is %s", e.name())
		}
	}
}
