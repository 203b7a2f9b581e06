package serverbuild

import (
	"strconv"
	"testing"

	"karousosc/transpile/internal/nodetest"
)

// work is a program that branches and calls a lot, as a server's code does:
// a JSON parser, a router and a template.
const work = `
function json(s) {
  let i = 0;
  function ws() { while (s[i] === ' ') i++; }
  function value() {
    ws();
    const c = s[i];
    if (c === '{') { const o = {}; i++; do { ws(); const k = str(); ws(); i++; o[k] = value(); ws(); } while (s[i++] === ','); return o; }
    if (c === '[') { const a = []; i++; do { a.push(value()); ws(); } while (s[i++] === ','); return a; }
    if (c === '"') return str();
    let from = i;
    while (i < s.length && (s[i] >= '0' && s[i] <= '9' || s[i] === '-' || s[i] === '.')) i++;
    return +s.slice(from, i);
  }
  function str() { const from = ++i; while (s[i] !== '"') i++; return s.slice(from, i++); }
  return value();
}
const routes = [];
for (const p of ['/a', '/b', '/users/', '/items/']) routes.push({ path: p, handle: (req) => p.length + req.url.length });
function route(req) {
  for (let i = 0; i < routes.length; i++) { const r = routes[i]; if (req.url.startsWith(r.path)) return r.handle(req); }
  return req.missing ? 0 : -1;
}
const text = JSON.stringify({ users: [{ name: 'ann', age: 30 }, { name: 'bob', age: 41 }], ok: 1, list: [1, 2, 3, 4, 5] });
function once(n) {
  const o = json(text);
  let total = route({ url: '/items/' + n }) + route({ url: '/none' });
  for (const u of o.users) total += u.age > 35 ? u.name.length : u.age;
  for (let i = 0; i < o.list.length; i++) total += o.list[i];
  return total;
}
let best = Infinity, sum = 0;
for (let round = 0; round < 25; round++) {
  const t = now();
  for (let n = 0; n < 4000; n++) sum += once(n);
  best = Math.min(best, (now() - t) / 4000);
}
print(Math.round(best * 1e6));
`

// BenchmarkMarks says what marks and sites cost: nanoseconds of the program above
// as it is, with marks, and with marks and sites.
func BenchmarkMarks(b *testing.B) {
	// In a function, as in a module: a script's own variables are slow.
	file := func(text string) string {
		return "(function () { var now = () => performance.now();\n" + text + "\n})();"
	}
	texts := []string{
		file(work),
		file(wrap(b, work, Options{}, false)),
		file(wrap(b, work+"__karousos_loggable(0);", Options{}, false)),
	}
	for range b.N {
		out := nodetest.Run(b, texts)
		var ns [3]float64
		for i, s := range out {
			ns[i], _ = strconv.ParseFloat(s, 64)
		}
		b.ReportMetric(ns[0], "plain-ns")
		b.ReportMetric(ns[1], "marks-ns")
		b.ReportMetric(ns[2], "sites-ns")
		b.ReportMetric(ns[1]/ns[0], "marks/plain")
		b.ReportMetric(ns[2]/ns[0], "sites/plain")
	}
}
