package program

import (
	"fmt"

	"github.com/grafana/sobek/ast"
	"github.com/grafana/sobek/token"

	"karousosc/transpile/syntax"
)

// Purity. A function is marked pure only if this file can show it from the text;
// every doubt means that it is not. What must hold:
//
//  1. It is an ordinary function or arrow function without functions or classes
//     inside, and uses neither this, arguments, yield nor await.
//  2. It writes to its own variables and to objects that it made itself.
//  3. It reads no property of anything that came from outside, because that may
//     be a loggable location, unless the value is known to be a primitive: a
//     parameter is, after a first statement such as
//     `if (typeof str !== 'string' || …) { … return }`.
//  4. It never coerces a value that may be an object, because that would call its
//     valueOf or toString.
//  5. It calls only: methods of primitives and of its own arrays that are known to
//     be pure and whose names the program gives to no property of its own, global
//     functions known to be pure, members of core modules known to be pure, and
//     functions that are pure themselves.
//  6. Of the variables outside it uses only those that never change and that are
//     one of the things it may call, or a primitive or a regular expression
//     without state, written down as a literal.
//
// Only functions with a loop, and what they call, are of interest: what is pure
// runs lane by lane when lanes differ, and that pays where they differ in the
// number of turns.

// kinds is a set of what a value may be.
type kinds int

const (
	num       kinds = 1 << iota
	str             // a string
	prim            // another primitive: undefined, null, boolean, bigint, symbol
	object          // a plain object made in this call
	array           // an array of primitives made in this call
	pattern         // a regular expression made in this call
	stateless       // one from outside without g or y: it keeps no state
	unknown         // anything at all; may be compared, passed on and returned, nothing else

	primitive = num | str | prim
	own       = object | array | pattern
)

var stringMethods = map[string]kinds{
	"charCodeAt": num, "charAt": str, "codePointAt": num | prim, "at": str | prim, "indexOf": num, "lastIndexOf": num,
	"includes": prim, "startsWith": prim, "endsWith": prim, "slice": str, "substring": str, "substr": str,
	"trim": str, "trimStart": str, "trimEnd": str, "toLowerCase": str, "toUpperCase": str, "concat": str,
	"repeat": str, "padStart": str, "padEnd": str, "toString": str, "split": array, "toFixed": str, "valueOf": primitive,
}

var arrayMethods = map[string]kinds{
	"push": num, "unshift": num, "pop": primitive, "shift": primitive, "join": str, "slice": array,
	"reverse": array, "indexOf": num, "lastIndexOf": num, "includes": prim,
}

// globals are functions of the global object that only look at primitives.
var globals = map[string]kinds{
	"String": str, "Number": num, "Boolean": prim, "parseInt": num, "parseFloat": num, "isNaN": prim, "isFinite": prim,
	"encodeURIComponent": str, "decodeURIComponent": str, "encodeURI": str, "decodeURI": str,
}

// statics are members of global objects likewise.
var statics = map[string]map[string]kinds{
	"Math": {"abs": num, "ceil": num, "floor": num, "max": num, "min": num, "round": num, "trunc": num, "sign": num, "imul": num,
		"pow": num, "log2": num, "sqrt": num, "clz32": num},
	"String": {"fromCharCode": str, "fromCodePoint": str},
	"Number": {"isInteger": prim, "isSafeInteger": prim, "isFinite": prim, "isNaN": prim, "parseInt": num, "parseFloat": num},
}

// core are members of Node's modules that write to nothing and call nothing.
// They throw where an argument is no string before they look at it any further.
var core = map[string]map[string]coreMember{
	"url":         {"parse": {result: unknown}, "Url": {construct: true, result: object}},
	"path":        {"basename": {result: str}, "dirname": {result: str}, "extname": {result: str}, "normalize": {result: str}, "join": {result: str}, "isAbsolute": {result: prim}},
	"querystring": {"escape": {result: str}, "unescape": {result: str}},
}

type coreMember struct {
	construct bool
	result    kinds
}

