// Package syntax parses the bundle and mends what the parser gets wrong.
//
// The parser (github.com/grafana/sobek) is good enough for what esbuild prints,
// but a compiler must not misread a program silently. Its known faults are
// cured here, so that every other package may trust the tree:
//
//   - `a < b < c` and the other relational operators come out associated to the
//     right; they are turned round, except where the text has parentheses.
//   - `#x in o` carries a wrong operator.
//   - defaults inside of an array pattern that has a default itself (defaults.go).
//   - Idx0 of new.target is 0 and that of a tagged template is the template's;
//     use Start.
//
// The tree does not hold parentheses. Two places need them back: a string in
// parentheses is no directive, and `(x) = function () {}` names no function.
// InParens answers from the text.
package syntax

import (
	"fmt"
	"strings"

	"github.com/grafana/sobek/ast"
	"github.com/grafana/sobek/file"
	"github.com/grafana/sobek/token"
)

// Error is a syntax error, or a construct that the parser cannot be trusted with.
type Error struct {
	Offset int // byte offset in the text
	Msg    string
}

func (e *Error) Error() string { return fmt.Sprintf("offset %d: %s", e.Offset, e.Msg) }

// Offset turns an index of the tree into a byte offset of the text, or -1.
func Offset(idx file.Idx) int { return int(idx) - 1 }

// Parse parses a script.
func Parse(text string) (*ast.Program, error) {
	prog, err := parseFile(text)
	if err != nil {
		return nil, err
	}
	m := mender{text: text}
	for _, s := range prog.Body {
		m.node(s)
	}
	if m.err != nil {
		return nil, m.err
	}
	return prog, nil
}

// lineColumn finds the offset of a position that the parser counted in lines and bytes.
func lineColumn(text string, p file.Position) int {
	at := 0
	for line := 1; line < p.Line; line++ {
		i := strings.IndexByte(text[at:], '\n')
		if i < 0 {
			break
		}
		at += i + 1
	}
	return min(at+max(p.Column-1, 0), len(text))
}

type mender struct {
	text string
	err  *Error
}

func (m *mender) node(n ast.Node) {
	Children(n, m.node) // inside out
	b, ok := n.(*ast.BinaryExpression)
	if !ok {
		return
	}
	if _, private := b.Left.(*ast.PrivateIdentifier); private {
		b.Operator = token.IN
		return
	}
	// a op (b op (c …)): turn round one step at a time. Inside out, the right
	// operand is correct already, so a step may meet a left-associated chain:
	// a op ((b op c) op d) without parentheses is ((a op b) op c) op d.
	for relational(b.Operator) {
		r, ok := b.Right.(*ast.BinaryExpression)
		if !ok || !relational(r.Operator) {
			return
		}
		leftmost := r
		for {
			l, ok := leftmost.Left.(*ast.BinaryExpression)
			if !ok || !relational(l.Operator) || m.parens(l) {
				break
			}
			leftmost = l
		}
		if m.parens(leftmost) {
			return
		}
		// Hang `a op <leftmost.Left>` below leftmost, and put the chain in b's place.
		inner := &ast.BinaryExpression{Operator: b.Operator, Left: b.Left, Right: leftmost.Left, Comparison: b.Comparison}
		leftmost.Left = inner
		*b = *r
		return
	}
}

// parens reports whether the comparison, or a chain that begins with it, stands
// in parentheses.
func (m *mender) parens(b *ast.BinaryExpression) bool {
	// Count the parentheses that open directly before it…
	first := Start(b)
	if first < 0 {
		m.fail(b)
		return false
	}
	depth := 0
	i := first - 1
	for ; i >= 0; i-- {
		c := m.text[i]
		if c == '(' {
			depth++
		} else if c == '/' && i > 0 && m.text[i-1] == '*' {
			i = strings.LastIndex(m.text[:i-1], "/*")
		} else if c != ' ' && c != '\t' && c != '\r' && c != '\n' {
			break
		}
	}
	if i < 0 || strings.IndexByte("<>=fn", m.text[i]) < 0 { // < <= > >= instanceof in
		m.fail(b)
		return false
	}
	// …and look whether one of them is still open where its right operand begins.
	second := Start(b.Right)
	if second < 0 {
		m.fail(b)
		return false
	}
	spans := map[int]int{}
	literals(b.Left, spans)
	low := depth
	for i := first; i < second; i++ {
		if end, ok := spans[i]; ok {
			i = end - 1
			continue
		}
		switch m.text[i] {
		case '(':
			depth++
		case ')':
			depth--
			low = min(low, depth)
		case '/':
			if strings.HasPrefix(m.text[i:], "/*") {
				if j := strings.Index(m.text[i+2:], "*/"); j >= 0 {
					i += j + 3
				}
			} else if strings.HasPrefix(m.text[i:], "//") {
				if j := strings.IndexByte(m.text[i:], '\n'); j >= 0 {
					i += j
				}
			}
		}
	}
	return low > 0
}

