package verifierbuild

import (
	"slices"
	"strings"

	"github.com/grafana/sobek/ast"
	"github.com/grafana/sobek/token"

	"karousosc/transpile/program"
	"karousosc/transpile/syntax"
)

// facts are what can be known about a program before it runs.
type facts struct {
	// What variables hold at most: whatever is ever assigned to them is known.
	kinds map[*program.Binding]kind
	// Names that object literals and classes give accessors to.
	accessors []string
	// The program may define iterators of its own, whose results the engine
	// looks at.
	customIterators bool
	// The program may define what instanceof means.
	customInstanceof bool
	// The program may ask for Symbol.toStringTag, as natives do.
	asksTag bool
	// Getters that answer for it.
	tagGetters map[ast.Node]bool
}

func learn(prog *program.Program) facts {
	l := &learner{prog: prog, writes: map[*program.Binding][]ast.Expression{}, unknown: map[*program.Binding]bool{}, accessors: map[string]bool{}}
	l.customInstanceof = strings.Contains(prog.Text, "hasInstance")
	l.tagGetters = map[ast.Node]bool{}
	l.asksTag = strings.Contains(prog.Text, "toStringTag")
	for _, s := range prog.AST.Body {
		l.walk(s)
	}
	l.settle()
	for name := range l.accessors {
		l.facts.accessors = append(l.facts.accessors, name)
	}
	slices.Sort(l.facts.accessors)
	return l.facts
}

type learner struct {
	facts
	prog      *program.Program
	writes    map[*program.Binding][]ast.Expression
	unknown   map[*program.Binding]bool
	accessors map[string]bool
}

func (l *learner) walk(n ast.Node) {
	switch n := n.(type) {
	case *ast.Binding:
		l.written(n.Target, n.Initializer)
	case *ast.AssignExpression:
		switch n.Operator {
		case token.ASSIGN, token.LOGICAL_AND, token.LOGICAL_OR, token.COALESCE:
			l.written(n.Left, n.Right)
		default:
			l.written(n.Left, &ast.BinaryExpression{Operator: n.Operator, Left: n.Left, Right: n.Right})
		}
		if b, ok := n.Left.(*ast.BracketExpression); ok && mentionsIterator(b.Member) {
			l.customIterators = true
		}
	case *ast.ForInStatement:
		l.into(n.Into, true)
	case *ast.ForOfStatement:
		l.into(n.Into, false)
	case *ast.ParameterList:
		for _, b := range n.List {
			l.surrender(b.Target)
			if b.Initializer != nil {
				l.walk(b.Initializer)
			}
			l.walk(b.Target)
		}
		if n.Rest != nil {
			// A rest parameter is a new array.
			if _, ok := n.Rest.(*ast.Identifier); !ok {
				l.surrender(n.Rest)
			}
			l.walk(n.Rest)
		}
		return
	case *ast.CatchStatement:
		if n.Parameter != nil {
			l.surrender(n.Parameter)
		}
	case *ast.PropertyKeyed:
		l.property(n.Key, n.Kind, n.Computed)
		if l.asksTag && n.Computed && n.Kind == ast.PropertyKindGet && mentionsTag(n.Key) {
			l.tagGetters[n.Value] = true
		}
	case *ast.MethodDefinition:
		l.property(n.Key, n.Kind, n.Computed)
		if l.asksTag && n.Computed && n.Kind == ast.PropertyKindGet && mentionsTag(n.Key) {
			l.tagGetters[n.Body] = true
		}
	case *ast.CallExpression:
		for _, a := range n.ArgumentList {
			if mentionsIterator(a) {
				l.customIterators = true
			}
		}
	}
	syntax.Children(n, l.walk)
}

// property notes accessors, and iterators of the program's own.
func (l *learner) property(key ast.Expression, kind ast.PropertyKind, computed bool) {
	if computed {
		if mentionsIterator(key) {
			l.customIterators = true
		}
		return
	}
	if kind != ast.PropertyKindGet && kind != ast.PropertyKindSet {
		return
	}
	switch k := key.(type) {
	case *ast.Identifier:
		l.accessors[k.Name.String()] = true
	case *ast.StringLiteral:
		l.accessors[k.Value.String()] = true
	case *ast.NumberLiteral:
		l.accessors[k.Literal] = true
	}
}

// isTag: the key is Symbol.toStringTag.
func isTag(e ast.Expression) bool {
	d, ok := e.(*ast.DotExpression)
	return ok && d.Identifier.Name == "toStringTag"
}