// purity marks the pure functions.
func (p *Program) purity() {
	// Begin with the optimistic view that every candidate is pure and take away
	// until nothing changes: functions may call each other.
	pa := &purist{p: p, pure: map[*Func]bool{}, calls: map[*Func][]*Func{}, changed: map[string]bool{}}
	for _, o := range p.written {
		if m := pa.coreModule(o); m != "" {
			pa.changed[m] = true
		}
	}
	for _, f := range p.Funcs[1:] {
		pa.pure[f] = true
	}
	for changed := true; changed; {
		changed = false
		for _, f := range p.Funcs[1:] {
			if !pa.pure[f] {
				continue
			}
			if why := pa.check(f); why != "" {
				f.impure = why
				pa.pure[f] = false
				changed = true
			}
		}
	}
	var mark func(f *Func)
	mark = func(f *Func) {
		if f.Pure {
			return
		}
		f.Pure = true
		for _, g := range pa.calls[f] {
			mark(g)
		}
	}
	for _, f := range p.Funcs[1:] {
		if pa.pure[f] && f.Loop {
			mark(f)
		}
	}
}

type purist struct {
	p     *Program
	pure  map[*Func]bool
	calls map[*Func][]*Func

	changed map[string]bool // core modules that the program writes to

	// While one function is checked:
	f      *Func
	vars   map[*Binding]kinds
	known  map[*Binding]bool // parameters known to be strings from here on
	why    string
	final  bool // kinds are settled: complain
	moving bool
}

func (pa *purist) no(n ast.Node, format string, args ...any) kinds {
	if pa.final && pa.why == "" {
		pa.why = fmt.Sprintf(format, args...)
	}
	return unknown
}

// check says why f is not pure, or "".
func (pa *purist) check(f *Func) string {
	var params *ast.ParameterList
	var body []ast.Statement
	switch n := f.Node.(type) {
	case *ast.FunctionLiteral:
		params, body = n.ParameterList, n.Body.List
	case *ast.ArrowFunctionLiteral:
		params = n.ParameterList
		switch b := n.Body.(type) {
		case *ast.BlockStatement:
			body = b.List
		case *ast.ExpressionBody:
			body = []ast.Statement{&ast.ReturnStatement{Argument: b.Expression}}
		}
	default:
		return "is no function"
	}
	switch {
	case f.Generator || f.Async:
		return "is a generator or async"
	case f.Method:
		return "is a method"
	case f.This:
		return "uses this"
	case f.Arguments:
		return "uses arguments"
	case params.Rest != nil:
		return "has a rest parameter"
	}
	pa.f, pa.vars, pa.why = f, map[*Binding]kinds{}, ""
	pa.calls[f] = nil
	for _, b := range params.List {
		id, ok := b.Target.(*ast.Identifier)
		if !ok || b.Initializer != nil {
			return "has a parameter with a pattern or default"
		}
		pa.vars[pa.p.Binding(id)] = unknown
	}
	// Kinds of variables only grow; go round until they stand still.
	pa.final = false
	for pa.moving = true; pa.moving && pa.why == ""; {
		pa.moving = false
		pa.body(body)
	}
	if pa.why != "" {
		return pa.why
	}
	pa.final = true
	pa.body(body)
	return pa.why
}

// body walks the function's statements; guards at its head tell what parameters are.
func (pa *purist) body(list []ast.Statement) {
	pa.known = map[*Binding]bool{}
	head := true
	for _, s := range list {
		if head {
			if es, ok := s.(*ast.ExpressionStatement); ok {
				if _, directive := es.Expression.(*ast.StringLiteral); directive {
					continue
				}
			}
			if guarded := pa.guard(s); guarded != nil {
				// The right sides of || already know; the consequent does not.
				i := s.(*ast.IfStatement)
				pa.guardTest(i.Test)
				for b := range pa.known {
					if guarded[b] {
						delete(pa.known, b)
					}
				}
				pa.stmt(i.Consequent)
				for b := range guarded {
					pa.known[b] = true
				}
				continue
			}
			head = false
		}
		pa.stmt(s)
	}
}

