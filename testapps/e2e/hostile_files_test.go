package e2e

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"flag"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"karousosc/testapps/forge"
	"karousosc/testapps/scenario"
	"karousosc/transpile/manifest"
	"karousosc/verifier/advice"
	"karousosc/verifier/advice/record"
	"karousosc/verifier/verdict"
)

// Advice written by hand, from the description of the format and not by the package's own code: what an encoder would
// refuse to write can only be written so.

func adviceFile(build string, blocks ...[]byte) []byte {
	b := append([]byte("KADVICE"), 1, byte(len(build)))
	b = append(b, build...)
	b = binary.LittleEndian.AppendUint32(b, crc32.ChecksumIEEE(b))
	for i, raw := range blocks {
		var packed bytes.Buffer
		w, _ := flate.NewWriter(&packed, 9)
		w.Write(raw)
		w.Close()
		b = append(b, adviceBlock(uint32(i), uint32(len(raw)), packed.Bytes())...)
	}
	return b
}

func adviceBlock(n, size uint32, packed []byte) []byte {
	h := binary.LittleEndian.AppendUint32([]byte("KADV"), n)
	h = binary.LittleEndian.AppendUint32(h, uint32(len(packed)))
	h = binary.LittleEndian.AppendUint32(h, size)
	h = binary.LittleEndian.AppendUint32(h, crc32.ChecksumIEEE(packed))
	h = binary.LittleEndian.AppendUint32(h, crc32.ChecksumIEEE(h))
	return append(h, packed...)
}

// inBlocks cuts n copies of some records into blocks.
func inBlocks(n int, records ...byte) (blocks [][]byte) {
	const most = 250_000
	for n > 0 {
		k := min(n, most/len(records))
		blocks = append(blocks, bytes.Repeat(records, k))
		n -= k
	}
	return blocks
}

func uvarint(n uint64) []byte { return binary.AppendUvarint(nil, n) }

func join(parts ...any) []byte {
	var b []byte
	for _, p := range parts {
		switch p := p.(type) {
		case int:
			b = append(b, byte(p))
		case string:
			b = append(b, p...)
		case []byte:
			b = append(b, p...)
		}
	}
	return b
}

// First bytes of records: see verifier/advice/v1/FORMAT.md.
const (
	aRequest, aTag, aActivation, aLocation, aWrite, aRead, aObject, aFields, aRecorded, aChunks, aUnauditable, aEnv, aEnd, aTurn = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15
	aLocationOfInit                                                                                                              = aLocation | 0x40
)

// within are the bounds of an audit, whatever it is given: engines have 300 MB, and what is read before counts, too.
const (
	withinTime = 60 * time.Second
	ownMemory  = 1200 << 20
	hisMemory  = 600 << 20
)

var hostileSize = flag.Int("hostile", 20_000, "how many records hostile advice has; 10 million are for an hour without other work")

