package printer

import (
	"github.com/grafana/sobek/ast"
	"github.com/grafana/sobek/token"

	"karousosc/transpile/syntax"
)

var binaryPrec = map[token.Token]Prec{
	token.COALESCE:             PrecCoalesce,
	token.LOGICAL_OR:           PrecOr,
	token.LOGICAL_AND:          PrecAnd,
	token.OR:                   PrecBitOr,
	token.EXCLUSIVE_OR:         PrecBitXor,
	token.AND:                  PrecBitAnd,
	token.EQUAL:                PrecEquality,
	token.NOT_EQUAL:            PrecEquality,
	token.STRICT_EQUAL:         PrecEquality,
	token.STRICT_NOT_EQUAL:     PrecEquality,
	token.LESS:                 PrecRelational,
	token.LESS_OR_EQUAL:        PrecRelational,
	token.GREATER:              PrecRelational,
	token.GREATER_OR_EQUAL:     PrecRelational,
	token.INSTANCEOF:           PrecRelational,
	token.IN:                   PrecRelational,
	token.SHIFT_LEFT:           PrecShift,
	token.SHIFT_RIGHT:          PrecShift,
	token.UNSIGNED_SHIFT_RIGHT: PrecShift,
	token.PLUS:                 PrecAdd,
	token.MINUS:                PrecAdd,
	token.MULTIPLY:             PrecMultiply,
	token.SLASH:                PrecMultiply,
	token.REMAINDER:            PrecMultiply,
	token.EXPONENT:             PrecExponent,
}

// own is the level at which e binds.
func (p *Printer) own(e ast.Expression) Prec {
	switch e := e.(type) {
	case *ast.SequenceExpression:
		return PrecSequence
	case *ast.AssignExpression:
		switch e.Left.(type) {
		case *ast.ArrayPattern, *ast.ObjectPattern:
			// V8 11.3 (Node 20) refuses f({ a: 1 }.a, [b] = c), a valid program.
			return PrecSequence
		}
		return PrecAssign
	case *ast.YieldExpression, *ast.ArrowFunctionLiteral:
		return PrecAssign
	case *ast.ConditionalExpression:
		return PrecConditional
	case *ast.BinaryExpression:
		if p.noIn && e.Operator == token.IN {
			return PrecSequence - 1 // always in parentheses
		}
		return binaryPrec[e.Operator]
	case *ast.AwaitExpression:
		return PrecUnary
	case *ast.UnaryExpression:
		if e.Operator == token.INCREMENT || e.Operator == token.DECREMENT {
			return PrecUpdate
		}
		return PrecUnary
	case *ast.OptionalChain:
		return PrecUpdate // (a?.b).c is not a?.b.c
	case *ast.CallExpression:
		return PrecCall
	case *ast.DotExpression, *ast.BracketExpression, *ast.PrivateDotExpression, *ast.NewExpression:
		return PrecNew
	case *ast.TemplateLiteral:
		if e.Tag != nil {
			return PrecNew
		}
	}
	return PrecPrimary
}

// DefaultExpr prints the expression itself without asking the hook again.
func (p *Printer) DefaultExpr(e ast.Expression, prec Prec) {
	paren := p.own(e) < prec || p.mustWrap(e)
	if paren {
		noIn := p.noIn
		p.noIn = false
		p.Raw("(")
		p.plain(e, PrecSequence)
		p.Raw(")")
		p.noIn = noIn
		return
	}
	p.plain(e, prec)
}

// mustWrap reports whether e stands where its first token would be misread.
func (p *Printer) mustWrap(e ast.Expression) bool {
	at := len(p.out)
	if at != p.stmtStart && at != p.arrowStart {
		return false
	}
	switch e := e.(type) {
	case *ast.ObjectLiteral:
		return true
	case *ast.AssignExpression:
		_, ok := e.Left.(*ast.ObjectPattern)
		return ok || at == p.stmtStart && startsWithLet(e)
	case *ast.FunctionLiteral, *ast.ClassLiteral:
		return at == p.stmtStart
	case *ast.Identifier:
		return at == p.stmtStart && e.Name == "let"
	}
	return false
}

