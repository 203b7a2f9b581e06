package engine

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/andybalholm/brotli"
	"golang.org/x/net/idna"
	"golang.org/x/text/encoding/htmlindex"
)

// brotliDecode(data, most bytes): what data, perhaps a first part of a stream,
// decompresses to. The answer's first byte tells how the stream goes on: 'e' it has
// ended, 'l' it has, and something is left over, 'm' there is more to come, 'x' it is
// no Brotli from there on.
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
	case err != nil && err.Error() == "brotli: excessive input":
		state = 'l'
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

// Encodings that the WHATWG's standard has and Node.js does not.
var notInNode = map[string]bool{"iso-8859-16": true, "x-user-defined": true, "replacement": true}

// Encodings in which a character may have several bytes.
var wide = map[string]bool{"utf-8": true, "utf-16le": true, "utf-16be": true, "gbk": true, "gb18030": true, "big5": true, "euc-jp": true, "iso-2022-jp": true, "shift_jis": true, "euc-kr": true}

// describeEncoding(label): the name of an encoding of TextDecoder, and behind a line feed the
// characters of its 256 bytes, if each byte is one.
func describeEncoding(args [][]byte) ([]byte, error) {
	if err := want(args, 1); err != nil {
		return nil, err
	}
	label := string(args[0])
	if strings.TrimSpace(label) != label {
		return nil, errors.New("space around a label") // which htmlindex would cut off
	}
	e, err := htmlindex.Get(label)
	if err != nil {
		return nil, err
	}
	name, err := htmlindex.Name(e)
	if err != nil {
		return nil, err
	}
	if notInNode[name] {
		return nil, fmt.Errorf("no %s", name)
	}
	out := append([]byte(name), '\n')
	if wide[name] {
		return out, nil
	}
	for b := range 256 {
		c, err := e.NewDecoder().Bytes([]byte{byte(b)})
		if err != nil {
			return nil, err
		}
		out = append(out, c...)
	}
	return out, nil
}
