package reexec

import (
	"encoding/base64"
	"strconv"
	"unicode/utf8"
)

// Jobs are JSON that is appended byte by byte: a job of 500 requests has thousands of small values, and reflection or a
// map for each would cost more than running them.

const hexDigits = "0123456789abcdef"

// plain marks the bytes that stand for themselves in a JSON string.
var plain = func() (t [256]bool) {
	for c := ' '; c < 0x7f; c++ {
		t[c] = c != '"' && c != '\\'
	}
	return
}()

// appendText appends UTF-8 text as a JSON string. Surrogates that stand alone (WTF-8) become escapes, and so does
// every byte that is no text at all, as the character that replaces it.
func appendText[S string | []byte](b []byte, s S) []byte {
	b = append(b, '"')
	from := 0
	for i := 0; i < len(s); {
		c := s[i]
		if plain[c] {
			i++
			continue
		}
		if c >= utf8.RuneSelf {
			if n := validRune(s[i:]); n > 0 {
				i += n
				continue
			}
		}
		b = append(b, s[from:i]...)
		switch {
		case c < utf8.RuneSelf:
			b = appendEscape(b, uint16(c))
			i++
		case c == 0xed && len(s)-i >= 3 && s[i+1] >= 0xa0 && s[i+1] <= 0xbf && s[i+2]&0xc0 == 0x80:
			b = appendEscape(b, 0xd000|uint16(s[i+1]&63)<<6|uint16(s[i+2]&63))
			i += 3
		default:
			b = append(b, "\uFFFD"...)
			i++
		}
		from = i
	}
	b = append(b, s[from:]...)
	return append(b, '"')
}

// validRune returns the length of the UTF-8 sequence at the start of s, 0 if there is none.
func validRune[S string | []byte](s S) int {
	var t [utf8.UTFMax]byte
	n := copy(t[:], s)
	if r, size := utf8.DecodeRune(t[:n]); r != utf8.RuneError || size == 3 {
		return size
	}
	return 0
}

// appendLatin appends bytes as a JSON string, one character per byte: what Node makes of header lines.
func appendLatin(b []byte, s string) []byte {
	b = append(b, '"')
	from := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if plain[c] {
			continue
		}
		b = append(b, s[from:i]...)
		from = i + 1
		if c < utf8.RuneSelf {
			b = appendEscape(b, uint16(c))
		} else {
			b = append(b, 0xc0|c>>6, 0x80|c&63)
		}
	}
	b = append(b, s[from:]...)
	return append(b, '"')
}

func appendEscape(b []byte, u uint16) []byte {
	switch u {
	case '"', '\\':
		return append(b, '\\', byte(u))
	case '\n':
		return append(b, '\\', 'n')
	case '\r':
		return append(b, '\\', 'r')
	case '\t':
		return append(b, '\\', 't')
	}
	return append(b, '\\', 'u', hexDigits[u>>12], hexDigits[u>>8&15], hexDigits[u>>4&15], hexDigits[u&15])
}

func appendBase64(b []byte, data []byte) []byte {
	b = append(b, '"')
	b = base64.StdEncoding.AppendEncode(b, data)
	return append(b, '"')
}

func appendInt[I int | int32 | int64](b []byte, n I) []byte {
	if n >= 0 && n < 10 {
		return append(b, '0'+byte(n))
	}
	return strconv.AppendInt(b, int64(n), 10)
}

// appendColumn appends what the lanes of a group have at one place: one value if it is the same in all, else a list.
func appendColumn(b []byte, n int, same func(i int) bool, value func(b []byte, i int) []byte) []byte {
	for i := 1; i < n; i++ {
		if same(i) {
			continue
		}
		b = append(b, `{"c":[`...)
		for j := 0; j < n; j++ {
			if j > 0 {
				b = append(b, ',')
			}
			b = value(b, j)
		}
		return append(b, ']', '}')
	}
	return value(b, 0)
}