// mentionsTag: the key may be Symbol.toStringTag.
func mentionsTag(e ast.Expression) bool {
	switch e := e.(type) {
	case *ast.StringLiteral, *ast.NumberLiteral:
		return false
	case *ast.DotExpression:
		id, ok := e.Left.(*ast.Identifier)
		return !ok || id.Name != "Symbol" || e.Identifier.Name == "toStringTag"
	}
	return true
}

// mentionsIterator: the key may be Symbol.iterator.
func mentionsIterator(e ast.Expression) bool {
	switch e := e.(type) {
	case *ast.StringLiteral, *ast.NumberLiteral:
		return false
	case *ast.DotExpression:
		if id, ok := e.Left.(*ast.Identifier); ok && id.Name == "Symbol" {
			return e.Identifier.Name == "iterator" || e.Identifier.Name == "asyncIterator"
		}
		return false
	case *ast.BracketExpression:
		id, ok := e.Left.(*ast.Identifier)
		return ok && id.Name == "Symbol"
	case *ast.CallExpression:
		id, ok := e.Callee.(*ast.Identifier) // esbuild's helper
		return ok && strings.HasPrefix(id.Name.String(), "__knownSymbol")
	}
	return false
}

// makes reports whether `new` of a variable certainly makes an ordinary object: it
// always holds the same function or class, and that returns nothing of its own.
func (e *emitter) makes(b *program.Binding) bool {
	if b.Assigned {
		return false
	}
	switch n := b.Node.(type) {
	case *ast.FunctionLiteral:
		return b.Kind == program.Function && !n.Generator && !n.Async && !returnsValue(n.Body)
	case *ast.ClassLiteral:
		return b.Kind == program.Class && n.SuperClass == nil && !constructorReturns(n)
	}
	return false
}

func constructorReturns(n *ast.ClassLiteral) bool {
	for _, el := range n.Body {
		if m, ok := el.(*ast.MethodDefinition); ok && !m.Static && !m.Computed && keyName(m.Key) == "constructor" {
			return returnsValue(m.Body.Body)
		}
	}
	return false
}

// returnsValue reports whether a function's body has a return with a value.
func returnsValue(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.FunctionLiteral, *ast.ArrowFunctionLiteral, *ast.ClassLiteral:
		return false
	case *ast.ReturnStatement:
		return n.Argument != nil
	}
	found := false
	syntax.Children(n, func(c ast.Node) { found = found || returnsValue(c) })
	return found
}

func (l *learner) into(into ast.ForInto, keys bool) {
	var target ast.Expression
	switch into := into.(type) {
	case *ast.ForIntoVar:
		target = into.Binding.Target
	case *ast.ForDeclaration:
		target = into.Target
	case *ast.ForIntoExpression:
		target = into.Expression
	}
	if _, ok := target.(*ast.Identifier); ok && keys {
		l.written(target, &ast.StringLiteral{})
		return
	}
	l.surrender(target)
}

// written notes that value (nil: undefined) is assigned to target.
func (l *learner) written(target, value ast.Expression) {
	id, ok := target.(*ast.Identifier)
	if !ok {
		l.surrender(target)
		return
	}
	b := l.prog.Binding(id)
	if b == nil {
		return
	}
	if value == nil {
		value = &ast.NullLiteral{}
	}
	l.writes[b] = append(l.writes[b], value)
}

// surrender: anything may be assigned to the names in target.
func (l *learner) surrender(target ast.Expression) {
	switch t := target.(type) {
	case *ast.Identifier:
		if b := l.prog.Binding(t); b != nil {
			l.unknown[b] = true
		}
	case *ast.ArrayPattern:
		for _, v := range t.Elements {
			l.surrender(v)
		}
		if t.Rest != nil {
			if _, ok := t.Rest.(*ast.Identifier); !ok {
				l.surrender(t.Rest)
			}
		}
	case *ast.ObjectPattern:
		for _, prop := range t.Properties {
			switch prop := prop.(type) {
			case *ast.PropertyShort:
				l.surrender(&prop.Name)
			case *ast.PropertyKeyed:
				l.surrender(prop.Value)
			}
		}
		l.surrender(t.Rest)
	case *ast.AssignExpression:
		l.surrender(t.Left)
	}
}

// settle starts from the belief that all variables are scalars and gives up what is
// more than that, until nothing changes.
func (l *learner) settle() {
	l.kinds = map[*program.Binding]kind{}
	for b := range l.writes {
		switch b.Kind {
		case program.Var, program.Let, program.Const:
			if !l.unknown[b] && !b.Boxed {
				l.kinds[b] = scalar
			}
		}
	}
	e := &emitter{prog: l.prog, facts: l.facts}
	for changed := true; changed; {
		changed = false
		for b, was := range l.kinds {
			now := was
			for _, v := range l.writes[b] {
				now = min(now, e.kind(v))
			}
			if now != was {
				l.kinds[b] = now
				changed = true
			}
		}
	}
}