// guard recognises `if (typeof a !== 'string' || typeof b !== 'string' || …) { …; return }`
// and returns the parameters that are strings after it.
func (pa *purist) guard(s ast.Statement) map[*Binding]bool {
	i, ok := s.(*ast.IfStatement)
	if !ok || i.Alternate != nil || !leaves(i.Consequent) {
		return nil
	}
	var out map[*Binding]bool
	for _, t := range operands(i.Test, token.LOGICAL_OR) {
		if b := pa.notString(t); b != nil && !b.Assigned && b.Kind == Param {
			if out == nil {
				out = map[*Binding]bool{}
			}
			out[b] = true
		}
	}
	return out
}

// guardTest evaluates a guard's condition: what stands right of a test knows its result.
func (pa *purist) guardTest(e ast.Expression) {
	for _, t := range operands(e, token.LOGICAL_OR) {
		pa.expr(t)
		if b := pa.notString(t); b != nil && !b.Assigned && b.Kind == Param {
			pa.known[b] = true
		}
	}
}

// operands flattens a chain of || (or &&) that is associated to the left.
func operands(e ast.Expression, op token.Token) []ast.Expression {
	if b, ok := e.(*ast.BinaryExpression); ok && b.Operator == op {
		return append(operands(b.Left, op), b.Right)
	}
	return []ast.Expression{e}
}

func (pa *purist) notString(e ast.Expression) *Binding {
	b, ok := e.(*ast.BinaryExpression)
	if !ok || b.Operator != token.STRICT_NOT_EQUAL && b.Operator != token.NOT_EQUAL {
		return nil
	}
	u, ok := b.Left.(*ast.UnaryExpression)
	if !ok || u.Operator != token.TYPEOF {
		return nil
	}
	lit, ok := b.Right.(*ast.StringLiteral)
	if !ok || lit.Value != "string" {
		return nil
	}
	id, ok := u.Operand.(*ast.Identifier)
	if !ok {
		return nil
	}
	return pa.p.Binding(id)
}

// leaves reports whether a statement always ends in return or throw.
func leaves(s ast.Statement) bool {
	switch s := s.(type) {
	case *ast.ReturnStatement, *ast.ThrowStatement:
		return true
	case *ast.BlockStatement:
		return len(s.List) > 0 && leaves(s.List[len(s.List)-1])
	}
	return false
}

func (pa *purist) stmts(list []ast.Statement) {
	for _, s := range list {
		pa.stmt(s)
	}
}

func (pa *purist) stmt(s ast.Statement) {
	switch s := s.(type) {
	case nil:
	case *ast.EmptyStatement, *ast.BranchStatement:
	case *ast.BlockStatement:
		pa.stmts(s.List)
	case *ast.ExpressionStatement:
		pa.expr(s.Expression)
	case *ast.VariableStatement:
		pa.bindings(s.List)
	case *ast.LexicalDeclaration:
		pa.bindings(s.List)
	case *ast.IfStatement:
		pa.expr(s.Test)
		pa.stmt(s.Consequent)
		pa.stmt(s.Alternate)
	case *ast.ForStatement:
		switch init := s.Initializer.(type) {
		case nil:
		case *ast.ForLoopInitializerExpression:
			pa.expr(init.Expression)
		case *ast.ForLoopInitializerVarDeclList:
			pa.bindings(init.List)
		case *ast.ForLoopInitializerLexicalDecl:
			pa.bindings(init.LexicalDeclaration.List)
		}
		pa.optional(s.Test)
		pa.optional(s.Update)
		pa.stmt(s.Body)
	case *ast.WhileStatement:
		pa.expr(s.Test)
		pa.stmt(s.Body)
	case *ast.DoWhileStatement:
		pa.stmt(s.Body)
		pa.expr(s.Test)
	case *ast.LabelledStatement:
		pa.stmt(s.Statement)
	case *ast.ReturnStatement:
		pa.optional(s.Argument)
	case *ast.ThrowStatement:
		pa.expr(s.Argument)
	case *ast.SwitchStatement:
		pa.expr(s.Discriminant) // compared strictly, which looks into nothing
		for _, c := range s.Body {
			pa.optional(c.Test)
			pa.stmts(c.Consequent)
		}
	default:
		pa.no(s, "contains %T", s)
	}
}

