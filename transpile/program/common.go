package program

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/grafana/sobek/ast"
	"github.com/grafana/sobek/token"

	"karousosc/transpile/printer"
	"karousosc/transpile/syntax"
)

// annotation says what a call of Annotation becomes.
type annotation int

const (
	annotLoggable annotation = iota // $k.loggable(E)
	annotBox                        // let x$ = $k.box(E)
	annotAssign                     // x$.v = E
)

// annotate finds the annotations and decides which variables live in boxes.
//
// A const can never be written again, so only its contents are loggable. A let or
// var is a location itself: it becomes a box, and each reference to x becomes
// x$.v. The bundler turns the const of a module's top level into a var; such a
// var, declared at the bundle's own top level and never written again, is as good
// as const, because nothing can run between the bundle's start and the declaration
// that would not also run before a const.
func (p *Program) annotate() {
	if len(p.Free[Annotation]) == 0 {
		return
	}
	for _, s := range p.AST.Body {
		p.annotateNode(s, true)
	}
	for _, ref := range p.Free[Annotation] {
		if !p.calledAnnotation(ref.ID) {
			p.problem(syntax.Offset(ref.ID.Idx), "loggable must be called, with the value to be logged")
		}
	}
	if len(p.boxes) > 0 || p.anyBoxed() {
		for _, s := range p.AST.Body {
			p.checkBoxes(s)
		}
	}
}

func (p *Program) calledAnnotation(id *ast.Identifier) bool {
	for call := range p.annots {
		if call.Callee == ast.Expression(id) {
			return true
		}
	}
	return false
}

func (p *Program) anyBoxed() bool {
	for _, ref := range p.refs {
		if ref.Binding != nil && ref.Binding.Boxed {
			return true
		}
	}
	return false
}

// annotated returns the call if e is an annotation.
func (p *Program) annotated(e ast.Expression) *ast.CallExpression {
	call, ok := e.(*ast.CallExpression)
	if !ok || !p.IsFree(call.Callee, Annotation) {
		return nil
	}
	if len(call.ArgumentList) != 1 {
		p.problem(syntax.Start(call), "loggable takes one value")
	} else if _, spread := call.ArgumentList[0].(*ast.SpreadElement); spread {
		p.problem(syntax.Start(call), "loggable takes one value")
	}
	return call
}

func (p *Program) annotateNode(n ast.Node, top bool) {
	switch n := n.(type) {
	case *ast.LexicalDeclaration:
		for _, b := range n.List {
			p.annotateBinding(b, n.Token == token.CONST, top)
		}
	case *ast.VariableStatement:
		for _, b := range n.List {
			p.annotateBinding(b, false, top)
		}
	case *ast.ForLoopInitializerVarDeclList:
		p.annotateHead(n.List)
	case *ast.ForLoopInitializerLexicalDecl:
		p.annotateHead(n.LexicalDeclaration.List)
		for _, b := range n.LexicalDeclaration.List {
			syntax.Children(b, func(c ast.Node) { p.annotateNode(c, false) })
		}
		return
	case *ast.AssignExpression:
		call := p.annotated(n.Right)
		if call == nil {
			break
		}
		switch l := n.Left.(type) {
		case *ast.Identifier:
			b := p.Binding(l)
			switch {
			case b == nil: // a property of the global object
				p.annots[call] = annotLoggable
			case n.Operator != token.ASSIGN:
				p.problem(syntax.Start(call), "loggable cannot be combined with %s=", n.Operator)
			default:
				p.box(b, call, annotAssign)
			}
		case *ast.ArrayPattern, *ast.ObjectPattern:
			p.problem(syntax.Start(call), "a destructuring assignment cannot be made loggable; name the variable in an assignment of its own")
		}
	case *ast.CallExpression:
		if call := p.annotated(n); call != nil {
			if _, done := p.annots[call]; !done {
				p.annots[call] = annotLoggable
			}
		}
	}
	syntax.Children(n, func(c ast.Node) { p.annotateNode(c, false) })
}

