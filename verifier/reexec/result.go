package reexec

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// A result is what the engine says about one job. It comes from our own runtime, but a program that runs there may
// be hostile to it, so that whatever does not parse is an error and never a panic.
type result struct {
	id       int64
	diverged bool
	why      string
	parts    []int32 // class per lane, or nil
	// The parents of activation i are parents[start[i]:start[i+1]].
	start, parents []int32
	responds       int32
	sent           int32 // the last activation that ran before the response left; responds, if it does not say
	loaded         int32 // init: how many activations ended before the first request was let in, -1 if it does not say
	// clocks: of each clock, for each activation that looked at it, its number and by lane what it was told first and last, or -1.
	clocks   map[string][]int64
	ops      []int32
	keys     []string // canonical, see canonicalKey
	problems []problem
	stacks   []stack
	upgrades bool    // the program listens for connections that change their protocol
	answers  []int32 // joint re-execution: pairs of a request and the turn in which it was answered
}

type problem struct {
	Lane     int             `json:"lane"`
	Rule     string          `json:"rule"`
	Msg      string          `json:"msg"`
	Expected json.RawMessage `json:"expected"`
	Found    json.RawMessage `json:"found"`
	Stack    string          `json:"stack"`
}

// A stack is where an operation was made; only explained jobs have them.
type stack struct {
	lane, act, num, kind int32
	text                 string
}

// Fields of one operation in result.ops.
const (
	opLane = iota
	opAct
	opKind // 0 read, 1 write, 2 write that leaves nothing there
	opObj
	opKey
	opNum
	opSrcKind // 0 the initial version, 1 a logged write, 2 an earlier write of the lane's own, 3 order.Lacking
	opSrcA
	opSrcB
	opLogged
	opFields
)

// parseResult reads a result. The numbers of large groups are most of its text, so they are read by hand.
func parseResult(text string) (*result, error) {
	p := &scanner{s: text}
	r := &result{responds: -1, sent: -1, loaded: -1}
	ok := true
	p.object(func(name string) {
		switch name {
		case "id":
			r.id = p.integer()
		case "ok":
			ok = p.boolean()
		case "diverged":
			if p.null() {
				return
			}
			r.diverged = true
			p.object(func(name string) {
				switch name {
				case "why":
					r.why = p.str()
				case "parts":
					if !p.null() {
						r.parts = p.ints(nil)
					}
				default:
					p.skip()
				}
			})
		case "acts":
			r.start = append(r.start, 0)
			p.array(func() {
				if !p.null() {
					r.parents = p.ints(r.parents)
				}
				r.start = append(r.start, int32(len(r.parents)))
			})
		case "respAct":
			r.responds = int32(p.integer())
		case "sent":
			r.sent = int32(p.integer())
		case "clocks":
			r.clocks = map[string][]int64{}
			p.object(func(name string) {
				var all []int64
				p.array(func() { all = append(all, p.integer()) })
				r.clocks[name] = all
			})
		case "loaded":
			if !p.null() {
				r.loaded = int32(p.integer())
			}
		case "upgrades":
			r.upgrades = p.boolean()
		case "answers":
			r.answers = p.ints(nil)
		case "ops":
			r.ops = p.ints(make([]int32, 0, (len(text)-p.i)/3))
		case "keys":
			p.array(func() { r.keys = append(r.keys, p.key()) })
		case "problems":
			p.array(func() {
				var q problem
				if err := json.Unmarshal([]byte(p.raw()), &q); err != nil {
					p.fail("a problem that is none: %v", err)
				}
				r.problems = append(r.problems, q)
			})
		case "stacks":
			if p.null() {
				return
			}
			p.array(func() {
				var n [4]int32
				var text string
				i := 0
				p.array(func() {
					if i < 4 {
						n[i] = int32(p.integer())
					} else {
						text = p.str()
					}
					i++
				})
				r.stacks = append(r.stacks, stack{n[0], n[1], n[2], n[3], text})
			})
		default:
			p.skip()
		}
	})
	if p.err == nil && p.i < len(text) && p.peek() != 0 {
		p.fail("text after its end")
	}
	switch {
	case p.err != nil:
		return nil, fmt.Errorf("the engine's result cannot be read: %w", p.err)
	case len(r.ops)%opFields != 0:
		return nil, fmt.Errorf("the engine's result has %d numbers for operations", len(r.ops))
	case !ok && !r.diverged && len(r.problems) == 0:
		return nil, fmt.Errorf("the engine's result is neither good nor has it a problem")
	}
	return r, nil
}

