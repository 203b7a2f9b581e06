package engine

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/tommie/v8go"
)

// Host calls: functions of bytes that JavaScript has no library for. All of them
// are pure: what a call answers depends on its arguments alone.

// hostFunction answers bytes, or says what is wrong with its arguments.
type hostFunction func(args [][]byte) ([]byte, error)

var hostFunctions = map[string]hostFunction{
	"brotli":   brotliDecode,
	"scrypt":   scryptKey,
	"pbkdf2":   pbkdf2Key,
	"hkdf":     hkdfKey,
	"cbc":      cbc,
	"ctr":      ctr,
	"gcm":      gcm,
	"gcmj0":    gcmCounter,
	"key":      describeKey,
	"sign":     signWith,
	"verify":   verifyWith,
	"agree":    agree,
	"oaep":     decryptOAEP,
	"primes":   primes,
	"wrap":     keyWrap,
	"ascii":    toASCII,
	"unicode":  toUnicode,
	"encoding": describeEncoding,
}

// hostCall(name, SharedArrayBuffer, length): the buffer's first bytes are the
// arguments, each behind its length. The answer takes their place, behind a byte
// that is 1 for an error's message; its length is returned. If the buffer is too
// short, it is kept for a call with the empty name.
func (m *machine) hostCall(info *v8go.FunctionCallbackInfo) (*v8go.Value, error) {
	a := info.Args()
	if len(a) != 3 {
		return nil, errors.New("hostCall wants three arguments")
	}
	b, release, err := a[1].SharedArrayBufferGetContents()
	if err != nil {
		return nil, err
	}
	defer release()
	name, n := a[0].String(), int(a[2].Integer())
	if n < 0 || n > len(b) {
		return nil, errors.New("the length does not fit the buffer")
	}
	if name != "" {
		m.answer = m.answerCall(name, b[:n])
	}
	if len(m.answer) <= len(b) {
		copy(b, m.answer)
	}
	n = len(m.answer)
	if n <= len(b) {
		m.answer = nil
	}
	return v8go.NewValue(m.iso, int32(n))
}

func (m *machine) answerCall(name string, framed []byte) []byte {
	f := hostFunctions[name]
	switch name {
	case "files":
		f = m.listFiles
	case "file":
		f = m.readFile
	}
	if f == nil {
		return append([]byte{1}, "no host function "+name...)
	}
	var args [][]byte
	for len(framed) > 0 {
		if len(framed) < 4 {
			return append([]byte{1}, "bad arguments"...)
		}
		n := binary.LittleEndian.Uint32(framed)
		framed = framed[4:]
		if uint64(n) > uint64(len(framed)) {
			return append([]byte{1}, "bad arguments"...)
		}
		// A copy: the buffer is JavaScript's.
		args = append(args, append([]byte(nil), framed[:n]...))
		framed = framed[n:]
	}
	out, err := f(args)
	if err != nil {
		return append([]byte{1}, err.Error()...)
	}
	return append([]byte{0}, out...)
}

// want checks the number of arguments.
func want(args [][]byte, n int) error {
	if len(args) != n {
		return fmt.Errorf("%d arguments, not %d", len(args), n)
	}
	return nil
}
