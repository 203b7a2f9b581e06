package signed

import (
	"bytes"
	"encoding/base64"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/note"

	"karousosc/verifier/trace"
)

// Only what text writes is a checkpoint, whoever signed it.
func TestTextsThatAreNoCheckpoints(t *testing.T) {
	c := Checkpoint{Size: 7, End: 900, Time: time.Unix(1_700_000_000, 0).UTC(), Adopted: Range{2, 5}, Closed: true}
	good := c.text()
	if got, err := parse(good); err != nil || got != c {
		t.Fatalf("%+v %v", got, err)
	}
	root := base64.StdEncoding.EncodeToString(c.Root[:])
	for what, text := range map[string]string{
		"nothing":             "",
		"too little":          strings.Join(strings.SplitAfter(good, "\n")[:4], ""),
		"another origin":      strings.Replace(good, origin, "another log", 1),
		"no size":             strings.Replace(good, "\n7\n", "\nseven\n", 1),
		"size 0":              strings.Replace(good, "\n7\n", "\n0\n", 1),
		"a size spelled out":  strings.Replace(good, "\n7\n", "\n07\n", 1),
		"no root":             strings.Replace(good, root, strings.Repeat("?", len(root)), 1),
		"a short root":        strings.Replace(good, root, base64.StdEncoding.EncodeToString(c.Root[1:]), 1),
		"a long root":         strings.Replace(good, root, base64.StdEncoding.EncodeToString(append(c.Root[:], 0)), 1),
		"no bytes":            strings.Replace(good, "bytes 900", "bytes many", 1),
		"no time":             strings.Replace(good, "time 20", "time then 20", 1),
		"another time zone":   strings.Replace(good, "Z\n", "+00:00\n", 1),
		"no range":            strings.Replace(good, "adopted 2 5", "adopted some", 1),
		"an unknown line":     good + "more\n",
		"a line twice":        good + "closed\n",
		"lines in any order":  strings.Replace(good, "adopted 2 5\nclosed\n", "closed\nadopted 2 5\n", 1),
		"a line that is left": strings.Replace(good, "bytes 900\n", "", 1),
	} {
		if got, err := parse(text); err == nil {
			t.Errorf("%s: %+v", what, got)
		}
	}
}