// TestHostileFiles: whatever lies in the folder of the advice, the audit comes to an end in time, with bounded memory and
// with a reason, in groups and together. The trace is the honest one; advice like this is refused nevertheless.
func TestHostileFiles(t *testing.T) {
	honest := board.honest(t)
	m, err := manifest.Load(honest.Dist)
	if err != nil {
		t.Fatal(err)
	}
	huge := uvarint(1 << 40)
	name := func(s string) []byte { return join(0x40+len(s), s) }
	// Most come after honest advice, so that they are looked at.
	before := recordsOf(t, adviceOf(t, honest)[0])
	blocks := func(bs ...[]byte) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) {
			put(t, dir, adviceFile(m.BuildID, append([][]byte{before}, bs...)...))
		}
	}
	n := *hostileSize
	file := func(f func() []byte) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) { put(t, dir, f()) }
	}
	one := func(parts ...any) func(t *testing.T, dir string) { return blocks(join(parts...)) }
	whole := func(b []byte) []byte { return append(slices.Clone(b), aEnd) }
	long := join(9, uvarint(uint64(300*n)), strings.Repeat("x", 300*n))
	type hostile struct {
		name string
		make func(t *testing.T, dir string)
		says string
		// harmless: groups do not ask for it, or any server may say that of its environment.
		harmless bool
	}
	location := join(aLocationOfInit, 0, name("Z"))
	cases := []hostile{
		{"2^40 pieces of a body", one(aRequest, aChunks, huge), "count", false},
		{"2^40 fields", one(aObject|0x30, 0, 1, 0, huge), "count", false},
		{"2^40 elements of a list", one(location, aWrite, 0, 1, 17, huge), "count", false},
		{"2^40 changes of a list", one(location, aWrite, 0, 1, 17, 0, aWrite|0x40, 0, 2, 18, huge), "count", false},
		{"a splice at 2^40", one(location, aWrite, 0, 1, 17, 0, aWrite|0x40, 0, 2, 18, 1, 0, huge, 0, 0), "out of range", false},
		{"a string of 2^40 bytes", one(aEnv, name("k"), 9, huge), "string", false},
		{"bytes of 2^40 bytes", one(aEnv, name("k"), 20, name("Buffer"), huge), "string", false},
		{"operation 2^40", one(aActivation|0x30, huge), "out of range", false},
		{"firing 2^40", one(aActivation|0x70, 1, huge), "out of range", false},
		{"operation and firing 2^31-1", one(aActivation|0x70, uvarint(1<<31-1), uvarint(1<<31-1), aRecorded, name("now"), 0x80, aEnd), "", false},
		{"request 2^40", one(aRequest|0x40, uvarint(1<<41), aEnd), "trace does not have", false},
		{"request 2^63", one(aRequest|0x40, bytes.Repeat([]byte{0xff}, 9)), "out of range", false},
		{"init's object 2^40", one(aLocationOfInit, huge), "out of range", false},
		{"init's object 2^31-1", one(aLocationOfInit, uvarint(1<<31-1), name("A"), aWrite|0x30, 0, 1, 0, aEnd), "", false},
		{"a reference to init's object 2^31-1", one(location, aWrite|0x30, 0, 1, 14, uvarint(1<<31-1), aEnd), "", false},
		{"function 2^31-1", one(location, aWrite|0x30, 0, 1, 16, uvarint(1<<31-1), aEnd), "", false},
		{"class 2^31-1", one(location, aObject|0x30, 9, uvarint(1<<31-1), 1, 0, 0, aWrite, 0, 1, 15, 0, aEnd), "", false},
		{"a kind of objects that is none", one(location, aObject|0x30, 254, 1, 0, 0, aWrite, 0, 1, 15, 0, aEnd), "", false},
		{"nested deeply", one(location, aWrite, 0, 1, bytes.Repeat([]byte{17, 1}, 10*n), 0), "deep", false},
		{"nested as deeply as may be", one(location, aWrite|0x30, 0, 1, bytes.Repeat([]byte{17, 1}, 127), 0, aEnd), "", false},
		{"dates of dates", one(aEnv, name("k"), bytes.Repeat([]byte{11}, 50*n), 0), "date", false},
		{"regular expressions of regular expressions", one(aEnv, name("k"), bytes.Repeat([]byte{12, 0x40, 0x40}, 20*n), 0), "regular expression", false},
		{"a lone surrogate", one(location, aWrite|0x30, 0, 1, name("\xed\xa0\xbd"), aEnd), "", false},
		{"a lone surrogate in a key", one(aLocationOfInit, 0, name("\xed\xa0\xbd"), aWrite|0x30, 0, 1, 0x80, aEnd), "", false},
		{"a pair as two surrogates", one(aEnv, name("k"), name("\xed\xa0\xbd\xed\xb8\x80")), "WTF-8", false},
		{"many requests", blocks(append(inBlocks(n, aRequest), []byte{aEnd})...), "trace does not have", false},
		{"many activations in a row", blocks(append(inBlocks(n, aActivation, 1), join(aRecorded, name("now"), 0, aEnd))...), "", false},
		{"many activations of one", blocks(append(inBlocks(n, aActivation|0x30, 1), []byte{aEnd})...), "", false},
		{"many like activations with turns", blocks(append(inBlocks(n, aActivation|0x30, 1, aTurn), []byte{aEnd})...), "", false},
		{"many locations", blocks(append(inBlocks(n, aLocationOfInit, 0, 0x80), []byte{aEnd})...), "", false},
		{"many writes", blocks(append([][]byte{join(location, aWrite|0x30, 0, 1, 0x80)}, append(inBlocks(n, aWrite, 0, 1, 0x80), []byte{aEnd})...)...), "", false},
		{"many writes, each over the last", blocks(append([][]byte{join(location, aWrite|0x30, 0, 1, 0x80)}, append(inBlocks(n, aWrite|0x40, 0, 1, 0x80), []byte{aEnd})...)...), "", false},
		{"many changes of a list", blocks(append([][]byte{join(location, aWrite|0x30, 0, 1, 17, 0)}, append(inBlocks(n, aWrite|0x40, 0, 1, 18, 1, 1, 0x80), []byte{aEnd})...)...), "", false},
		{"many changes, then read", blocks(append([][]byte{join(location, aWrite|0x30, 0, 1, 17, 0)}, append(inBlocks(n, aWrite|0x40, 0, 1, 18, 1, 1, 0x80), join(aRead|0x30, 0, aEnd))...)...), "", false},
		{"many reads", blocks(append([][]byte{join(location, aWrite|0x30, 0, 1, 0x80)}, append(inBlocks(n, aRead, 0), []byte{aEnd})...)...), "", false},
		{"many objects", blocks(append(inBlocks(n, aObject|0x30, 0, 1, 0, 0), []byte{aEnd})...), "", false},
		{"many objects, each in the next", blocks(append([][]byte{join(location, aObject|0x30, 0, 1, 0, 0)}, append(inBlocks(n, aObject, 0, 1, 0, 2, 0x41, 'o', 15, 1), join(aWrite, 0, 1, 15, 0, aRead, 0, aEnd))...)...), "", false},
		{"many results", blocks(append([][]byte{join(aRecorded|0x30, name("x"), 0)}, append(inBlocks(n, aRecorded, 0x41, 'x', 0), []byte{aEnd})...)...), "", false},
		{"many pieces of a body", blocks(append(inBlocks(n, aTurn|0x70), []byte{aEnd})...), "", true},
		{"many turns of init", blocks(append([][]byte{join(aTag|0x20, 18, 1, 2, 3, 4)}, append(inBlocks(n, aActivation|0x30, 1, aTurn), []byte{aEnd})...)...), "", false},
		{"many environment variables", blocks(append(inBlocks(n, aEnv, 0x41, 'k', 0x41, 'v'), []byte{aEnd})...), "", true},
		{"__proto__ in the environment", one(aEnv, name("__proto__"), name("x"), aEnv, name("constructor"), name("y"), aEnv, name("toString"), 0, aEnd), "", true},
		{"a long environment variable", blocks(join(aEnv, name("k"), long), []byte{aEnd}), "", true},
		{"a long result", blocks(join(aRecorded|0x30, name("now"), long), []byte{aEnd}), "", false},
		{"a long name of a result", blocks(join(aRecorded|0x30, long, 0), []byte{aEnd}), "", false},
		{"a long value", blocks(join(location, aWrite|0x30, 0, 1, long), []byte{aEnd}), "", false},
		{"a long key", blocks(join(aLocationOfInit, 0, long, aWrite|0x30, 0, 1, 0), []byte{aEnd}), "", false},
		{"a long reason", blocks(join(aUnauditable|0x30, long, name("x"), aEnd)), "cannot be audited", false},
		{"a long reason to go on together", blocks(join(aUnauditable|0x70, long, name("x"), aEnd)), "", true},
		{"a bigint of many digits", one(location, aWrite|0x30, 0, 1, 10, 9, uvarint(uint64(50*n)), strings.Repeat("9", 50*n), aEnd), "", false},
		{"a regular expression without end", one(location, aWrite|0x30, 0, 1, 12, name("(a*)*b"), name(""), 0x80, aEnd), "", false},
		{"a regular expression that is none", one(location, aWrite|0x30, 0, 1, 12, name("("), name("zz"), 0x80, aEnd), "", false},
		{"a block that holds more than it says", file(func() []byte {
			var packed bytes.Buffer
			w, _ := flate.NewWriter(&packed, 9)
			w.Write(make([]byte, 100<<20))
			w.Close()
			return append(adviceFile(m.BuildID), adviceBlock(0, 1000, packed.Bytes())...)
		}), "more than its header says", false},
		{"a block that says 4 GiB", file(func() []byte { return append(adviceFile(m.BuildID), adviceBlock(0, 1<<32-1, make([]byte, 1000))...) }), "claims to hold", false},
		{"one long block after another", blocks(slices.Repeat([][]byte{join(aEnv, name("k"), long)}, 5)...), "", true},
		{"an empty file", file(func() []byte { return nil }), "ends inside its preamble", false},
		{"another build's", file(func() []byte { return adviceFile(strings.Repeat("ab", 32), []byte{aEnd}) }), "another build", false},
		{"noise", file(func() []byte { return bytes.Repeat([]byte("KADV"), 100_000) }), "", false},
		{"a folder that is called advice", func(t *testing.T, dir string) {
			if err := os.Mkdir(filepath.Join(dir, "life-1-1.kadv"), 0o755); err != nil {
				t.Fatal(err)
			}
		}, "no advice", false},
		{"no files", func(t *testing.T, dir string) {}, "no advice", false},
		{"a pipe", func(t *testing.T, dir string) {
			if err := syscall.Mkfifo(filepath.Join(dir, "life-1-1.kadv"), 0o644); err != nil {
				t.Fatal(err)
			}
		}, "not a regular file", false},
		{"a link to nothing", link("/nowhere/at/all"), "no such file", false},
		{"a link to a folder", link("/"), "not a regular file", false},
		{"a link to what never ends", link("/dev/zero"), "not a regular file", false},
		{"a link to itself", link("life-1-1.kadv"), "symbolic links", false},
		{"20,000 files", func(t *testing.T, dir string) {
			for i := range 20_000 {
				if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("life-%d-1.kadv", i)), nil, 0o644); err != nil {
					t.Fatal(err)
				}
			}
		}, "files", false},
		{"the advice twice", func(t *testing.T, dir string) {
			for i, e := range adviceOf(t, honest) {
				for k := range 2 {
					if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("life-%d-%d.kadv", i, k)), e, 0o644); err != nil {
						t.Fatal(err)
					}
				}
			}
		}, "", false},
		{"a second life that says nothing", func(t *testing.T, dir string) {
			put(t, dir, adviceOf(t, honest)[0])
			if err := os.WriteFile(filepath.Join(dir, "life-2-2.kadv"), adviceFile(m.BuildID, whole(nil)), 0o644); err != nil {
				t.Fatal(err)
			}
		}, "--lives", false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			lie := scenario.In(honest.Dist, t.TempDir())
			lie.Trace = honest.Trace
			if err := os.MkdirAll(lie.Advice, 0o755); err != nil {
				t.Fatal(err)
			}
			c.make(t, lie.Advice)
			for _, how := range [][]string{nil, {"--together"}} {
				together := how != nil
				a := verify(t, lie, append([]string{"--workers", "1", "--memory", "300", "--timeout", "10s"}, how...)...)
				t.Logf("%v %v: %v, %d and %d MB: %.300s", how, a.Outcome, a.Wall.Round(time.Millisecond), a.Peak>>20, a.EnginePeak>>20, a.Text())
				switch {
				case a.Outcome == verdict.Accept && together:
					// The answers are the honest ones, and nobody looked at what is said of state.
				case a.Outcome == verdict.Accept && !c.harmless:
					t.Error("accepted")
				case !strings.Contains(a.Text(), c.says) || strings.TrimSpace(a.Text()) == "":
					t.Errorf("it does not say %q:\n%.1000s", c.says, a.Text())
				case len(a.Text()) > 10_000:
					t.Errorf("it says too much: %d bytes", len(a.Text()))
				}
				if a.Wall > withinTime || a.Peak > ownMemory || a.EnginePeak > hisMemory {
					t.Errorf("it took %v, %d MB and %d MB in the engine", a.Wall, a.Peak>>20, a.EnginePeak>>20)
				}
			}
		})
	}
}