func (p *Program) annotateHead(list []*ast.Binding) {
	for _, b := range list {
		if call := p.annotated(b.Initializer); call != nil {
			p.problem(syntax.Start(call), "a variable in the head of a loop cannot be made loggable; declare it before the loop")
			p.annots[call] = annotLoggable
		}
	}
}

func (p *Program) annotateBinding(b *ast.Binding, isConst, top bool) {
	call := p.annotated(b.Initializer)
	if call == nil {
		return
	}
	id, ok := b.Target.(*ast.Identifier)
	if !ok {
		p.problem(syntax.Offset(b.Idx0()), "a destructuring declaration cannot be made loggable; name the variable in a declaration of its own")
		p.annots[call] = annotLoggable
		return
	}
	bind := p.Binding(id)
	if isConst || top && !bind.Assigned && bind.Scope == p.Scope {
		p.annots[call] = annotLoggable
		return
	}
	kind := annotBox
	if bind.Kind != Let {
		kind = annotAssign
	}
	p.box(bind, call, kind)
}

func (p *Program) box(b *Binding, call *ast.CallExpression, kind annotation) {
	p.annots[call] = kind
	switch {
	case b.Kind != Var && b.Kind != Let:
		p.problem(syntax.Start(call), "%s cannot be made loggable: only let, var and const can", b.Name)
		return
	case b.blockFunc:
		p.problem(syntax.Start(call), "%s cannot be made loggable: a function in a block has the same name", b.Name)
		return
	}
	p.boxed(b)
}

func (p *Program) boxed(b *Binding) {
	if b.Boxed {
		return
	}
	b.Boxed = true
	b.Box = p.Fresh(b.Name + "$")
	p.names[b.Box] = true
	if b.Kind == Var || b.Kind == Param {
		fn := b.Scope.Func.Node
		p.boxes[fn] = append(p.boxes[fn], b)
	}
}

// checkBoxes refuses the declarations that a box cannot take part in, and notes
// which functions would lose their name.
func (p *Program) checkBoxes(n ast.Node) {
	boxedIn := func(e ast.Expression) *Binding {
		var found *Binding
		patternNames(e, func(id *ast.Identifier) {
			if b := p.Binding(id); b != nil && b.Boxed && found == nil {
				found = b
			}
		})
		return found
	}
	name := func(target, value ast.Expression) {
		if id, ok := target.(*ast.Identifier); ok && syntax.AnonymousFunction(value) && !syntax.InParens(p.Text, id) {
			if b := p.Binding(id); b != nil && b.Boxed {
				p.naming[value] = b.Name
			}
		}
	}
	refuse := func(b *Binding, at ast.Node) {
		p.problem(syntax.Offset(at.Idx0()), "the loggable variable %s cannot be declared again here", b.Name)
	}
	bindings := func(list []*ast.Binding, head bool) {
		for _, d := range list {
			if _, simple := d.Target.(*ast.Identifier); simple && !head {
				name(d.Target, d.Initializer)
				continue
			}
			if b := boxedIn(d.Target); b != nil {
				refuse(b, d)
			}
		}
	}
	switch n := n.(type) {
	case *ast.VariableStatement:
		bindings(n.List, false)
	case *ast.ForLoopInitializerVarDeclList:
		bindings(n.List, true)
	case *ast.ForIntoVar:
		if b := boxedIn(n.Binding.Target); b != nil {
			refuse(b, n)
		}
	case *ast.LexicalDeclaration:
		// A let without initialiser that an assignment annotates later.
		bindings(n.List, false)
	case *ast.ForLoopInitializerLexicalDecl:
		bindings(n.LexicalDeclaration.List, true)
	case *ast.ForDeclaration:
		if b := boxedIn(n.Target); b != nil {
			refuse(b, n)
		}
	case *ast.AssignExpression:
		name(n.Left, n.Right)
	case *ast.PropertyShort:
		if n.Initializer != nil {
			name(&n.Name, n.Initializer)
		}
	}
	syntax.Children(n, p.checkBoxes)
}

