package e2e

import (
	"math"
	"testing"

	"karousosc/testapps/forge"
	"karousosc/verifier/advice/record"
)

// Family: objects. What a request made and another one meets is what the first one made:
// the same object, of the same kind, with the same keys in the same order, changed as it
// was changed. Answers follow from the lies.

// furniture is what TestThingAttacks lies about. Requests have the numbers of their lines, from 1.
var furniture = oneByOne(values,
	get("/put?kind=array"), get("/box"),
	get("/put?kind=map"), get("/box"),
	get("/put?kind=set"), get("/box"),
	get("/put?kind=object"), get("/box"),
	get("/put?kind=date"), get("/box"), // 9, 10
	get("/put?kind=regexp"), get("/box"),
	get("/put?kind=bigint"), get("/box"),
	get("/push?v=a"), get("/push?v=b"), get("/list"), // 15 to 17
	get("/splice?at=0&v=c"), get("/list"),
	get("/add?kind=five"), get("/add?kind=text"), get("/members"), // 20 to 22
	get("/remove?kind=five"), get("/members"),
	get("/set?kind=nan&v=1"), get("/get?kind=nan"), // 25, 26
	get("/set?kind=object&v=1"), get("/keys"), // 27, 28
	get("/empty"), get("/list"), // 29, 30
)

