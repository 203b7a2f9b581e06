package main

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"karousosc/verifier/trace"
)

func TestTraceExportImport(t *testing.T) {
	dir := t.TempDir()
	original := filepath.Join(dir, "a.ktrace")
	want := &trace.Trace{
		Exchanges: []trace.Exchange{{RID: 1, HasResponse: true,
			Request:  trace.Request{Method: "GET", Target: "/<b>", Proto: "HTTP/1.1", Headers: []trace.Header{{Name: "Host", Value: "h"}}, Body: []byte{0xff}},
			Response: trace.Response{Status: 200, Body: []byte("ok")}}},
		Events: []trace.Event{{RID: 1, Time: 5, Kind: trace.RequestEvent}, {RID: 1, Time: 6, Kind: trace.ResponseEvent}},
	}
	if err := trace.Save(original, want); err != nil {
		t.Fatal(err)
	}
	for _, format := range []string{"jsonl", "har"} {
		text, back := filepath.Join(dir, "a."+format), filepath.Join(dir, format+".ktrace")
		for _, args := range [][]string{
			{"trace", "export", "--format", format, original, text},
			{"trace", "import", "--format", format, text, back},
		} {
			if code, stdout, stderr := runHere(args...); code != 0 || stdout+stderr != "" {
				t.Fatalf("%v: exit %d\n%s%s", args, code, stdout, stderr)
			}
		}
		got, err := trace.Load(back, trace.Limits{})
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v %v", format, got, err)
		}
		inFile, err := os.ReadFile(text)
		if err != nil {
			t.Fatal(err)
		}
		if _, stdout, _ := runHere("trace", "export", "--format", format, original); !bytes.Equal([]byte(stdout), inFile) {
			t.Errorf("%s: standard output and file differ", format)
		}
	}
	bad := filepath.Join(dir, "bad")
	if err := os.WriteFile(bad, []byte("{\"trace\":1}\nnonsense\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		want string
		args []string
	}{
		{"exists", []string{"export", original, bad}},
		{"exists", []string{"import", filepath.Join(dir, "a.jsonl"), original}},
		{"unknown format", []string{"export", "--format", "xml", original}},
		{"unknown format", []string{"import", "--format", "xml", bad, bad}},
		{"not a trace", []string{"export", bad}},
		{"at 2", []string{"import", bad, filepath.Join(dir, "new")}},
		{"no such file", []string{"export", filepath.Join(dir, "missing")}},
	} {
		code, stdout, stderr := runHere(append([]string{"trace"}, c.args...)...)
		if code != 2 || stdout != "" || !strings.Contains(stderr, c.want) {
			t.Errorf("%v: exit %d\n%s%s", c.args, code, stdout, stderr)
		}
	}
}