// registrations are the methods that hand a listener to an emitter.
var registrations = map[string]bool{
	"on": true, "once": true, "addListener": true, "prependListener": true, "prependOnceListener": true,
}

// Common is the rewriting that both builds share. K is the runtime's name in the
// emitted text. Registrations switches on the calls of $k.on and $k.np. Models go
// without, and call $then and $catch: what they await, Node awaits by itself.
type Common struct {
	P             *Program
	K             string
	Registrations bool

	naming   ast.Expression // the function that is being given its name
	defining ast.Expression // what is being defined
	making   ast.Expression // the container that is being made loggable
}

// Hoisted is what must be printed where a function's body begins (nil: the
// program): the boxes of its vars and parameters, and what is said of its functions.
func (c *Common) Hoisted(fn ast.Node) string {
	s := ""
	for _, b := range c.P.boxes[fn] {
		if b.Kind != Var {
			continue
		}
		if s == "" {
			s = "var "
		} else {
			s += ", "
		}
		s += b.Box + " = " + c.box(b) + "(void 0)"
	}
	if s != "" {
		s += ";"
	}
	for _, e := range c.parameters(fn) {
		s += e + ";"
	}
	for _, o := range c.P.sharedIn[fn] {
		name := "globalThis"
		if !o.Global {
			name = o.Param.Name
		}
		s += c.inferring(o) + name + c.paths(o) + ");"
	}
	if names := c.P.hoisted[fn]; len(names) > 0 && c.Registrations {
		s += c.K + ".defs(" + strings.Join(names, ", ") + ");"
	}
	return s
}

// HoistedParameters is what must be printed before the value of an arrow function
// that has no other body.
func (c *Common) HoistedParameters(fn ast.Node) string { return strings.Join(c.parameters(fn), ", ") }

func (c *Common) parameters(fn ast.Node) []string {
	var out []string
	for _, b := range c.P.boxes[fn] {
		if b.Kind == Param {
			out = append(out, b.Box+" = "+c.box(b)+"("+b.Box+")")
		}
	}
	return out
}

// box is what makes the box of a variable.
func (c *Common) box(b *Binding) string {
	switch {
	case b.Inferred && b.AtLoad:
		return c.K + ".atLoadBox"
	case b.Inferred:
		return c.K + ".inferredBox"
	}
	return c.K + ".box"
}

// inferring begins the call that is given a shared object.
func (c *Common) inferring(o SharedObject) string {
	if o.AtLoad {
		return c.K + ".atLoad("
	}
	return c.K + ".inferred("
}

// paths is the call's second argument.
func (c *Common) paths(o SharedObject) string {
	if len(o.Paths) == 0 {
		return ""
	}
	var list []string
	for _, path := range o.Paths {
		var keys []string
		for _, k := range path {
			keys = append(keys, strconv.QuoteToASCII(k))
		}
		list = append(list, "["+strings.Join(keys, ", ")+"]")
	}
	return ", [" + strings.Join(list, ", ") + "]"
}

func (c *Common) boxed(e ast.Expression) *Binding {
	if id, ok := e.(*ast.Identifier); ok {
		if b := c.P.Binding(id); b != nil && b.Boxed {
			return b
		}
	}
	return nil
}

