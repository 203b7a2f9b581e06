package main

import "strings"

// An equivalence is why no test can notice that some checks are missing.
type equivalence struct {
	file, function string
	// what is a part of the check, "" for all of the function; after "= ", all of it. Its kind may stand before it, in brackets.
	what string
	why  string
}

func (e *equivalence) name() string {
	return strings.TrimSpace(e.file + " " + e.function + " " + e.what)
}

func (e *equivalence) is(c *Check) bool {
	what, found := e.what, c.What
	if strings.HasPrefix(what, "[") {
		found = "[" + c.Kind + "] " + found
	}
	is := strings.Contains(found, what)
	if whole, ok := strings.CutPrefix(what, "= "); ok {
		is = found == whole
	}
	return is && strings.HasSuffix(c.File, e.file) && strings.HasSuffix(c.Func, e.function)
}

const (
	tooBig   = "only what no machine holds would show it"
	ours     = "only a mistake of the verifier's own would show it, and then as a panic"
	faster   = "what is left to do is only not done any more"
	twice    = "what follows is refused, too"
	compared = "what a request wrote is compared with what it writes when it is re-executed, and such a thing cannot be written"
	untold   = "what the app's start made and nothing tracks is noticed when it becomes tracked (runtime/js/verifier/lasting.ts)"
	message  = "it decides about the words of a message, or how short it is"
	kept     = "the edge has what is asked for (TestEdgeIsTheTree)"
	more     = "the job tells more, or the engine asks for it"
	slower   = "the other way finds the same, in more time"
	prelude  = "only prelude.js calls it, and rightly"
	each     = "lanes that agree are told one by one"
)

// equivalent says why no test can notice that a check is missing, for those of which that is so.
func equivalent(c *Check) string {
	for i := range equivalents {
		if equivalents[i].is(c) {
			return equivalents[i].why
		}
	}
	return ""
}