// inner is the level for the object of a member: in the callee of new, no call may show.
func inner(prec Prec) Prec {
	if prec == PrecNew {
		return PrecNew
	}
	return PrecCall
}

func (p *Printer) plain(e ast.Expression, prec Prec) {
	switch e := e.(type) {
	case *ast.Identifier:
		p.Mark(e.Idx)
		p.Raw(e.Name.String())
	case *ast.PrivateIdentifier:
		p.Mark(e.Idx)
		p.Raw("#")
		p.Raw(e.Name.String())
	case *ast.StringLiteral:
		p.Mark(e.Idx)
		p.Raw(e.Literal)
	case *ast.NumberLiteral:
		p.Mark(e.Idx)
		p.Raw(e.Literal)
	case *ast.BooleanLiteral:
		p.Mark(e.Idx)
		p.Raw(e.Literal)
	case *ast.NullLiteral:
		p.Mark(e.Idx)
		p.Raw("null")
	case *ast.RegExpLiteral:
		p.Mark(e.Idx)
		p.Raw("/")
		p.Raw(e.Pattern)
		p.Raw("/")
		p.Raw(e.Flags)
	case *ast.ThisExpression:
		p.Mark(e.Idx)
		p.Raw("this")
	case *ast.SuperExpression:
		p.Mark(e.Idx)
		p.Raw("super")
	case *ast.DynamicImportExpression:
		p.Raw("import")
	case *ast.MetaProperty:
		p.Mark(e.Meta.Idx)
		p.Raw(e.Meta.Name.String())
		p.Raw(".")
		p.Raw(e.Property.Name.String())
	case *ast.TemplateLiteral:
		p.template(e, prec)
	case *ast.FunctionLiteral:
		p.FuncLit(e)
	case *ast.ArrowFunctionLiteral:
		p.Arrow(e)
	case *ast.ClassLiteral:
		p.Class(e)
	case *ast.ArrayLiteral:
		p.Mark(e.LeftBracket)
		p.Raw("[")
		for i, v := range e.Value {
			if i > 0 {
				p.Raw(", ")
			}
			if v != nil {
				p.listed(v, SpreadElement)
			}
		}
		if n := len(e.Value); n > 0 && e.Value[n-1] == nil {
			p.Raw(",") // a last hole needs a comma of its own
		}
		p.Raw("]")
	case *ast.ObjectLiteral:
		p.object(e)
	case *ast.SequenceExpression:
		for i, v := range e.Sequence {
			if i > 0 {
				p.Raw(", ")
			}
			p.Expr(v, PrecAssign)
		}
	case *ast.AssignExpression:
		p.assign(e)
	case *ast.YieldExpression:
		p.Mark(e.Yield)
		p.Raw("yield")
		if e.Delegate {
			p.Raw("*")
		}
		if e.Argument != nil {
			p.Raw(" ")
			if e.Delegate {
				p.iterated(e.Argument, Delegation)
			} else {
				p.Expr(e.Argument, PrecAssign)
			}
		}
	case *ast.AwaitExpression:
		p.Mark(e.Await)
		p.Raw("await ")
		p.Expr(e.Argument, PrecUnary)
	case *ast.ConditionalExpression:
		p.Expr(e.Test, PrecConditional+1)
		p.Raw(" ? ")
		noIn := p.noIn
		p.noIn = false
		p.side(SideCondThen, e, e.Consequent, PrecAssign)
		p.noIn = noIn
		p.Raw(" : ")
		p.side(SideCondElse, e, e.Alternate, PrecAssign)
	case *ast.BinaryExpression:
		p.binary(e)
	case *ast.UnaryExpression:
		p.unary(e)
	case *ast.OptionalChain:
		p.Reference(e.Expression, PrecCall)
	case *ast.Optional:
		p.Reference(e.Expression, PrecCall)
	case *ast.DotExpression:
		p.object1(e.Left, prec)
		if optional(e.Left) {
			p.Raw("?.")
		} else {
			p.Raw(".")
		}
		p.Mark(e.Identifier.Idx)
		p.Raw(e.Identifier.Name.String())
	case *ast.PrivateDotExpression:
		p.object1(e.Left, prec)
		if optional(e.Left) {
			p.Raw("?.#")
		} else {
			p.Raw(".#")
		}
		p.Mark(e.Identifier.Idx)
		p.Raw(e.Identifier.Name.String())
	case *ast.BracketExpression:
		p.object1(e.Left, prec)
		if optional(e.Left) {
			p.Raw("?.")
		}
		p.Mark(e.LeftBracket)
		p.Raw("[")
		noIn := p.noIn
		p.noIn = false
		p.Expr(e.Member, PrecSequence)
		p.noIn = noIn
		p.Raw("]")
	case *ast.CallExpression:
		p.Reference(e.Callee, PrecCall)
		if optional(e.Callee) {
			p.Raw("?.")
		}
		p.Args(e.ArgumentList)
	case *ast.NewExpression:
		p.Mark(e.New)
		p.Raw("new ")
		p.Expr(e.Callee, PrecNew)
		p.Args(e.ArgumentList)
	case *ast.ArrayPattern, *ast.ObjectPattern:
		p.Pattern(e, false)
	default:
		p.unexpected(e)
	}
}

