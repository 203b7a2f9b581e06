package signed

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/mod/sumdb/note"

	"karousosc/verifier/trace"
)

// Interval is how often a checkpoint is signed while there is something new.
const Interval = time.Second

// A Signer is the witness of a trace that signs checkpoints of it.
type Signer struct {
	key  *Key
	path string

	mu     sync.Mutex
	edge   *edge
	end    int64
	signed int64 // size of the last checkpoint
	adopt  Range
	past   []Checkpoint // of earlier sessions, until the file has been compared with them
	out    *os.File     // the checkpoints
	at     int64        // where the next one goes, when the session begins
	failed error
	last   string // the last checkpoint, as a note

	stop, stopped chan struct{}
}

// NewSigner signs for the trace of that name. An existing file of checkpoints is gone
// on with, after the trace has been compared with it.
func NewSigner(path string, key *Key) (*Signer, error) {
	s := &Signer{key: key, path: path, edge: newEdge(), stop: make(chan struct{}), stopped: make(chan struct{})}
	text, err := os.ReadFile(path + Extension)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	if _, e := os.Stat(path); errors.Is(e, os.ErrNotExist) && err == nil {
		return nil, fmt.Errorf("there are checkpoints (%s), but the trace that they are of is gone", path+Extension)
	}
	whole, _ := notes(string(text))
	size := int64(0)
	for i, n := range whole {
		c, err := open(fmt.Sprintf("checkpoint %d of %s", i+1, path+Extension), n, key.Public)
		if err != nil {
			return nil, err
		}
		s.past = append(s.past, c)
		size += int64(len(n)) + 1
	}
	s.at = size
	return s, nil
}

// Wrote makes the Signer a trace.Witness.
func (s *Signer) Wrote(piece []byte, found bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failed != nil {
		return s.failed
	}
	if !found && s.out == nil {
		if err := s.begin(); err != nil {
			return err
		}
	}
	if err := s.edge.add(piece); err != nil {
		return err
	}
	s.end += int64(len(piece))
	if len(s.past) > 0 && s.past[0].Size == s.edge.n {
		if err := s.compare(&s.past[0]); err != nil {
			return err
		}
		s.signed = s.past[0].Size
		s.past = s.past[1:]
	}
	return nil
}

// compare holds what was found against what an earlier session signed.
func (s *Signer) compare(c *Checkpoint) error {
	root, err := s.edge.root()
	if err != nil {
		return err
	}
	if root != c.Root {
		return fmt.Errorf("%s is not what was signed: its first %d bytes were changed after the checkpoint of %s; it is not gone on with", s.path, s.end, c.Time.Format(time.RFC3339))
	}
	return nil
}

// begin is called when all that was found has been told. The lock is held.
func (s *Signer) begin() error {
	if len(s.past) > 0 {
		c := s.past[len(s.past)-1]
		return fmt.Errorf("%s is not what was signed: the checkpoint of %s is of %d bytes, and the file has %d whole ones; it is not gone on with", s.path, c.Time.Format(time.RFC3339), c.End, s.end)
	}
	if s.edge.n > s.signed {
		s.adopt = Range{s.signed, s.edge.n}
	}
	// The trace is locked by now, so that no other collector writes here.
	out, err := os.OpenFile(s.path+Extension, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	s.out = out
	go s.loop()
	if err := out.Truncate(s.at); err != nil { // a checkpoint that was cut short
		return err
	}
	if _, err := out.Seek(s.at, io.SeekStart); err != nil {
		return err
	}
	return nil
}

func (s *Signer) loop() {
	defer close(s.stopped)
	tick := time.NewTicker(Interval)
	defer tick.Stop()
	for {
		select {
		case <-s.stop:
			return
		case <-tick.C:
			if err := s.checkpoint(false); err != nil {
				s.mu.Lock()
				s.failed = fmt.Errorf("cannot sign the trace: %w", err)
				s.mu.Unlock()
				return
			}
		}
	}
}

// checkpoint signs what the file has now, once the disk has it.
func (s *Signer) checkpoint(closed bool) error {
	s.mu.Lock()
	root, err := s.edge.root()
	c := Checkpoint{Size: s.edge.n, Root: root, End: s.end, Time: time.Now(), Adopted: s.adopt, Closed: closed}
	nothing := s.edge.n == s.signed
	s.mu.Unlock()
	if err != nil || nothing {
		return err
	}
	f, err := os.Open(s.path)
	if err != nil {
		return err
	}
	err = f.Sync()
	f.Close()
	if err != nil {
		return err
	}
	n, err := note.Sign(&note.Note{Text: c.text()}, s.key)
	if err != nil {
		return err
	}
	if _, err := s.out.Write(append(n, '\n')); err != nil {
		return err
	}
	if err := s.out.Sync(); err != nil {
		return err
	}
	s.mu.Lock()
	s.signed, s.adopt, s.last = c.Size, Range{}, string(n)
	s.mu.Unlock()
	return nil
}

// Close makes the Signer a trace.Witness.
func (s *Signer) Close(whole bool) error {
	if s.out == nil {
		return nil
	}
	close(s.stop)
	<-s.stopped
	err := s.failed
	if err == nil {
		err = s.checkpoint(whole)
	}
	if e := s.out.Close(); err == nil {
		err = e
	}
	return err
}

// Last is the last checkpoint that was signed: who keeps it elsewhere can tell later
// that nothing was cut off.
func (s *Signer) Last() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.last
}

var _ trace.Witness = (*Signer)(nil)