func (pa *purist) optional(e ast.Expression) {
	if e != nil {
		pa.expr(e)
	}
}

func (pa *purist) bindings(list []*ast.Binding) {
	for _, b := range list {
		id, ok := b.Target.(*ast.Identifier)
		if !ok {
			pa.no(b, "destructures")
			continue
		}
		if b.Initializer == nil {
			pa.assign(id, prim)
		} else {
			pa.assign(id, pa.expr(b.Initializer))
		}
	}
}

// assign notes that a variable of this function may hold a value of kind k.
func (pa *purist) assign(id *ast.Identifier, k kinds) {
	b := pa.p.Binding(id)
	if b == nil || b.Func() != pa.f || b.Boxed || b.Kind == Function || b.Kind == FuncName {
		pa.no(id, "writes %s, which is not its own variable", id.Name)
		return
	}
	if b.Kind == Var {
		k |= prim // undefined before the first assignment
	}
	if pa.vars[b]|k != pa.vars[b] {
		pa.vars[b] |= k
		pa.moving = true
	}
}

// within reports whether k can be nothing outside set.
func (k kinds) within(set kinds) bool { return k&^set == 0 }

func (pa *purist) expr(e ast.Expression) kinds {
	switch e := e.(type) {
	case *ast.Identifier:
		return pa.variable(e)
	case *ast.NumberLiteral:
		if e.Literal[len(e.Literal)-1] == 'n' { // BigInt
			return prim
		}
		return num
	case *ast.StringLiteral:
		return str
	case *ast.BooleanLiteral, *ast.NullLiteral:
		return prim
	case *ast.RegExpLiteral:
		return pattern
	case *ast.TemplateLiteral:
		if e.Tag != nil {
			return pa.no(e, "calls a template's tag")
		}
		for _, x := range e.Expressions {
			pa.primitive(x)
		}
		return str
	case *ast.ObjectLiteral:
		for _, prop := range e.Value {
			k, ok := prop.(*ast.PropertyKeyed)
			if !ok || k.Computed || k.Kind != ast.PropertyKindValue || keyName(k.Key, false) == "__proto__" {
				return pa.no(e, "makes an object that is not plain")
			}
			pa.expr(k.Value)
		}
		return object
	case *ast.ArrayLiteral:
		for _, v := range e.Value {
			if v == nil {
				continue
			}
			if _, spread := v.(*ast.SpreadElement); spread {
				return pa.no(e, "spreads")
			}
			pa.primitive(v)
		}
		return array
	case *ast.SequenceExpression:
		k := prim
		for _, x := range e.Sequence {
			k = pa.expr(x)
		}
		return k
	case *ast.ConditionalExpression:
		pa.expr(e.Test)
		return pa.expr(e.Consequent) | pa.expr(e.Alternate)
	case *ast.AssignExpression:
		return pa.assignment(e)
	case *ast.UnaryExpression:
		return pa.unary(e)
	case *ast.BinaryExpression:
		return pa.binary(e)
	case *ast.DotExpression:
		return pa.property(e, e.Left, e.Identifier.Name.String())
	case *ast.BracketExpression:
		return pa.element(e)
	case *ast.CallExpression:
		return pa.call(e)
	case *ast.NewExpression:
		return pa.construct(e)
	}
	return pa.no(e, "contains %T", e)
}

// primitive evaluates e where an object would be coerced.
func (pa *purist) primitive(e ast.Expression) kinds {
	k := pa.expr(e)
	if !k.within(primitive) {
		return pa.no(e, "coerces what may be an object")
	}
	return k
}