func optional(e ast.Expression) bool {
	_, ok := e.(*ast.Optional)
	return ok
}

// object1 prints the object of a member expression.
func (p *Printer) object1(e ast.Expression, prec Prec) {
	if n, ok := e.(*ast.NumberLiteral); ok { // 1.x would be a number followed by x
		p.Mark(n.Idx)
		p.Raw("(")
		p.Raw(n.Literal)
		p.Raw(")")
		return
	}
	p.Expr(e, inner(prec))
}

// Object prints the object of a member for hooks.
func (p *Printer) Object(e ast.Expression) { p.object1(e, PrecCall) }

// Reference prints what is called, a template's tag or the operand of delete: a
// member there stands for a place and not for its value, so Hooks.Expr does not
// see it; it sees the member's parts. See ReferenceHook.
func (p *Printer) Reference(e ast.Expression, prec Prec) {
	switch e.(type) {
	case *ast.DotExpression, *ast.BracketExpression, *ast.PrivateDotExpression:
		saved := p.level
		p.level = prec
		if p.ref == nil || !p.ref.Reference(p, e) {
			p.DefaultExpr(e, prec)
		}
		p.level = saved
	default:
		p.Expr(e, prec)
	}
}

// Args prints an argument list with its parentheses.
func (p *Printer) Args(args []ast.Expression) {
	noIn := p.noIn
	p.noIn = false
	p.Raw("(")
	p.Arguments(args)
	p.Raw(")")
	p.noIn = noIn
}

// Arguments prints them without parentheses.
func (p *Printer) Arguments(args []ast.Expression) {
	for i, a := range args {
		if i > 0 {
			p.Raw(", ")
		}
		by := SpreadArgument
		if i == len(args)-1 {
			by = SpreadLast
		}
		p.listed(a, by)
	}
}

// listed prints one argument or array element, which may be a spread.
func (p *Printer) listed(a ast.Expression, by Iteration) {
	if s, ok := a.(*ast.SpreadElement); ok {
		p.Raw("...")
		p.iterated(s.Expression, by)
		return
	}
	p.Expr(a, PrecAssign)
}

func (p *Printer) assign(e *ast.AssignExpression) {
	if id, ok := e.Left.(*ast.Identifier); ok && syntax.AnonymousFunction(e.Right) && syntax.InParens(p.src, id) {
		// (x) = function () {} gives no name.
		p.Raw("(")
		p.target(id, false)
		p.Raw(")")
	} else {
		p.Pattern(e.Left, false)
	}
	p.Raw(" ")
	p.Raw(assignToken(e.Operator))
	p.Raw(" ")
	switch e.Operator {
	case token.LOGICAL_AND, token.LOGICAL_OR, token.COALESCE:
		if !syntax.AnonymousFunction(e.Right) {
			p.side(SideRight, e, e.Right, PrecAssign)
			return
		}
	}
	p.Expr(e.Right, PrecAssign)
}

