package main

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

//go:embed runner.js
var runner string

// names are what a prelude declares, or gives the global object.
var names = regexp.MustCompile(`(?m)^(?:async )?(?:function\*? |var |let |const |class |  +global\.)([\w$]+)`)

// changes tells that a test may change what the language comes with.
var changes = regexp.MustCompile(`verify\w*\(|delete |prototype|defineProperty|Object\.(freeze|seal|prevent)|\b(Array|Object|Promise|String|Symbol|RegExp|Math|JSON|Reflect)(\.\w+|\[[^\]]+\])\s*=[^=]`)

// write makes an app of the tests in dir. They are a package of its, whose code may do what the app's own may not.
func write(dir string, tests []test) error {
	pkg := filepath.Join(dir, "node_modules", "suite")
	if err := os.MkdirAll(pkg, 0o755); err != nil {
		return err
	}
	put := func(file, text string) error { return os.WriteFile(file, []byte(text), 0o644) }
	preludes := map[string]string{}
	var table strings.Builder
	for i, t := range tests {
		prelude, ok := preludes[t.prelude]
		if !ok {
			prelude = fmt.Sprintf("prelude%d", len(preludes))
			preludes[t.prelude] = prelude
			if err := put(filepath.Join(pkg, prelude+".js"), t.prelude+"\nmodule.exports = { "+declared(t.prelude)+" };\n"); err != nil {
				return err
			}
		}
		strict := ""
		if t.strict {
			strict = `"use strict";`
		}
		text := fmt.Sprintf("const { %s } = require('./%s');\nmodule.exports = function ($DONE) { %s\n%s\n};\n", declared(t.prelude), prelude, strict, t.text)
		if err := put(filepath.Join(pkg, fmt.Sprintf("t%d.js", i)), text); err != nil {
			return err
		}
		name, _ := json.Marshal(t.name)
		fmt.Fprintf(&table, "  [%s, %t, %t, () => require('suite/t%d')],\n", name, t.async, changes.MatchString(t.text), i)
	}
	if err := put(filepath.Join(pkg, "package.json"), `{ "name": "suite", "version": "1.0.0" }`); err != nil {
		return err
	}
	if err := put(filepath.Join(dir, "package.json"), `{ "name": "test262", "version": "1.0.0", "main": "main.js" }`); err != nil {
		return err
	}
	return put(filepath.Join(dir, "main.js"), runner+"\nserve([\n"+table.String()+"]);\n")
}

func declared(prelude string) string {
	seen := map[string]bool{"$DONE": true}
	var list []string
	for _, m := range names.FindAllStringSubmatch(prelude, -1) {
		if !seen[m[1]] {
			seen[m[1]] = true
			list = append(list, m[1])
		}
	}
	return strings.Join(list, ", ")
}