// Expr prints e if its rewriting is common to both builds.
func (c *Common) Expr(p *printer.Printer, e ast.Expression) bool {
	if o, ok := c.P.inferred[e]; ok && c.making != e {
		outer := c.making
		c.making = e
		if o.This {
			p.Raw("(" + c.inferring(o) + "this" + c.paths(o) + "), ")
			p.Expr(e, printer.PrecAssign)
			p.Raw(")")
		} else {
			p.Raw(c.inferring(o))
			p.Expr(e, printer.PrecAssign)
			p.Raw(c.paths(o) + ")")
		}
		c.making = outer
		return true
	}
	if c.defines(e) && c.defining != e {
		outer := c.defining
		c.defining = e
		p.Raw(c.K + "." + c.definer(e) + "(")
		p.Expr(e, printer.PrecAssign)
		p.Raw(")")
		c.defining = outer
		return true
	}
	switch e := e.(type) {
	case *ast.Identifier:
		if b := c.boxed(e); b != nil {
			p.Mark(e.Idx)
			p.Raw(b.Box + ".v")
			return true
		}
	case *ast.CallExpression:
		return c.call(p, e)
	case *ast.NewExpression:
		if c.refused(p, e) {
			return true
		}
		if c.Registrations && c.P.IsFree(e.Callee, "Promise") {
			p.Mark(e.New)
			p.Raw(c.K + ".np")
			p.Args(e.ArgumentList)
			return true
		}
	case *ast.DotExpression:
		if x := constructed(e); x != nil {
			p.Raw(c.K + ".ctor(")
			p.Expr(x, printer.PrecAssign)
			p.Raw(")")
			if e.Identifier.Name != "constructor" {
				p.Raw("." + e.Identifier.Name.String())
			}
			return true
		}
	case *ast.TemplateLiteral:
		if e.Tag != nil && c.boxed(e.Tag) != nil {
			c.detached(p, e.Tag.(*ast.Identifier))
			p.TemplateBody(e)
			return true
		}
	case *ast.UnaryExpression:
		if e.Operator == token.DELETE && c.boxed(e.Operand) != nil {
			p.Raw("false") // as for any variable
			return true
		}
	case *ast.FunctionLiteral, *ast.ArrowFunctionLiteral, *ast.ClassLiteral:
		if name, ok := c.P.naming[e]; ok && c.naming != e {
			outer := c.naming
			c.naming = e
			p.Raw("({ ")
			key(p, name)
			p.Raw(": ")
			p.Expr(e, printer.PrecAssign)
			p.Raw(" })[" + strconv.Quote(name) + "]")
			c.naming = outer
			return true
		}
	}
	return false
}

// defines tells whether shared state may refer to what e makes.
func (c *Common) defines(e ast.Expression) bool {
	if !c.Registrations {
		return false
	}
	if _, ok := e.(*ast.NewExpression); ok {
		return c.P.defining && c.definer(e) == "weak"
	}
	return c.P.defines[e]
}

// definer is the name of what notes e.
func (c *Common) definer(e ast.Expression) string {
	if n, ok := e.(*ast.NewExpression); ok && (c.P.IsFree(n.Callee, "WeakMap") || c.P.IsFree(n.Callee, "WeakSet")) {
		return "weak"
	}
	return "def"
}

// detached prints a boxed variable that is called, without making the box `this`.
func (c *Common) detached(p *printer.Printer, id *ast.Identifier) {
	p.Raw("(0, ")
	p.Mark(id.Idx)
	p.Raw(c.boxed(id).Box + ".v)")
}

func (c *Common) refused(p *printer.Printer, e ast.Expression) bool {
	msg, ok := c.P.refused[e]
	if ok {
		p.Raw("(function () { throw new EvalError(" + strconv.QuoteToASCII(msg) + "); })()")
	}
	return ok
}

func (c *Common) call(p *printer.Printer, e *ast.CallExpression) bool {
	if c.refused(p, e) {
		return true
	}
	if kind, ok := c.P.annots[e]; ok {
		p.Mark(e.Callee.Idx0())
		switch kind {
		case annotLoggable:
			p.Raw(c.K + ".loggable(")
		case annotBox:
			p.Raw(c.K + ".box(")
		case annotAssign:
			p.Raw("(")
		}
		p.Expr(e.ArgumentList[0], printer.PrecAssign)
		p.Raw(")")
		return true
	}
	switch callee := e.Callee.(type) {
	case *ast.Identifier:
		if c.boxed(callee) != nil {
			c.detached(p, callee)
			p.Args(e.ArgumentList)
			return true
		}
	case *ast.DotExpression:
		name := callee.Identifier.Name.String()
		if !c.Registrations {
			return c.platformThen(p, callee, e.ArgumentList)
		}
		if c.indirect(p, callee, e.ArgumentList) || c.gives(p, callee, e.ArgumentList) {
			return true
		}
		if !registrations[name] {
			return false
		}
		switch callee.Left.(type) {
		case *ast.SuperExpression:
			p.Mark(callee.Identifier.Idx)
			p.Raw(c.K + ".reg(" + strconv.Quote(syntax.CalleeText(callee)) + ", super." + name + ", this")
			c.rest(p, e.ArgumentList)
			return true
		case *ast.Optional:
			return false
		}
		p.Mark(callee.Identifier.Idx)
		p.Raw(c.K + ".on(")
		p.Expr(callee.Left, printer.PrecAssign)
		c.called(p, callee, e.ArgumentList)
		return true
	}
	return false
}