func (p *Printer) binary(e *ast.BinaryExpression) {
	prec := binaryPrec[e.Operator]
	left, right := prec, prec+1
	switch e.Operator {
	case token.EXPONENT:
		left, right = PrecUpdate, PrecExponent
	case token.COALESCE: // does not mix with && and || without parentheses
		right = PrecBitOr
		left = PrecBitOr
		if l, ok := e.Left.(*ast.BinaryExpression); ok && l.Operator == token.COALESCE {
			left = PrecCoalesce
		}
	}
	if id, ok := e.Left.(*ast.PrivateIdentifier); ok {
		p.plain(id, PrecPrimary)
	} else {
		p.Expr(e.Left, left)
	}
	p.Raw(" ")
	p.Raw(e.Operator.String())
	p.Raw(" ")
	switch e.Operator {
	case token.LOGICAL_AND, token.LOGICAL_OR, token.COALESCE:
		p.side(SideRight, e, e.Right, right)
	default:
		p.Expr(e.Right, right)
	}
}

func (p *Printer) unary(e *ast.UnaryExpression) {
	switch e.Operator {
	case token.INCREMENT, token.DECREMENT:
		if e.Postfix {
			p.Pattern(e.Operand, false)
			p.Raw(e.Operator.String())
			return
		}
		p.Mark(e.Idx)
		p.Sign(e.Operator.String())
		p.Pattern(e.Operand, false)
	case token.DELETE:
		p.Mark(e.Idx)
		p.Raw("delete ")
		p.Reference(e.Operand, PrecUnary)
	case token.VOID, token.TYPEOF:
		p.Mark(e.Idx)
		p.Raw(e.Operator.String())
		p.Raw(" ")
		p.Expr(e.Operand, PrecUnary)
	default:
		p.Mark(e.Idx)
		p.Sign(e.Operator.String())
		p.Expr(e.Operand, PrecUnary)
	}
}

// Sign prints a prefix operator, kept apart from a sign before it.
func (p *Printer) Sign(op string) {
	if n := len(p.out); n > 0 && (op[0] == '+' || op[0] == '-') && p.out[n-1] == op[0] {
		p.Raw(" ")
	}
	p.Raw(op)
}

func (p *Printer) template(e *ast.TemplateLiteral, prec Prec) {
	if e.Tag != nil {
		p.Reference(e.Tag, inner(prec))
	}
	p.Mark(e.OpenQuote)
	p.TemplateBody(e)
}

// TemplateBody prints a template without its tag.
func (p *Printer) TemplateBody(e *ast.TemplateLiteral) {
	noIn := p.noIn
	p.noIn = false
	p.Raw("`")
	for i, el := range e.Elements {
		p.Raw(el.Literal)
		if i < len(e.Expressions) {
			p.Raw("${")
			p.Expr(e.Expressions[i], PrecSequence)
			p.Raw("}")
		}
	}
	p.Raw("`")
	p.noIn = noIn
}

func (p *Printer) object(e *ast.ObjectLiteral) {
	p.Mark(e.LeftBrace)
	if len(e.Value) == 0 {
		p.Raw("{}")
		return
	}
	noIn := p.noIn
	p.noIn = false
	// Long literals get a line for each property, so that positions in stack
	// traces of the unmapped text stay readable.
	lines := len(e.Value) > 3 || hasFunction(e)
	p.Raw("{")
	if lines {
		p.indent++
	}
	for i, prop := range e.Value {
		if i > 0 {
			p.Raw(",")
		}
		if lines {
			p.Newline()
		} else {
			p.Raw(" ")
		}
		p.Property(prop)
	}
	if lines {
		p.indent--
		p.Newline()
	} else {
		p.Raw(" ")
	}
	p.Raw("}")
	p.noIn = noIn
}

func hasFunction(e *ast.ObjectLiteral) bool {
	for _, prop := range e.Value {
		if k, ok := prop.(*ast.PropertyKeyed); ok {
			switch k.Value.(type) {
			case *ast.FunctionLiteral, *ast.ArrowFunctionLiteral:
				return true
			}
		}
	}
	return false
}

