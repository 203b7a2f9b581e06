package bundle

import (
	_ "embed"
	"strings"
)

//go:embed guard.js
var guardText string

// guard is the code in front of every bundle. It replaces require, so that a
// module which is not part of the build is an error that says so, and not a
// file that happens to lie beside the server and that the verifier never sees. main is
// the file of the main module, "" if that is an ES module.
func guard(main string) string {
	var names strings.Builder
	for i, m := range coreModules {
		if i > 0 {
			names.WriteByte(' ')
		}
		names.WriteString(m)
	}
	names.WriteString(" " + saidModule)
	return strings.NewReplacer(" CORE ", " "+names.String()+" ", "MAIN", quoted(main), "BUILT", quoted(builtFile), "LINKED", quoted(elsewhere)).Replace(guardText) + modulePathHead
}
