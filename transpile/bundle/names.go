package bundle

import (
	"regexp"
	"slices"
	"sort"
	"strings"

	"github.com/grafana/sobek/ast"
	"github.com/grafana/sobek/token"

	"karousosc/transpile/syntax"
)

// A program can read the names of its functions and classes, and the bundler renames
// what meets another of the same name. With KeepNames it puts every name right by a
// call of __name, most of them for nothing: a function would be called so anyway. Such
// a call for each closure that a request makes is dear, so those are taken out again.

const nameHelper = "__name"

func (b *Bundle) pruneNames() {
	tree, err := syntax.Parse(b.Text)
	if err != nil {
		return // whoever parses it next says where
	}
	var edits []edit
	cut := func(from, to int) { edits = append(edits, b.cut(from, to)...) }
	// expected is the name that an anonymous function gets where it stands.
	var walk func(n ast.Node, expected string)
	walk = func(n ast.Node, expected string) {
		switch n := n.(type) {
		case *ast.ExpressionStatement:
			if call, target, name := named(n.Expression); call != nil {
				if id, ok := target.(*ast.Identifier); ok && id.Name.String() == name {
					cut(syntax.Start(call), syntax.Offset(call.RightParenthesis)+1)
					return
				}
			}
		case *ast.CallExpression:
			edits = append(edits, b.fieldName(n)...)
			edits = append(edits, iterated(n)...)
			edits = append(edits, b.private(n)...)
			call, target, name := named(n)
			if f, ok := target.(*ast.FunctionLiteral); ok && f.Name != nil && numbered(f.Name.Name.String(), name) {
				edits = append(edits, renamed(f, f.Name, name)...)
				expected = name
			} else if call == nil || called(target, expected) != name {
				call = nil
			}
			if call != nil {
				// In parentheses, because a statement may begin here.
				edits = append(edits, edit{syntax.Offset(call.Callee.Idx0()), len(nameHelper), ""})
				cut(b.afterArgument(call), syntax.Offset(call.RightParenthesis))
				syntax.Children(target, func(c ast.Node) { walk(c, "") })
				return
			}
		case *ast.LexicalDeclaration:
			for i, binding := range n.List {
				if again(n.List, i) {
					cut(syntax.Start(binding), syntax.Start(n.List[i+1]))
				} else {
					walk(binding, "")
				}
			}
			return
		case *ast.Binding:
			if id, ok := n.Target.(*ast.Identifier); ok && n.Initializer != nil {
				walk(n.Initializer, id.Name.String())
				return
			}
		case *ast.AssignExpression:
			if id, ok := n.Left.(*ast.Identifier); ok && n.Operator == token.ASSIGN {
				walk(n.Right, id.Name.String())
				return
			}
		case *ast.PropertyKeyed:
			if key, ok := n.Key.(*ast.StringLiteral); ok && !n.Computed && n.Kind == ast.PropertyKindValue {
				walk(n.Value, key.Value.String())
				return
			}
		}
		syntax.Children(n, func(c ast.Node) { walk(c, "") })
	}
	for _, n := range tree.Body {
		walk(n, "")
	}
	edits = append(edits, classNames(tree.Body)...)
	b.applySorted(edits)
}

// applySorted makes edits that were found in any order.
func (b *Bundle) applySorted(edits []edit) {
	sort.SliceStable(edits, func(i, j int) bool { return edits[i].at < edits[j].at })
	b.apply(edits)
}

// again tells whether a name is declared once more further on. Sloppy code may have several functions of
// one name in a block, of which the last one counts; the bundler makes one `let` of them, which the
// language allows each name in but once.
func again(list []*ast.Binding, i int) bool {
	id, ok := list[i].Target.(*ast.Identifier)
	return ok && slices.ContainsFunc(list[i+1:], func(b *ast.Binding) bool {
		other, ok := b.Target.(*ast.Identifier)
		return ok && other.Name == id.Name
	})
}

