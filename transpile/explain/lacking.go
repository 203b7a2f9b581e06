package explain

import (
	_ "embed"
	"slices"
	"strings"

	"github.com/grafana/sobek/ast"

	"karousosc/transpile/manifest"
	"karousosc/transpile/program"
	"karousosc/transpile/syntax"
)

// lackingText lists the functions of Node's modules that the verifier has no model of, one `module.member` a line, or
// `module.*`. TestLacking compares it with the models.
//
//go:embed lacking.txt
var lackingText string

var lacking = func() map[string]bool {
	all := map[string]bool{}
	for _, name := range strings.Fields(lackingText) {
		all[name] = true
	}
	return all
}()

// instead says what a program can do without them, by module or member.
var instead = map[string]string{
	"https.createServer": "serve plain HTTP, and put what speaks TLS in front",
	"net.createServer":   "serve HTTP", "tls.createServer": "serve plain HTTP, and put what speaks TLS in front",
	"dgram":              "datagrams are not recorded",
	"child_process.fork": "start it by spawn, of which what it prints is recorded", "readline": "what is typed is not recorded",
	"fs.watch": "look by fs.stat, which is recorded", "fs.watchFile": "look by fs.stat, which is recorded", "fs/promises.watch": "look by fs.stat, which is recorded",
	"fs": "read or write the file whole, which is recorded", "fs/promises": "read or write the file whole, which is recorded",
}

// A Lack is a use of something of Node's that the verifier has no model of.
type Lack struct {
	Name string
	manifest.Position
}

// Text says what is wrong with it, and what to do.
func (l Lack) Text() string {
	module, _, _ := strings.Cut(l.Name, ".")
	text := "uses " + l.Name + ", which cannot be audited yet"
	for _, name := range []string{l.Name, module} {
		if do := instead[name]; do != "" {
			return text + ": " + do
		}
	}
	return text
}

// Lacking finds them, the app's own before those of its packages, of which the first place of each is enough.
func Lacking(p *program.Program) (own, packages []Lack) {
	r := &reader{p: p, members: map[int]string{}}
	for _, n := range p.AST.Body {
		r.learn(n)
	}
	var all []Lack
	note := func(name string, offset int) {
		if module, member, ok := strings.Cut(name, ".promises."); ok {
			name = module + "/promises." + member
		}
		module, _, _ := strings.Cut(name, ".")
		if pos := p.Position(offset); pos.File != "" && (lacking[name] || name != module && lacking[module+".*"]) {
			all = append(all, Lack{name, manifest.Position(pos)})
		}
	}
	for at, name := range r.members {
		note(name, at)
	}
	var walk func(n ast.Node)
	walk = func(n ast.Node) {
		if d, ok := n.(*ast.DotExpression); ok {
			note(r.name(d, 0), syntax.Start(d))
		}
		syntax.Children(n, walk)
	}
	for _, n := range p.AST.Body {
		walk(n)
	}
	slices.SortFunc(all, func(a, b Lack) int { return compare(a.Position, b.Position) })
	seen := map[string]bool{}
	for _, l := range slices.Compact(all) {
		of := packageOf(l.File)
		switch {
		case of == "":
			own = append(own, l)
		case !seen[of+" "+l.Name]:
			seen[of+" "+l.Name] = true
			packages = append(packages, l)
		}
	}
	return own, packages
}
