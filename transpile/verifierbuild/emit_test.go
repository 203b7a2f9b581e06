package verifierbuild_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"karousosc/transpile/internal/nodetest"
	"karousosc/transpile/program"
	"karousosc/transpile/verifierbuild"
)

// stub is what the driver puts beside the multivalue runtime.
const stub = "\nvar $k = { T: Symbol('karousos.tracked'), on: (o, m, t, ...a) => o[m](...a), reg: (t, f, o, ...a) => Reflect.apply(f, o, a), regCall: (f, ...a) => f.call(...a), regApply: (f, ...a) => f.apply(...a), regBind: (f, ...a) => f.bind(...a), give: (o, m, t, ...a) => { if (typeof o[m] !== 'function') throw new TypeError(t + ' is not a function'); return o[m](...a); }, np: (...a) => new Promise(...a), ctor: (x) => x.constructor, loggable: (x) => x, box: (v) => ({ v }) };\n__mv.begin(1, 1);\n"

func emit(t testing.TB, text string) string { return emitWith(t, text, verifierbuild.Options{}) }

func emitWith(t testing.TB, text string, opts verifierbuild.Options) string {
	t.Helper()
	prog, err := program.Parse(text, program.WithOrigin(func(int) (program.Position, bool) {
		return program.Position{File: "node_modules/p/index.js", Line: 1, Column: 1}, true
	}))
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	out, maps, err := verifierbuild.Emit(prog, opts)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	for i, m := range maps {
		if m.Gen < 0 || m.Gen > len(out) || m.Src < 0 || m.Src > len(text) || i > 0 && m.Gen < maps[i-1].Gen {
			t.Fatalf("mapping %d of %d is out of place: %v", i, len(maps), m)
		}
	}
	return out
}

// With one lane an emitted program does exactly what the program does, with and
// without sites for tracked objects.
func TestOneLane(t *testing.T) {
	const annotate = "\n__karousos_loggable(0);\n"
	type program struct {
		Name  string   `json:"name"`
		Texts []string `json:"texts"`
	}
	var programs []program
	for _, p := range nodetest.Corpus(t) {
		text := nodetest.Lower(t, p.Text)
		// A function's body is sloppy at first and its vars are its own: all that a
		// bundle wants of its surroundings.
		wrap := func(s string) string { return "(function () {" + s + "\n}).call(globalThis);" }
		programs = append(programs, program{p.Name, []string{wrap(text), wrap(emit(t, text)), wrap(emit(t, text+annotate))}})
	}
	var out [][]string
	node(t, "testdata/corpus.js", map[string]any{"runtime": runtime(t) + stub, "programs": programs}, &out)
	for i, p := range programs {
		for j, how := range []string{"", "emitted", "with sites"} {
			if out[i][0] != out[i][j] {
				t.Errorf("%s %s differs\nplain:\n%s\nemitted:\n%s\ntext:\n%s", p.Name, how, out[i][0], out[i][j], p.Texts[j])
			}
		}
	}
	t.Logf("%d programs", len(programs))
}

// Whole apps come out as text that parses, and the same each time.
func TestBundles(t *testing.T) {
	for _, app := range []string{"motd", "motd-express5", "catalog"} {
		t.Run(app, func(t *testing.T) {
			text := nodetest.Bundle(t, app, "server.js", "express")
			out := emit(t, text)
			t.Logf("%d bytes became %d", len(text), len(out))
			packaged := program.WithOrigin(func(int) (program.Position, bool) {
				return program.Position{File: "node_modules/p/i.js", Line: 1, Column: 1}, true
			})
			if _, err := program.Parse(out, packaged); err != nil {
				t.Error(err)
			}
			if emit(t, text) != out {
				t.Error("two emissions differ")
			}
		})
	}
}

// Names of the program's own that look like the runtime's.
func TestNames(t *testing.T) {
	out := emit(t, "var $_add = 1, $t1 = 2, $k = 3, $e = 4; x = $_add + $t1 + f();")
	for _, want := range []string{"$_0_add($t2", "var $t2", "var $k1 = globalThis.$k;"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
}

// Each variable that outlives load time is told with its own place, in few words.
func TestPlacesOfVariables(t *testing.T) {
	text := "var a, b, c, d;\nfunction f() { a = b = c = d = e; }\nvar e = f;"
	files := map[string]program.Position{"a,": {File: "p/one.js", Line: 1, Column: 5}, "b,": {File: "p/one.js", Line: 7, Column: 5}, "d;": {File: "p/two.js", Line: 7, Column: 5}}
	prog, err := program.Parse(text, program.WithOrigin(func(o int) (program.Position, bool) {
		at, ok := files[text[o:o+2]]
		return at, ok
	}))
	if err != nil {
		t.Fatal(err)
	}
	out, _, err := verifierbuild.Emit(prog, verifierbuild.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if want := `"p/one.js:1:5\n:7:5\n:1:5\np/two.js:7:5\np/one.js:1:5", "a b c d e"`; !strings.Contains(out, want) {
		t.Errorf("%s is not in\n%s", want, out)
	}
}

// A program that uses names like the runtime's finds each of the runtime's helpers by another.
func TestEveryHelperIsRenamed(t *testing.T) {
	text, err := os.ReadFile("names.go")
	if err != nil {
		t.Fatal(err)
	}
	helpers := regexp.MustCompile(`(?m)^\th[A-Z]\w* += "(\w+)"`).FindAllStringSubmatch(string(text), -1)
	if len(helpers) < 40 {
		t.Fatalf("names.go declares %d helpers", len(helpers))
	}
	if out := emit(t, "var $_add = 1;"); strings.Contains(out, "= $_") {
		t.Errorf("the program's own names are taken for the runtime's:\n%s", out)
	}
	out := emit(t, "var $_add = 1, $_0_add = 2;")
	for _, h := range helpers {
		if !strings.Contains(out, "$_1_"+h[1]+" = $_"+h[1]) {
			t.Errorf("%s has no other name", h[1])
		}
	}
}

// What the bundler lowers is refused, with its position.
func TestNotLowered(t *testing.T) {
	for _, src := range []string{"class A { b = 1; }", "var { a, ...b } = c;"} {
		prog, err := program.Parse(src)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := verifierbuild.Emit(prog, verifierbuild.Options{}); err == nil || !strings.Contains(err.Error(), "lowered") {
			t.Errorf("%s: got error %v", src, err)
		}
	}
}

// Whole apps load, and answer, as emitted.
func TestBundlesLoad(t *testing.T) {
	for _, app := range []string{"motd", "motd-express5", "catalog"} {
		t.Run(app, func(t *testing.T) {
			var out struct {
				Listening bool
				Status    int
				Body      string
			}
			node(t, "testdata/load.js", map[string]any{"runtime": runtime(t) + stub, "text": emit(t, nodetest.Bundle(t, app, "server.js", "express"))}, &out)
			if !out.Listening || out.Status != 404 || !strings.Contains(out.Body, "Cannot POST /nowhere") && !strings.Contains(out.Body, "no such page") {
				t.Errorf("got %+v", out)
			}
		})
	}
}
