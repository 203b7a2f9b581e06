package verifierbuild

import (
	"github.com/grafana/sobek/ast"

	"karousosc/transpile/printer"
	"karousosc/transpile/program"
)

// A default in a pattern or parameter list replaces undefined. The engine takes a
// multivalue for a value; so once the names are bound, they are looked at: where
// only some lanes are undefined, the group parts.

// parameters checks a function's parameters.
func (e *emitter) parameters(p *printer.Printer, list *ast.ParameterList) {
	for _, b := range list.List {
		if id, ok := b.Target.(*ast.Identifier); ok {
			if b.Initializer != nil {
				e.check(p, id)
			}
			continue
		}
		e.checkDefaults(p, b.Target)
	}
	if list.Rest != nil {
		e.checkDefaults(p, list.Rest)
	}
}

// checkDefaults prints the checks of the names that a pattern gives defaults to.
func (e *emitter) checkDefaults(p *printer.Printer, pattern ast.Expression) {
	for _, id := range defaulted(pattern, nil) {
		e.check(p, id)
	}
}

func (e *emitter) check(p *printer.Printer, id *ast.Identifier) {
	p.Raw("typeof ")
	p.Sub(id)
	p.Raw(notObject + " || " + e.h(hDefault) + "(")
	p.Sub(id)
	p.Raw("); ")
}

// defaulted are the names in a pattern that have a default.
func defaulted(pattern ast.Expression, out []*ast.Identifier) []*ast.Identifier {
	element := func(v ast.Expression) {
		a, ok := v.(*ast.AssignExpression)
		if !ok {
			out = defaulted(v, out)
			return
		}
		if id, ok := a.Left.(*ast.Identifier); ok {
			out = append(out, id)
			return
		}
		out = defaulted(a.Left, out)
	}
	switch pattern := pattern.(type) {
	case *ast.ArrayPattern:
		for _, v := range pattern.Elements {
			if v != nil {
				element(v)
			}
		}
		if pattern.Rest != nil {
			out = defaulted(pattern.Rest, out)
		}
	case *ast.ObjectPattern:
		for _, prop := range pattern.Properties {
			switch prop := prop.(type) {
			case *ast.PropertyShort:
				if prop.Initializer != nil {
					out = append(out, &prop.Name)
				}
			case *ast.PropertyKeyed:
				element(prop.Value)
			}
		}
	}
	return out
}

// assignPattern prints a destructuring assignment; its value is what it takes apart.
func (e *emitter) assignPattern(p *printer.Printer, x *ast.AssignExpression) bool {
	names := defaulted(x.Left, nil)
	_, array := x.Left.(*ast.ArrayPattern)
	if len(names) == 0 && !array || !e.fn.body {
		return false
	}
	used := e.fn.used
	defer e.release(used)
	t := e.take()
	p.Raw("(" + t + " = ")
	p.Sub(x.Right)
	p.Raw(", ")
	p.Raw("(")
	p.Pattern(x.Left, false)
	p.Raw(" = ")
	if array {
		p.Raw(e.h(hIterate) + "(" + t + `, "")`)
	} else {
		p.Raw(t)
	}
	p.Raw("), ")
	for _, id := range names {
		p.Raw("typeof ")
		p.Sub(id)
		p.Raw(notObject + " || " + e.h(hDefault) + "(")
		p.Sub(id)
		p.Raw("), ")
	}
	p.Raw(t + ")")
	return true
}

// Target implements printer.TargetHook. Members come here from patterns, from the
// heads of loops, and from assignments that Expr does not take care of.
func (e *emitter) Target(p *printer.Printer, x ast.Expression, declared bool) bool {
	if e.Common.Target(p, x, declared) {
		return true
	}
	m, ok := e.site(x)
	if !ok {
		return false
	}
	if !m.special() {
		p.Raw(e.h(hTouch) + "(")
		p.Sub(m.object)
		p.Raw(")")
		mark(p, x)
		if m.key == nil {
			p.Raw("." + m.name)
			return true
		}
		p.Raw("[")
		p.Sub(m.key)
		p.Raw("]")
		return true
	}
	place := hPlace
	if e.fn.Strict {
		place = hPlaceS
	}
	p.Raw(e.h(place) + "(")
	objectAndKey(p, m)
	p.Raw(").v")
	return true
}

func patterned(list []*ast.Binding) bool {
	for _, b := range list {
		if _, ok := b.Target.(*ast.Identifier); !ok {
			return true
		}
	}
	return false
}

// PatternBegin implements printer.PatternHook: a pattern that takes what a tracked array has asks it first.
func (e *emitter) PatternBegin(pattern *ast.ObjectPattern) string {
	if !e.tracked || !program.TakesElements(pattern) {
		return ""
	}
	return " [" + e.h(hElements) + "]: {} = 0"
}
