package bundle

import (
	"maps"
	"strconv"
	"strings"

	"github.com/grafana/sobek/ast"
	"github.com/grafana/sobek/token"

	"karousosc/transpile/syntax"
)

// A pattern with a rest takes apart a variable of the bundler's: `const { a, ...r } = req.body` becomes
//
//	const _a = req.body, { a } = _a, r = __objRest(_a, ["a"]);
//
// and the engine would say that it cannot destructure a property of '_a'. So what is taken
// apart is looked at first, by a helper that says what the engine says of the source:
//
//	_a = __restOf(req.body, "Cannot destructure property 'a' of 'req.body' as it is ", ".")

const restHelper = "__restOf"

// part is one of what a declaration or a sequence of assignments gives values to.
type part struct {
	target ast.Node
	value  ast.Expression
}

// What the bundler's own variables stand for, which the engine has words of its own for.
const (
	passed  = "object null" // a parameter; the helper exchanges it where undefined is passed
	missing = "(intermediate value)(intermediate value)(intermediate value)"
	gone    = ".for"
	caught  = ".catch"
	nested  = "" // a part of a pattern
)

// rests tells, for the parts of one declaration or sequence, what each pattern takes apart.
// known are the bundler's variables.
func (b *Bundle) rests(parts []part, known map[string]string) []edit {
	for _, p := range parts {
		patternNames(p.target, known)
	}
	var edits []edit
	for i := 0; i+2 < len(parts); i++ {
		id, ok := parts[i].target.(*ast.Identifier)
		pattern, isPattern := parts[i+1].target.(*ast.ObjectPattern)
		if !ok || !isPattern || !means(parts[i+1].value, id) || !restOf(parts[i+2:], id) {
			continue
		}
		from := syntax.Offset(id.Idx) + len(id.Name.String())
		to := strings.LastIndexByte(b.Text[:syntax.Start(pattern)], ',')
		equals := strings.IndexByte(b.Text[from:], '=')
		if equals < 0 || to < from+equals {
			continue
		}
		before, after := words(parts[i].value, pattern, known)
		edits = append(edits, edit{from + equals + 1, 0, " " + restHelper + "("}, edit{to, 0, ", " + quoted(before) + ", " + quoted(after) + ")"})
	}
	return edits
}

// words is what the engine says where a pattern cannot take a value apart, before and after null or undefined.
func words(value ast.Expression, pattern *ast.ObjectPattern, known map[string]string) (before, after string) {
	text := sourceText(value)
	inside := false
	if id, ok := value.(*ast.Identifier); ok {
		if what, ok := known[id.Name.String()]; ok {
			text, inside = what, what == nested
		}
	}
	key, plain := "", false
	if len(pattern.Properties) > 0 {
		key, plain = firstKey(pattern.Properties[0])
	}
	switch {
	case key != "" && (inside || !plain):
		return "Cannot read properties of ", " (reading '" + key + "')"
	case key != "":
		return "Cannot destructure property '" + key + "' of '" + text + "' as it is ", "."
	}
	return "Cannot destructure '" + text + "' as it is ", "."
}

// patternNames notes the bundler's variables in a pattern.
func patternNames(n ast.Node, known map[string]string) {
	switch n := n.(type) {
	case *ast.ObjectPattern, *ast.ArrayPattern:
		var walk func(n ast.Node)
		walk = func(n ast.Node) {
			if id, ok := n.(*ast.Identifier); ok && bundlersName(id.Name.String()) {
				known[id.Name.String()] = nested
			}
			syntax.Children(n, walk)
		}
		syntax.Children(n, walk)
	}
}

// onlyRest does so for a pattern that is nothing but a rest, for which the bundler's helper is called alone.
func onlyRest(call *ast.CallExpression, known map[string]string) []edit {
	if !isRest(call) {
		return nil
	}
	if list, ok := call.ArgumentList[1].(*ast.ArrayLiteral); !ok || len(list.Value) > 0 {
		return nil
	}
	text := sourceText(call.ArgumentList[0])
	if id, ok := call.ArgumentList[0].(*ast.Identifier); ok && known[id.Name.String()] != nested {
		text = known[id.Name.String()]
	}
	return []edit{{syntax.Offset(call.RightParenthesis), 0, ", " + quoted(text)}}
}

func isRest(e ast.Expression) bool {
	call, ok := e.(*ast.CallExpression)
	if !ok || len(call.ArgumentList) != 2 {
		return false
	}
	helper, ok := call.Callee.(*ast.Identifier)
	return ok && helper.Name == "__objRest"
}

func means(e ast.Expression, id *ast.Identifier) bool {
	x, ok := e.(*ast.Identifier)
	return ok && x.Name == id.Name
}

// restOf tells whether one of the parts is what a pattern leaves over of a variable.
func restOf(parts []part, id *ast.Identifier) bool {
	for _, p := range parts {
		if isRest(p.value) && means(p.value.(*ast.CallExpression).ArgumentList[0], id) {
			return true
		}
	}
	return false
}

