package main

import (
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"karousosc/testapps/scenario"
	"karousosc/verifier/rule"
)

// Every rule has a check that can be removed, and what is left can be parsed.
func TestChecks(t *testing.T) {
	root, err := scenario.Root()
	if err != nil {
		t.Fatal(err)
	}
	all, err := Checks(root)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]int{}
	for _, c := range all {
		found[strings.Trim(strings.TrimPrefix(c.Rule, "rule."), `"`)]++
		if strings.HasSuffix(c.File, ".go") {
			if _, err := parser.ParseFile(token.NewFileSet(), c.File, c.Without, 0); err != nil {
				t.Errorf("%s: %v", c.Name(), err)
			}
		}
	}
	for _, r := range rule.All {
		switch r.ID {
		case rule.R8, rule.A10: // a cycle is what edges make; malformed is an error of the decoder
		default:
			if found[r.ID] == 0 {
				t.Errorf("no check of rule %s was found", r.ID)
			}
		}
	}
	if found["edge"] < 10 {
		t.Errorf("%d edges were found", found["edge"])
	}
}