func TestThingAttacks(t *testing.T) {
	const rules = "R-value R-object"
	text := record.Text
	// object is the n-th object of a request, write its n-th write.
	object := func(t *testing.T, l *forge.Life, rid uint64, n int) *forge.Record {
		t.Helper()
		rs := l.Of(rid, record.Object)
		if len(rs) <= n {
			t.Fatalf("request %d made %d objects", rid, len(rs))
		}
		return rs[n]
	}
	fields := func(l *forge.Life, o *forge.Record) *[]record.Field {
		for _, r := range l.All(record.Fields) {
			if r.Obj == record.Ref(o.ID) {
				return &r.Fields
			}
		}
		return &o.Fields
	}
	write := func(t *testing.T, l *forge.Life, rid uint64, n int) *forge.Record {
		t.Helper()
		rs := l.Of(rid, record.Write)
		if len(rs) <= n {
			t.Fatalf("request %d has %d logged writes", rid, len(rs))
		}
		return rs[n]
	}
	// made changes what the n-th object of a request held; answer is that of the request after it.
	made := func(name string, rid uint64, n int, answer string, change func(l *forge.Life, o *forge.Record, fs *[]record.Field)) attack {
		return attack{name, rules, func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			o := object(t, l, rid, n)
			change(l, o, fields(l, o))
			l.Tidy()
			e.Answer(rid+1, answer+" undefined")
		}}
	}
	put := func(name string, rid uint64, v record.Value, answer string) attack {
		return attack{name, rules, func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			write(t, l, rid, 0).Value = v
			l.Tidy()
			e.Answer(rid+1, answer+" undefined")
		}}
	}
	logged := func(name string, rid uint64, n int, change func(l *forge.Life, w *forge.Record), answers map[uint64]string) attack {
		return attack{name, rules + " R1 R2 R-leftover", func(t *testing.T, e *forge.Evidence) {
			l := life(t, e)
			change(l, write(t, l, rid, n))
			for rid, a := range answers {
				e.Answer(rid, a)
			}
		}}
	}
	furniture.attack(t,
		made("another element", 1, 0, "[1,'too',[3]]", func(_ *forge.Life, _ *forge.Record, fs *[]record.Field) { (*fs)[1].Value = text("too") }),
		made("elements in another order", 1, 0, "['two',1,[3]]", func(_ *forge.Life, _ *forge.Record, fs *[]record.Field) {
			(*fs)[0].Value, (*fs)[1].Value = (*fs)[1].Value, (*fs)[0].Value
		}),
		made("an element more", 1, 1, "[1,'two',[3,3]]", func(_ *forge.Life, _ *forge.Record, fs *[]record.Field) {
			more := (*fs)[0]
			more.Key.Num = 1
			*fs = append(*fs, more)
		}),
		made("an element less", 1, 1, "[1,'two',[]]", func(_ *forge.Life, _ *forge.Record, fs *[]record.Field) { *fs = nil }),
		made("an array that holds itself", 1, 0, "[1,'two',[3]]", func(_ *forge.Life, o *forge.Record, fs *[]record.Field) {
			(*fs)[0].Value = record.RefTo(record.Ref(o.ID))
		}),
		made("an array for a number", 1, 0, "[[3],'two',[3]]", func(_ *forge.Life, _ *forge.Record, fs *[]record.Field) { (*fs)[0].Value = (*fs)[2].Value }),
		made("another key of a map", 3, 0, "Map[['j',{n: 1}]]", func(_ *forge.Life, _ *forge.Record, fs *[]record.Field) { (*fs)[0].Key = record.Name("j") }),
		made("a key more of a map", 3, 0, "Map[['k',{n: 1}],['j',{n: 1}]]", func(_ *forge.Life, _ *forge.Record, fs *[]record.Field) {
			*fs = append(*fs, record.Field{Key: record.Name("j"), Value: (*fs)[0].Value})
		}),
		made("no key of a map", 3, 0, "Map[]", func(_ *forge.Life, _ *forge.Record, fs *[]record.Field) { *fs = nil }),
		made("a map for a plain object", 3, 0, "{k: {n: 1}}", func(_ *forge.Life, o *forge.Record, _ *[]record.Field) { o.ObjectKind = record.PlainObject }),
		made("a set for a map", 5, 0, "Map[['k',true],['l',true]]", func(_ *forge.Life, o *forge.Record, _ *[]record.Field) { o.ObjectKind = 2 }),
		made("elements of a set in another order", 5, 0, "Set['l','k']", func(_ *forge.Life, _ *forge.Record, fs *[]record.Field) {
			(*fs)[0], (*fs)[1] = (*fs)[1], (*fs)[0]
		}),
		made("another field", 7, 0, "{a: 1,b: 'too'}", func(_ *forge.Life, _ *forge.Record, fs *[]record.Field) { (*fs)[1].Value = text("too") }),
		made("a field under another name", 7, 0, "{a: 1,c: 'two'}", func(_ *forge.Life, _ *forge.Record, fs *[]record.Field) { (*fs)[1].Key = record.Name("c") }),
		made("a field that is called __proto__", 7, 0, "{a: 1,__proto__: 'two'}", func(_ *forge.Life, _ *forge.Record, fs *[]record.Field) { (*fs)[1].Key = record.Name("__proto__") }),
		made("a __proto__ that is an object", 7, 0, "{a: 1,__proto__: {n: 1}}", func(l *forge.Life, _ *forge.Record, fs *[]record.Field) {
			(*fs)[1] = record.Field{Key: record.Name("__proto__"), Value: record.RefTo(record.Ref(object(t, l, 3, 1).ID))}
		}),
		made("a field that is called constructor", 7, 0, "{a: 1,constructor: 'two'}", func(_ *forge.Life, _ *forge.Record, fs *[]record.Field) {
			(*fs)[1].Key = record.Name("constructor")
		}),
		made("fields in another order", 7, 0, "{b: 'two',a: 1}", func(_ *forge.Life, _ *forge.Record, fs *[]record.Field) { (*fs)[0], (*fs)[1] = (*fs)[1], (*fs)[0] }),
		made("an object by another operation", 7, 0, "{a: 1,b: 'two'}", func(_ *forge.Life, o *forge.Record, _ *[]record.Field) { o.OpNum++ }),
		made("an object by another index", 7, 0, "{a: 1,b: 'two'}", func(_ *forge.Life, o *forge.Record, _ *[]record.Field) { o.Index++ }),
		put("another date", 9, record.Value{Kind: record.Date, Num: record.NumBits(2e12)}, "2000000000000"),
		put("a number for a date", 9, record.Number(1e12), "1000000000000"),
		put("no date", 9, record.Value{Kind: record.Date, Num: record.NumBits(nan)}, "NaN"),
		put("other flags", 11, pattern("a+", "g", 0), "/a+/g"),
		put("another pattern", 11, pattern("b+", "gi", 0), "/b+/gi"),
		put("another lastIndex", 11, pattern("a+", "gi", 1), "/a+/gi"),
		put("another bigint", 13, record.Value{Kind: record.BigInt, Str: "12345678901234567891"}, "12345678901234567891n"),
		put("a number for a bigint", 13, record.Number(12345678901234567890), "12345678901234567000"),
		put("text for a bigint", 13, text("12345678901234567890"), "'12345678901234567890'"),
		put("an error for a date", 9, record.Value{Kind: record.Error, Str: "no", Ext: &record.Ext{Text: "Error"}}, "Error: no"),
		put("bytes for a date", 9, record.Value{Kind: record.Bytes, Str: "no", Ext: &record.Ext{Text: "Buffer"}}, "{}"),
		put("a function for a date", 9, record.Value{Kind: record.Fn}, "undefined"),
		put("a date for a bigint", 13, record.Value{Kind: record.Date, Num: record.NumBits(5)}, "5"),
		put("a pattern for a bigint", 13, pattern("5", "", 0), "/5/"),
		put("nothing for a date", 9, record.Value{Kind: record.Absent}, "undefined"),
		put("a list for a date", 9, record.ListOf(record.Number(1)), "[1]"),
		put("an object of the start for a date", 9, record.RefTo(record.InitRef(0)), "{}"),
		put("an object that the start never made", 9, record.RefTo(record.InitRef(1<<20)), "{}"),
		logged("another element pushed", 16, 0, func(l *forge.Life, w *forge.Record) {
			w.Value = record.DeltaFrom(w.Prev, record.DeltaOp{Kind: record.Splice, Start: 1, Values: []record.Value{text("x")}})
		},
			map[uint64]string{17: "['a','x']"}),
		logged("an element put first", 16, 0, func(l *forge.Life, w *forge.Record) {
			w.Value = record.DeltaFrom(w.Prev, record.DeltaOp{Kind: record.Splice, Values: []record.Value{text("b")}})
		},
			map[uint64]string{17: "['b','a']"}),
		logged("an element put in the place of another", 16, 0, func(l *forge.Life, w *forge.Record) {
			w.Value = record.DeltaFrom(w.Prev, record.DeltaOp{Kind: record.Splice, Del: 1, Values: []record.Value{text("b")}})
		},
			map[uint64]string{17: "['b']"}),
		logged("two elements for one", 16, 0, func(l *forge.Life, w *forge.Record) {
			w.Value = record.DeltaFrom(w.Prev, record.DeltaOp{Kind: record.Splice, Start: 1, Values: []record.Value{text("b"), text("b")}})
		},
			map[uint64]string{17: "['a','b','b']"}),
		logged("a list in full, and another one", 16, 0, func(l *forge.Life, w *forge.Record) { w.Value = record.ListOf(text("a"), text("x")) }, map[uint64]string{17: "['a','x']"}),
		logged("a list in full, in another order", 16, 0, func(l *forge.Life, w *forge.Record) { w.Value = record.ListOf(text("b"), text("a")) }, map[uint64]string{17: "['b','a']"}),
		logged("a list that was emptied instead", 16, 0, func(l *forge.Life, w *forge.Record) {
			w.Value = record.DeltaFrom(w.Prev, record.DeltaOp{Kind: record.Clear})
		}, map[uint64]string{17: "[]"}),
		logged("another list spliced", 18, 0, func(l *forge.Life, w *forge.Record) { w.Value = record.ListOf(text("c"), text("more"), text("x")) }, map[uint64]string{19: "['c','more','x']"}),
		logged("other elements spliced in", 18, 0, func(l *forge.Life, w *forge.Record) {
			w.Value = record.DeltaFrom(w.Prev, record.DeltaOp{Kind: record.Splice, Del: 1, Values: []record.Value{text("c"), text("x")}})
		}, map[uint64]string{19: "['c','x','b']"}),
		logged("elements that were not taken out", 18, 0, func(l *forge.Life, w *forge.Record) {
			w.Value = record.DeltaFrom(w.Prev, record.DeltaOp{Kind: record.Splice, Values: []record.Value{text("c"), text("more")}})
		}, map[uint64]string{19: "['c','more','a','b']"}),
		logged("a list that was emptied instead of spliced", 18, 0, func(l *forge.Life, w *forge.Record) {
			w.Value = record.DeltaFrom(w.Prev, record.DeltaOp{Kind: record.Clear})
		}, map[uint64]string{19: "[]"}),
		logged("no change", 18, 0, func(l *forge.Life, w *forge.Record) { w.Value = record.DeltaFrom(w.Prev) }, map[uint64]string{19: "['a','b']"}),
		logged("an element removed instead of added", 21, 0, func(l *forge.Life, w *forge.Record) {
			w.Value = record.DeltaFrom(w.Prev, record.DeltaOp{Kind: record.Remove, Values: []record.Value{text(`["#",5]`)}})
		}, map[uint64]string{22: "Set[5]"}),
		logged("an element added instead of removed", 23, 1, func(l *forge.Life, w *forge.Record) {
			w.Value = record.DeltaFrom(w.Prev, record.DeltaOp{Kind: record.Add, Values: []record.Value{record.Number(5)}})
		}, map[uint64]string{24: `Set[5,'["#",5]']`}),
		logged("a number for a change of a list", 18, 0, func(l *forge.Life, w *forge.Record) { w.Value = record.Number(5) }, nil),
		logged("a list that was not emptied", 29, 0, func(l *forge.Life, w *forge.Record) { w.Value = record.ListOf(text("c")) }, map[uint64]string{30: "['c']"}),
		logged("a list that was added to instead of emptied", 29, 0, func(l *forge.Life, w *forge.Record) {
			w.Value = record.DeltaFrom(w.Prev, record.DeltaOp{Kind: record.Splice, Values: []record.Value{text("x")}})
		}, map[uint64]string{30: "['x','c','more','b']"}),
		logged("another element added", 21, 0, func(l *forge.Life, w *forge.Record) {
			w.Value = record.DeltaFrom(w.Prev, record.DeltaOp{Kind: record.Add, Values: []record.Value{text("x")}})
		},
			map[uint64]string{22: "Set[5,'x']"}),
		logged("elements in the order of another run", 21, 0, func(l *forge.Life, w *forge.Record) { w.Value = record.ListOf(text(`["#",5]`), record.Number(5)) }, map[uint64]string{22: `Set['["#",5]',5]`}),
		logged("another element removed", 23, 1, func(l *forge.Life, w *forge.Record) {
			w.Value = record.DeltaFrom(w.Prev, record.DeltaOp{Kind: record.Remove, Values: []record.Value{text(`["#",5]`)}})
		},
			map[uint64]string{24: "Set[5]"}),
		logged("an element that stays", 23, 0, func(l *forge.Life, w *forge.Record) { w.Value = record.Boolean(true) }, nil),
		logged("a value under another key than NaN", 25, 0, func(l *forge.Life, w *forge.Record) {
			k, _ := record.KeyOf(record.Number(1))
			l.Get(record.Location, w.Loc).Key = k
		}, map[uint64]string{26: "undefined false"}),
		logged("another object as a key", 27, 0, func(l *forge.Life, w *forge.Record) {
			w.Value = record.DeltaFrom(w.Prev, record.DeltaOp{Kind: record.Add, Values: []record.Value{record.RefTo(record.Ref(object(t, l, 7, 0).ID))}})
		}, nil),
		logged("a location of another object's key", 27, 1, func(l *forge.Life, w *forge.Record) {
			k, _ := record.KeyOf(record.RefTo(record.Ref(object(t, l, 7, 0).ID)))
			l.Get(record.Location, w.Loc).Key = k
		}, nil),
	)
}