// A scanner walks over JSON text. After the first error everything it returns is empty.
type scanner struct {
	s   string
	i   int
	err error
}

func (p *scanner) fail(format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf("at %d: "+format, append([]any{p.i}, args...)...)
	}
	p.i = len(p.s)
}

// peek returns the next character that is no white space, 0 at the end.
func (p *scanner) peek() byte {
	for p.i < len(p.s) {
		switch c := p.s[p.i]; c {
		case ' ', '\n', '\t', '\r':
			p.i++
		default:
			return c
		}
	}
	return 0
}

func (p *scanner) expect(c byte) bool {
	if p.peek() != c {
		p.fail("%q is missing", c)
		return false
	}
	p.i++
	return true
}

func (p *scanner) null() bool {
	p.peek()
	if strings.HasPrefix(p.s[p.i:], "null") {
		p.i += len("null")
		return true
	}
	return false
}

func (p *scanner) boolean() bool {
	switch p.raw() {
	case "true":
		return true
	case "false":
	default:
		p.fail("no boolean")
	}
	return false
}

func (p *scanner) object(member func(name string)) {
	if !p.expect('{') {
		return
	}
	if p.peek() == '}' {
		p.i++
		return
	}
	for p.err == nil {
		name := p.str()
		if !p.expect(':') {
			return
		}
		member(name)
		if p.peek() == ',' {
			p.i++
			continue
		}
		p.expect('}')
		return
	}
}

func (p *scanner) array(element func()) {
	if !p.expect('[') {
		return
	}
	if p.peek() == ']' {
		p.i++
		return
	}
	for p.err == nil {
		element()
		if p.peek() == ',' {
			p.i++
			continue
		}
		p.expect(']')
		return
	}
}

func (p *scanner) integer() int64 {
	p.peek()
	neg := false
	i := p.i
	if i < len(p.s) && p.s[i] == '-' {
		neg = true
		i++
	}
	n := int64(0)
	first := i
	for i < len(p.s) && p.s[i]-'0' <= 9 {
		n = n*10 + int64(p.s[i]-'0')
		i++
	}
	if i == first || i-first > 15 {
		p.fail("no integer")
		return 0
	}
	p.i = i
	if neg {
		return -n
	}
	return n
}

// ints appends an array of 32-bit integers to l.
func (p *scanner) ints(l []int32) []int32 {
	p.expect('[')
	s, i := p.s, p.i
	if p.peek() == ']' {
		p.i++
		return l
	}
	for {
		neg := false
		if i < len(s) && s[i] == '-' {
			neg = true
			i++
		}
		n := int64(0)
		first := i
		for i < len(s) && s[i]-'0' <= 9 {
			n = n*10 + int64(s[i]-'0')
			i++
		}
		if i == first || i-first > 10 || n > 1<<31-1 {
			p.i = i
			p.fail("no 32-bit integer")
			return l
		}
		if neg {
			n = -n
		}
		l = append(l, int32(n))
		if i < len(s) && s[i] == ',' {
			i++
			continue
		}
		p.i = i
		p.expect(']')
		return l
	}
}

// raw returns the text of the next value.
func (p *scanner) raw() string {
	p.peek()
	from := p.i
	p.skip()
	if p.err != nil {
		return ""
	}
	return p.s[from:p.i]
}

func (p *scanner) skip() {
	depth := 0
	for {
		switch c := p.peek(); c {
		case 0:
			p.fail("the text ends within a value")
			return
		case '"':
			p.str()
		case '{', '[':
			depth++
			p.i++
		case '}', ']':
			depth--
			p.i++
		case ',', ':':
			if depth == 0 {
				p.fail("a value is missing")
				return
			}
			p.i++
		default:
			for p.i < len(p.s) {
				switch p.s[p.i] {
				case ',', ':', '}', ']', ' ', '\n', '\t', '\r':
				default:
					p.i++
					continue
				}
				break
			}
		}
		if depth < 0 {
			p.fail("brackets do not match")
			return
		}
		if depth == 0 {
			return
		}
	}
}