// TestManyTicks: the turns of an interval cost what they cost, however many there were: a server may have run for days,
// and a forger can claim as many in a small file.
func TestManyTicks(t *testing.T) {
	t.Parallel()
	ticking := &app{name: "ticking", dir: "gallery", entry: "ticking.js"}
	honest := oneByOne(ticking, get("/"), get("/")).honest(t)
	mustAccept(t, honest)
	m, err := manifest.Load(honest.Dist)
	if err != nil {
		t.Fatal(err)
	}
	l := life(t, loaded(t, honest))
	var last *forge.Record
	for _, r := range l.All(record.Activation) {
		if r.Req == 0 && (last == nil || r.Firing > last.Firing) {
			last = r
		}
	}
	some(t, "tick", last)
	const ticks = 100_000
	requests := uvarint(uint64(len(l.All(record.Request))))
	blocks := [][]byte{recordsOf(t, adviceOf(t, honest)[0]), nil}
	for n := range ticks {
		tick := join(aActivation|0x60, requests, uvarint(uint64(last.OpNum)), uvarint(uint64(int(last.Firing)+1+n)), aTurn)
		blocks[len(blocks)-1] = append(blocks[len(blocks)-1], tick...)
		if len(blocks[len(blocks)-1]) > 200_000 {
			blocks = append(blocks, nil)
		}
	}
	lived := scenario.In(honest.Dist, t.TempDir())
	lived.Trace = honest.Trace
	if err := os.MkdirAll(lived.Advice, 0o755); err != nil {
		t.Fatal(err)
	}
	put(t, lived.Advice, adviceFile(m.BuildID, append(blocks, []byte{aEnd})...))
	// A few hundred bytes a tick do, and not what all ticks before it were.
	a := mustAccept(t, lived, "--workers", "1", "--memory", "400")
	t.Logf("%d ticks: %v of CPU, %d MB", ticks, a.CPU, a.EnginePeak>>20)
}