func (pa *purist) variable(id *ast.Identifier) kinds {
	name := id.Name.String()
	b := pa.p.Binding(id)
	switch {
	case b == nil:
		switch name {
		case "undefined":
			return prim
		case "NaN", "Infinity":
			return num
		}
		return pa.no(id, "reads the global %s", name)
	case b.Boxed:
		return pa.no(id, "reads the loggable %s", name)
	case b.Func() == pa.f && b.Kind != Function && b.Kind != FuncName:
		if b.Kind == Class || b.Kind == Catch || b.Kind == Arguments {
			return pa.no(id, "uses %s", name)
		}
		k := pa.vars[b]
		if pa.known[b] {
			k = str
		}
		return k
	case b.Func() == pa.f:
		return pa.no(id, "uses the function %s as a value", name)
	}
	// From outside: it must be something that never changes.
	if b.Assigned || b.Init == nil {
		return pa.no(id, "reads the outer variable %s, which may change", name)
	}
	switch init := b.Init.(type) {
	case *ast.NumberLiteral, *ast.StringLiteral, *ast.BooleanLiteral, *ast.NullLiteral:
		return pa.expr(init) | prim // perhaps still undefined
	case *ast.RegExpLiteral:
		for _, f := range init.Flags {
			if f == 'g' || f == 'y' {
				return pa.no(id, "uses the regular expression %s, which keeps state", name)
			}
		}
		return stateless
	}
	if _, ok := pa.coreMember(id); ok {
		return unknown
	}
	return pa.no(id, "reads the outer variable %s", name)
}

func (pa *purist) assignment(e *ast.AssignExpression) kinds {
	right := func() kinds {
		k := pa.expr(e.Right)
		return k
	}
	switch l := e.Left.(type) {
	case *ast.Identifier:
		var k kinds
		switch e.Operator {
		case token.ASSIGN:
			k = right()
		case token.LOGICAL_AND, token.LOGICAL_OR, token.COALESCE:
			k = pa.expr(l) | right()
		default:
			k = pa.arithmetic(e.Operator, pa.primitive(l), pa.primitive(e.Right))
		}
		pa.assign(l, k)
		return k
	case *ast.DotExpression:
		o := pa.expr(l.Left)
		if !o.within(object|prim) || l.Identifier.Name == "__proto__" {
			return pa.no(l, "writes a property of what may not be its own object")
		}
		if e.Operator != token.ASSIGN {
			return pa.no(e, "updates a property")
		}
		return right()
	case *ast.BracketExpression:
		o := pa.expr(l.Left)
		k := pa.primitive(l.Member)
		if !o.within(array|prim) || !k.within(num|prim) || e.Operator != token.ASSIGN {
			return pa.no(l, "writes an element of what may not be its own array")
		}
		return pa.primitive(e.Right)
	}
	return pa.no(e, "destructures")
}

func (pa *purist) unary(e *ast.UnaryExpression) kinds {
	switch e.Operator {
	case token.TYPEOF:
		if id, ok := e.Operand.(*ast.Identifier); ok && pa.p.Binding(id) == nil {
			return str
		}
		pa.expr(e.Operand)
		return str
	case token.NOT:
		pa.expr(e.Operand)
		return prim
	case token.VOID:
		pa.expr(e.Operand)
		return prim
	case token.INCREMENT, token.DECREMENT:
		id, ok := e.Operand.(*ast.Identifier)
		if !ok {
			return pa.no(e, "updates a property")
		}
		k := pa.arithmetic(token.MINUS, pa.primitive(id), num)
		pa.assign(id, k)
		return k
	case token.PLUS, token.MINUS, token.BITWISE_NOT:
		return pa.arithmetic(token.MINUS, pa.primitive(e.Operand), num)
	}
	return pa.no(e, "uses %s", e.Operator)
}

// arithmetic is the kind of a result of primitives.
func (pa *purist) arithmetic(op token.Token, l, r kinds) kinds {
	k := num
	if (l|r)&prim != 0 {
		k |= prim // BigInt
	}
	if op == token.PLUS {
		if (l|r)&str != 0 {
			k |= str
		}
		if (l | r).within(str) {
			k = str
		}
	}
	return k
}