// called prints what a helper is told of a method's call behind its object: the
// method's name, its text for a method that is none, and the arguments.
func (c *Common) called(p *printer.Printer, callee *ast.DotExpression, args []ast.Expression) {
	p.Raw(", \"" + callee.Identifier.Name.String() + "\", " + strconv.Quote(syntax.CalleeText(callee)))
	c.rest(p, args)
}

// platformThen prints promise.then(…) and catch(…) of the models, which register
// nothing.
func (c *Common) platformThen(p *printer.Printer, callee *ast.DotExpression, args []ast.Expression) bool {
	name := callee.Identifier.Name.String()
	if name != "then" && name != "catch" {
		return false
	}
	switch callee.Left.(type) {
	case *ast.SuperExpression, *ast.Optional:
		return false
	}
	p.Mark(callee.Identifier.Idx)
	p.Raw("$" + name + "(")
	p.Expr(callee.Left, printer.PrecAssign)
	c.rest(p, args)
	return true
}

// rest prints the arguments that follow a helper's own.
func (c *Common) rest(p *printer.Printer, args []ast.Expression) {
	if len(args) > 0 {
		p.Raw(", ")
		p.Arguments(args)
	}
	p.Raw(")")
}

// indirect prints on.call(o, …), o.on.apply(o, …) and the like.
func (c *Common) indirect(p *printer.Printer, callee *ast.DotExpression, args []ast.Expression) bool {
	how := map[string]string{"call": "regCall", "apply": "regApply", "bind": "regBind"}[callee.Identifier.Name.String()]
	if how == "" {
		return false
	}
	switch f := callee.Left.(type) {
	case *ast.DotExpression:
		if !c.P.handing(f.Identifier.Name.String()) {
			return false
		}
	case *ast.Identifier:
		if !c.P.handing(f.Name.String()) {
			return false
		}
	default:
		return false
	}
	p.Mark(callee.Identifier.Idx)
	p.Raw(c.K + "." + how + "(")
	p.Expr(callee.Left, printer.PrecAssign)
	c.rest(p, args)
	return true
}

// takers are methods of streams, responses and servers that may be given a function
// to call when they are done.
var takers = map[string]bool{"end": true, "write": true, "close": true}

// gives prints res.end(…, f) and its kin.
func (c *Common) gives(p *printer.Printer, callee *ast.DotExpression, args []ast.Expression) bool {
	name := callee.Identifier.Name.String()
	if !takers[name] || len(args) == 0 {
		return false
	}
	switch callee.Left.(type) {
	case *ast.SuperExpression, *ast.Optional:
		return false
	}
	switch args[len(args)-1].(type) {
	case *ast.FunctionLiteral, *ast.ArrowFunctionLiteral, *ast.Identifier, *ast.DotExpression, *ast.CallExpression, *ast.SpreadElement:
	default:
		return false
	}
	p.Mark(callee.Identifier.Idx)
	p.Raw(c.K + ".give(")
	p.Expr(callee.Left, printer.PrecAssign)
	c.called(p, callee, args)
	return true
}