// firstKey is the name of a pattern's property, or "" if it is computed, and whether it has no default.
func firstKey(p ast.Property) (key string, plain bool) {
	switch p := p.(type) {
	case *ast.PropertyShort:
		return p.Name.Name.String(), p.Initializer == nil
	case *ast.PropertyKeyed:
		_, hasDefault := p.Value.(*ast.AssignExpression)
		switch key := p.Key.(type) {
		case *ast.StringLiteral:
			if !p.Computed {
				return key.Value.String(), !hasDefault
			}
		case *ast.NumberLiteral:
			return key.Literal, !hasDefault
		}
	}
	return "", false
}

// sourceText is how the engine shows an expression of the source, of which the bundler has
// lowered a?.b to a == null ? void 0 : a.b, and a ?? b to a != null ? a : b.
func sourceText(e ast.Expression) string {
	c, ok := e.(*ast.ConditionalExpression)
	if !ok {
		return syntax.CalleeText(e)
	}
	test, ok := c.Test.(*ast.BinaryExpression)
	switch {
	case !ok || !isNull(test.Right):
	case test.Operator == token.EQUAL && isVoid(c.Consequent):
		return "(intermediate value)"
	case test.Operator == token.NOT_EQUAL:
		left := test.Left
		if a, ok := left.(*ast.AssignExpression); ok { // (_a = a.b) != null ? _a : b
			left = a.Right
		}
		return "(" + syntax.CalleeText(left) + " ?? " + syntax.CalleeText(c.Alternate) + ")"
	}
	return syntax.CalleeText(e)
}

func isNull(e ast.Expression) bool {
	_, ok := e.(*ast.NullLiteral)
	return ok
}

func isVoid(e ast.Expression) bool {
	u, ok := e.(*ast.UnaryExpression)
	return ok && u.Operator == token.VOID
}

// declared are the parts of a declaration.
func declared(list []*ast.Binding) []part {
	parts := make([]part, len(list))
	for i, d := range list {
		parts[i] = part{d.Target, d.Initializer}
	}
	return parts
}

// sequenced are the parts of a sequence of assignments.
func sequenced(s *ast.SequenceExpression) []part {
	var parts []part
	for _, e := range s.Sequence {
		if a, ok := e.(*ast.AssignExpression); ok && a.Operator == token.ASSIGN {
			parts = append(parts, part{a.Left, a.Right})
		} else {
			parts = append(parts, part{e, nil})
		}
	}
	return parts
}

// lookAtRests tells helpers of patterns what the source calls what they take apart.
func (b *Bundle) lookAtRests() {
	if !strings.Contains(b.Text, ", "+restHelper+" = (") {
		return
	}
	tree, err := syntax.Parse(b.Text)
	if err != nil {
		return // whoever parses it next says where
	}
	var edits []edit
	var walk func(n ast.Node, known map[string]string)
	within := func(list *ast.ParameterList, outer map[string]string) map[string]string {
		known := maps.Clone(outer)
		for _, p := range list.List {
			if id, ok := p.Target.(*ast.Identifier); !ok || !bundlersName(id.Name.String()) {
				patternNames(p.Target, known)
			} else if p.Initializer == nil {
				known[id.Name.String()] = passed
			} else {
				known[id.Name.String()] = missing
			}
		}
		return known
	}
	note := func(n ast.Node, what string, known map[string]string) {
		if id, ok := n.(*ast.Identifier); ok && bundlersName(id.Name.String()) {
			known[id.Name.String()] = what
		}
	}
	walk = func(n ast.Node, known map[string]string) {
		switch n := n.(type) {
		case *ast.FunctionLiteral:
			known = within(n.ParameterList, known)
		case *ast.ArrowFunctionLiteral:
			known = within(n.ParameterList, known)
		case *ast.ForOfStatement:
			switch into := n.Into.(type) {
			case *ast.ForIntoVar:
				note(into.Binding.Target, gone, known)
			case *ast.ForDeclaration:
				note(into.Target, gone, known)
			}
		case *ast.CatchStatement:
			note(n.Parameter, caught, known)
		case *ast.VariableStatement:
			edits = append(edits, b.rests(declared(n.List), known)...)
		case *ast.LexicalDeclaration:
			edits = append(edits, b.rests(declared(n.List), known)...)
		case *ast.SequenceExpression:
			edits = append(edits, b.rests(sequenced(n), known)...)
		case *ast.CallExpression:
			edits = append(edits, onlyRest(n, known)...)
		}
		syntax.Children(n, func(c ast.Node) { walk(c, known) })
	}
	for _, n := range tree.Body {
		walk(n, map[string]string{})
	}
	b.applySorted(edits)
}

// bundlersName tells whether the bundler may have made a name: _a, _b and so on.
func bundlersName(name string) bool {
	rest, ok := strings.CutPrefix(name, "_")
	if !ok {
		return false
	}
	_, err := strconv.Atoi(strings.TrimLeft(rest, "abcdefghijklmnopqrstuvwxyz") + "0")
	return err == nil
}
