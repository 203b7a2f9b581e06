// Package enumerate knows the execution model (activations, awaits, timers, joins,
// shared variables, requests and their answers) and nothing of the verifier. For a
// small program it computes every outcome that some schedule gives, so that a test
// can hold the verifier to exactly those: each of them must be accepted when a real
// server produced it, and no other one, whatever the advice says.
//
// # Notation
//
// A program is requests, separated by spaces; a semicolon says that what follows
// arrives when everything before it has been answered. A request is a sequence of
//
//	x y z    read the shared variable; what was read becomes part of the answer
//	X Y Z    write it: a value that nobody else writes
//	=x =y =z write it: what this strand read last ("0" if nothing)
//	v V =v   the same with a variable of the request's own, which its strands share
//	.        await a timer: a turn ends here, and another begins later
//	,        await nothing: a turn ends here, too, but on Node.js its successor runs next
//	(a|b)    run both concurrently, then await both (Promise.all)
//	[a|b]    run both concurrently, then await the one that ends first (Promise.race); the other goes on
//	!        answer, with what was read so far; at the end if it is left out
//	$        kept for operations on a transactional store, which is not there yet
//
// So "x.X x.X" is the lost update, and "X ; x" a read that must not be stale.
package enumerate

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// A Program is what a few requests do.
type Program struct {
	Text     string
	Requests []Request
	Waves    int
}

// A Request is one request, cut into turns.
type Request struct {
	Text  string
	Wave  int
	turns []turn
	gates int // timers in the text
}

// A turn is what runs without interruption. Turn 0 is the arrival and does nothing.
type turn struct {
	ops     []op
	parents []int
	gate    int  // the number of the timer that starts it, -1 if none does
	race    bool // it begins after the first of its parents, and not after all
}

type opKind int

const (
	opRead opKind = iota
	opWrite
	opCopy
	opAnswer
	opJoin // the strands become the strand
	opRace // the strand whose end ran first becomes the strand
)

// An op belongs to a strand: a sequence of reads of its own.
type op struct {
	kind    opKind
	v       int    // variable; local is the request's own
	value   string // of opWrite
	strand  int
	strands []int // of opJoin and opRace
}

const (
	vars  = "xyzv"
	local = len(vars) - 1
)

// Parse reads the notation.
func Parse(text string) (*Program, error) {
	p := &Program{Text: text}
	for w, wave := range strings.Split(text, ";") {
		for _, r := range strings.Fields(wave) {
			q := Request{Text: r, Wave: w}
			c := &compiler{r: &q, text: r, id: len(p.Requests) + 1}
			if err := c.compile(); err != nil {
				return nil, fmt.Errorf("%q: %w", r, err)
			}
			p.Requests = append(p.Requests, q)
		}
		p.Waves = w + 1
	}
	return p, nil
}

type compiler struct {
	r       *Request
	text    string
	i       int
	id      int
	writes  int
	strands int
	answers int
}

func (c *compiler) compile() error {
	// The arrival awaits a timer, which lets a test say when the request begins.
	c.r.turns = []turn{{gate: -1}}
	cur := c.turn(c.gate(), 0)
	c.strands = 1
	cur, err := c.sequence(cur, 0, 0)
	if err != nil {
		return err
	}
	if c.i < len(c.text) {
		return fmt.Errorf("%q at %d is out of place", c.text[c.i], c.i)
	}
	switch c.answers {
	case 0:
		c.op(cur, op{kind: opAnswer, strand: 0})
	case 1:
	default:
		return fmt.Errorf("it answers twice")
	}
	return nil
}

func (c *compiler) gate() int { c.r.gates++; return c.r.gates - 1 }

func (c *compiler) turn(gate int, parents ...int) int {
	c.r.turns = append(c.r.turns, turn{gate: gate, parents: parents})
	return len(c.r.turns) - 1
}

func (c *compiler) op(turn int, o op) {
	c.r.turns[turn].ops = append(c.r.turns[turn].ops, o)
}

