package signed

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"karousosc/verifier/trace"
)

func newKey(t testing.TB) *Key {
	t.Helper()
	private, _, err := GenerateKey("test")
	if err != nil {
		t.Fatal(err)
	}
	k, err := ParseKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// session records n requests and their answers; killed leaves the files as a killed
// collector would.
func session(t testing.TB, path string, key *Key, n int, killed bool) *Signer {
	t.Helper()
	s, w := open2(t, path, key)
	for i := range n {
		rid := w.Begin(&trace.Request{Method: "GET", Target: fmt.Sprint("/", i), Proto: "HTTP/1.1"})
		w.Respond(rid, &trace.Response{Status: 200, Body: []byte("hello")})
		if err := w.Commit(); err != nil {
			t.Fatal(err)
		}
		if i == n/2 {
			if err := s.checkpoint(false); err != nil {
				t.Fatal(err)
			}
		}
	}
	if killed {
		// The lock and the goroutines die with a real process.
		kept, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		points, err := os.ReadFile(path + Extension)
		if err != nil {
			t.Fatal(err)
		}
		defer put(t, path, kept)
		defer put(t, path+Extension, points)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return s
}

func open2(t testing.TB, path string, key *Key) (*Signer, *trace.Writer) {
	t.Helper()
	s, err := NewSigner(path, key)
	if err != nil {
		t.Fatal(err)
	}
	w, err := trace.Append(path, trace.Options{Witness: s})
	if err != nil {
		t.Fatal(err)
	}
	return s, w
}

func put(t testing.TB, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

func get(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func verify(t *testing.T, path string, key *Key) *Report {
	t.Helper()
	r, err := Verify(path, key.Public, "")
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// The tree is the one that tlog's own functions make of all records.
func TestEdgeIsTheTree(t *testing.T) {
	e := newEdge()
	var all []tlog.Hash
	reader := tlog.HashReaderFunc(func(xs []int64) (hs []tlog.Hash, err error) {
		for _, x := range xs {
			hs = append(hs, all[x])
		}
		return
	})
	for n := range int64(200) {
		record := []byte(fmt.Sprint("record ", n))
		hs, err := tlog.StoredHashes(n, record, reader)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, hs...)
		if err := e.add(record); err != nil {
			t.Fatal(err)
		}
		want, err := tlog.TreeHash(n+1, reader)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := e.root(); err != nil || got != want {
			t.Fatalf("%d records: %v %v, want %v", n+1, got, err, want)
		}
		if len(e.kept) > 8 {
			t.Fatalf("%d records: %d hashes kept", n+1, len(e.kept))
		}
	}
}

func TestSignedSessions(t *testing.T) {
	key, path := newKey(t), filepath.Join(t.TempDir(), "t.ktrace")
	session(t, path, key, 4, false)
	r := verify(t, path, key)
	if !r.Whole() || r.Open || r.Requests != 4 || r.Checkpoints != 2 || len(r.Adopted) != 0 {
		t.Fatalf("%+v", r)
	}
	first := string(get(t, path+Extension))
	s := session(t, path, key, 3, false)
	if r = verify(t, path, key); !r.Whole() || r.Open || r.Requests != 7 || r.Checkpoints != 4 || len(r.Adopted) != 0 {
		t.Fatalf("%+v", r)
	}
	if !strings.HasPrefix(string(get(t, path+Extension)), first) {
		t.Error("earlier checkpoints were changed")
	}
	if r, err := Verify(path, key.Public, s.Last()); err != nil || !r.Whole() {
		t.Errorf("%+v %v", r, err)
	}
	// The same trace loads without any key.
	if tr, err := trace.Load(path, trace.Limits{}); err != nil || len(tr.Exchanges) != 7 {
		t.Error(err)
	}
}

// What follows the last checkpoint is named; the next session adopts it, and says so for ever.
func TestKilledCollector(t *testing.T) {
	key, path := newKey(t), filepath.Join(t.TempDir(), "t.ktrace")
	session(t, path, key, 4, true)
	r := verify(t, path, key)
	if r.Whole() || !r.Open || r.Requests != 3 || fmt.Sprint(r.Arrived) != "[4]" || len(r.Ended) != 0 {
		t.Fatalf("%+v", r)
	}
	if text := r.Text(); !strings.Contains(text, "NOT signed: the last ") || !strings.Contains(text, "the arrival (and what follows) of request 4\n") {
		t.Error(text)
	}
	covered, bytes := r.Covered, r.Bytes
	session(t, path, key, 1, false)
	r = verify(t, path, key)
	if !r.Whole() || !r.Open || r.Requests != 5 || len(r.Adopted) != 1 || r.Adopted[0].From != covered || r.Adopted[0].To != bytes {
		t.Fatalf("%+v, want adopted %d to %d", r, covered, bytes)
	}
	if text := r.Text(); !strings.Contains(text, fmt.Sprintf("bytes %d to %d were found unsigned", covered, bytes)) {
		t.Error(text)
	}
}

// Every byte of both files counts.
func TestTampering(t *testing.T) {
	key, path := newKey(t), filepath.Join(t.TempDir(), "t.ktrace")
	session(t, path, key, 4, false)
	for _, name := range []string{path, path + Extension} {
		honest := get(t, name)
		for i := range honest {
			bad := bytes.Clone(honest)
			bad[i] ^= 1 << (i % 8)
			put(t, name, bad)
			r, err := Verify(path, key.Public, "")
			if err == nil && r.Whole() {
				t.Fatalf("byte %d of %s was changed unnoticed", i, filepath.Base(name))
			}
			var changed *Tampered
			if name == path && !errors.As(err, &changed) {
				t.Fatalf("byte %d of the trace: %v", i, err)
			}
		}
		put(t, name, honest)
	}
	rejected := func(what, want string, err error) {
		t.Helper()
		var changed *Tampered
		if !errors.As(err, &changed) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", what, err)
		}
	}
	trace, points := get(t, path), get(t, path+Extension)
	_, err := Verify(path, newKey(t).Public, "")
	rejected("another key", "another one", err)
	put(t, path, trace[:len(trace)-1])
	_, err = Verify(path, key.Public, "")
	rejected("a cut trace", "was cut", err)
	put(t, path, append(bytes.Clone(trace), 0))
	if r, err := Verify(path, key.Public, ""); err != nil || r.Whole() {
		t.Errorf("a longer trace: %+v %v", r, err)
	}
	// Both cut at an earlier checkpoint: only who has the last one can tell.
	whole, _ := notes(string(points))
	c, err := parse(func() string { m, _ := note.Open([]byte(whole[0]), note.VerifierList(key.Public)); return m.Text }())
	if err != nil {
		t.Fatal(err)
	}
	put(t, path, trace[:c.End])
	put(t, path+Extension, []byte(whole[0]+"\n"))
	if r, err := Verify(path, key.Public, ""); err != nil || !r.Whole() || !r.Open {
		t.Errorf("%+v %v", r, err)
	}
	_, err = Verify(path, key.Public, whole[1])
	rejected("cut at a checkpoint", "was cut", err)
	// Checkpoints out of order, or of something else.
	put(t, path, trace)
	put(t, path+Extension, []byte(whole[1]+"\n"+whole[0]+"\n"))
	_, err = Verify(path, key.Public, "")
	rejected("swapped checkpoints", "not of more", err)
	n, err := note.Sign(&note.Note{Text: "something\n"}, key)
	if err != nil {
		t.Fatal(err)
	}
	put(t, path+Extension, append(n, '\n'))
	_, err = Verify(path, key.Public, "")
	rejected("another note", "no checkpoint", err)
}

// A collector does not sign what somebody changed while nobody looked.
func TestSignerRefuses(t *testing.T) {
	key, path := newKey(t), filepath.Join(t.TempDir(), "t.ktrace")
	session(t, path, key, 2, false)
	honest, points := get(t, path), get(t, path+Extension)
	refused := func(what, want string) {
		t.Helper()
		s, err := NewSigner(path, key)
		if err == nil {
			_, err = trace.Append(path, trace.Options{Witness: s})
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", what, err)
		}
		if string(get(t, path+Extension)) != string(points) && what != "forged" {
			t.Errorf("%s: the checkpoints were touched", what)
		}
		put(t, path, honest)
		put(t, path+Extension, points)
	}
	other := filepath.Join(t.TempDir(), "o.ktrace")
	session(t, other, newKey(t), 2, false)
	put(t, path, get(t, other))
	refused("another trace", "not what was signed")
	pieces, err := trace.Pieces(path, honest)
	if err != nil {
		t.Fatal(err)
	}
	put(t, path, honest[:len(honest)-len(pieces[len(pieces)-1])])
	refused("a shorter trace", "not what was signed")
	put(t, path+Extension, get(t, other+Extension))
	refused("forged", "not signed with the key")
	os.Remove(path)
	refused("no trace", "is gone")
}

// Checkpoints are signed while the collector runs, not only at its end.
func TestSignsByItself(t *testing.T) {
	key, path := newKey(t), filepath.Join(t.TempDir(), "t.ktrace")
	s, w := open2(t, path, key)
	defer w.Close()
	rid := w.Begin(&trace.Request{Method: "GET", Target: "/", Proto: "HTTP/1.1"})
	w.Respond(rid, &trace.Response{Status: 200})
	for s.Last() == "" { // the test's own time limit ends it
		time.Sleep(10 * time.Millisecond)
	}
	if r := verify(t, path, key); r.Requests > 1 || r.Last.Closed {
		t.Errorf("%+v", r)
	}
}

func FuzzCheck(f *testing.F) {
	key, path := newKey(f), filepath.Join(f.TempDir(), "t.ktrace")
	session(f, path, key, 3, false)
	data, points := get(f, path), get(f, path+Extension)
	f.Add(data, string(points))
	f.Add(data[:9], "a\n\nb\n\n")
	f.Fuzz(func(t *testing.T, d []byte, p string) {
		r, err := check("f", d, p, key.Public, "")
		if err == nil && r.Whole() && !bytes.HasPrefix(data, d) {
			t.Fatal("something else passes for what was signed")
		}
	})
}