var equivalents = []equivalence{
	{"order/graph.go", "peel", "len(queue) == int(n)", slower},
	{"order/graph.go", "shorten", "", message},
	{"reexec/collect.go", "add", "c.nodes < 0", tooBig},
	{"reexec/job.go", "named", "len(b) > maxJob", tooBig},
	{"reexec/reexec.go", "run", "n < 0", ours},
	{"reexec/reexec.go", "beyond", "a.stop.Store", faster},
	{"reexec/reexec.go", "fail", "a.stop.Store", faster},
	{"reexec/worker.go", "group", "found", faster},
	{"reexec/job.go", "request", "never ", each},
	{"reexec/job.go", "expect", "never ", each},
	{"reexec/job.go", "named", "len(b) > limit", "the same ends the next list"},
	{"reexec/job.go", "asDelta", "", more},
	{"reexec/job.go", "wholeList", "", more},
	{"reexec/groups.go", "of", "h.recent[i]", slower},
	{"reexec/json.go", "appendInt", "", slower},
	{"reexec/values.go", "change", "start == len(l)", slower},
	{"advice/chunked.go", "all", "c.full == nil", slower},
	{"reexec/groups.go", "makeGroups", "len(cut[i].lanes)", "groups may run in any order"},
	{"verdict/verdict.go", "Audit", "err != nil", ours},
	{"verdict/verdict.go", "problem", "", message},
	{"verdict/verdict.go", "violation", "", message},
	{"verdict/verdict.go", "name", "", message},
	{"verdict/verdict.go", "locations", "", message},
	{"verdict/verdict.go", "onlyObject", "", message},
	{"verdict/verdict.go", "printable", "n > max", message},
	{"trace/load.go", "decode", "err != nil", "the options of the decompressor are right"},
	{"signed/signed.go", "ParseKey", "err != nil", "the package note has checked it"},
	{"trace/load.go", "uvarint", "d.i < len(d.b)", slower},
	{"trace/trace.go", "find", "d < uint64(len(xs))", slower},
	{"v1/decode.go", "varint", "c < 0x80", slower},
	{"v1/decode.go", "fieldList", "d.fail(tooMuch)", twice},
	{"v1/decode.go", "delta", "d.fail(tooMuch)", twice},
	{"v1/decode.go", "delta", "d.reason != ", twice},
	{"v1/decode.go", "file", "n != 0", "the decompressor says an end or a byte, not both"},
	{"v1/decode.go", "record", "the block ends inside a record", twice},
	{"v1/encode.go", "Write", "blockSize", "blocks may have any size"},
	{"v1/encode.go", "key", "known", "the other form reads the same"},
	{"reexec/together.go", "together", "a.done.Store", "it decides about what progress says"},
	{"reexec/reexec.go", "run", "RID < a.problems", message},
	{"reexec/worker.go", "group", "len(g.lanes) == 0", faster},
	{"reexec/worker.go", "run", "w.b.whole", more},
	{"verdict/verdict.go", "count", "", message},
	{"signed/verify.go", "Text", "", message},
	{"engine/worker.go", "newMachine", "", ours},
	{"engine/worker.go", "global", "", ours},
	{"engine/worker.go", "runWorker", "", ours},
	{"engine/worker.go", "job", "err != nil", tooBig},
	{"engine/worker.go", "terminated", "never ", "the parent watches the memory, too"},
	{"engine/host.go", "installHost", "", ours},
	{"engine/host.go", "hashBytes", "len(a) != 3", prelude},
	{"engine/host.go", "hashBytes", "err != nil", prelude},
	{"engine/hostcall.go", "hostCall", "len(a) != 3", prelude},
	{"engine/hostcall.go", "hostCall", "err != nil", prelude},
	{"engine/hostcall.go", "hostCall", "n > len(b)", prelude},
	{"collector/upstream.go", "get", "[bound] now.Sub", "it may be asked or not at that very moment"},
	// The JavaScript runtime.
	{"verifier.js", "verifier/logged.ts materialise", "= o === void 0", compared},
	{"verifier.js", "verifier/logged.ts materialise", `v[0] === "`, compared},
	{"verifier.js", "verifier/logged.ts equals", "= isThing(value)", "only things have numbers"},
	{"verifier.js", "verifier/logged.ts sameDelta", `= j[0] === "splice"`, "no other change says how much it takes out"},
	{"verifier.js", "blank", "proto2 === void 0", compared},
	{"verifier.js", "blank", "= def2.classId !== 0 && def2.classId !== noPrototype && things.instances(proto2) !== def2.classId", compared},
	{"verifier.js", "verifier/track-views.ts ", "= def2 === void 0", "a record that names an object comes after it, or is refused (verifier/advice/v1)"},
	{"verifier.js", "verifier/together.ts answer", "g.answered", "the models answer once"},
	{"verifier.js", "verifier/driver.ts compare", "responded >= 0", "the models answer once"},
	{"verifier.js", "verifier/state.ts ", "= this.born !== group2.id && this.num >= 0", untold},
	{"verifier.js", "verifier/state.ts keyJson", "= num2 === unnumbered", untold},
	{"signed/signed.go", "ReadHashes", "", kept},
	{"signed/signed.go", "add", "err != nil", kept},
	{"signed/verify.go", "compare", "err != nil", kept},
	{"signed/signer.go", "checkpoint", "err != nil", kept},
	{"verifier.js", "verifier/driver.ts ", `(,\d{1,9})*)?$/.test(v)`, "the model refuses lengths that do not fit what was decompressed"},
	{"v1/decode.go", "record", "> maxIndex", tooBig},
	{"v1/decode.go", "record", "d.fail(\"too many", tooBig},
	{"v1/decode.go", "counted", "> maxIndex", tooBig},
	{"v1/decode.go", "counted", "d.fail(\"too many", tooBig},
	{"v1/decode.go", "clampLength", "n > maxIndex", tooBig},
}
