// Package explain says what a build made of an app, for the person who is to trust
// it: how much was instrumented, which variables are tracked, which functions count
// as pure, and where the program reads what re-execution cannot compute, each with
// its place in the source.
//
// It looks at the same tree as the emitters and decides nothing. What is recorded
// is found by name, through variables that always hold one module or member; a
// program that takes Date apart in another way is recorded all the same, and only
// missing here.
package explain

import (
	"slices"
	"strings"

	"github.com/grafana/sobek/ast"
	"github.com/grafana/sobek/token"

	"karousosc/transpile/manifest"
	"karousosc/transpile/program"
	"karousosc/transpile/syntax"
)

// Explanation is the whole page. The JSON names are stable.
type Explanation struct {
	Packages []Package             `json:"packages"`
	Tracked  []manifest.Annotation `json:"tracked"`
	Pure     []Function            `json:"pure"`
	Recorded []Recording           `json:"recorded"`
}

// Package counts the functions of one npm package; the app's own come first, and
// have no name. What stems from no file is the bundler's.
type Package struct {
	Name      string `json:"name"`
	Functions int    `json:"functions"`
	Branches  int    `json:"branches"`
	Pure      int    `json:"pure"`
}

// Function is a pure function.
type Function struct {
	Name string `json:"name"`
	manifest.Position
}

// Recording is a place that reads what differs from run to run.
type Recording struct {
	Kind string `json:"kind"` // one of the kinds below
	Code string `json:"code"` // what stands there
	manifest.Position
}

// Of explains a program.
func Of(p *program.Program, tracked []manifest.Annotation) *Explanation {
	e := &Explanation{Tracked: append([]manifest.Annotation{}, tracked...), Pure: []Function{}, Recorded: []Recording{}}
	byName := map[string]*Package{"": {}}
	of := func(offset int) *Package {
		name := packageOf(p.Position(offset).File)
		if byName[name] == nil {
			byName[name] = &Package{Name: name}
		}
		return byName[name]
	}
	for _, f := range p.Funcs[1:] {
		pkg := of(f.Offset)
		pkg.Functions++
		if f.Pure {
			pkg.Pure++
			e.Pure = append(e.Pure, Function{f.Name, manifest.Position(p.Position(f.Offset))})
		}
	}
	for _, b := range p.Branches {
		if b != nil {
			of(b.Offset).Branches++
		}
	}
	for _, pkg := range byName {
		e.Packages = append(e.Packages, *pkg)
	}
	slices.SortFunc(e.Packages, func(a, b Package) int { return strings.Compare(a.Name, b.Name) })

	r := &reader{p: p, members: map[int]string{}}
	for _, n := range p.AST.Body {
		r.learn(n)
	}
	for _, n := range p.AST.Body {
		r.walk(n)
	}
	e.Recorded = append(e.Recorded, r.found...)
	slices.SortFunc(e.Pure, func(a, b Function) int { return compare(a.Position, b.Position) })
	slices.SortFunc(e.Recorded, func(a, b Recording) int { return compare(a.Position, b.Position) })
	e.Recorded = slices.Compact(e.Recorded)
	return e
}

// packageOf names the package that a file belongs to: "" for the app.
func packageOf(file string) string {
	i := strings.LastIndex("/"+file, "/node_modules/")
	if i < 0 || file == "" {
		return map[bool]string{true: "(bundler)"}[file == ""]
	}
	parts := strings.SplitN(file[i+len("node_modules/"):], "/", 3)
	if strings.HasPrefix(parts[0], "@") && len(parts) > 1 {
		return parts[0] + "/" + parts[1]
	}
	return parts[0]
}

// compare puts the app before its packages, and otherwise sorts by place.
func compare(a, b manifest.Position) int {
	if pa, pb := strings.Contains("/"+a.File, "/node_modules/"), strings.Contains("/"+b.File, "/node_modules/"); pa != pb {
		return map[bool]int{true: 1, false: -1}[pa]
	}
	if a.File != b.File {
		return strings.Compare(a.File, b.File)
	}
	if a.Line != b.Line {
		return a.Line - b.Line
	}
	return a.Column - b.Column
}

// Kinds of what is recorded.
const (
	Time        = "time"
	Random      = "random"
	Environment = "environment"
	Process     = "process"
	Machine     = "machine"
	Stack       = "stack trace"
	Compressed  = "compressed bytes"
	Outside     = "outside"
)

