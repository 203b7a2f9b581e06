package reexec

import (
	"fmt"
	"strconv"
	"strings"
	"sync"

	"karousosc/verifier/order"
	"karousosc/verifier/rule"
)

// A collector gathers what re-execution did into the history that package order judges. Groups arrive from all
// workers.
type collector struct {
	mu    sync.Mutex
	h     order.History
	nodes int32
	lives []*collected

	own    ownWrites
	keyLoc []keyLoc
}

type collected struct {
	*life
	locBase int32 // number of the first location of the advice in the history
	logBase int32
	reqOf   []int32 // per request: its number in the history, -1 while it has not been re-executed
	// Locations by name. Those of the advice are in it from the start, because an access that nobody logged may be
	// to one of them; others get numbers as they come.
	locs map[locName]int32
}

type locName struct {
	obj int32 // object k of init is -k-1
	key string
}

// keyLoc remembers the location of a job's key with the object that was last seen with it.
type keyLoc struct{ obj, loc int32 }

const noObject = 1<<31 - 1

func newCollector(lives []*life) *collector {
	c := &collector{}
	c.h.Lives = int32(len(lives))
	for _, l := range lives {
		n := &collected{life: l, locBase: c.h.Locs, logBase: int32(len(c.h.Logged)), reqOf: make([]int32, len(l.Requests))}
		for i := range n.reqOf {
			n.reqOf[i] = -1
		}
		n.locs = make(map[locName]int32, len(l.Locations))
		for i := range l.Locations {
			name := locName{int32(l.Locations[i].Obj), canonicalKey(l.Locations[i].Key)}
			// Two locations of one name would be two chains for one thing. The one that is named first stands for both;
			// the chain then has two writes of one version, or none that matches.
			if _, double := n.locs[name]; !double {
				n.locs[name] = c.h.Locs
			}
			c.h.Locs++
		}
		c.h.Logged = append(c.h.Logged, make([]order.Logged, len(l.Writes))...)
		c.lives = append(c.lives, n)
	}
	return c
}

// doubled finds two locations of one name (rule A6).
func (c *collector) doubled() *Problem {
	for _, l := range c.lives {
		if len(l.locs) < len(l.Locations) {
			return &Problem{Rule: rule.A6, Message: "the advice defines one location twice"}
		}
	}
	return nil
}

