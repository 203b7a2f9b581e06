package record

import (
	"unicode/utf8"
)

// ValidWTF8 says whether s is the one encoding of some JavaScript string: UTF-8
// in which lone surrogates take three bytes, and pairs never do.
func ValidWTF8(s string) bool {
	if utf8.ValidString(s) {
		return true
	}
	high := false // the text before ends with a lone high surrogate
	for len(s) > 0 {
		if u, ok := surrogate(s); ok {
			if u >= 0xdc00 && high {
				return false
			}
			high = u < 0xdc00
			s = s[3:]
			continue
		}
		r, n := utf8.DecodeRuneInString(s)
		if r == utf8.RuneError && n == 1 {
			return false
		}
		high = false
		s = s[n:]
	}
	return true
}

// surrogate decodes a lone surrogate at the start of s.
func surrogate(s string) (u uint16, ok bool) {
	if len(s) < 3 || s[0] != 0xed || s[1] < 0xa0 || s[1] > 0xbf || s[2]&0xc0 != 0x80 {
		return 0, false
	}
	return 0xd000 | uint16(s[1]&0x3f)<<6 | uint16(s[2]&0x3f), true
}

const hex = "0123456789abcdef"

// AppendQuoted appends s as a JSON string; lone surrogates become \ud800 and so on.
func AppendQuoted(b []byte, s string) []byte {
	b = append(b, '"')
	from := 0
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c == '"' || c == '\\':
			b = append(append(b, s[from:i]...), '\\', c)
		case c < 0x20:
			b = append(b, s[from:i]...)
			switch c {
			case '\n':
				b = append(b, '\\', 'n')
			case '\r':
				b = append(b, '\\', 'r')
			case '\t':
				b = append(b, '\\', 't')
			default:
				b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
			}
		case c == 0xed:
			u, ok := surrogate(s[i:])
			if !ok {
				i++
				continue
			}
			b = append(append(b, s[from:i]...), '\\', 'u', 'd', hex[u>>8&15], hex[u>>4&15], hex[u&15])
			i += 2
		case c == 0x7f:
			b = append(append(b, s[from:i]...), `\u007f`...)
		default:
			i++
			continue
		}
		i++
		from = i
	}
	return append(append(b, s[from:]...), '"')
}