// Property prints one property of an object literal.
func (p *Printer) Property(prop ast.Property) {
	switch prop := prop.(type) {
	case *ast.SpreadElement:
		p.Raw("...")
		p.Expr(prop.Expression, PrecAssign)
	case *ast.PropertyShort:
		if p.short != nil && p.short.Short(p, prop, false, false) {
			return
		}
		p.plain(&prop.Name, PrecPrimary)
	case *ast.PropertyKeyed:
		if fn, ok := prop.Value.(*ast.FunctionLiteral); ok && prop.Kind != ast.PropertyKindValue {
			p.method(prop.Key, prop.Computed, prop.Kind, fn)
			return
		}
		p.Key(prop.Key, prop.Computed)
		p.Raw(": ")
		p.Expr(prop.Value, PrecAssign)
	default:
		p.unexpected(prop)
	}
}

// Key prints a property's name; a computed one is evaluated, and hooked.
func (p *Printer) Key(key ast.Expression, computed bool) {
	if computed {
		p.Raw("[")
		p.Expr(key, PrecAssign)
		p.Raw("]")
		return
	}
	p.plain(key, PrecPrimary)
}

func (p *Printer) method(key ast.Expression, computed bool, kind ast.PropertyKind, fn *ast.FunctionLiteral) {
	p.Mark(fn.Function)
	switch {
	case kind == ast.PropertyKindGet:
		p.Raw("get ")
	case kind == ast.PropertyKindSet:
		p.Raw("set ")
	case fn.Async:
		p.Raw("async ")
	}
	if fn.Generator {
		p.Raw("*")
	}
	p.Key(key, computed)
	p.FuncTail(fn)
}

// FuncLit prints a function declaration or expression.
func (p *Printer) FuncLit(fn *ast.FunctionLiteral) {
	p.Mark(fn.Function)
	if fn.Async {
		p.Raw("async ")
	}
	p.Raw("function")
	if fn.Generator {
		p.Raw("*")
	}
	if fn.Name != nil {
		p.Raw(" ")
		p.Mark(fn.Name.Idx)
		p.Raw(fn.Name.Name.String())
	} else {
		p.Raw(" ")
	}
	p.FuncTail(fn)
}

// FuncTail prints a function's parameters and body.
func (p *Printer) FuncTail(fn *ast.FunctionLiteral) {
	p.funcBegin(fn)
	defer p.funcEnd(fn)
	p.Params(fn.ParameterList)
	p.Raw(" ")
	p.block(SideFunc, fn, fn.Body.List, fn.Body.RightBrace)
}

// Arrow prints an arrow function.
func (p *Printer) Arrow(fn *ast.ArrowFunctionLiteral) {
	p.Mark(fn.Start)
	if fn.Async {
		p.Raw("async ")
	}
	p.funcBegin(fn)
	defer p.funcEnd(fn)
	p.Params(fn.ParameterList)
	p.Raw(" => ")
	switch b := fn.Body.(type) {
	case *ast.BlockStatement:
		p.block(SideFunc, fn, b.List, b.RightBrace)
	case *ast.ExpressionBody:
		p.arrowStart = len(p.out)
		p.side(SideFunc, fn, b.Expression, PrecAssign)
	default:
		p.unexpected(b)
	}
}

// Params prints a parameter list with its parentheses.
func (p *Printer) Params(list *ast.ParameterList) {
	noIn := p.noIn
	p.noIn = false
	p.Raw("(")
	for i, b := range list.List {
		if i > 0 {
			p.Raw(", ")
		}
		p.Pattern(b.Target, true)
		if b.Initializer != nil {
			p.Raw(" = ")
			p.initializer(b.Initializer)
		}
	}
	if list.Rest != nil {
		if len(list.List) > 0 {
			p.Raw(", ")
		}
		p.Raw("...")
		p.Pattern(list.Rest, true)
	}
	p.Raw(")")
	p.noIn = noIn
}

// initializer prints a default value.
func (p *Printer) initializer(e ast.Expression) {
	if syntax.AnonymousFunction(e) {
		p.Expr(e, PrecAssign)
		return
	}
	p.side(SideDefault, e, e, PrecAssign)
}

