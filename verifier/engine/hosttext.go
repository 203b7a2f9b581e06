package engine

import (
	"bytes"
	"errors"
	"io"
	"strconv"

	"github.com/andybalholm/brotli"
	"golang.org/x/net/idna"
)

// brotliDecode(data, most bytes): what data, perhaps a first part of a stream,
// decompresses to. The answer's first byte tells how the stream goes on: 'e' it has
// ended, 'm' there is more to come, 'x' it is no Brotli from there on.
func brotliDecode(args [][]byte) ([]byte, error) {
	if err := want(args, 2); err != nil {
		return nil, err
	}
	most, err := strconv.ParseInt(string(args[1]), 10, 64)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	_, err = io.Copy(&out, io.LimitReader(brotli.NewReader(bytes.NewReader(args[0])), most))
	state := byte('e')
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		state = 'm'
	case err != nil:
		state = 'x'
	case int64(out.Len()) == most:
		state = 'm'
	}
	return append([]byte{state}, out.Bytes()...), nil
}

// The profile of WHATWG's URL: https://url.spec.whatwg.org/#idna, not strict.
var domains = idna.New(idna.MapForLookup(), idna.BidiRule(), idna.CheckJoiners(true), idna.CheckHyphens(false), idna.StrictDomainName(false), idna.Transitional(false), idna.VerifyDNSLength(false))

func toASCII(args [][]byte) ([]byte, error) {
	if err := want(args, 1); err != nil {
		return nil, err
	}
	s, err := domains.ToASCII(string(args[0]))
	return []byte(s), err
}

// toUnicode shows what it can, whatever is wrong with the name.
func toUnicode(args [][]byte) ([]byte, error) {
	if err := want(args, 1); err != nil {
		return nil, err
	}
	s, _ := domains.ToUnicode(string(args[0]))
	return []byte(s), nil
}
