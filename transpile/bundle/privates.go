package bundle

import (
	"regexp"
	"strings"

	"github.com/grafana/sobek/ast"

	"karousosc/transpile/syntax"
)

// Private members are weak collections of the bundler's, and what goes wrong with them has
// other words than in the engine, which names the member, or the class of a method. So the
// helpers (helpers.js) are told by each call: "#p", "A" of a method, "=A" of a static one.

// privateArguments are the helpers, with how many arguments come before that.
var privateArguments = map[string]int{"__privateGet": 3, "__privateSet": 4, "__privateMethod": 3, "__privateIn": 2, "__privateAdd": 3, "__privateWrapper": 4}

var (
	privateName = regexp.MustCompile(`#[\pL_$][\pL\pN_$]*`)
	brandName   = regexp.MustCompile(`^_(.*)_(instances|static)\d*$`)
)

// wrapper is the helper for what changes a member in place, which has the others do it.
const wrapper = "var __privateWrapper = (obj, member, setter, getter) => ({\n  set _(value) {\n    __privateSet(obj, member, value, setter);\n  },\n  get _() {\n    return __privateGet(obj, member, getter);\n  }\n});"

var namedWrapper = strings.NewReplacer("setter, getter) =>", "setter, getter, name) =>", "value, setter);", "value, setter, name);", "member, getter);", "member, getter, name);").Replace(wrapper)

// private tells a call of such a helper what it is about.
func (b *Bundle) private(call *ast.CallExpression) []edit {
	helper, ok := call.Callee.(*ast.Identifier)
	if !ok {
		return nil
	}
	before, ok := privateArguments[helper.Name.String()]
	n := len(call.ArgumentList)
	if !ok || n < 2 || n > before {
		return nil
	}
	member := call.ArgumentList[1]
	if helper.Name == "__privateIn" {
		member = call.ArgumentList[0]
	}
	id, ok := member.(*ast.Identifier)
	if !ok {
		return nil
	}
	name := b.memberName(id.Name.String())
	if name == "" {
		return nil
	}
	return []edit{{syntax.Offset(call.RightParenthesis), 0, strings.Repeat(", void 0", before-n) + ", " + quoted(name)}}
}

// memberName is what a variable of the bundler's stands for.
func (b *Bundle) memberName(variable string) string {
	if m := brandName.FindStringSubmatch(variable); m != nil {
		class := m[1]
		if class == "" || class == "_this" {
			class = "anonymous"
		}
		if m[2] == "static" {
			return "=" + class
		}
		return class
	}
	name, ok := strings.CutPrefix(variable, "_")
	if !ok || name == "" || name == "instances" || name == "static" {
		return map[string]string{"instances": "anonymous", "static": "=anonymous"}[name]
	}
	if b.privates == nil {
		b.privates = map[string]bool{}
		for _, text := range b.Map.Contents {
			for _, s := range privateName.FindAllString(text, -1) {
				b.privates[s] = true
			}
		}
	}
	if name = "#" + name; !b.privates[name] { // of two with the same name, one has got a number
		name = strings.TrimRight(name, "0123456789")
	}
	if !b.privates[name] {
		return ""
	}
	return name
}