func (m *mender) fail(n ast.Node) {
	if m.err == nil {
		m.err = &Error{Offset(n.Idx0()), "cannot tell how these comparisons associate; add parentheses"}
	}
}

func relational(op token.Token) bool {
	switch op {
	case token.LESS, token.LESS_OR_EQUAL, token.GREATER, token.GREATER_OR_EQUAL, token.INSTANCEOF, token.IN:
		return true
	}
	return false
}

// literals collects the spans of texts in which a parenthesis means nothing.
func literals(n ast.Node, spans map[int]int) {
	switch n := n.(type) {
	case *ast.StringLiteral:
		spans[Offset(n.Idx)] = Offset(n.Idx) + len(n.Literal)
	case *ast.RegExpLiteral:
		spans[Offset(n.Idx)] = Offset(n.Idx) + len(n.Pattern) + 2 + len(n.Flags)
	case *ast.TemplateLiteral:
		spans[Offset(n.OpenQuote)] = Offset(n.CloseQuote) + 1
	}
	Children(n, func(c ast.Node) { literals(c, spans) })
}

// Start is the offset of an expression's first token (parentheses aside), or -1.
func Start(e ast.Expression) int {
	switch e := e.(type) {
	case *ast.TemplateLiteral:
		if e.Tag != nil {
			return Start(e.Tag)
		}
	case *ast.MetaProperty:
		return Offset(e.Meta.Idx)
	case *ast.DynamicImportExpression:
		return -1
	case *ast.BinaryExpression:
		return Start(e.Left)
	case *ast.AssignExpression:
		return Start(e.Left)
	case *ast.ConditionalExpression:
		return Start(e.Test)
	case *ast.CallExpression:
		return Start(e.Callee)
	case *ast.DotExpression:
		return Start(e.Left)
	case *ast.PrivateDotExpression:
		return Start(e.Left)
	case *ast.BracketExpression:
		return Start(e.Left)
	case *ast.SequenceExpression:
		return Start(e.Sequence[0])
	case *ast.OptionalChain:
		return Start(e.Expression)
	case *ast.Optional:
		return Start(e.Expression)
	case *ast.PrivateIdentifier:
		return Offset(e.Idx)
	case *ast.UnaryExpression:
		if e.Postfix {
			return Start(e.Operand)
		}
	}
	return Offset(e.Idx0())
}

// InParens reports whether an identifier or a string literal stands directly in
// parentheses in the text, as in `(x) = 1` or `("use strict")`.
func InParens(text string, e ast.Expression) bool {
	i := Start(e) - 1
	for i >= 0 && strings.IndexByte(" \t\r\n", text[i]) >= 0 {
		i--
	}
	if i < 0 || text[i] != '(' {
		return false
	}
	var end int
	switch e := e.(type) {
	case *ast.StringLiteral:
		end = Offset(e.Idx) + len(e.Literal)
	case *ast.Identifier:
		end = Offset(e.Idx) + len(e.Name.String())
	default:
		return false
	}
	for end < len(text) && strings.IndexByte(" \t\r\n", text[end]) >= 0 {
		end++
	}
	return end < len(text) && text[end] == ')'
}

// Directives is how many statements at the head of a body are directives.
func Directives(text string, body []ast.Statement) int {
	for i, s := range body {
		e, ok := s.(*ast.ExpressionStatement)
		if !ok {
			return i
		}
		lit, ok := e.Expression.(*ast.StringLiteral)
		if !ok || InParens(text, lit) {
			return i
		}
	}
	return len(body)
}

// Strict reports whether a body's own directives make it strict.
func Strict(text string, body []ast.Statement) bool {
	for _, s := range body[:Directives(text, body)] {
		lit := s.(*ast.ExpressionStatement).Expression.(*ast.StringLiteral).Literal
		if lit == `"use strict"` || lit == `'use strict'` {
			return true
		}
	}
	return false
}

// AnonymousFunction reports whether e is a function or class without a name of
// its own, which an assignment or initialiser would name.
func AnonymousFunction(e ast.Expression) bool {
	switch e := e.(type) {
	case *ast.FunctionLiteral:
		return e.Name == nil
	case *ast.ArrowFunctionLiteral:
		return true
	case *ast.ClassLiteral:
		return e.Name == nil
	}
	return false
}