// thirdWrites is the lie that request 3 wrote something else, with the answer of request 4 that follows from it.
func thirdWrites(name, answer string, value func(l *forge.Life, w *forge.Record) record.Value) attack {
	return attack{name, "R-value", func(t *testing.T, e *forge.Evidence) {
		l := life(t, e)
		rs := l.Of(3, record.Write)
		if len(rs) == 0 {
			t.Fatal("request 3 has no logged write")
		}
		rs[0].Value = value(l, rs[0])
		e.Answer(4, answer)
	}}
}

// Here no later change of the list is logged in full, so that nothing else is compared with what was changed.
func TestLastChangeAttacks(t *testing.T) {
	text := record.Text
	step := func(start int32, vs ...record.Value) record.DeltaOp {
		return record.DeltaOp{Kind: record.Splice, Start: start, Values: vs}
	}
	steps := func(ops ...record.DeltaOp) func(*forge.Life, *forge.Record) record.Value {
		return func(_ *forge.Life, w *forge.Record) record.Value { return record.DeltaFrom(w.Prev, ops...) }
	}
	full := func(vs ...record.Value) func(*forge.Life, *forge.Record) record.Value {
		return func(*forge.Life, *forge.Record) record.Value { return record.ListOf(vs...) }
	}
	oneByOne(values, get("/push?v=a"), get("/push?v=b"), get("/push?v=c"), get("/list")).attack(t,
		thirdWrites("another element", "['a','b','x']", steps(step(2, text("x")))),
		thirdWrites("another place", "['c','a','b']", steps(step(0, text("c")))),
		thirdWrites("an element more", "['a','b','c','c']", steps(step(2, text("c"), text("c")))),
		thirdWrites("an element less", "['a','b']", steps(step(2))),
		thirdWrites("no change", "['a','b']", steps()),
		thirdWrites("a date", "1970-01-01T00:00:00.000Z", func(*forge.Life, *forge.Record) record.Value { return record.Value{Kind: record.Date} }),
		thirdWrites("what is absent", "undefined", func(*forge.Life, *forge.Record) record.Value { return record.Value{Kind: record.Absent} }),
		thirdWrites("the same change of a list that was changed before", "['a','b','c','x']", steps(step(2, text("x")), step(2, text("c")))),
		thirdWrites("nothing", "null", func(*forge.Life, *forge.Record) record.Value { return record.Value{Kind: record.Null} }),
		thirdWrites("text", "'c'", func(*forge.Life, *forge.Record) record.Value { return text("c") }),
		thirdWrites("a change before it", "['a','b','x','c']", steps(step(2, text("x")), step(3, text("c")))),
		thirdWrites("the change of an older list", "['a','c']", func(l *forge.Life, w *forge.Record) record.Value {
			return record.DeltaFrom(l.Get(record.Write, w.Prev).Prev, step(1, text("c")))
		}),
		thirdWrites("the beginning of the list", "['a','b']", full(text("a"), text("b"))),
		thirdWrites("the list, and more", "['a','b','c','d']", full(text("a"), text("b"), text("c"), text("d"))),
	)
}

