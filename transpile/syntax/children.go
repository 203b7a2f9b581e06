package syntax

import (
	"fmt"

	"github.com/grafana/sobek/ast"
)

// Children calls f for each direct child of n, in source order. Property keys
// that are plain names come as *ast.StringLiteral, as the parser has them;
// names of labels and of dotted members are no children.
func Children(n ast.Node, f func(ast.Node)) {
	expr := func(e ast.Expression) {
		if e != nil {
			f(e)
		}
	}
	exprs := func(list []ast.Expression) {
		for _, e := range list {
			expr(e)
		}
	}
	stmts := func(list []ast.Statement) {
		for _, s := range list {
			f(s)
		}
	}
	bindings := func(list []*ast.Binding) {
		for _, b := range list {
			f(b)
		}
	}
	switch n := n.(type) {
	case *ast.Program:
		stmts(n.Body)

	// Statements
	case *ast.BlockStatement:
		stmts(n.List)
	case *ast.BranchStatement, *ast.DebuggerStatement, *ast.EmptyStatement:
	case *ast.CaseStatement:
		expr(n.Test)
		stmts(n.Consequent)
	case *ast.CatchStatement:
		if n.Parameter != nil {
			f(n.Parameter)
		}
		f(n.Body)
	case *ast.DoWhileStatement:
		f(n.Body)
		f(n.Test)
	case *ast.ExpressionStatement:
		f(n.Expression)
	case *ast.ForInStatement:
		f(n.Into)
		f(n.Source)
		f(n.Body)
	case *ast.ForOfStatement:
		f(n.Into)
		f(n.Source)
		f(n.Body)
	case *ast.ForStatement:
		if n.Initializer != nil {
			f(n.Initializer)
		}
		expr(n.Test)
		expr(n.Update)
		f(n.Body)
	case *ast.IfStatement:
		f(n.Test)
		f(n.Consequent)
		if n.Alternate != nil {
			f(n.Alternate)
		}
	case *ast.LabelledStatement:
		f(n.Statement)
	case *ast.ReturnStatement:
		expr(n.Argument)
	case *ast.SwitchStatement:
		f(n.Discriminant)
		for _, c := range n.Body {
			f(c)
		}
	case *ast.ThrowStatement:
		f(n.Argument)
	case *ast.TryStatement:
		f(n.Body)
		if n.Catch != nil {
			f(n.Catch)
		}
		if n.Finally != nil {
			f(n.Finally)
		}
	case *ast.VariableStatement:
		bindings(n.List)
	case *ast.LexicalDeclaration:
		bindings(n.List)
	case *ast.WhileStatement:
		f(n.Test)
		f(n.Body)
	case *ast.WithStatement:
		f(n.Object)
		f(n.Body)
	case *ast.FunctionDeclaration:
		f(n.Function)
	case *ast.ClassDeclaration:
		f(n.Class)

	// Parts of statements
	case *ast.Binding:
		f(n.Target)
		expr(n.Initializer)
	case *ast.ForLoopInitializerExpression:
		f(n.Expression)
	case *ast.ForLoopInitializerVarDeclList:
		bindings(n.List)
	case *ast.ForLoopInitializerLexicalDecl:
		f(&n.LexicalDeclaration)
	case *ast.ForIntoVar:
		f(n.Binding)
	case *ast.ForDeclaration:
		f(n.Target)
	case *ast.ForIntoExpression:
		f(n.Expression)

	// Expressions
	case *ast.YieldExpression:
		expr(n.Argument)
	case *ast.AwaitExpression:
		f(n.Argument)
	case *ast.ArrayLiteral:
		exprs(n.Value)
	case *ast.ArrayPattern:
		exprs(n.Elements)
		expr(n.Rest)
	case *ast.AssignExpression:
		f(n.Left)
		f(n.Right)
	case *ast.BinaryExpression:
		f(n.Left)
		f(n.Right)
	case *ast.BracketExpression:
		f(n.Left)
		f(n.Member)
	case *ast.CallExpression:
		f(n.Callee)
		exprs(n.ArgumentList)
	case *ast.ConditionalExpression:
		f(n.Test)
		f(n.Consequent)
		f(n.Alternate)
	case *ast.DotExpression:
		f(n.Left)
	case *ast.PrivateDotExpression:
		f(n.Left)
	case *ast.OptionalChain:
		f(n.Expression)
	case *ast.Optional:
		f(n.Expression)
	case *ast.FunctionLiteral:
		if n.Name != nil {
			f(n.Name)
		}
		f(n.ParameterList)
		f(n.Body)
	case *ast.ArrowFunctionLiteral:
		f(n.ParameterList)
		f(n.Body)
	case *ast.ParameterList:
		bindings(n.List)
		expr(n.Rest)
	case *ast.ExpressionBody:
		f(n.Expression)
	case *ast.ClassLiteral:
		if n.Name != nil {
			f(n.Name)
		}
		expr(n.SuperClass)
		for _, e := range n.Body {
			f(e)
		}
	case *ast.FieldDefinition:
		f(n.Key)
		expr(n.Initializer)
	case *ast.MethodDefinition:
		f(n.Key)
		f(n.Body)
	case *ast.ClassStaticBlock:
		f(n.Block)
	case *ast.NewExpression:
		f(n.Callee)
		exprs(n.ArgumentList)
	case *ast.ObjectLiteral:
		for _, p := range n.Value {
			f(p)
		}
	case *ast.ObjectPattern:
		for _, p := range n.Properties {
			f(p)
		}
		expr(n.Rest)
	case *ast.PropertyShort:
		f(&n.Name)
		expr(n.Initializer)
	case *ast.PropertyKeyed:
		f(n.Key)
		f(n.Value)
	case *ast.SpreadElement:
		f(n.Expression)
	case *ast.SequenceExpression:
		exprs(n.Sequence)
	case *ast.TemplateLiteral:
		expr(n.Tag)
		exprs(n.Expressions)
	case *ast.UnaryExpression:
		f(n.Operand)
	case *ast.Identifier, *ast.PrivateIdentifier, *ast.BooleanLiteral, *ast.NullLiteral, *ast.NumberLiteral,
		*ast.StringLiteral, *ast.RegExpLiteral, *ast.ThisExpression, *ast.SuperExpression, *ast.MetaProperty,
		*ast.DynamicImportExpression:
	default:
		panic(fmt.Sprintf("syntax: unknown node %T", n))
	}
}
