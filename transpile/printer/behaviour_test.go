package printer_test

import (
	"strings"
	"testing"

	"karousosc/transpile/internal/nodetest"
)

// A printed program does what the program does.
func TestBehaviour(t *testing.T) {
	var programs []nodetest.Program
	for _, p := range nodetest.Corpus(t) {
		programs = append(programs, nodetest.Program{Name: p.Name + " (lowered)", Text: nodetest.Lower(t, p.Text)})
		if !strings.Contains(p.Text, "async function*") { // which the parser does not know
			programs = append(programs, p)
		}
	}
	var texts []string
	for _, p := range programs {
		printed := reprint(t, p.Text)
		if again := reprint(t, printed); again != printed {
			t.Errorf("%s: printing is no fixed point", p.Name)
		}
		texts = append(texts, p.Text, printed)
	}
	out := nodetest.Run(t, texts)
	for i, p := range programs {
		if out[2*i] != out[2*i+1] {
			t.Errorf("%s: printed program differs\nplain:\n%s\nprinted:\n%s\ntext:\n%s", p.Name, out[2*i], out[2*i+1], texts[2*i+1])
		}
		if testing.Verbose() {
			t.Logf("%s:\n%s", p.Name, out[2*i])
		}
	}
}

// Whole bundles come out as a fixed point of printing and parsing.
func TestBundles(t *testing.T) {
	for _, app := range []string{"motd", "motd-express5"} {
		t.Run(app, func(t *testing.T) {
			text := nodetest.Bundle(t, app, "server.js", "express")
			once := reprint(t, text)
			if again := reprint(t, once); again != once {
				t.Errorf("printing the bundle of %s is no fixed point", app)
			}
		})
	}
}