// str decodes a string. Lone surrogates keep their three bytes (WTF-8), so that no two strings become one.
func (p *scanner) str() string {
	if !p.expect('"') {
		return ""
	}
	from := p.i
	for p.i < len(p.s) {
		switch c := p.s[p.i]; {
		case c == '"':
			p.i++
			return p.s[from : p.i-1]
		case c == '\\':
			return p.escaped(from)
		case c < ' ':
			p.fail("a control character in a string")
			return ""
		default:
			p.i++
		}
	}
	p.fail("the text ends within a string")
	return ""
}

func (p *scanner) escaped(from int) string {
	b := append([]byte(nil), p.s[from:p.i]...)
	for p.i < len(p.s) {
		c := p.s[p.i]
		p.i++
		if c == '"' {
			return string(b)
		}
		if c != '\\' {
			b = append(b, c)
			continue
		}
		if p.i == len(p.s) {
			break
		}
		c = p.s[p.i]
		p.i++
		switch c {
		case 'n':
			b = append(b, '\n')
		case 't':
			b = append(b, '\t')
		case 'r':
			b = append(b, '\r')
		case 'b':
			b = append(b, '\b')
		case 'f':
			b = append(b, '\f')
		case '"', '\\', '/':
			b = append(b, c)
		case 'u':
			u := p.unit()
			if utf16.IsSurrogate(rune(u)) && u < 0xdc00 && len(p.s)-p.i >= 6 && p.s[p.i] == '\\' && p.s[p.i+1] == 'u' {
				mark := p.i
				p.i += 2
				if low := p.unit(); low >= 0xdc00 && low < 0xe000 {
					b = utf8.AppendRune(b, utf16.DecodeRune(rune(u), rune(low)))
					continue
				}
				p.i = mark
			}
			b = appendUnit(b, u)
		default:
			p.fail("an unknown escape")
			return ""
		}
	}
	p.fail("the text ends within a string")
	return ""
}

func (p *scanner) unit() uint16 {
	if len(p.s)-p.i < 4 {
		p.fail("a short escape")
		return 0
	}
	u, err := strconv.ParseUint(p.s[p.i:p.i+4], 16, 16)
	if err != nil {
		p.fail("a bad escape")
		return 0
	}
	p.i += 4
	return uint16(u)
}

// appendUnit appends a UTF-16 code unit, surrogate or not.
func appendUnit(b []byte, u uint16) []byte {
	switch {
	case u < 0x80:
		return append(b, byte(u))
	case u < 0x800:
		return append(b, 0xc0|byte(u>>6), 0x80|byte(u&63))
	}
	return append(b, 0xe0|byte(u>>12), 0x80|byte(u>>6&63), 0x80|byte(u&63))
}

// key reads a key of result.keys in its canonical form: "s" and the characters for a string, "S" for the shape, "A" for
// all of an array, and "#" with compact JSON for the rest, whose object references are still the job's.
func (p *scanner) key() string {
	if p.peek() == '"' {
		return "s" + p.str()
	}
	raw := p.raw()
	switch raw {
	case `["shape"]`:
		return "S"
	case `["all"]`:
		return "A"
	}
	q := &scanner{s: raw}
	value := ""
	i := 0
	q.array(func() {
		if i == 0 {
			if q.str() != "#" {
				q.fail("an unknown key")
			}
		} else {
			value = q.raw()
		}
		i++
	})
	if q.err != nil || i != 2 {
		p.fail("an unknown key %s", raw)
		return ""
	}
	if f, err := strconv.ParseFloat(value, 64); err == nil {
		return numberKey(f)
	}
	return "#" + value
}

// numberKey is the canonical form of a key that is a number: JavaScript and Go need not print it alike.
func numberKey(f float64) string { return "#" + strconv.FormatFloat(f, 'g', -1, 64) }
