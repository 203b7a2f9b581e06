package sharing

import (
	"slices"
	"strings"

	"github.com/grafana/sobek/ast"
	"github.com/grafana/sobek/token"

	"karousosc/transpile/program"
	"karousosc/transpile/syntax"
)

// kept is what well-known packages keep in memory for their users, by the names that
// it has in their code: variables, properties of this, or this, which are the instances
// of all of its classes. The code of packages is not
// followed: there is too much of it, and most of what it writes to no answer shows.
var kept = map[string][]string{
	"express-session":    {"this.sessions"},
	"express-rate-limit": {"this.previous", "this.current"},
	"express-slow-down":  {"this.previous", "this.current"},
	"keyv":               {"this.opts.store"},
	"lru-cache":          {"this"},
	"memory-cache":       {"_cache", "_hitCount", "_missCount", "_size"},
	"node-cache":         {"this.data", "this.stats"},
	"quick-lru":          {"this.cache", "this.oldCache", "this._size"},
}

// Known tells whether it is known what a package keeps.
func Known(pkg string) bool { return kept[pkg] != nil }

// PackageOf is the npm package that a file of the build belongs to, or "".
func PackageOf(file string) string {
	parts := strings.Split("/"+file, "/node_modules/")
	if len(parts) == 1 {
		return ""
	}
	names := strings.SplitN(parts[len(parts)-1], "/", 3)
	if strings.HasPrefix(names[0], "@") && len(names) > 1 {
		return names[0] + "/" + names[1]
	}
	return names[0]
}

// own tells the app's own files from those of packages, and from what the bundler
// adds.
func own(file string) bool {
	return file != "" && !strings.Contains(file, ":") && PackageOf(file) == ""
}

// packages finds what packages are known to keep.
func (f *finder) packages() {
	for _, s := range f.p.AST.Body {
		file := f.p.Position(syntax.Offset(s.Idx0())).File
		if v, ok := s.(*ast.VariableStatement); ok && len(v.List) == 1 {
			if name, _ := module(v.List[0]); name != "" {
				file = name
			}
		}
		if pkg := PackageOf(file); kept[pkg] != nil {
			(&keeper{f, pkg}).node(s)
		}
	}
}

// keeper looks through the code of one package.
type keeper struct {
	*finder
	pkg string
}

func (k *keeper) node(n ast.Node) {
	switch n := n.(type) {
	case *ast.AssignExpression:
		if d, ok := n.Left.(*ast.DotExpression); ok && n.Operator == token.ASSIGN {
			k.property(d, n.Right)
		}
	case *ast.CallExpression:
		if k.helper(n.Callee) == "__publicField" && len(n.ArgumentList) == 3 {
			if _, ok := n.ArgumentList[0].(*ast.ThisExpression); ok {
				k.field(literal(n.ArgumentList[1]), n.ArgumentList[2])
			}
		}
	case *ast.Binding:
		if id, ok := n.Target.(*ast.Identifier); ok && slices.Contains(kept[k.pkg], id.Name.String()) {
			k.variable(k.p.Binding(id), n.Initializer)
		}
	}
	syntax.Children(n, k.node)
}

func (k *keeper) property(d *ast.DotExpression, value ast.Expression) {
	switch of := d.Left.(type) {
	case *ast.ThisExpression:
		k.field(d.Identifier.Name.String(), value)
	case *ast.DotExpression:
		if _, ok := of.Left.(*ast.ThisExpression); ok && slices.Contains(kept[k.pkg], "this."+of.Identifier.Name.String()+"."+d.Identifier.Name.String()) {
			k.add("this."+of.Identifier.Name.String()+"."+d.Identifier.Name.String(), program.SharedObject{Expr: value, AtLoad: true})
		}
	}
}

// field: where a property is first given a value, the object that has it is known.
func (k *keeper) field(name string, value ast.Expression) {
	if slices.Contains(kept[k.pkg], "this") {
		k.add("the cache", program.SharedObject{Expr: value, AtLoad: true, This: true})
	}
	if slices.Contains(kept[k.pkg], "this."+name) {
		k.add("this."+name, program.SharedObject{Expr: value, AtLoad: true, This: true, Paths: [][]string{{name}}})
	}
}

func (k *keeper) variable(b *program.Binding, value ast.Expression) {
	if b == nil || b.Boxed {
		return
	}
	if k.p.Boxable(b) && b.Assigned {
		k.found = append(k.found, &Found{Name: b.Name, Offset: b.Offset, How: "assigned", Why: k.why(), Tracked: true, binding: b})
		return
	}
	if value != nil {
		k.add(b.Name, program.SharedObject{Expr: value, AtLoad: true})
	}
}

// add notes what is kept, once for each name; it may be made in several places.
func (k *keeper) add(name string, o program.SharedObject) {
	for _, x := range k.found {
		if x != nil && x.Name == name && x.Why == k.why() {
			k.more = append(k.more, o)
			return
		}
	}
	k.found = append(k.found, &Found{Name: name, Offset: syntax.Start(o.Expr), How: "changed", Why: k.why(), Tracked: true, object: &o})
}

func (k *keeper) why() string { return "kept by package " + k.pkg }