func (pa *purist) binary(e *ast.BinaryExpression) kinds {
	switch e.Operator {
	case token.LOGICAL_AND, token.LOGICAL_OR, token.COALESCE:
		return pa.expr(e.Left) | pa.expr(e.Right)
	case token.STRICT_EQUAL, token.STRICT_NOT_EQUAL:
		pa.expr(e.Left)
		pa.expr(e.Right)
		return prim
	case token.EQUAL, token.NOT_EQUAL:
		_, l := e.Left.(*ast.NullLiteral)
		_, r := e.Right.(*ast.NullLiteral)
		if l || r {
			pa.expr(e.Left)
			pa.expr(e.Right)
			return prim
		}
		pa.primitive(e.Left)
		pa.primitive(e.Right)
		return prim
	case token.LESS, token.LESS_OR_EQUAL, token.GREATER, token.GREATER_OR_EQUAL:
		pa.primitive(e.Left)
		pa.primitive(e.Right)
		return prim
	case token.IN, token.INSTANCEOF:
		return pa.no(e, "uses %s", e.Operator)
	}
	return pa.arithmetic(e.Operator, pa.primitive(e.Left), pa.primitive(e.Right))
}

// property reads o.name.
func (pa *purist) property(e ast.Expression, left ast.Expression, name string) kinds {
	k := pa.expr(left)
	switch {
	case name == "length" && k.within(str|array):
		return num
	case name == "length" && k.within(primitive|array):
		return num | prim
	case name == "lastIndex" && k.within(pattern):
		return num
	case k.within(object | prim):
		if name == "__proto__" {
			break
		}
		return unknown
	}
	return pa.no(e, "reads the property %s of what may be loggable", name)
}

func (pa *purist) element(e *ast.BracketExpression) kinds {
	o := pa.expr(e.Left)
	k := pa.primitive(e.Member)
	if o.within(primitive|array) && k.within(num|prim) {
		return primitive
	}
	return pa.no(e, "reads an element of what may be loggable")
}

func (pa *purist) args(list []ast.Expression, eval func(ast.Expression) kinds) {
	for _, a := range list {
		if _, spread := a.(*ast.SpreadElement); spread {
			pa.no(a, "spreads")
			continue
		}
		eval(a)
	}
}

func (pa *purist) call(e *ast.CallExpression) kinds {
	switch callee := e.Callee.(type) {
	case *ast.Identifier:
		b := pa.p.Binding(callee)
		if b == nil {
			k, ok := globals[callee.Name.String()]
			if !ok || pa.patched(callee.Name.String()) {
				return pa.no(e, "calls the global %s", callee.Name)
			}
			pa.args(e.ArgumentList, pa.primitive)
			return k
		}
		if m, ok := pa.coreMember(callee); ok && !m.construct {
			pa.args(e.ArgumentList, pa.expr)
			return m.result
		}
		if f := pa.function(b); f != nil {
			if !pa.pure[f] {
				return pa.no(e, "calls %s, which is not pure", callee.Name)
			}
			pa.calls[pa.f] = append(pa.calls[pa.f], f)
			// What is passed may be kept by the result, and no more.
			pa.args(e.ArgumentList, pa.expr)
			return unknown
		}
		return pa.no(e, "calls %s", callee.Name)
	case *ast.DotExpression:
		name := callee.Identifier.Name.String()
		if id, ok := callee.Left.(*ast.Identifier); ok && pa.p.Binding(id) == nil {
			k, ok := statics[id.Name.String()][name]
			if !ok || pa.patched(id.Name.String()) || pa.p.props[name] {
				return pa.no(e, "calls %s.%s", id.Name, name)
			}
			pa.args(e.ArgumentList, pa.primitive)
			return k
		}
		if m, ok := pa.coreMember(callee); ok && !m.construct {
			pa.args(e.ArgumentList, pa.expr)
			return m.result
		}
		return pa.method(e, callee.Left, name)
	}
	return pa.no(e, "calls what is not known")
}