// Pattern prints what is written to: a name, a member, or a pattern of them.
// With declared, it is what a declaration or parameter binds.
func (p *Printer) Pattern(e ast.Expression, declared bool) {
	noIn := p.noIn
	p.noIn = false
	defer func() { p.noIn = noIn }()
	switch e := e.(type) {
	case *ast.ArrayPattern:
		p.Mark(e.LeftBracket)
		p.Raw("[")
		for i, v := range e.Elements {
			if i > 0 {
				p.Raw(", ")
			}
			if v != nil {
				p.element(v, declared)
			}
		}
		switch n := len(e.Elements); {
		case e.Rest != nil:
			if n > 0 {
				p.Raw(", ")
			}
			p.Raw("...")
			p.Pattern(e.Rest, declared)
		case n > 0 && e.Elements[n-1] == nil:
			p.Raw(",")
		}
		p.Raw("]")
	case *ast.ObjectPattern:
		p.Mark(e.LeftBrace)
		p.Raw("{")
		first := ""
		if p.begin != nil {
			first = p.begin.PatternBegin(e)
			p.Raw(first)
		}
		for i, prop := range e.Properties {
			if i > 0 || first != "" {
				p.Raw(",")
			}
			p.Raw(" ")
			switch prop := prop.(type) {
			case *ast.PropertyShort:
				if p.short == nil || !p.short.Short(p, prop, true, declared) {
					p.plain(&prop.Name, PrecPrimary)
				}
				if prop.Initializer != nil {
					p.Raw(" = ")
					p.initializer(prop.Initializer)
				}
			case *ast.PropertyKeyed:
				p.Key(prop.Key, prop.Computed)
				p.Raw(": ")
				p.element(prop.Value, declared)
			default:
				p.unexpected(prop)
			}
		}
		if e.Rest != nil {
			if len(e.Properties) > 0 {
				p.Raw(",")
			}
			p.Raw(" ...")
			p.Pattern(e.Rest, declared)
		}
		p.Raw(" }")
	default:
		p.target(e, declared)
	}
}

// element is a place in a pattern, perhaps with a default value.
func (p *Printer) element(e ast.Expression, declared bool) {
	if a, ok := e.(*ast.AssignExpression); ok {
		p.Pattern(a.Left, declared)
		p.Raw(" = ")
		p.initializer(a.Right)
		return
	}
	p.Pattern(e, declared)
}

func (p *Printer) target(e ast.Expression, declared bool) {
	if p.tgt != nil && p.tgt.Target(p, e, declared) {
		return
	}
	p.DefaultTarget(e)
}

// DefaultTarget prints a name or member that is written to; the parts of a member are hooked.
func (p *Printer) DefaultTarget(e ast.Expression) { p.plain(e, PrecCall) }

// Class prints a class declaration or expression.
func (p *Printer) Class(c *ast.ClassLiteral) {
	p.Mark(c.Class)
	p.Raw("class")
	if c.Name != nil {
		p.Raw(" ")
		p.Mark(c.Name.Idx)
		p.Raw(c.Name.Name.String())
	}
	if c.SuperClass != nil {
		p.Raw(" extends ")
		p.Expr(c.SuperClass, PrecCall)
	}
	noIn := p.noIn
	p.noIn = false
	p.Raw(" {")
	p.indent++
	for _, el := range c.Body {
		p.Newline()
		switch el := el.(type) {
		case *ast.MethodDefinition:
			p.Mark(el.Idx)
			if el.Static {
				p.Raw("static ")
			}
			p.method(el.Key, el.Computed, el.Kind, el.Body)
		case *ast.FieldDefinition:
			p.Mark(el.Idx)
			if el.Static {
				p.Raw("static ")
			}
			p.Key(el.Key, el.Computed)
			if el.Initializer != nil {
				p.Raw(" = ")
				p.Expr(el.Initializer, PrecAssign)
			}
			p.Raw(";")
		case *ast.ClassStaticBlock:
			p.Mark(el.Static)
			p.Raw("static ")
			p.funcBegin(el)
			p.block(SideFunc, el, el.Block.List, el.Block.RightBrace)
			p.funcEnd(el)
		default:
			p.unexpected(el)
		}
	}
	p.indent--
	if len(c.Body) > 0 {
		p.Newline()
	}
	p.Raw("}")
	p.noIn = noIn
}
