package bundle

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// asNode checks that the bundle prints what Node.js prints, with the app's folder called DIR.
func asNode(t *testing.T, fs files, want string) *Bundle {
	t.Helper()
	b := first(t, fs)
	if got := strings.ReplaceAll(node(t, filepath.Join(b.Dir, b.Entry)), b.Dir, "DIR"); got != want {
		t.Errorf("Node.js itself prints\n%s\nwant\n%s", got, want)
	}
	script := filepath.Join(t.TempDir(), "index.js")
	if err := os.WriteFile(script, []byte(b.Text), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := strings.ReplaceAll(node(t, script), filepath.Dir(script), "DIR"); got != want {
		t.Errorf("the bundle prints\n%s\nwant\n%s", got, want)
	}
	return b
}

const esm = `{"type": "module", "main": "main.js", "name": "app"}`

func TestCreateRequire(t *testing.T) {
	t.Run("require", func(t *testing.T) {
		b := asNode(t, files{
			"package.json": esm,
			"main.js": `import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);
const data = require('./data.json'), fs = require("fs");
try { require('./nothing.js') } catch (e) { console.log(e.code) }
function late() { return require('./late.cjs') }
console.log(data.a, typeof fs.readFileSync, require.resolve('./data.json'), require.resolve('fs'), require.main, late() === late());
console.log(Object.keys(require), new Error('here').stack.split('\n').length > 1);
`,
			"data.json": `{"a": 1}`,
			"late.cjs":  "console.log('late'); module.exports = {}",
		}, "MODULE_NOT_FOUND\nlate\n1 function DIR/data.json fs undefined true\n[ 'resolve', 'main', 'extensions', 'cache' ] true")
		if !slices.Contains(b.Files, "late.cjs") {
			t.Errorf("late.cjs is not in the build: %q", b.Files)
		}
		for _, w := range b.Warnings {
			if w.File != "main.js" || w.Line != 4 {
				t.Errorf("warning %v", w)
			}
		}
	})
	t.Run("other names", func(t *testing.T) {
		asNode(t, files{
			"package.json": esm,
			"main.js": `#!/usr/bin/env node
"use strict";
import * as module from 'module'; import { a } from './a.cjs';
const load = module.createRequire(import.meta.url), other = module.createRequire(import.meta.filename);
console.log(load("./data.json").a, other(` + "`./data.json`" + `).a, module.createRequire(import.meta.url)('./data.json').a, a);
`,
			"a.cjs":     "const { createRequire } = require('module'); const own = createRequire(__filename); exports.a = own('./data.json').a + 1;",
			"data.json": `{"a": 1}`,
		}, "1 1 1 2")
	})
	t.Run("packages", func(t *testing.T) {
		asNode(t, files{
			"package.json": esm,
			"main.js": `import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);
console.log(require('pkg'), (await import('pkg')).default, require('pkg/package.json').version, require.resolve('pkg'));
`,
			"node_modules/pkg/package.json": `{"version": "1.2.3", "exports": {".": {"import": "./i.mjs", "require": "./r.js"}, "./package.json": "./package.json"}}`,
			"node_modules/pkg/i.mjs":        "export default 'imported'",
			"node_modules/pkg/r.js":         "module.exports = 'required'",
		}, "required imported 1.2.3 DIR/node_modules/pkg/r.js")
	})
	t.Run("refused", func(t *testing.T) {
		asNode(t, files{
			"main.js": "const { createRequire } = require('module'); try { createRequire('here') } catch (e) { console.log(e.name, e.code, e.message) }",
		}, "TypeError ERR_INVALID_ARG_VALUE The argument 'filename' must be a file URL object, file URL string, or absolute path string. Received 'here'")
	})
	t.Run("loggable", func(t *testing.T) {
		b := first(t, files{
			"package.json": esm,
			"main.js":      "import { createRequire } from 'module'; const require = createRequire(import.meta.url);\nconsole.log(require('./data.json'));\n//karousos:loggable\nlet n = require('./data.json');",
			"data.json":    "1",
		})
		if len(b.Annotations) == 0 || b.Annotations[len(b.Annotations)-1].Line != 4 {
			t.Errorf("annotations %v", b.Annotations)
		}
	})
}

func TestResolve(t *testing.T) {
	asNode(t, files{
		"main.js":      "console.log(require.resolve('./lib/a'), require.resolve('node:path')); try { require.resolve('./nothing') } catch (e) { console.log(e.code) }",
		"lib/a.js":     "throw new Error('not loaded')",
		"package.json": `{"main": "main.js"}`,
	}, "DIR/lib/a.js node:path\nMODULE_NOT_FOUND")
	asNode(t, files{
		"package.json": esm,
		"main.js": `console.log(import.meta.resolve('./a b.js'), import.meta.resolve('./lib/' + 'x.js'), import.meta.resolve('fs'), import.meta.resolve('https://example.com/a'));
import { where } from './lib/a.js'; console.log(where);`,
		"lib/a.js": "export const where = import.meta.resolve('./data.json');",
	}, "file://DIR/a%20b.js file://DIR/lib/x.js node:fs https://example.com/a\nfile://DIR/lib/data.json")
}

func TestPatternThatFitsNothing(t *testing.T) {
	asNode(t, files{
		"main.js": "const n = process.argv.length > 1 ? 'fr' : 'de'; const path = 1;" +
			"try { require('./lang/' + n + '.js') } catch (e) { console.log(e.code, e.message.split('\\n')[0]) }" +
			"const p = import(`./lang/${n}.mjs`); p.catch((e) => console.log(e.code, e instanceof Error))",
		"lang/de.js":  "",
		"lang/de.mjs": "",
	}, "MODULE_NOT_FOUND Cannot find module './lang/fr.js'\nERR_MODULE_NOT_FOUND true")
}