// fieldName names the function that is a field's initial value by the field's computed key, as the
// language does, but the bundler not: __publicField(this, _a, ({ [_a]: () => {} })[_a]).
func (b *Bundle) fieldName(call *ast.CallExpression) []edit {
	id, ok := call.Callee.(*ast.Identifier)
	if !ok || !strings.HasPrefix(id.Name.String(), "__publicField") || len(call.ArgumentList) != 3 {
		return nil
	}
	switch f := call.ArgumentList[2].(type) {
	case *ast.ArrowFunctionLiteral:
	case *ast.FunctionLiteral:
		if f.Name != nil {
			return nil
		}
	default:
		return nil
	}
	key := call.ArgumentList[1]
	text := ""
	switch key := key.(type) {
	case *ast.Identifier:
		text = key.Name.String()
	case *ast.StringLiteral:
		text = key.Literal
	default:
		return nil
	}
	return []edit{{syntax.Start(call.ArgumentList[2]), 0, "({ [" + text + "]: "}, {syntax.Offset(call.RightParenthesis), 0, " })[" + text + "]"}}
}

// iterated tells the helper of a for-await what the engine would call that which it goes over.
func iterated(call *ast.CallExpression) []edit {
	id, ok := call.Callee.(*ast.Identifier)
	if !ok || !strings.HasPrefix(id.Name.String(), "__forAwait") || len(call.ArgumentList) != 1 {
		return nil
	}
	text := syntax.IteratedText(call.ArgumentList[0])
	return []edit{{syntax.Offset(call.RightParenthesis), 0, ", " + quoted(text)}}
}

// named takes a call of the helper apart.
func named(e ast.Expression) (call *ast.CallExpression, target ast.Expression, name string) {
	c, ok := e.(*ast.CallExpression)
	if !ok || len(c.ArgumentList) != 2 {
		return nil, nil, ""
	}
	id, ok := c.Callee.(*ast.Identifier)
	lit, isLit := c.ArgumentList[1].(*ast.StringLiteral)
	if !ok || !isLit || id.Name != nameHelper {
		return nil, nil, ""
	}
	return c, c.ArgumentList[0], lit.Value.String()
}

// called is the name that the language gives a function or class.
func called(e ast.Expression, expected string) string {
	var own *ast.Identifier
	switch e := e.(type) {
	case *ast.FunctionLiteral:
		own = e.Name
	case *ast.ClassLiteral:
		own = e.Name
	case *ast.ArrowFunctionLiteral:
	default:
		return ""
	}
	if own != nil {
		return own.Name.String()
	}
	return expected
}

// numbered tells whether the bundler made of a name another by a number.
func numbered(own, name string) bool {
	rest, ok := strings.CutPrefix(own, name)
	return ok && rest != "" && strings.Trim(rest, "0123456789") == ""
}

// renamed gives the expression of a function or class the name back that its source gave it. What the
// bundler avoids, a variable outside of the same name, is no harm: in the source, too,
// the name means the function itself inside of it.
func renamed(f ast.Expression, id *ast.Identifier, name string) []edit {
	own := id.Name
	at := map[int]bool{syntax.Offset(id.Idx): true}
	var walk func(n ast.Node)
	walk = func(n ast.Node) {
		if id, ok := n.(*ast.Identifier); ok && id.Name == own {
			at[syntax.Offset(id.Idx)] = true
		}
		syntax.Children(n, walk)
	}
	walk(f)
	var edits []edit
	for o := range at {
		edits = append(edits, edit{o, len(own.String()), name})
	}
	return edits
}