// An element that is put in the place of another is put into the list that there was, and nothing else is.
func TestElementAttacks(t *testing.T) {
	put := func(del int32) record.DeltaOp {
		return record.DeltaOp{Kind: record.Splice, Del: del, Values: []record.Value{record.Text("c")}}
	}
	oneByOne(values, get("/push?v=a"), get("/push?v=b"), get("/assign?at=0&v=c"), get("/list")).attack(t,
		thirdWrites("into an older list", "['c']", func(l *forge.Life, w *forge.Record) record.Value {
			return record.DeltaFrom(l.Get(record.Write, w.Prev).Prev, put(1))
		}),
		thirdWrites("beside it", "['c','a','b']", func(_ *forge.Life, w *forge.Record) record.Value { return record.DeltaFrom(w.Prev, put(0)) }),
		thirdWrites("for two others", "['c']", func(_ *forge.Life, w *forge.Record) record.Value { return record.DeltaFrom(w.Prev, put(2)) }),
	)
}

// What reads like a pattern is none.
func TestLookalikeAttack(t *testing.T) {
	oneByOne(values, get("/put?kind=lookalike"), get("/box")).attack(t, attack{"a pattern", "R-value R-leftover", func(t *testing.T, e *forge.Evidence) {
		l := life(t, e)
		l.Of(1, record.Write)[0].Value = pattern("a+", "gi", 0)
		l.Tidy()
		e.Answer(2, "/a+/gi undefined")
	}})
}

var nan = math.NaN()

func pattern(source, flags string, lastIndex float64) record.Value {
	return record.Value{Kind: record.RegExp, Str: source, Ext: &record.Ext{Text: flags, List: []record.Value{record.Number(lastIndex)}}}
}

// TestFrozenState: what was frozen after requests shared it, or made constant, stays as it was, as in Node.js.
func TestFrozenState(t *testing.T) {
	t.Parallel()
	for _, a := range strangers(t) {
		if a.entry == "frozen.js" {
			a.answersLikePlain(t, a.entry, a.requests(3, 80))
		}
	}
}
