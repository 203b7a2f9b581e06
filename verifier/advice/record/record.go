package record

import "fmt"

// Op says what a Record is.
type Op uint8

const (
	Request     Op = iota + 1 // RID; begins the next request
	Tag                       // Req, Tag
	Activation                // Req, Act (the parent), Op, Firing; defines the request's next activation
	Location                  // Obj, Key; defines the next location
	Write                     // Req, Act, Op, Loc, Prev, Value; the next write
	Read                      // Req, Act, Write
	Object                    // Req, Act, Op, Index, ObjectKind, Class, and Fields unless Later; the next object
	Fields                    // Obj, Fields: of an object whose record said Later
	Recorded                  // Req, Act, Name, Value: a result that re-execution cannot compute
	Chunks                    // Req, Lengths
	Unauditable               // Req, Name (the reason), Where, Shared
	Env                       // Name, Value
	Incomplete                // Name (the reason): something is missing from here on
	End                       // the life ended cleanly
	Turn                      // Req, Act, or Req with Body: what the platform let run next
	Absence                   // Loc, Write (of the object's shape); numbered as the next write
)

// Record is one record of a life's stream. Which fields mean anything depends
// on Op; see there. Numbers count from 0 in the order of definition; request 0
// is init, and activation 0 of a request is its request handler (of init: the
// load), neither of which needs a record.
type Record struct {
	Op         Op
	Later      bool
	Body       bool // of a Turn: the next piece of the request's body came, no activation of its own
	Shared     bool // of Unauditable: shared state is the reason
	ObjectKind ObjectKind
	Tag        uint32
	Req        int32
	Act        int32
	OpNum      int32
	Firing     int32
	Loc        int32
	Prev       int32
	Write      int32
	Index      int32
	Class      int32
	Obj        Ref
	RID        uint64
	Key        Key
	Value      Value
	Fields     []Field
	Lengths    []int32
	Name       string
	Where      string
}

// FormatError says that advice is malformed, and where.
type FormatError struct {
	File   string
	Offset int64 // in File; for a fault in a compressed block, where the block begins
	Inside int64 // offset in the block's decoded records, or -1
	Reason string
}

func (e *FormatError) Error() string {
	if e.Inside >= 0 {
		return fmt.Sprintf("%s: block at byte %d, record at byte %d of it: %s", e.File, e.Offset, e.Inside, e.Reason)
	}
	return fmt.Sprintf("%s: byte %d: %s", e.File, e.Offset, e.Reason)
}

// Limits bound what decoding may cost. Zero fields take their defaults.
type Limits struct {
	Files  int   // files in one directory
	Block  int64 // decoded bytes of one block
	Memory int64 // bytes that all decoded advice may occupy, roughly
	Depth  int   // how deep values nest
}

// Defaults are the limits that zero fields stand for.
var Defaults = Limits{Files: 10000, Block: 256 << 20, Memory: 8 << 30, Depth: 128}

// WithDefaults fills in what is zero.
func (l Limits) WithDefaults() Limits {
	if l.Files == 0 {
		l.Files = Defaults.Files
	}
	if l.Block == 0 {
		l.Block = Defaults.Block
	}
	if l.Memory == 0 {
		l.Memory = Defaults.Memory
	}
	if l.Depth == 0 {
		l.Depth = Defaults.Depth
	}
	return l
}