// recorded is what server and verifier take from the advice, by `module.member` or
// `global.member`; a name alone is a function of the global object or a whole module.
var recorded = map[string]string{
	"Date": Time, "Date.now": Time, "performance.now": Time, "perf_hooks.performance.now": Time, "process.hrtime": Time, "process.uptime": Time,
	"Math.random": Random, "crypto.randomBytes": Random, "crypto.randomUUID": Random, "crypto.randomInt": Random, "crypto.randomFillSync": Random,
	"crypto.randomFill": Random, "crypto.getRandomValues": Random, "crypto.generateKeyPairSync": Random, "crypto.generateKeySync": Random,
	"process.env": Environment, "process.pid": Process, "process.ppid": Process, "process.memoryUsage": Process, "process.cpuUsage": Process,
	"process.getuid": Process, "process.getgid": Process, "process.geteuid": Process, "process.getegid": Process, "process.getgroups": Process,
	"process.resourceUsage": Process, "process.constrainedMemory": Process, "process.availableMemory": Process, "process.getActiveResourcesInfo": Process,
	"os.hostname": Machine, "os.cpus": Machine, "os.freemem": Machine, "os.totalmem": Machine, "os.loadavg": Machine, "os.uptime": Machine,
	"os.networkInterfaces": Machine, "os.release": Machine, "os.version": Machine, "os.userInfo": Machine, "os.availableParallelism": Machine,
	"zlib.gzip": Compressed, "zlib.gzipSync": Compressed, "zlib.createGzip": Compressed, "zlib.deflate": Compressed, "zlib.deflateSync": Compressed,
	"zlib.createDeflate": Compressed, "zlib.deflateRaw": Compressed, "zlib.deflateRawSync": Compressed, "zlib.createDeflateRaw": Compressed,
	"zlib.brotliCompress": Compressed, "zlib.brotliCompressSync": Compressed, "zlib.createBrotliCompress": Compressed,
	"fetch": Outside, "http.request": Outside, "http.get": Outside, "https.request": Outside, "https.get": Outside, "net.connect": Outside,
	"net.createConnection": Outside, "tls.connect": Outside, "dns.lookup": Outside, "child_process.spawn": Outside, "child_process.exec": Outside,
	"child_process.execFile": Outside, "child_process.fork": Outside, "child_process.execSync": Outside, "child_process.spawnSync": Outside,
	"fs.writeFile": Outside, "fs.writeFileSync": Outside, "fs.appendFile": Outside, "fs.appendFileSync": Outside, "fs.createWriteStream": Outside,
	"fs/promises.writeFile": Outside, "fs/promises.appendFile": Outside, "fs/promises.open": Outside,
}

// reader finds what is read where.
type reader struct {
	p       *program.Program
	members map[int]string // by the place of their names: variables that a pattern takes from a module
	found   []Recording
}

// learn notes `const { randomBytes: r } = require('crypto')`.
func (r *reader) learn(n ast.Node) {
	if b, ok := n.(*ast.Binding); ok && b.Initializer != nil {
		if pattern, ok := b.Target.(*ast.ObjectPattern); ok {
			if module := r.name(b.Initializer, 0); module != "" {
				for _, prop := range pattern.Properties {
					switch prop := prop.(type) {
					case *ast.PropertyShort:
						r.members[syntax.Offset(prop.Name.Idx)] = module + "." + prop.Name.Name.String()
					case *ast.PropertyKeyed:
						key, isName := prop.Key.(*ast.StringLiteral)
						id, isID := prop.Value.(*ast.Identifier)
						if isName && isID {
							r.members[syntax.Offset(id.Idx)] = module + "." + key.Value.String()
						}
					}
				}
			}
		}
	}
	syntax.Children(n, r.learn)
}

// name is the global, module or member of one that an expression always is, or "".
func (r *reader) name(e ast.Expression, depth int) string {
	if depth > 8 {
		return ""
	}
	switch e := e.(type) {
	case *ast.Identifier:
		b := r.p.Binding(e)
		switch {
		case r.p.Ref(e) == nil:
			return ""
		case b == nil:
			return e.Name.String()
		case r.members[b.Offset] != "":
			return r.members[b.Offset]
		case b.Assigned || b.Init == nil:
			return ""
		}
		return r.name(b.Init, depth+1)
	case *ast.DotExpression:
		left := r.name(e.Left, depth+1)
		if left == "" {
			return ""
		}
		member := e.Identifier.Name.String()
		if member == "default" || left == "global" || left == "globalThis" {
			return map[bool]string{true: left, false: member}[member == "default"]
		}
		return left + "." + member
	case *ast.CallExpression:
		id, ok := e.Callee.(*ast.Identifier)
		if !ok || len(e.ArgumentList) == 0 {
			return ""
		}
		// The bundler's wrapping of what ES modules import.
		if strings.HasPrefix(id.Name.String(), "__toESM") {
			return r.name(e.ArgumentList[0], depth+1)
		}
		lit, ok := e.ArgumentList[0].(*ast.StringLiteral)
		if ok && r.p.IsFree(id, "require") {
			return strings.TrimPrefix(lit.Value.String(), "node:")
		}
	}
	return ""
}

func (r *reader) walk(n ast.Node) {
	switch n := n.(type) {
	case *ast.NewExpression:
		if r.p.IsFree(n.Callee, "Date") && len(n.ArgumentList) == 0 {
			r.note(Time, "new Date()", syntax.Offset(n.New))
		}
	case *ast.CallExpression:
		if r.p.IsFree(n.Callee, "Date") {
			r.note(Time, "Date()", syntax.Start(n))
		} else if name := r.name(n.Callee, 0); name != "" && !isMember(n.Callee) && recorded[name] != "" {
			r.note(recorded[name], name, syntax.Start(n))
		}
	case *ast.AssignExpression:
		if d, ok := n.Left.(*ast.DotExpression); ok && n.Operator == token.ASSIGN && d.Identifier.Name == "stack" {
			r.walk(d.Left) // written, not read
			r.walk(n.Right)
			return
		}
	case *ast.DotExpression:
		if name := r.name(n, 0); recorded[name] != "" && name != "Date" {
			r.note(recorded[name], name, syntax.Start(n))
		} else if n.Identifier.Name == "stack" {
			r.note(Stack, ".stack", syntax.Offset(n.Identifier.Idx))
		}
	}
	syntax.Children(n, r.walk)
}

func isMember(e ast.Expression) bool {
	_, ok := e.(*ast.DotExpression)
	return ok
}

// note adds a place, unless it is the bundler's own text.
func (r *reader) note(kind, code string, offset int) {
	if pos := r.p.Position(offset); pos.File != "" {
		r.found = append(r.found, Recording{kind, code, manifest.Position(pos)})
	}
}
