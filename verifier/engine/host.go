package engine

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha3"
	"crypto/sha512"
	"encoding/base64"
	"errors"
	"hash"
	"strconv"
	"strings"

	"github.com/tommie/v8go"
)

// Host functions: what JavaScript is slow at. The prelude hides them behind
// `$host`.

func newHash(name string) hash.Hash {
	switch name {
	case "md5":
		return md5.New()
	case "sha1":
		return sha1.New()
	case "sha224":
		return sha256.New224()
	case "sha256":
		return sha256.New()
	case "sha384":
		return sha512.New384()
	case "sha512":
		return sha512.New()
	case "sha512-224":
		return sha512.New512_224()
	case "sha512-256":
		return sha512.New512_256()
	case "sha3-224":
		return sha3.New224()
	case "sha3-256":
		return sha3.New256()
	case "sha3-384":
		return sha3.New384()
	case "sha3-512":
		return sha3.New512()
	}
	return nil
}

func (m *machine) installHost() error {
	for name, f := range map[string]v8go.FunctionCallbackWithError{
		"__hostHashTexts": m.hashTexts,
		"__hostHashBytes": m.hashBytes,
		"__hostCall":      m.hostCall,
	} {
		t := v8go.NewFunctionTemplateWithError(m.iso, func(info *v8go.FunctionCallbackInfo) (*v8go.Value, error) {
			defer info.Release()
			return f(info)
		})
		if err := m.ctx.Global().Set(name, t.GetFunction(m.ctx)); err != nil {
			return err
		}
	}
	return nil
}

// hashTexts(algorithm, texts joined, their lengths in UTF-8 bytes joined by
// commas) answers the digests in base64, joined: all are equally long. One call
// serves all lanes of a group.
func (m *machine) hashTexts(info *v8go.FunctionCallbackInfo) (*v8go.Value, error) {
	a := info.Args()
	if len(a) != 3 {
		return nil, errors.New("hashTexts wants three arguments")
	}
	h := newHash(a[0].String())
	if h == nil {
		return nil, errors.New("no such hash")
	}
	text := a[1].String()
	var out strings.Builder
	var sum [64]byte
	var enc [88]byte
	for lens := a[2].String(); lens != ""; {
		l, rest, _ := strings.Cut(lens, ",")
		lens = rest
		n, err := strconv.Atoi(l)
		if err != nil || n < 0 || n > len(text) {
			return nil, errors.New("the lengths do not fit the texts")
		}
		h.Reset()
		h.Write(stringAsBytes(text[:n]))
		text = text[n:]
		s := h.Sum(sum[:0])
		e := enc[:base64.StdEncoding.EncodedLen(len(s))]
		base64.StdEncoding.Encode(e, s)
		out.Write(e)
	}
	if text != "" {
		return nil, errors.New("the lengths do not fit the texts")
	}
	return v8go.NewValue(m.iso, out.String())
}

// hashBytes(algorithm, SharedArrayBuffer, length) answers one digest in base64.
func (m *machine) hashBytes(info *v8go.FunctionCallbackInfo) (*v8go.Value, error) {
	a := info.Args()
	if len(a) != 3 {
		return nil, errors.New("hashBytes wants three arguments")
	}
	h := newHash(a[0].String())
	if h == nil {
		return nil, errors.New("no such hash")
	}
	b, release, err := a[1].SharedArrayBufferGetContents()
	if err != nil {
		return nil, err
	}
	defer release()
	n := int(a[2].Integer())
	if n < 0 || n > len(b) {
		return nil, errors.New("the length does not fit the buffer")
	}
	h.Write(b[:n])
	return v8go.NewValue(m.iso, base64.StdEncoding.EncodeToString(h.Sum(nil)))
}
