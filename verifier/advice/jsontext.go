package advice

import (
	"errors"
	"fmt"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// A small JSON reader. encoding/json would do, were it not that it turns lone
// surrogates into U+FFFD, and a logged string may hold them.

type jsonKind uint8

const (
	jsonNull jsonKind = iota
	jsonBool
	jsonNumber
	jsonString
	jsonArray
	jsonObject
)

var jsonKinds = [...]string{"null", "a boolean", "a number", "a string", "an array", "an object"}

type jsonNode struct {
	kind  jsonKind
	truth bool
	num   float64
	str   string // in WTF-8
	list  []jsonNode
	names []string // of an object, in order; list holds the values
}

type jsonParser struct {
	s     []byte
	p     int
	depth int
}

// parseJSON reads exactly one value.
func parseJSON(s []byte, depth int) (jsonNode, error) {
	p := jsonParser{s: s, depth: depth}
	n, err := p.value()
	if err == nil {
		if p.space(); p.p != len(p.s) {
			err = errors.New("something follows the value")
		}
	}
	if err != nil {
		return jsonNode{}, fmt.Errorf("column %d: %w", p.p+1, err)
	}
	return n, nil
}

func (p *jsonParser) space() {
	for p.p < len(p.s) {
		switch p.s[p.p] {
		case ' ', '\t', '\r', '\n':
			p.p++
		default:
			return
		}
	}
}

func (p *jsonParser) literal(word string, n jsonNode) (jsonNode, error) {
	if len(p.s)-p.p < len(word) || string(p.s[p.p:p.p+len(word)]) != word {
		return n, errors.New("no JSON value")
	}
	p.p += len(word)
	return n, nil
}

func (p *jsonParser) value() (jsonNode, error) {
	p.space()
	if p.p == len(p.s) {
		return jsonNode{}, errors.New("the line ends too early")
	}
	switch c := p.s[p.p]; c {
	case 'n':
		return p.literal("null", jsonNode{})
	case 't':
		return p.literal("true", jsonNode{kind: jsonBool, truth: true})
	case 'f':
		return p.literal("false", jsonNode{kind: jsonBool})
	case '"':
		s, err := p.string()
		return jsonNode{kind: jsonString, str: s}, err
	case '[', '{':
		return p.composite(c)
	default:
		return p.number()
	}
}

func (p *jsonParser) number() (jsonNode, error) {
	from := p.p
	digits := func() bool {
		at := p.p
		for p.p < len(p.s) && p.s[p.p] >= '0' && p.s[p.p] <= '9' {
			p.p++
		}
		return p.p > at
	}
	is := func(cs string) bool {
		for i := range len(cs) {
			if p.p < len(p.s) && p.s[p.p] == cs[i] {
				p.p++
				return true
			}
		}
		return false
	}
	is("-")
	ok := is("0") || digits()
	if ok && is(".") {
		ok = digits()
	}
	if ok && is("eE") {
		is("+-")
		ok = digits()
	}
	if !ok {
		return jsonNode{}, errors.New("no JSON value")
	}
	f, err := strconv.ParseFloat(string(p.s[from:p.p]), 64)
	if err != nil {
		return jsonNode{}, errors.New("a number out of range")
	}
	return jsonNode{kind: jsonNumber, num: f}, nil
}

func (p *jsonParser) composite(open byte) (jsonNode, error) {
	n, end := jsonNode{kind: jsonArray}, byte(']')
	if open == '{' {
		n.kind, end = jsonObject, '}'
	}
	if p.depth--; p.depth < 0 {
		return n, errors.New("nested too deeply")
	}
	defer func() { p.depth++ }()
	p.p++
	for first := true; ; first = false {
		p.space()
		if p.p == len(p.s) {
			return n, errors.New("the line ends too early")
		}
		if p.s[p.p] == end && first {
			p.p++
			return n, nil
		}
		if n.kind == jsonObject {
			if p.s[p.p] != '"' {
				return n, errors.New("a name belongs here")
			}
			name, err := p.string()
			if err != nil {
				return n, err
			}
			for _, other := range n.names {
				if other == name {
					return n, fmt.Errorf("%q is there twice", name)
				}
			}
			n.names = append(n.names, name)
			if len(n.names) > 32 {
				return n, errors.New("too many names")
			}
			if p.space(); p.p == len(p.s) || p.s[p.p] != ':' {
				return n, errors.New("a colon belongs here")
			}
			p.p++
		}
		v, err := p.value()
		if err != nil {
			return n, err
		}
		n.list = append(n.list, v)
		if p.space(); p.p == len(p.s) {
			return n, errors.New("the line ends too early")
		}
		c := p.s[p.p]
		if c != ',' && c != end {
			return n, errors.New("a comma belongs here")
		}
		p.p++
		if c == end {
			return n, nil
		}
	}
}

// string reads a string into WTF-8: escaped surrogates that form a pair become
// one character, others stay.
func (p *jsonParser) string() (string, error) {
	p.p++
	from := p.p
	for p.p < len(p.s) && p.s[p.p] != '"' && p.s[p.p] != '\\' && p.s[p.p] >= 0x20 {
		p.p++
	}
	b := p.s[from:p.p:p.p]
	for {
		if p.p == len(p.s) {
			return "", errors.New("the line ends inside a string")
		}
		c := p.s[p.p]
		switch {
		case c == '"':
			if !utf8.Valid(p.s[from:p.p]) {
				return "", errors.New("a string that is not UTF-8")
			}
			p.p++
			return string(b), nil
		case c < 0x20:
			return "", errors.New("a control character in a string")
		case c != '\\':
			b = append(b, c)
			p.p++
			continue
		}
		p.p++
		if p.p == len(p.s) {
			return "", errors.New("the line ends inside a string")
		}
		c = p.s[p.p]
		p.p++
		switch c {
		case '"', '\\', '/':
			b = append(b, c)
		case 'n':
			b = append(b, '\n')
		case 'r':
			b = append(b, '\r')
		case 't':
			b = append(b, '\t')
		case 'b':
			b = append(b, '\b')
		case 'f':
			b = append(b, '\f')
		case 'u':
			u, ok := p.hex4()
			if !ok {
				return "", errors.New("an unknown escape")
			}
			if u >= 0xd800 && u < 0xdc00 && len(p.s)-p.p >= 6 && p.s[p.p] == '\\' && p.s[p.p+1] == 'u' {
				at := p.p
				p.p += 2
				if low, ok := p.hex4(); ok && low >= 0xdc00 && low < 0xe000 {
					b = utf8.AppendRune(b, utf16.DecodeRune(u, low))
					continue
				}
				p.p = at
			}
			if u >= 0xd800 && u < 0xe000 {
				b = append(b, 0xed, 0x80|byte(u>>6&0x3f), 0x80|byte(u&0x3f))
			} else {
				b = utf8.AppendRune(b, u)
			}
		default:
			return "", errors.New("an unknown escape")
		}
	}
}

func (p *jsonParser) hex4() (rune, bool) {
	if len(p.s)-p.p < 4 {
		return 0, false
	}
	n, err := strconv.ParseUint(string(p.s[p.p:p.p+4]), 16, 16)
	if err != nil {
		return 0, false
	}
	p.p += 4
	return rune(n), true
}