// Stmt prints s if its rewriting is common to both builds.
func (c *Common) Stmt(p *printer.Printer, s ast.Statement) bool {
	switch s := s.(type) {
	case *ast.VariableStatement:
		if c.anyBoxed(s.List) {
			c.vars(p, s)
			return true
		}
	case *ast.LexicalDeclaration:
		if c.anyBoxed(s.List) {
			c.lets(p, s)
			return true
		}
	case *ast.ClassDeclaration:
		o, shared := c.P.inferred[s.Class]
		defines := c.Registrations && c.P.defining
		if shared || defines {
			p.Class(s.Class)
			name := s.Class.Name.Name.String()
			if defines {
				p.Raw(" " + c.K + ".def(" + name + ");")
			}
			if shared {
				p.Raw(" " + c.inferring(o) + name + c.paths(o) + ");")
			}
			return true
		}
	}
	return false
}

func (c *Common) anyBoxed(list []*ast.Binding) bool {
	for _, d := range list {
		if c.boxed(d.Target) != nil {
			return true
		}
	}
	return false
}

func (c *Common) lets(p *printer.Printer, s *ast.LexicalDeclaration) {
	p.Mark(s.Idx)
	p.Raw("let ")
	for i, d := range s.List {
		if i > 0 {
			p.Raw(", ")
		}
		b := c.boxed(d.Target)
		if b == nil {
			p.Binding(d)
			continue
		}
		p.Mark(d.Idx0())
		p.Raw(b.Box + " = ")
		if call, ok := d.Initializer.(*ast.CallExpression); ok && c.P.annots[call] == annotBox && c.P.IsFree(call.Callee, Annotation) {
			p.Expr(call, printer.PrecAssign)
			continue
		}
		// Declared here, annotated by an assignment or not at all.
		p.Raw(c.box(b) + "(")
		if d.Initializer != nil {
			p.Expr(d.Initializer, printer.PrecAssign)
		} else {
			p.Raw("void 0")
		}
		p.Raw(")")
	}
	p.Raw(";")
}

func (c *Common) vars(p *printer.Printer, v *ast.VariableStatement) {
	// A box is made where the function begins; here it is only written to. One
	// statement may become several, so put them in a block: var does not mind.
	p.Mark(v.Var)
	parts := 0
	for i := 0; i < len(v.List); parts++ {
		if c.boxed(v.List[i].Target) != nil {
			i++
			continue
		}
		for i < len(v.List) && c.boxed(v.List[i].Target) == nil {
			i++
		}
	}
	if parts > 1 {
		p.Raw("{ ")
	}
	for i := 0; i < len(v.List); {
		if d := v.List[i]; c.boxed(d.Target) != nil {
			if d.Initializer != nil {
				p.Mark(d.Idx0())
				p.Raw(c.boxed(d.Target).Box + ".v = ")
				p.Expr(d.Initializer, printer.PrecAssign)
			}
			p.Raw("; ")
			i++
			continue
		}
		from := i
		for i < len(v.List) && c.boxed(v.List[i].Target) == nil {
			i++
		}
		p.Raw("var ")
		p.Bindings(v.List[from:i])
		p.Raw("; ")
	}
	if parts > 1 {
		p.Raw("}")
	}
}

// Target prints a boxed variable that is written to or declared.
func (c *Common) Target(p *printer.Printer, e ast.Expression, declared bool) bool {
	b := c.boxed(e)
	if b == nil {
		return false
	}
	p.Mark(e.Idx0())
	p.Raw(b.Box)
	if !declared {
		p.Raw(".v")
	}
	return true
}

// Short prints a shorthand property of a boxed variable.
func (c *Common) Short(p *printer.Printer, s *ast.PropertyShort, pattern, declared bool) bool {
	b := c.boxed(&s.Name)
	if b == nil {
		return false
	}
	p.Mark(s.Name.Idx)
	key(p, b.Name)
	p.Raw(": " + b.Box + ".v")
	return true
}

// key prints a property's name so that __proto__ is one like any other.
var identifier = regexp.MustCompile(`^[A-Za-z_$][\w$]*$`)

func key(p *printer.Printer, name string) {
	switch {
	case name == "__proto__":
		name = `["__proto__"]`
	case !identifier.MatchString(name):
		name = strconv.Quote(name)
	}
	p.Raw(name)
}