func (c *compiler) sequence(cur, strand, depth int) (int, error) {
	for c.i < len(c.text) {
		ch := c.text[c.i]
		v := strings.IndexByte(vars, ch|0x20)
		switch {
		case ch == '.':
			cur = c.turn(c.gate(), cur)
		case ch == ',':
			cur = c.turn(-1, cur)
		case ch == '!':
			if depth > 0 {
				return 0, fmt.Errorf("only a whole request answers")
			}
			c.answers++
			c.op(cur, op{kind: opAnswer, strand: strand})
		case ch == '=':
			c.i++
			if c.i == len(c.text) || strings.IndexByte(vars, c.text[c.i]) < 0 {
				return 0, fmt.Errorf("= without a variable")
			}
			c.op(cur, op{kind: opCopy, v: strings.IndexByte(vars, c.text[c.i]), strand: strand})
		case ch == '(' || ch == '[':
			var err error
			if cur, err = c.fork(cur, strand, depth); err != nil {
				return 0, err
			}
		case ch == ')' || ch == ']' || ch == '|':
			if depth == 0 {
				return 0, fmt.Errorf("%q at %d is out of place", ch, c.i)
			}
			return cur, nil
		case ch == '$':
			return 0, fmt.Errorf("there is no transactional store yet")
		case v >= 0 && ch == vars[v]:
			c.op(cur, op{kind: opRead, v: v, strand: strand})
		case v >= 0 && ch == vars[v]-0x20:
			c.writes++
			c.op(cur, op{kind: opWrite, v: v, value: fmt.Sprintf("%d%c", c.id, 'a'+c.writes-1), strand: strand})
		default:
			return 0, fmt.Errorf("%q means nothing", ch)
		}
		c.i++
	}
	return cur, nil
}

// fork runs what comes before the first await of each part in the turn that forks.
func (c *compiler) fork(cur, strand, depth int) (int, error) {
	var ends, parts []int
	race, closing := c.text[c.i] == '[', byte(')')
	if race {
		closing = ']'
	}
	for c.text[c.i] != closing {
		c.i++
		s := c.strands
		c.strands++
		end, err := c.sequence(cur, s, depth+1)
		if err != nil {
			return 0, err
		}
		if c.i == len(c.text) {
			return 0, fmt.Errorf("a %c is missing", closing)
		}
		if ch := c.text[c.i]; ch != '|' && ch != closing {
			return 0, fmt.Errorf("%q at %d is out of place", ch, c.i)
		}
		ends, parts = append(ends, end), append(parts, s)
	}
	join := c.turn(-1, ends...)
	kind := opJoin
	if race {
		kind = opRace
	}
	c.r.turns[join].race = race
	c.op(join, op{kind: kind, strand: strand, strands: parts})
	return join, nil
}

// Random draws a program of two to four requests.
func Random(rnd *rand.Rand) *Program {
	for {
		n := 2 + rnd.IntN(3)
		vs := vars[:1+rnd.IntN(2)]
		if rnd.IntN(3) == 0 {
			vs += "v"
		}
		var b strings.Builder
		for i := range n {
			if i > 0 {
				b.WriteString([]string{" ", " ", " ", " ; "}[rnd.IntN(4)])
			}
			randomRequest(rnd, &b, vs, 1+rnd.IntN(9/n))
		}
		p, err := Parse(b.String())
		if err == nil {
			return p
		}
	}
}

func randomRequest(rnd *rand.Rand, b *strings.Builder, vs string, ops int) {
	answered := false
	for i := range ops {
		if i > 0 {
			b.WriteString([]string{"", "", ".", ".", ","}[rnd.IntN(5)])
		}
		v := vs[rnd.IntN(len(vs))]
		switch k := rnd.IntN(12); {
		case k < 5:
			b.WriteByte(v)
		case k < 8:
			b.WriteByte(v - 0x20)
		case k < 10:
			b.WriteByte('=')
			b.WriteByte(v)
		case k == 10 && ops > 1:
			w := vs[rnd.IntN(len(vs))]
			around := []string{"(%s%c|%s%c)", "[%s%c|%s%c]"}[rnd.IntN(2)]
			fmt.Fprintf(b, around, []string{"", "."}[rnd.IntN(2)], v, []string{"", "."}[rnd.IntN(2)], w-0x20*byte(rnd.IntN(2)))
		default:
			b.WriteByte(v)
			if !answered && i < ops-1 && rnd.IntN(2) == 0 {
				b.WriteByte('!')
				answered = true
			}
		}
	}
}