func (pa *purist) method(e *ast.CallExpression, left ast.Expression, name string) kinds {
	o := pa.expr(left)
	if pa.p.props[name] {
		return pa.no(e, "calls %s, a name that the program also uses for a property", name)
	}
	result := kinds(0)
	if o&primitive != 0 || o == 0 {
		k, ok := stringMethods[name]
		if !ok {
			return pa.no(e, "calls the method %s", name)
		}
		result |= k
	}
	if o&array != 0 {
		k, ok := arrayMethods[name]
		if !ok {
			return pa.no(e, "calls the method %s", name)
		}
		result |= k
	}
	if o&(pattern|stateless) != 0 {
		switch name {
		case "test":
			result |= prim
		case "exec":
			result |= unknown
		default:
			return pa.no(e, "calls the method %s", name)
		}
	}
	if o&(object|unknown) != 0 {
		return pa.no(e, "calls the method %s of what may be an object", name)
	}
	pa.args(e.ArgumentList, pa.primitive)
	return result
}

func (pa *purist) construct(e *ast.NewExpression) kinds {
	if m, ok := pa.coreMember(e.Callee); ok && m.construct {
		pa.args(e.ArgumentList, pa.primitive)
		return m.result
	}
	if id, ok := e.Callee.(*ast.Identifier); ok && pa.p.Binding(id) == nil && !pa.patched(id.Name.String()) {
		switch id.Name {
		case "Error", "TypeError", "RangeError", "SyntaxError", "URIError":
			pa.args(e.ArgumentList, pa.primitive)
			return unknown
		}
	}
	return pa.no(e, "constructs what is not known")
}

// patched reports whether the program assigns to a global name.
func (pa *purist) patched(name string) bool {
	for _, ref := range pa.p.Free[name] {
		if ref.Write && !pa.ours(ref) {
			return true
		}
	}
	return false
}

// ours tells whether a name stands in text that stems from no file: the build's own,
// which puts a require in front of Node's that gives the same modules.
func (pa *purist) ours(ref *Ref) bool {
	if pa.p.origin == nil {
		return false
	}
	_, known := pa.p.origin(syntax.Offset(ref.ID.Idx))
	return !known
}

// function finds the function that a variable always holds.
func (pa *purist) function(b *Binding) *Func {
	if b.Assigned {
		return nil
	}
	switch b.Kind {
	case Function, FuncName:
		if b.Node != nil {
			return pa.p.funcs[b.Node]
		}
	case Var, Let, Const:
		switch init := b.Init.(type) {
		case *ast.FunctionLiteral, *ast.ArrowFunctionLiteral:
			return pa.p.funcs[init]
		}
	}
	return nil
}

// coreMember recognises members of core modules: `m.parse` and variables that
// hold it, where m is a variable that holds require("url").
func (pa *purist) coreMember(e ast.Expression) (coreMember, bool) {
	for range 4 { // var parse = url.parse
		id, ok := e.(*ast.Identifier)
		if !ok {
			break
		}
		b := pa.p.Binding(id)
		if b == nil || b.Assigned || b.Init == nil {
			return coreMember{}, false
		}
		e = b.Init
	}
	d, ok := e.(*ast.DotExpression)
	if !ok {
		return coreMember{}, false
	}
	module := pa.coreModule(d.Left)
	m, ok := core[module][d.Identifier.Name.String()]
	return m, ok && !pa.changed[module]
}

// coreModule is the name of the core module that an expression holds, or "".
func (pa *purist) coreModule(e ast.Expression) string {
	for range 4 {
		id, ok := e.(*ast.Identifier)
		if !ok {
			break
		}
		b := pa.p.Binding(id)
		if b == nil || b.Assigned || b.Init == nil {
			return ""
		}
		e = b.Init
	}
	call, ok := e.(*ast.CallExpression)
	if !ok || !pa.p.IsFree(call.Callee, "require") || pa.patched("require") || len(call.ArgumentList) != 1 {
		return ""
	}
	lit, ok := call.ArgumentList[0].(*ast.StringLiteral)
	if !ok {
		return ""
	}
	name := lit.Value.String()
	if len(name) > 5 && name[:5] == "node:" {
		name = name[5:]
	}
	return name
}