// A note ends with an empty line, and what comes after the last one is a part of another.
func TestNotes(t *testing.T) {
	for text, want := range map[string][]string{
		"":                        {""},
		"a\n\nb\n\n":              {"a\n\nb\n", ""},
		"a\n\nb\n\nc\n\nd\n\ne\n": {"a\n\nb\n", "c\n\nd\n", "e\n"},
		"a\n\nb\n":                {"a\n\nb\n"},
		"\n\nb\n\n":               {"\n\nb\n", ""},
		"a\n\n\n\n":               {"a\n\n\n", ""},
	} {
		whole, rest := notes(text)
		if got := append(whole, rest); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// What the key signed must still be of this trace.
func TestForgedCheckpoints(t *testing.T) {
	key, path := newKey(t), filepath.Join(t.TempDir(), "t.ktrace")
	session(t, path, key, 6, false)
	data, points := get(t, path), get(t, path+Extension)
	whole, _ := notes(string(points))
	honest := make([]Checkpoint, len(whole))
	for i := range whole {
		var err error
		if honest[i], err = open("it", whole[i], key.Public); err != nil {
			t.Fatal(err)
		}
	}
	sign := func(c Checkpoint) string {
		n, err := note.Sign(&note.Note{Text: c.text()}, key)
		if err != nil {
			t.Fatal(err)
		}
		return string(n)
	}
	forged := func(what, want string, data []byte, known string, notes ...string) {
		t.Helper()
		r, err := check("f", data, strings.Join(notes, "\n")+"\n", key.Public, known)
		var changed *Tampered
		if !errors.As(err, &changed) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %+v %v, want %s", what, r, err, want)
		}
	}
	with := func(i int, change func(c *Checkpoint)) string {
		c := honest[i]
		change(&c)
		return sign(c)
	}
	if r, err := check("f", data, sign(honest[0])+"\n"+sign(honest[1])+"\n", key.Public, ""); err != nil || !r.Whole() {
		t.Fatal(r, err)
	}
	forged("of as many records", "not of more", data, "", whole[0], with(1, func(c *Checkpoint) { c.Size = honest[0].Size }))
	forged("of as many bytes", "not of more", data, "", whole[0], with(1, func(c *Checkpoint) { c.End = honest[0].End }))
	forged("of other bytes", "was changed between", data, "", with(0, func(c *Checkpoint) { c.End-- }), whole[1])
	forged("of another root", "was changed between", data, "", with(0, func(c *Checkpoint) { c.Root[0]++ }), whole[1])
	forged("of more records", "records were signed", data, "", whole[0], with(1, func(c *Checkpoint) { c.Size++ }))
	for _, r := range []Range{{-1, 1}, {1, 1}, {2, 1}, {1, honest[1].Size + 1}} {
		forged("an adoption", "adopts records that there are not", data, "", whole[0], with(1, func(c *Checkpoint) { c.Adopted = r }))
	}
	if r, err := check("f", data, whole[0]+"\n"+with(1, func(c *Checkpoint) { c.Adopted = Range{0, c.Size} })+"\n", key.Public, ""); err != nil || len(r.Adopted) != 1 {
		t.Errorf("an adoption of all: %+v %v", r, err)
	}
	forged("a known one of another trace", "was changed between", data, with(0, func(c *Checkpoint) { c.Root[0]++ }), whole...)
	forged("a known one of something else", "not signed with the key", data, "something", whole...)

	// The signature can be written in no second way, nor be one of several.
	at, tried := strings.LastIndex(whole[1], "=\n")-1, 0
	for _, c := range "BCDFGHJKLNOPRSTVWXZabdefhijlmnpqrtuvxyz123567+/" {
		again := whole[1][:at] + string(c) + whole[1][at+1:]
		if a, _ := base64.StdEncoding.DecodeString(whole[1][strings.LastIndex(whole[1], " ")+1 : at+2]); a != nil {
			if b, _ := base64.StdEncoding.DecodeString(again[strings.LastIndex(again, " ")+1 : at+2]); bytes.Equal(a, b) && again != whole[1] {
				tried++
				forged("the same signature", "another form", data, "", whole[0], again)
			}
		}
	}
	if tried == 0 {
		t.Error("no other form of a signature was tried")
	}
	m, err := note.Open([]byte(whole[1]), note.VerifierList(key.Public))
	if err != nil {
		t.Fatal(err)
	}
	two, err := note.Sign(&note.Note{Text: m.Text}, key, newKey(t))
	if err != nil {
		t.Fatal(err)
	}
	forged("two signatures", "another form", data, "", whole[0], string(two))

	damaged := bytes.Clone(data)
	pieces, err := trace.Pieces("f", data)
	if err != nil {
		t.Fatal(err)
	}
	damaged[len(pieces[0])] ^= 1
	forged("a damaged block", "what was signed is damaged", damaged, "", whole...)

	// A trace that is none stays so if it is signed.
	bad := bytes.Clone(data)
	bad[len(pieces[0])+len(pieces[1])+len(pieces[2])-1] ^= 1
	if pieces, err = trace.Pieces("f", bad); err != nil {
		t.Fatal(err)
	}
	e := newEdge()
	for _, p := range pieces {
		e.add(p)
	}
	root, err := e.root()
	if err != nil {
		t.Fatal(err)
	}
	forged("no trace", "is no trace", bad, "", with(1, func(c *Checkpoint) { c.Root = root }))
}

func TestFilesThatCannotBeVerified(t *testing.T) {
	key, dir := newKey(t), t.TempDir()
	path := filepath.Join(dir, "t.ktrace")
	if _, err := Verify(path, key.Public, ""); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no trace: %v", err)
	}
	put(t, path, []byte("x"))
	if _, err := Verify(path, key.Public, ""); err == nil || !strings.Contains(err.Error(), "is not signed") {
		t.Errorf("no checkpoints: %v", err)
	}
	if err := os.Mkdir(path+Extension, 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := Verify(path, key.Public, ""); err == nil || !strings.Contains(err.Error(), "is a directory") {
		t.Errorf("checkpoints that are a folder: %v", err)
	}
	if _, err := NewSigner(path, key); err == nil {
		t.Error("signs beside a folder")
	}
	for _, text := range []string{"", "PRIVATE+KEY+x", "x+y+z"} {
		if k, err := ParseKey(text); err == nil {
			t.Errorf("%q: %v", text, k)
		}
		if k, err := ParsePublic(text); err == nil {
			t.Errorf("%q: %v", text, k)
		}
	}
}

// A signer that failed lets nothing more be written, and signs nothing twice.
func TestSignerThatFailed(t *testing.T) {
	key, path := newKey(t), filepath.Join(t.TempDir(), "t.ktrace")
	s, w := open2(t, path, key)
	for range 3 {
		if err := s.checkpoint(false); err != nil {
			t.Fatal(err)
		}
	}
	if whole, _ := notes(string(get(t, path+Extension))); len(whole) > 1 {
		t.Errorf("%d checkpoints of the same", len(whole))
	}
	s.mu.Lock()
	s.failed = os.ErrClosed
	s.mu.Unlock()
	w.Begin(&trace.Request{Method: "GET", Target: "/", Proto: "HTTP/1.1"})
	if err := w.Commit(); !errors.Is(err, os.ErrClosed) {
		t.Errorf("written all the same: %v", err)
	}
	w.Close()
}