// classNames gives classes back the names that the engine shows in messages. The bundler has
// _A = class _A {}, __name(_A, "A"), and says _A for the class's own name in its body; so there is no harm if it is
// called A, unless A is something else there.
func classNames(body []ast.Statement) []edit {
	var edits []edit
	among := func(list []ast.Node) {
		names := map[string]string{}
		for _, n := range list {
			e, _ := n.(ast.Expression)
			if s, ok := n.(*ast.ExpressionStatement); ok {
				e = s.Expression
			}
			if _, target, name := named(e); name != "" {
				if id, ok := target.(*ast.Identifier); ok {
					names[id.Name.String()] = name
				}
			}
		}
		for _, n := range list {
			variable, class := madeClass(n)
			if class == nil {
				continue
			}
			name, ok := names[variable]
			switch id, _ := list[len(list)-1].(*ast.Identifier); {
			case ok && (!className(name) || mentions(class, name)):
			case ok && class.Name != nil:
				edits = append(edits, renamed(class, class.Name, name)...)
			case ok:
				edits = append(edits, edit{syntax.Offset(class.Class) + len("class"), 0, " " + name})
			case class.Name == nil && id != nil && id.Name.String() == variable: // (_a = class {}, _a) has no name
				edits = append(edits, edit{syntax.Offset(class.Class), 0, "(0, "}, edit{syntax.Offset(class.RightBrace) + 1, 0, ")"})
			}
		}
	}
	var walk func(n ast.Node)
	children := func(visit func(func(ast.Node))) {
		var list []ast.Node
		visit(func(c ast.Node) { list = append(list, c); walk(c) })
		among(list)
	}
	walk = func(n ast.Node) { children(func(f func(ast.Node)) { syntax.Children(n, f) }) }
	children(func(f func(ast.Node)) {
		for _, n := range body {
			f(n)
		}
	})
	return edits
}

// madeClass takes _A = class {} apart, as a declaration or an assignment.
func madeClass(n ast.Node) (variable string, class *ast.ClassLiteral) {
	var target ast.Node
	var value ast.Expression
	switch n := n.(type) {
	case *ast.VariableStatement:
		if len(n.List) == 1 {
			target, value = n.List[0].Target, n.List[0].Initializer
		}
	case *ast.LexicalDeclaration:
		if len(n.List) == 1 {
			target, value = n.List[0].Target, n.List[0].Initializer
		}
	case *ast.AssignExpression:
		target, value = n.Left, n.Right
	}
	id, ok := target.(*ast.Identifier)
	class, isClass := value.(*ast.ClassLiteral)
	if !ok || !isClass || !strings.HasPrefix(id.Name.String(), "_") {
		return "", nil
	}
	return id.Name.String(), class
}

var plainName = regexp.MustCompile(`^[A-Za-z_$][\w$]*$`)

// className tells whether a class may be called so.
func className(name string) bool {
	return plainName.MatchString(name) && !reserved[name]
}

var reserved = func() map[string]bool {
	m := map[string]bool{}
	for _, s := range strings.Fields("arguments async await break case catch class const continue debugger default delete do else enum eval export extends false finally for function get if implements import in instanceof interface let new null of package private protected public return set static super switch this throw true try typeof undefined var void while with yield") {
		m[s] = true
	}
	return m
}()

// mentions tells whether a class has something of this name in it.
func mentions(class *ast.ClassLiteral, name string) bool {
	found := false
	var walk func(n ast.Node)
	walk = func(n ast.Node) {
		if id, ok := n.(*ast.Identifier); ok && id.Name.String() == name {
			found = true
		}
		syntax.Children(n, walk)
	}
	syntax.Children(class, walk)
	return found
}

// afterArgument is the offset of the comma behind the helper's first argument.
func (b *Bundle) afterArgument(call *ast.CallExpression) int {
	at := syntax.Start(call.ArgumentList[1]) - 1
	for at > 0 && b.Text[at] != ',' {
		at--
	}
	return at
}

// cut removes a part that may span lines, line by line.
func (b *Bundle) cut(from, to int) []edit {
	var edits []edit
	for from < to {
		end := from
		for end < to && b.Text[end] != '\n' {
			end++
		}
		if end > from {
			edits = append(edits, edit{from, end - from, ""})
		}
		from = end + 1
	}
	return edits
}