// recordsOf are the records of a file, but for the one that ends it.
func recordsOf(t *testing.T, file []byte) (raw []byte) {
	t.Helper()
	for at := 9 + int(file[8]) + 4; at < len(file); {
		packed := int(binary.LittleEndian.Uint32(file[at+8:]))
		text, err := io.ReadAll(flate.NewReader(bytes.NewReader(file[at+24 : at+24+packed])))
		if err != nil {
			t.Fatal(err)
		}
		raw, at = append(raw, text...), at+24+packed
	}
	if raw[len(raw)-1] != aEnd {
		t.Fatal("the advice does not end")
	}
	return raw[:len(raw)-1]
}

func put(t *testing.T, dir string, text []byte) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, "life-1-1.kadv"), text, 0o644); err != nil {
		t.Fatal(err)
	}
}

func link(to string) func(t *testing.T, dir string) {
	return func(t *testing.T, dir string) {
		if err := os.Symlink(to, filepath.Join(dir, "life-1-1.kadv")); err != nil {
			t.Fatal(err)
		}
	}
}

// adviceOf are the files of an honest run.
func adviceOf(t *testing.T, e scenario.Evidence) (files [][]byte) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(e.Advice, "*.kadv"))
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, text)
	}
	return files
}

// TestCutFiles: a file that ends anywhere is no evidence against anybody, and no more than what is left of it is believed.
func TestCutFiles(t *testing.T) {
	honest := board.honest(t)
	text := adviceOf(t, honest)[0]
	for n := range text {
		l, err := advice.Decode("cut.kadv", text[:n], advice.Limits{})
		if err != nil || l.Complete {
			t.Fatalf("%d bytes: %v", n, err)
		}
	}
	for _, n := range []int{0, 1, 8, 20, 76, 77, 90, 100, len(text) / 2, len(text) - 1} {
		lie := scenario.In(honest.Dist, t.TempDir())
		lie.Trace = honest.Trace
		if err := os.MkdirAll(lie.Advice, 0o755); err != nil {
			t.Fatal(err)
		}
		put(t, lie.Advice, text[:n])
		for _, how := range [][]string{nil, {"--together"}} {
			a := verify(t, lie, append([]string{"--workers", "1"}, how...)...)
			if nothing := n == len(text)-1; nothing && a.Outcome == verdict.Accept && strings.Contains(a.Text(), "nothing of it was missed") {
				continue // only the word that this is the end is gone
			}
			if a.Outcome != verdict.Undecided || !strings.Contains(a.Text(), "incomplete") {
				t.Errorf("%d bytes of advice %v:\n%s", n, how, a.Text())
			}
		}
	}
	evidence, err := os.ReadFile(honest.Trace)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{0, 1, 7, 9, 30, len(evidence) / 3, len(evidence) / 2, len(evidence) - 1} {
		lie := scenario.In(honest.Dist, t.TempDir())
		lie.Advice = honest.Advice
		if err := os.WriteFile(lie.Trace, evidence[:n], 0o644); err != nil {
			t.Fatal(err)
		}
		if a := verify(t, lie); a.Outcome == verdict.Accept || a.Outcome == verdict.Reject || strings.TrimSpace(a.Text()) == "" {
			t.Errorf("%d bytes of the trace:\n%s", n, a.Text())
		}
	}
	pipe := scenario.In(honest.Dist, t.TempDir())
	pipe.Advice = honest.Advice
	if err := syscall.Mkfifo(pipe.Trace, 0o644); err != nil {
		t.Fatal(err)
	}
	if a := verify(t, pipe); !strings.Contains(a.Text(), "not a regular file") {
		t.Errorf("a pipe for a trace: %s", a.Text())
	}
}