// add enters a group that was re-executed without a problem.
func (c *collector) add(number int32, lanes []lane, init bool, t tables, r *result) error {
	n := int32(len(r.start)) - 1
	sent := max(r.sent, r.responds)
	if n < 1 || sent >= n {
		return fmt.Errorf("the engine's result has %d activations and names number %d", n, sent)
	}
	for a := int32(0); a < n; a++ {
		if parents := r.parents[r.start[a]:r.start[a+1]]; (a == 0) != (len(parents) == 0) {
			return fmt.Errorf("the engine's result gives activation %d of %d %d parents", a, n, len(parents))
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	l := c.lives[number]
	shape := int32(len(c.h.Shapes))
	loaded := int32(0)
	if init {
		if loaded = n; r.loaded >= 0 && r.loaded < n {
			loaded = r.loaded
		}
	}
	c.h.Shapes = append(c.h.Shapes, order.Shape{Start: r.start, Parents: append([]int32(nil), r.parents...), Responds: r.responds, Sent: sent, Loaded: loaded, InOrder: !init})
	base := c.nodes
	for _, q := range lanes {
		if l.reqOf[q] >= 0 {
			return fmt.Errorf("request %d was re-executed twice", l.Requests[q].RID)
		}
		l.reqOf[q] = int32(len(c.h.Requests))
		c.h.Requests = append(c.h.Requests, order.Request{RID: l.Requests[q].RID, Life: number, Shape: shape, First: c.nodes, Init: init})
		c.nodes += n
		if c.nodes < 0 {
			return fmt.Errorf("more activations than can be numbered")
		}
	}
	c.own.begin(len(r.ops) / opFields)
	if cap(c.keyLoc) < len(r.keys) {
		c.keyLoc = make([]keyLoc, len(r.keys))
	}
	c.keyLoc = c.keyLoc[:len(r.keys)]
	for i := range c.keyLoc {
		c.keyLoc[i].obj = noObject
	}
	for i := 0; i < len(r.ops); i += opFields {
		op := r.ops[i : i+opFields : i+opFields]
		if op[opLane] < 0 || int(op[opLane]) >= len(lanes) || op[opAct] < 0 || op[opAct] >= n || op[opKey] < 0 || int(op[opKey]) >= len(r.keys) {
			return fmt.Errorf("the engine's result has an operation out of range: %v", op)
		}
		node := base + op[opLane]*n + op[opAct]
		loc, err := c.location(l, t, r, op[opObj], op[opKey])
		if err != nil {
			return err
		}
		src := order.Initial
		switch op[opSrcKind] {
		case 0:
		case 1:
			w := op[opSrcA]
			if w < 0 || int(w) >= len(t.writes) {
				return fmt.Errorf("the engine's result names write %d of %d", w, len(t.writes))
			}
			src = order.FromLog(l.logBase + t.writes[w].w)
		case 2:
			if op[opSrcA] < 0 || op[opSrcA] >= n {
				return fmt.Errorf("the engine's result names activation %d of %d", op[opSrcA], n)
			}
			w, ok := c.own.find(ownName{base + op[opLane]*n + op[opSrcA], op[opSrcB], loc})
			if !ok {
				return fmt.Errorf("the engine's result names a write that it does not have: %v", op)
			}
			src = order.FromOwn(w)
		default:
			return fmt.Errorf("the engine's result has a source of kind %d", op[opSrcKind])
		}
		if op[opKind] == 0 {
			c.h.Reads = append(c.h.Reads, order.Read{Node: node, Num: op[opNum], Loc: loc, Src: src})
			continue
		}
		logged := int32(-1)
		if w := op[opLogged]; w >= 0 {
			if int(w) >= len(t.writes) {
				return fmt.Errorf("the engine's result names write %d of %d", w, len(t.writes))
			}
			logged = l.logBase + t.writes[w].w
		}
		c.own.put(ownName{node, op[opNum], loc}, int32(len(c.h.Writes)))
		c.h.Writes = append(c.h.Writes, order.Write{Node: node, Num: op[opNum], Loc: loc, Prev: src, Logged: logged})
	}
	return nil
}

// location finds the number of a location that the engine names by object and key.
func (c *collector) location(l *collected, t tables, r *result, obj, key int32) (int32, error) {
	if k := &c.keyLoc[key]; k.obj == obj {
		return k.loc, nil
	}
	name := locName{obj, r.keys[key]}
	if obj >= 0 {
		if int(obj) >= len(t.objs) {
			return 0, fmt.Errorf("the engine's result names object %d of %d", obj, len(t.objs))
		}
		name.obj = t.objs[obj]
	}
	if strings.HasPrefix(name.key, `#["r",`) {
		n, err := strconv.ParseInt(strings.TrimSuffix(name.key[len(`#["r",`):], "]"), 10, 32)
		if err != nil || n >= int64(len(t.objs)) {
			return 0, fmt.Errorf("the engine's result has the key %s", name.key)
		}
		if n >= 0 {
			n = int64(t.objs[n])
		}
		name.key = refKey(int32(n))
	}
	loc, ok := l.locs[name]
	if !ok {
		loc = c.h.Locs
		c.h.Locs++
		name.key = strings.Clone(name.key)
		l.locs[name] = loc
	}
	c.keyLoc[key] = keyLoc{obj, loc}
	return loc, nil
}

func refKey(n int32) string { return `#["r",` + strconv.Itoa(int(n)) + "]" }

// history completes what was collected: the log's claims and the trace's events are in terms of requests, which have
// their numbers only now.
func (c *collector) history(events []order.Event) *order.History {
	for _, l := range c.lives {
		for i := range l.Writes {
			w := &l.Writes[i]
			// A location of the advice that another one's name hides never occurs: see doubled.
			c.h.Logged[l.logBase+int32(i)] = order.Logged{Req: l.reqOf[w.Req], Num: w.Op, Loc: l.locBase + w.Loc}
		}
	}
	c.h.Events = events
	return &c.h
}

// ownWrites finds the writes of the group that is being added, by activation, operation and location. It is a hash
// table that is emptied by counting on.
type ownWrites struct {
	slots []ownSlot
	gen   int32
	mask  uint32
}

type ownName struct{ node, num, loc int32 }

type ownSlot struct {
	ownName
	gen, write int32
}

func (o *ownWrites) begin(n int) {
	size := 64
	for size < 2*n {
		size *= 2
	}
	if size > len(o.slots) {
		o.slots = make([]ownSlot, size)
		o.gen = 0
	}
	o.mask = uint32(len(o.slots) - 1)
	o.gen++
}

func (k ownName) hash() uint32 {
	h := uint32(k.node)*0x9e3779b1 ^ uint32(k.num)*0x85ebca6b ^ uint32(k.loc)*0xc2b2ae35
	return h ^ h>>15
}

func (o *ownWrites) put(k ownName, write int32) {
	i := k.hash() & o.mask
	for o.slots[i].gen == o.gen && o.slots[i].ownName != k {
		i = (i + 1) & o.mask
	}
	o.slots[i] = ownSlot{k, o.gen, write}
}

func (o *ownWrites) find(k ownName) (int32, bool) {
	for i := k.hash() & o.mask; o.slots[i].gen == o.gen; i = (i + 1) & o.mask {
		if o.slots[i].ownName == k {
			return o.slots[i].write, true
		}
	}
	return 0, false
}
