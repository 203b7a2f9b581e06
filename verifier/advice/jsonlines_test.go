package advice_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"karousosc/verifier/advice"
	"karousosc/verifier/advice/record"
)

var renumber = record.Renumber{}

func list(vs []advice.Value) advice.Value { return record.ListOf(vs...) }

func itoa(i int) string { return strconv.Itoa(i) }

func importInto(t testing.TB, dir, text string) {
	t.Helper()
	if err := tryImport(dir, text); err != nil {
		t.Fatal(err)
	}
}

func tryImport(dir, text string) error {
	return advice.Import("test.jsonl", stringsReader(text), advice.Limits{}, func(name string) (io.WriteCloser, error) {
		return os.Create(filepath.Join(dir, name))
	})
}

func stringsReader(s string) io.Reader { return strings.NewReader(s) }

const head = `{"life":"life-1700000000000-1.kadv","version":1,"build":"c0ffee"}` + "\n"

// What a person may do to exported advice, and what comes of it.
func TestEdits(t *testing.T) {
	const honest = `{"request":1,"rid":1}
{"request":2,"rid":2}
{"location":0,"obj":-1,"key":"a"}
{"location":1,"obj":-1,"key":"b"}
{"write":0,"req":1,"act":0,"op":1,"loc":0,"prev":-1,"value":1}
{"write":1,"req":1,"act":0,"op":2,"loc":0,"prev":0,"value":2}
{"read":0,"req":2,"act":0}
{"tag":7,"req":1}
{"end":true}
`
	for _, c := range []struct{ name, old, new, want, bad string }{
		{name: "change a value", old: `"value":1`, new: `"value":"forged"`, want: `"value":"forged"`},
		{name: "re-point a read", old: `{"read":0`, new: `{"read":1`, want: `{"read":1`},
		{name: "drop a request's tag", old: `{"tag":7,"req":1}` + "\n", new: ``, want: `"act":0}` + "\n" + `{"end":true}`},
		{name: "drop a write that nobody names", old: `{"write":1,"req":1,"act":0,"op":2,"loc":0,"prev":0,"value":2}` + "\n", new: ``, want: `{"read":0,"req":2,"act":0}`},
		{name: "drop a write that is read", old: `{"write":0,"req":1,"act":0,"op":1,"loc":0,"prev":-1,"value":1}` + "\n", bad: "line 6: no line before this one defines write 0"},
		{name: "a copied write is the one that later lines mean", old: `{"read":0`, new: `{"write":0,"req":2,"act":0,"op":5,"loc":0,"prev":1,"value":3}` + "\n" + `{"read":0`, want: `{"read":2`},
		{name: "a copied read", old: `{"read":0,"req":2,"act":0}`, new: `{"read":0,"req":2,"act":0}` + "\n" + `{"read":0,"req":2,"act":0}`, want: `{"read":0,"req":2,"act":0}` + "\n" + `{"read":0,"req":2,"act":0}`},
		{name: "labels need not be dense", old: `{"request":2,"rid":2}`, new: `{"request":900,"rid":9}` + "\n" + `{"request":2,"rid":2}`, want: `{"request":3,"rid":2}`},
		{name: "a read of a later write", old: `{"write":1`, new: `{"read":1,"req":2,"act":0}` + "\n" + `{"write":1`, bad: "line 7: no line before this one defines write 1"},
		{name: "a write over another location's", old: `"loc":0,"prev":0`, new: `"loc":1,"prev":0`, bad: "line 7: write 0 is to location 0"},
		{name: "an unknown name", old: `"op":1`, new: `"oop":1`, bad: `line 6: "op" is missing`},
		{name: "a name too many", old: `"op":1`, new: `"op":1,"colour":"red"`, bad: `line 6: there is a name that does not belong`},
		{name: "a name twice", old: `"op":1`, new: `"op":1,"op":1`, bad: `"op" is there twice`},
		{name: "an unknown record", old: `{"tag":7`, new: `{"tug":7`, bad: `line 9: "tug" is no record`},
		{name: "an unknown value", old: `"value":1`, new: `"value":["q"]`, bad: `line 6: no such value`},
		{name: "an unknown activation", old: `"act":0,"op":1`, new: `"act":4,"op":1`, bad: `line 6: no line before this one defines activation 4`},
		{name: "a fraction", old: `"op":1`, new: `"op":1.5`, bad: `line 6: "op" must be an integer`},
		{name: "no JSON", old: `{"tag":7`, new: `{"tag":07`, bad: `line 9: column 9`},
		{name: "deep nesting", old: `"value":1`, new: `"value":` + strings.Repeat(`["A",[`, 100000), bad: `line 6: column`},
		{name: "no life first", old: head, new: ``, bad: "line 1: the first line must be a life"},
		{name: "another version", old: `"version":1`, new: `"version":2`, bad: "format version 2 is unknown"},
		{name: "a path", old: `"life":"life`, new: `"life":"../life`, bad: "is no name for a life"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := head + honest
			if !strings.Contains(text, c.old) {
				t.Fatal("nothing to replace")
			}
			dir := t.TempDir()
			err := tryImport(dir, strings.Replace(text, c.old, c.new, 1))
			if c.bad != "" {
				var f *advice.FormatError
				if !errors.As(err, &f) || !strings.Contains(f.Reason, c.bad) {
					t.Fatalf("got %v, want %q", err, c.bad)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(lines(t, dir), "\n"); !strings.Contains(got, c.want) {
				t.Errorf("got\n%s\nwithout\n%s", got, c.want)
			}
			loadOne(t, dir)
		})
	}
}
