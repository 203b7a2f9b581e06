package reexec

import (
	"fmt"
	"strconv"
	"strings"
	"sync"

	"karousosc/verifier/order"
)

// A collector gathers what re-execution did into the history that package order judges. Groups arrive from all
// workers.
type collector struct {
	mu    sync.Mutex
	h     order.History
	nodes int32
	lives []*collected
	// clocks numbers the clocks of the lives.
	clocks map[clockName]int32

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

type clockName struct {
	life int32
	name string
}

// keyLoc remembers the location of a job's key with the object that was last seen with it, and the object's number.
type keyLoc struct{ obj, number, loc int32 }

const noObject = 1<<31 - 1

func newCollector(lives []*life) *collector {
	c := &collector{clocks: map[clockName]int32{}}
	c.h.Lives = int32(len(lives))
	for _, l := range lives {
		n := &collected{life: l, locBase: c.h.Locs, logBase: int32(len(c.h.Logged)), reqOf: make([]int32, len(l.Requests))}
		for i := range n.reqOf {
			n.reqOf[i] = -1
		}
		n.locs = make(map[locName]int32, len(l.names))
		for name, i := range l.names {
			n.locs[name] = n.locBase + i
		}
		c.h.Locs += int32(len(l.Locations))
		c.h.Logged = append(c.h.Logged, make([]order.Logged, len(l.Writes))...)
		c.lives = append(c.lives, n)
	}
	return c
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
	told := 1 + 2*len(lanes)
	for _, times := range r.clocks {
		if len(times)%told != 0 {
			return fmt.Errorf("the engine's result has %d times for %d requests", len(times), len(lanes))
		}
		for i := 0; i < len(times); i += told {
			if times[i] < 0 || times[i] >= int64(n) {
				return fmt.Errorf("the engine's result has times of activation %d of %d", times[i], n)
			}
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
	for i, q := range lanes {
		if l.reqOf[q] >= 0 {
			return fmt.Errorf("request %d was re-executed twice", l.Requests[q].RID)
		}
		l.reqOf[q] = int32(len(c.h.Requests))
		c.h.Requests = append(c.h.Requests, order.Request{RID: l.Requests[q].RID, Life: number, Shape: shape, First: c.nodes, Init: init})
		for name, times := range r.clocks {
			clock := c.clock(clockName{number, name})
			for k := 0; k < len(times); k += told {
				if first := times[k+1+2*i]; first >= 0 {
					c.h.Readings = append(c.h.Readings, order.Reading{Node: c.nodes + int32(times[k]), Clock: clock, First: first, Last: times[k+2+2*i]})
				}
			}
		}
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
		at, err := c.location(l, t, r, op[opObj], op[opKey])
		if err != nil {
			return err
		}
		loc := at.loc
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
		case 3:
			if op[opKind] == 0 {
				return fmt.Errorf("the engine's result has a read of what was there last: %v", op)
			}
			c.shaped(l, at)
			src = order.Lacking
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
		c.h.Writes = append(c.h.Writes, order.Write{Node: node, Num: op[opNum], Loc: loc, Prev: src, Logged: logged, Gone: op[opKind] == 2})
	}
	return nil
}

// location finds a location that the engine names by object and key.
func (c *collector) location(l *collected, t tables, r *result, obj, key int32) (keyLoc, error) {
	if k := c.keyLoc[key]; k.obj == obj {
		return k, nil
	}
	number, err := t.object(obj)
	if err != nil {
		return keyLoc{}, err
	}
	name := locName{number, r.keys[key]}
	if strings.HasPrefix(name.key, `#["r",`) {
		n, err := strconv.ParseInt(strings.TrimSuffix(name.key[len(`#["r",`):], "]"), 10, 32)
		if err != nil || n >= int64(len(t.objs)) {
			return keyLoc{}, fmt.Errorf("the engine's result has the key %s", name.key)
		}
		if n >= 0 {
			n = int64(t.objs[n])
		}
		name.key = refKey(int32(n))
	}
	c.keyLoc[key] = keyLoc{obj, number, c.named(l, name)}
	return c.keyLoc[key], nil
}

// object is the number in the advice of an object that the engine names.
func (t tables) object(obj int32) (int32, error) {
	if obj < 0 {
		return obj, nil
	}
	if int(obj) >= len(t.objs) {
		return 0, fmt.Errorf("the engine's result names object %d of %d", obj, len(t.objs))
	}
	return t.objs[obj], nil
}

func (c *collector) named(l *collected, name locName) int32 {
	loc, ok := l.locs[name]
	if !ok {
		loc = c.h.Locs
		c.h.Locs++
		name.key = strings.Clone(name.key)
		l.locs[name] = loc
	}
	return loc
}

// shaped notes which location is the shape of the object that a location is a key of.
func (c *collector) shaped(l *collected, key keyLoc) {
	if int(key.loc) >= len(c.h.Shape) || c.h.Shape[key.loc] < 0 {
		c.shapeIs(key.loc, c.named(l, locName{key.number, shapeName}))
	}
}

func (c *collector) shapeIs(loc, shape int32) {
	for int(loc) >= len(c.h.Shape) {
		c.h.Shape = append(c.h.Shape, -1)
	}
	c.h.Shape[loc] = shape
}

func refKey(n int32) string { return `#["r",` + strconv.Itoa(int(n)) + "]" }

func (c *collector) clock(name clockName) int32 {
	n, ok := c.clocks[name]
	if !ok {
		n = int32(len(c.clocks))
		c.clocks[name] = n
	}
	return n
}

// history completes what was collected: the log's claims and the trace's events are in terms of requests, which have
// their numbers only now.
func (c *collector) history(events []order.Event) *order.History {
	for _, l := range c.lives {
		for i := range l.Writes {
			w := &l.Writes[i]
			e := order.Logged{Loc: l.locBase + w.Loc, Num: w.Op}
			if w.Absence {
				e.Absent, e.Shape = true, l.logBase+w.Shape
				c.shapeIs(e.Loc, l.locBase+l.Writes[w.Shape].Loc)
			} else {
				e.Req = l.reqOf[w.Req]
			}
			c.h.Logged[l.logBase+int32(i)] = e
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
