package program

import "github.com/grafana/sobek/ast"

// TakesElements reports whether an object pattern takes what arrays have: accessors on a tracked array cannot see its
// length and elements being taken.
func TakesElements(e *ast.ObjectPattern) bool {
	for _, prop := range e.Properties {
		switch prop := prop.(type) {
		case *ast.PropertyShort:
			if prop.Name.Name == "length" {
				return true
			}
		case *ast.PropertyKeyed:
			switch key := prop.Key.(type) {
			case *ast.StringLiteral:
				if prop.Computed || key.Value == "length" {
					return true
				}
			case *ast.NumberLiteral:
				return true
			default:
				if prop.Computed {
					return true
				}
			}
		}
	}
	return false
}
