// Package signed lets a trace be handed to somebody who does not trust the hands
// that it went through. The collector keeps a Merkle tree over the trace file (a
// transparency log, golang.org/x/mod/sumdb/tlog) and signs its head every second:
// a checkpoint. Checkpoints are signed notes (golang.org/x/mod/sumdb/note) in a file
// beside the trace, which stays what it was.
//
// The log's records are the file's head and then its blocks, bytes as they are in
// the file; so whoever changes, removes, adds or moves a byte before the last
// checkpoint needs the collector's key. FORMAT.md of package trace has the details.
//
// What a checkpoint does not say: that the collector was told the truth, that no
// later checkpoint exists (Verify takes one from elsewhere to settle that), or
// anything about what follows it in the file. Verify tells what that is.
package signed

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"math/bits"
	"strconv"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// Extension is added to a trace's name for its file of checkpoints.
const Extension = ".checkpoints"

// origin is the first line of every checkpoint.
const origin = "karousosc trace"

// GenerateKey makes a key pair in the form that note has for keys. The first one is
// secret.
func GenerateKey(name string) (private, public string, err error) {
	if private, public, err = note.GenerateKey(rand.Reader, name); err == nil {
		_, err = note.NewSigner(private) // it looks at the name
	}
	return private, public, err
}

// A Key is what a collector signs with.
type Key struct {
	note.Signer
	Public note.Verifier
}

// ParseKey reads a private key.
func ParseKey(text string) (*Key, error) {
	text = strings.TrimSpace(text)
	signer, err := note.NewSigner(text)
	if err != nil {
		return nil, errors.New("this is no private key for traces")
	}
	// PRIVATE+KEY+name+hash+base64 of the algorithm and the seed: NewSigner has checked it.
	seed, err := base64.StdEncoding.DecodeString(strings.SplitN(text, "+", 5)[4])
	if err != nil {
		return nil, err
	}
	public, err := note.NewEd25519VerifierKey(signer.Name(), ed25519.NewKeyFromSeed(seed[1:]).Public().(ed25519.PublicKey))
	if err != nil {
		return nil, err
	}
	verifier, err := note.NewVerifier(public)
	if err != nil {
		return nil, err
	}
	return &Key{signer, verifier}, nil
}

// ParsePublic reads a public key.
func ParsePublic(text string) (note.Verifier, error) {
	v, err := note.NewVerifier(strings.TrimSpace(text))
	if err != nil {
		return nil, errors.New("this is no public key for traces")
	}
	return v, nil
}

// A Checkpoint is what the collector signs.
type Checkpoint struct {
	Size int64 // records of the log
	Root tlog.Hash
	End  int64     // bytes of the file that they are
	Time time.Time // by the collector's clock
	// Adopted, unless it is empty, are the records that this session of the collector
	// found without a checkpoint when it began.
	Adopted Range
	// Closed says that the collector was stopped in order, and nothing it saw is missing.
	Closed bool
}

// A Range is the records From to To-1.
type Range struct{ From, To int64 }

func (c *Checkpoint) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%d\n%s\n", origin, c.Size, base64.StdEncoding.EncodeToString(c.Root[:]))
	fmt.Fprintf(&b, "bytes %d\n", c.End)
	fmt.Fprintf(&b, "time %s\n", c.Time.UTC().Format(time.RFC3339))
	if c.Adopted.To > 0 {
		fmt.Fprintf(&b, "adopted %d %d\n", c.Adopted.From, c.Adopted.To)
	}
	if c.Closed {
		b.WriteString("closed\n")
	}
	return b.String()
}

// parse reads back what text wrote, and nothing else.
func parse(text string) (c Checkpoint, err error) {
	bad := errors.New("it is no checkpoint of a trace")
	lines := strings.Split(text, "\n")
	if len(lines) < 4 {
		return c, bad
	}
	// What is wrong with a line is not written back as it was.
	c.Size, _ = strconv.ParseInt(lines[1], 10, 64)
	root, _ := base64.StdEncoding.DecodeString(lines[2])
	copy(c.Root[:], root)
	for _, line := range lines[3 : len(lines)-1] {
		switch word, rest, _ := strings.Cut(line, " "); word {
		case "bytes":
			c.End, _ = strconv.ParseInt(rest, 10, 64)
		case "time":
			c.Time, _ = time.Parse(time.RFC3339, rest)
		case "adopted":
			fmt.Sscanf(rest, "%d %d", &c.Adopted.From, &c.Adopted.To)
		case "closed":
			c.Closed = true
		}
	}
	if c.Size < 1 || c.text() != text {
		return c, bad
	}
	return c, nil
}

// open reads a note; what names it in errors.
func open(what, n string, key note.Verifier) (c Checkpoint, err error) {
	m, err := note.Open([]byte(n), note.VerifierList(key))
	if err != nil {
		return c, tampered("%s is not signed with the key %s: it was changed, or the key is another one (%v)", what, key.Name(), err)
	}
	if _, err := base64.StdEncoding.Strict().DecodeString(m.Sigs[0].Base64); err != nil || len(m.Sigs)+len(m.UnverifiedSigs) != 1 {
		return c, tampered("%s has another form than the collector gave it", what)
	}
	if c, err = parse(m.Text); err != nil {
		return c, tampered("%s is signed, but %v", what, err)
	}
	return c, nil
}

// edge is a growing Merkle tree of which only the right edge is kept: that is all
// that further records, and the head, need.
type edge struct {
	n    int64
	kept map[int64]tlog.Hash // by index among the stored hashes
}

func newEdge() *edge { return &edge{kept: map[int64]tlog.Hash{}} }

// ReadHashes makes an edge a tlog.HashReader.
func (e *edge) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	hs := make([]tlog.Hash, len(indexes))
	for i, x := range indexes {
		h, ok := e.kept[x]
		if !ok {
			return nil, fmt.Errorf("the hash %d of the log is not kept", x)
		}
		hs[i] = h
	}
	return hs, nil
}

func (e *edge) add(record []byte) error {
	hs, err := tlog.StoredHashes(e.n, record, e)
	if err != nil {
		return err
	}
	first := tlog.StoredHashIndex(0, e.n)
	for i, h := range hs {
		e.kept[first+int64(i)] = h
	}
	e.n++
	// The complete subtrees of a tree of n records are those of n's binary digits.
	need := map[int64]tlog.Hash{}
	at := int64(0)
	for level := bits.Len64(uint64(e.n)) - 1; level >= 0; level-- {
		if e.n&(1<<level) != 0 {
			x := tlog.StoredHashIndex(level, at>>level)
			need[x] = e.kept[x]
			at += 1 << level
		}
	}
	e.kept = need
	return nil
}

func (e *edge) root() (tlog.Hash, error) { return tlog.TreeHash(e.n, e) }

// notes cuts a file of checkpoints into its notes, each followed by an empty line.
// What follows the last one, if anything, was cut short.
func notes(text string) (whole []string, rest string) {
	for text != "" {
		// The checkpoint's text ends with an empty line, then come signatures, then
		// an empty line again.
		i := strings.Index(text, "\n\n")
		if i < 0 {
			break
		}
		j := strings.Index(text[i+2:], "\n\n")
		if j < 0 {
			break
		}
		end := i + 2 + j + 1
		whole = append(whole, text[:end])
		text = text[end+1:]
	}
	return whole, text
}
