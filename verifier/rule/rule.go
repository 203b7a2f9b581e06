// Package rule lists the rules of the audit: what a reject can be for, in one place.
//
// Every check names its rule when it rejects, every message shows it, and every rule has
// tests that reject by it (Tests; rule_test.go holds the list to the code). What an accept
// means, and which rules carry which part of the argument, is in PROOF.md.
package rule

// Rules about trace and advice, checked before anything runs.
const (
	A1  = "A1"
	A2  = "A2"
	A3  = "A3"
	A4  = "A4"
	A5  = "A5"
	A6  = "A6"
	A7  = "A7"
	A8  = "A8"
	A9  = "A9"
	A10 = "A10"
)

// Rules about what re-execution finds. The verifier's runtime (runtime/js/verifier) names them, too.
const (
	Response  = "R-response"
	Value     = "R-value"
	Object    = "R-object"
	Hole      = "R-hole"
	Unlogged  = "R-unlogged"
	Nondet    = "R-nondet"
	Clock     = "R-clock"
	Leftover  = "R-leftover"
	Turn      = "R-turn"
	Exception = "R-exception"
)

// Rules about the order of everything, checked at the end (package order).
const (
	R1 = "R1"
	R2 = "R2"
	R3 = "R3"
	R4 = "R4"
	R5 = "R5"
	R6 = "R6"
	R7 = "R7"
	R8 = "R8"
)

// Unsupported is no rule: it marks what the verifier cannot tell, which rejects nobody.
const Unsupported = "R-unsupported"

// Shared is no rule either: it marks what requests share and groups cannot follow. They are then re-executed together.
const Shared = "R-shared"

// A Rule is one of them.
type Rule struct {
	ID   string
	Says string
	// Tests reject by it: folder and function.
	Tests []string
}

// All are the rules in the order in which they are checked.
var All = []Rule{
	{A10, "The advice is well-formed.", []string{"testapps/e2e TestDamagedAdvice"}},
	{A9, "The advice is that of the audited build.", []string{"verifier/verdict TestVerdicts"}},
	{A7, "The server had no more lives than the owner allows.", []string{"verifier/verdict TestLives"}},
	{A8, "Every request of the trace was answered, unless its client left, or was cut off, before any of an answer reached it.", []string{"verifier/reexec TestDishonest", "testapps/e2e traceAttacks"}},
	{A1, "A request that the advice speaks of is in the trace.", []string{"verifier/reexec TestDishonest", "testapps/e2e traceAttacks"}},
	{A2, "A request of the trace is in the advice, once, in one life of the server. One whose client saw nothing of an answer may be in none.", []string{"verifier/reexec TestDishonest", "testapps/e2e traceAttacks", "testapps/e2e TestLeavingUnsaid"}},
	{A3, "An activation that the advice names has an entry, or a descendant with one.", []string{"verifier/reexec TestDishonest"}},
	{A4, "A location that the advice defines is written by some entry.", []string{"verifier/reexec TestDishonest"}},
	{A5, "The pieces that a request's body is said to have arrived in are such as the server hands on, and as long together as the body.", []string{"verifier/reexec TestDishonest"}},
	{A6, "A key is absent as of its own object's shape, for someone who looked for it.", []string{"verifier/reexec TestDishonest"}},
	{Response, "A request's answer is what the program answers: status, headers, body, one and only one.", []string{"verifier/reexec TestDishonest", "testapps/e2e traceAttacks"}},
	{Value, "A logged write is made, with the logged value.", []string{"testapps/e2e variableAttacks"}},
	{Object, "An object that the log names is the one that the program makes: by the same operation, of the same kind, with the same fields.", []string{"testapps/e2e variableAttacks"}},
	{Hole, "An initial value that the log keeps back is never read.", []string{"testapps/e2e TestObjectAttacks"}},
	{Unlogged, "An access that is not logged has one latest write of its own request before it, or none.", []string{"testapps/enumerate TestUnloggedReadAfterJoin"}},
	{Nondet, "An operation that re-execution cannot compute has a recorded result, and a possible one.", []string{"testapps/e2e TestNondeterminismAttacks", "testapps/e2e TestFactAttacks"}},
	{Clock, "The recorded clocks of a life do not run backwards: not along a chain of activations, in some order of all turns that agrees with all that R8 asks, and in joint re-execution not from turn to turn.", []string{"verifier/order TestHistories", "testapps/e2e TestNondeterminismAttacks", "testapps/e2e TestClockOfAnotherRequest", "testapps/e2e TestFactAttacks", "testapps/e2e TestJointOrder"}},
	{Exception, "The program does not fail where the server's did not, and nothing runs after what ends the process.", []string{"testapps/e2e TestObjectAttacks", "testapps/e2e TestUncaughtAttacks"}},
	{Leftover, "Every entry of the advice is consumed by exactly one operation.", []string{"verifier/reexec TestDishonest", "testapps/e2e variableAttacks"}},
	{Turn, "In joint re-execution, what the server says that its event loop ran next was due, and the order of all turns agrees with the trace.", []string{"testapps/e2e TestTurnAttacks"}},
	{R1, "A logged write was produced by re-execution: the same request, operation number and location.", []string{"verifier/order TestHistories"}},
	{R2, "The version that an operation reads or overwrites belongs to its own location and life.", []string{"verifier/order TestResponsesOfAnotherRequestsNumber"}},
	{R3, "Every version has at most one overwriter, logged or not. The initial version counts as a version.", []string{"verifier/order TestHistories"}},
	{R4, "The versions of a location form one chain from the initial one, and every write is on it.", []string{"verifier/order TestHistories"}},
	{R5, "Inside one activation a write overwrites, and a read observes, only what was written before it.", []string{"verifier/order TestHistories"}},
	{R6, "Inside one activation a read observes a version that was not overwritten before it.", []string{"verifier/order TestHistories"}},
	{R7, "A logged read or predecessor never names a write of its own activation.", []string{"verifier/order TestHistories"}},
	{R8, "Some order of all turns agrees with the trace, the activations' parents, the lives, and every read and write: G has no cycle.", []string{"verifier/order TestHistories", "testapps/enumerate TestForgedSchedules"}},
}
