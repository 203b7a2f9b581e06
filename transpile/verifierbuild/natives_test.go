package verifierbuild_test

import (
	"flag"
	"fmt"
	"testing"
)

var (
	rounds = flag.Int("rounds", 8, "calls per built-in function and way of calling it")
	seeds  = flag.Int("seeds", 1, "times to try them all")
)

// Every built-in function of the engine is called with multivalues as receiver and
// as arguments: it does what it does for the lanes one by one, or it diverges.
func TestNatives(t *testing.T) {
	type wrong struct{ Name, What, Got, Want string }
	for seed := 1; seed <= *seeds; seed++ {
		t.Run(fmt.Sprint("seed", seed), func(t *testing.T) {
			var out struct {
				Functions, Runs, Diverged, Agreed int
				Wrong                             []wrong
			}
			node(t, "testdata/natives.js", map[string]any{"runtime": runtime(t), "seed": seed, "rounds": *rounds}, &out)
			for i, w := range out.Wrong {
				if i == 60 {
					t.Errorf("and %d more", len(out.Wrong)-i)
					break
				}
				t.Errorf("%s: %s\n   want %s\n    got %s", w.Name, w.What, w.Want, w.Got)
			}
			if out.Functions < 450 {
				t.Errorf("only %d functions were found", out.Functions)
			}
			t.Logf("%d functions, %d calls: %d as the lanes one by one, %d diverged", out.Functions, out.Runs, out.Agreed, out.Diverged)
		})
	}
}
