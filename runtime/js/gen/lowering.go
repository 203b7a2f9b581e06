package main

// lowering is the language that the models are brought down to. It must stay
// what the guest's bundle is lowered to.
var lowering = map[string]bool{
	"arrow": false, "async-await": false, "async-generator": false, "for-await": false,
	"class-field": false, "class-private-accessor": false, "class-private-brand-check": false,
	"class-private-field": false, "class-private-method": false, "class-private-static-accessor": false,
	"class-private-static-field": false, "class-private-static-method": false, "class-static-blocks": false,
	"class-static-field": false, "object-rest-spread": false, "optional-chain": false,
	"nullish-coalescing": false, "logical-assignment": false, "exponent-operator": false,
	"optional-catch-binding": false, "using": false, "decorators": false,
}

// shims maps Node's core module names, as the npm shims ask for them, to the
// models, so that all of them share one events, one Buffer, one stream.
func shims(dir string) map[string]string {
	return nil
}
