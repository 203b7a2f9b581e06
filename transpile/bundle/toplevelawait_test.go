package bundle

import (
	"strings"
	"testing"
)

// Modules that wait outside of functions run as Node.js runs them.
func TestTopLevelAwait(t *testing.T) {
	esm := `{"type": "module", "main": "main.js"}`
	runs(t, "a module and its imports", files{"package.json": esm,
		"main.js": "import { a, late } from './a.js';\nimport fs, { readFileSync as read } from 'node:fs';\nconsole.log('main', a, late());\n" +
			"const [b, { c = 3, ...rest }] = await Promise.all([2, { d: 4 }]);\nclass K { static #n = 1; static n() { return K.#n; } }\nexport let n = await K.n();\n" +
			"for await (const x of [Promise.resolve('x'), 'y']) n += x;\nconsole.log(b, c, rest, n, K.name, fs.readFileSync === read, f());\nfunction f() { return n + typeof K; }\n" +
			"try { await Promise.reject(new Error('no')); } catch (e) { console.log(e.message); }\n" +
			"const ns = await import('./lazy.mjs');\nconsole.log(ns.z, ns.default, (await import('./lazy.mjs')) === ns);",
		"a.js":     "console.log('a');\nexport let a = await 1;\nexport const late = () => a + 1;\nconsole.log('a again');",
		"lazy.mjs": "export const z = await 26; export default 'd';"},
		"a\na again\nmain 1 2\n2 3 { d: 4 } 1xy K true 1xyfunction\nno\n26 d true")
	runs(t, "a package", files{"package.json": esm,
		"main.js":                     "import p from 'p'; import q from 'q'; console.log(p, q, import.meta.url.slice(-8));",
		"node_modules/p/index.mjs":    "export default await Promise.resolve(5);",
		"node_modules/p/package.json": `{"exports": "./index.mjs"}`,
		"node_modules/q/index.js":     "const fs = require('fs'); module.exports = typeof fs.readFileSync + typeof require + (require.main === module);",
		"node_modules/q/package.json": `{"main": "index.js"}`},
		"5 functionfunctionfalse /main.js")
	runs(t, "imported by a script", files{"main.js": "console.log(typeof require); import('./a.mjs').then((m) => console.log(m.x));", "a.mjs": "export const x = await 7;"}, "function\n7")
	runs(t, "circles", files{"package.json": esm,
		"main.js":    "import { db } from './db.js'; import { route } from './routes.js'; console.log(route(), db); import('./more.js').then((m) => console.log(m.m));",
		"db.js":      "export const db = await 1;",
		"routes.js":  "import { db } from './db.js'; import { serve } from './service.js'; export const route = () => 'r' + serve(); export const name = db + 'n'; console.log('routes');",
		"service.js": "import { db } from './db.js'; import { name } from './routes.js'; import { c } from './c.js'; export const serve = () => name + db + c(); console.log('service');",
		"c.js":       "import { route } from './routes.js'; await null; import { serve } from './service.js'; export const c = () => typeof route + typeof serve; console.log('c');",
		"more.js":    "import './db.js'; import { n } from './again.js'; export let m = await 1; console.log(n());",
		"again.js":   "import './db.js'; import { m } from './more.js'; export const n = () => typeof m;"},
		"c\nservice\nroutes\nr1n1functionfunction 1\nnumber\n1")
	runs(t, "TypeScript", files{"package.json": `{"main": "main.ts"}`,
		"main.ts": "import { v } from './v.mts';\nconst m: Map<string, number> = await v;\nenum E { A = 1 }\nconsole.log(m.size, E.A);",
		"v.mts":   "export const v: Promise<Map<string, number>> = Promise.resolve(await new Map([['a', 1]]));"},
		"1 1")
	runs(t, "a namespace", files{"package.json": esm,
		"main.js": "import * as ns from './ns.js'; const late = await import('./ns.js'); console.log(Object.keys(ns).join(), Object.prototype.toString.call(ns), Object.getPrototypeOf(ns), ns.c, late === ns, ns[Symbol.toStringTag]);",
		"ns.js":   "export let c = 1, a = 2; export default 3; c = 4;"},
		"a,c,default [object Module] null 4 true Module")
	runs(t, "a require of its own", files{"package.json": esm, "main.js": "const __require = (x) => x + 1; console.log(__require(await 1));"}, "2")
}

// What it says about a place is about the source.
func TestTopLevelAwaitPositions(t *testing.T) {
	fs := files{"package.json": `{"type": "module", "main": "main.js"}`,
		"main.js": "import './b.js';\nconst x = await MARK1;\n//karousos:loggable\nlet m = await MARK2, k = new Map(), l = MARK3(require('fs'));\nasync function f() { MARK4; await MARK5(x); }",
		"b.js":    "import fs from 'fs';\nexport let b = [await 1,\n  fs.MARK6];"}
	b := first(t, fs)
	for _, name := range []string{"MARK1", "MARK2", "MARK3", "MARK4", "MARK5", "MARK6"} {
		got, ok := b.Position(strings.Index(b.Text, name))
		if !ok {
			t.Fatalf("%s: no position", name)
		}
		l := NewLines(fs[got.File])
		if off := l.Offset(got.Line-1, got.Column-1); !strings.HasPrefix(fs[got.File][off:], name) {
			t.Errorf("%s: %v is %q", name, got, fs[got.File][off:])
		}
	}
	if len(b.Annotations) != 3 || b.Annotations[0].Name != "m" {
		t.Errorf("annotations %v", b.Annotations)
	}
}
