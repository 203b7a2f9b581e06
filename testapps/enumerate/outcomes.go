package enumerate

import (
	"slices"
	"strings"
)

// An Outcome is the answers of all requests.
type Outcome []string

func (o Outcome) String() string { return strings.Join(o, " / ") }

// A Schedule is an order of turns with what it leads to.
type Schedule struct {
	Turns   []Turn
	Outcome Outcome
}

// A Turn is turn N of a request (both from 0).
type Turn struct{ Request, N int }

// Slots gives each timer of a request the place of its turn in the order of all
// timers' turns.
func (s *Schedule) Slots(p *Program) [][]int {
	slots := make([][]int, len(p.Requests))
	for i := range slots {
		slots[i] = make([]int, p.Requests[i].gates)
	}
	n := 0
	for _, t := range s.Turns {
		if g := p.Requests[t.Request].turns[t.N].gate; g >= 0 {
			slots[t.Request][g] = n
			n++
		}
	}
	return slots
}

// maxStates bounds what is looked at for one program.
const maxStates = 200_000

// Outcomes computes all outcomes that the model allows, each with a schedule, by
// trying every order of turns. Microtasks may be delayed like anything else, unless
// node is true: then they run next, as on Node.js. whole is false if there are too
// many orders to try.
func Outcomes(p *Program, node bool) (found map[string]*Schedule, whole bool) {
	e := &enumeration{p: p, node: node, found: map[string]*Schedule{}, seen: map[string]bool{}}
	s := state{answers: make([]string, len(p.Requests)), done: make([]uint32, len(p.Requests)), wave: 0}
	for i := range s.vars {
		s.vars[i] = "0"
	}
	for range p.Requests {
		s.own = append(s.own, "0")
		s.reads = append(s.reads, map[int][]string{})
		s.won = append(s.won, nil)
	}
	e.from(s)
	return e.found, len(e.seen) < maxStates
}

type enumeration struct {
	p     *Program
	node  bool
	found map[string]*Schedule
	seen  map[string]bool
	path  []Turn
}

type state struct {
	vars    [local]string
	own     []string // per request: its own variable
	answers []string // "" while there is none; an answer begins with ":"
	done    []uint32 // per request: the turns that ran
	reads   []map[int][]string
	won     []map[int]int // per request and race: the parent that ran first
	wave    int
	next    []Turn // microtasks that Node.js runs before anything else
}

func (s *state) key() string {
	var b strings.Builder
	for _, v := range s.vars {
		b.WriteString(v + ",")
	}
	for i := range s.done {
		b.WriteString(s.answers[i] + ";" + s.own[i] + ";")
		b.WriteByte(byte(s.done[i]))
		b.WriteByte(byte(s.done[i] >> 8))
		b.WriteByte(byte(s.done[i] >> 16))
		for k := range 8 {
			if r, ok := s.reads[i][k]; ok {
				b.WriteString(strings.Join(r, ",") + "/")
			}
		}
		for n := range 24 {
			if p, ok := s.won[i][n]; ok {
				b.WriteString("w" + string(rune('a'+n)) + string(rune('a'+p)))
			}
		}
	}
	return b.String()
}

func (s *state) clone() state {
	n := *s
	n.answers = append([]string(nil), s.answers...)
	n.own = append([]string(nil), s.own...)
	n.done = append([]uint32(nil), s.done...)
	n.reads = append([]map[int][]string(nil), s.reads...)
	n.won = append([]map[int]int(nil), s.won...)
	n.next = append([]Turn(nil), s.next...)
	return n
}

func (e *enumeration) from(s state) {
	// Everything of the earlier waves has been answered when a wave arrives.
	for s.wave+1 < e.p.Waves {
		for i, q := range e.p.Requests {
			if q.Wave <= s.wave && s.answers[i] == "" {
				goto ready
			}
		}
		s.wave++
	}
ready:
	key := s.key()
	if e.seen[key] || len(e.seen) >= maxStates {
		return
	}
	e.seen[key] = true
	any := false
	for i := range e.p.Requests {
		q := &e.p.Requests[i]
		if q.Wave > s.wave {
			continue
		}
		for n := range q.turns {
			if s.done[i]&(1<<n) != 0 || !s.ready(q, i, n) {
				continue
			}
			if e.node && len(s.next) > 0 && s.next[0] != (Turn{i, n}) {
				continue
			}
			any = true
			e.run(s.clone(), i, n)
		}
	}
	if any {
		return
	}
	o := Outcome{}
	for _, a := range s.answers {
		o = append(o, strings.TrimPrefix(a, ":"))
	}
	if _, ok := e.found[o.String()]; !ok {
		e.found[o.String()] = &Schedule{append([]Turn(nil), e.path...), o}
	}
}

func (s *state) ready(q *Request, i, n int) bool {
	if q.turns[n].race {
		_, over := s.won[i][n]
		return over
	}
	for _, p := range q.turns[n].parents {
		if s.done[i]&(1<<p) == 0 {
			return false
		}
	}
	return true
}

// noteWinner settles the races that turn n of request i is the first to end in.
func (s *state) noteWinner(q *Request, i, n int) {
	for m := range q.turns {
		if _, over := s.won[i][m]; over || !q.turns[m].race || !slices.Contains(q.turns[m].parents, n) {
			continue
		}
		won := map[int]int{m: n}
		for k, p := range s.won[i] {
			won[k] = p
		}
		s.won[i] = won
	}
}

// run runs a turn, and what follows.
func (e *enumeration) run(s state, i, n int) {
	q := &e.p.Requests[i]
	if len(s.next) > 0 {
		s.next = s.next[1:]
	}
	reads := map[int][]string{}
	for k, r := range s.reads[i] {
		reads[k] = r
	}
	s.reads[i] = reads
	for _, o := range q.turns[n].ops {
		r := reads[o.strand]
		v := &s.own[i]
		if o.v != local {
			v = &s.vars[o.v]
		}
		switch o.kind {
		case opRead:
			reads[o.strand] = append(append([]string(nil), r...), *v)
		case opWrite:
			*v = o.value
		case opCopy:
			*v = "0"
			if len(r) > 0 {
				*v = r[len(r)-1]
			}
		case opAnswer:
			s.answers[i] = ":" + strings.Join(r, ",")
		case opJoin:
			r = append([]string(nil), r...)
			for _, part := range o.strands {
				r = append(r, reads[part]...)
				delete(reads, part)
			}
			reads[o.strand] = r
		case opRace:
			for k, p := range q.turns[n].parents {
				if p == s.won[i][n] {
					reads[o.strand] = append(append([]string(nil), r...), reads[o.strands[k]]...)
					break
				}
			}
		}
	}
	s.done[i] |= 1 << n
	s.noteWinner(q, i, n)
	for m := range q.turns {
		if q.turns[m].gate < 0 && s.done[i]&(1<<m) == 0 && s.ready(q, i, m) && m > 0 {
			for _, p := range q.turns[m].parents {
				if p == n {
					s.next = append(s.next, Turn{i, m})
					break
				}
			}
		}
	}
	e.path = append(e.path, Turn{i, n})
	e.from(s)
	e.path = e.path[:len(e.path)-1]
}