// kind is what is known of a value, whatever the lanes do.
type kind int

const (
	any_   kind = iota // perhaps a multivalue
	plain              // no multivalue; perhaps an object
	scalar             // a primitive that is no multivalue
)

// never: x is no multivalue.
func (e *emitter) never(x ast.Expression) bool { return e.kind(x) >= plain }

// scalar: x is a primitive and no multivalue.
func (e *emitter) scalar(x ast.Expression) bool { return e.kind(x) == scalar }

func (e *emitter) kind(x ast.Expression) kind {
	switch x := x.(type) {
	case *ast.StringLiteral, *ast.NumberLiteral, *ast.BooleanLiteral, *ast.NullLiteral:
		return scalar
	case *ast.RegExpLiteral, *ast.FunctionLiteral, *ast.ArrowFunctionLiteral, *ast.ObjectLiteral, *ast.ArrayLiteral, *ast.ClassLiteral,
		*ast.SuperExpression, *ast.MetaProperty, *ast.PrivateIdentifier:
		return plain
	case *ast.Identifier:
		b := e.prog.Binding(x)
		if b == nil {
			switch name := x.Name.String(); {
			case name == "undefined" || name == "NaN" || name == "Infinity":
				return scalar
			case platformNames[name]:
				return plain
			}
			return any_
		}
		switch b.Kind {
		case program.Arguments, program.FuncName:
			return plain
		case program.Class, program.Function:
			if b.Assigned {
				return any_
			}
			return plain
		}
		return e.kinds[b]
	case *ast.UnaryExpression:
		switch x.Operator {
		case token.VOID:
			return scalar
		case token.DELETE:
			return any_
		case token.TYPEOF:
			if e.never(x.Operand) || e.free(x.Operand) {
				return scalar
			}
		case token.NOT:
			if e.never(x.Operand) {
				return scalar
			}
		default:
			if e.scalar(x.Operand) {
				return scalar
			}
		}
	case *ast.BinaryExpression:
		switch x.Operator {
		case token.IN:
			if _, private := x.Left.(*ast.PrivateIdentifier); private {
				return scalar
			}
			return any_
		case token.INSTANCEOF:
			if !e.customInstanceof && e.never(x.Left) && e.never(x.Right) {
				return scalar
			}
			return any_
		case token.LOGICAL_AND, token.LOGICAL_OR, token.COALESCE:
			if x.Operator != token.COALESCE && boolish(x.Left) {
				return e.kind(x.Right) // lanes agree on the left
			}
			return min(e.kind(x.Left), e.kind(x.Right))
		case token.STRICT_EQUAL, token.STRICT_NOT_EQUAL:
			if e.never(x.Left) && e.never(x.Right) {
				return scalar
			}
			return any_
		}
		if e.scalar(x.Left) && e.scalar(x.Right) {
			return scalar
		}
	case *ast.SequenceExpression:
		return e.kind(x.Sequence[len(x.Sequence)-1])
	case *ast.ConditionalExpression:
		return min(e.kind(x.Consequent), e.kind(x.Alternate))
	case *ast.AssignExpression:
		if x.Operator == token.ASSIGN {
			return e.kind(x.Right)
		}
		return e.kind(&ast.BinaryExpression{Operator: x.Operator, Left: x.Left, Right: x.Right})
	case *ast.NewExpression:
		if id, ok := x.Callee.(*ast.Identifier); ok {
			if b := e.prog.Binding(id); b != nil {
				if e.makes(b) {
					return plain
				}
				return any_
			}
			if platformNames[id.Name.String()] && !lookingConstructors[id.Name.String()] && id.Name != "Proxy" && id.Name != "Function" {
				return plain
			}
		}
	case *ast.TemplateLiteral:
		if x.Tag != nil {
			return any_
		}
		for _, v := range x.Expressions {
			if !e.scalar(v) {
				return any_
			}
		}
		return scalar
	}
	return any_
}

// free: x is a free name, which may not exist.
func (e *emitter) free(x ast.Expression) bool {
	id, ok := x.(*ast.Identifier)
	return ok && e.prog.IsFree(id, id.Name.String())
}

// boolish expressions are booleans or multivalues of booleans.
func boolish(x ast.Expression) bool {
	switch x := x.(type) {
	case *ast.BinaryExpression:
		return comparisons[x.Operator] || x.Operator == token.IN || x.Operator == token.INSTANCEOF
	case *ast.UnaryExpression:
		return x.Operator == token.NOT
	}
	return false
}
