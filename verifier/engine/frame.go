package engine

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
)

// Frames go both ways over pipes: a kind byte, a 32-bit length, the payload.
const (
	frameConfig byte = 'C' // to the worker: JSON, once, first
	frameScript byte = 'S' // to the worker: name, NUL, length of code, code, source
	frameCode   byte = 'K' // to the worker: asks for the code of the script of a number
	frameJob    byte = 'J' // to the worker: one job
	frameResult byte = 'R' // from the worker: a job's or a script's result
	frameThrown byte = 'E' // from the worker: JSON of a JSError; it goes on
	frameFatal  byte = 'F' // from the worker: JSON of a fatal; it exits
)

// maxFrame bounds what either side reads: V8 strings end at 512 MiB anyway.
const maxFrame = 512 << 20

func writeFrame(w *bufio.Writer, kind byte, parts ...string) error {
	var head [5]byte
	head[0] = kind
	n := 0
	for _, p := range parts {
		n += len(p)
	}
	if n > maxFrame {
		return fmt.Errorf("engine: a message of %d bytes is over the limit of %d", n, maxFrame)
	}
	binary.LittleEndian.PutUint32(head[1:], uint32(n))
	w.Write(head[:])
	for _, p := range parts {
		w.WriteString(p)
	}
	return w.Flush() // which answers what went wrong before, too
}

// readFrame reads one frame into buf, or into fresh memory if buf is too small.
func readFrame(r io.Reader, buf []byte) (kind byte, payload []byte, err error) {
	var head [5]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return 0, nil, err
	}
	n := binary.LittleEndian.Uint32(head[1:])
	if n > maxFrame {
		return 0, nil, fmt.Errorf("engine: a message of %d bytes is over the limit of %d", n, maxFrame)
	}
	if payload = buf[:0]; uint32(cap(payload)) < n {
		payload = make([]byte, n, n+n/4)
	}
	payload = payload[:n]
	_, err = io.ReadFull(r, payload)
	return head[0], payload, err
}
