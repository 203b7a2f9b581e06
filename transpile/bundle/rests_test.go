package bundle

import "testing"

// What a pattern with a rest cannot take apart is called what Node.js calls it.
func TestRests(t *testing.T) {
	runs(t, "null and undefined", files{"main.js": `const t = (f) => { try { f(); console.log('ok') } catch (e) { console.log(e.message) } };
for (const n of [null, undefined]) {
t(() => { for (const { a } of [n]); }); t(() => { for (const { a, ...r } of [n]); });
t(() => { try { throw n } catch ({ a }) {} }); t(() => { try { throw n } catch ({ a, ...r }) {} });
t(() => { const { x: { y } } = { x: n }; }); t(() => { const { x: { y, ...r } } = { x: n }; });
t(() => { const [{ y }] = [n]; }); t(() => { const [{ y, ...r }] = [n]; });
t(() => (([{ y, ...r }]) => 1)([n])); t(() => (({ y, ...r } = {}) => 1)(n)); t(() => (({ y: { q }, ...r } = {}) => 1)(n)); t(() => (({ ...r }) => 1)(n));
t(() => (({ ['a' + n]: q, ...r }) => 1)(n)); t(() => { let a, r; ({ a, ...r } = n); }); t(() => { let a, r; ({ ...r } = n); }); t(() => { const { ...r } = n; });
t(() => { const o = { p: n }; const { a, ...r } = o.p; }); t(() => { const o = { p: n }; const { a, ...r } = o?.p; }); t(() => { const o = { p: n }; const { a, ...r } = o.p ?? n; }); t(() => { const f = () => n; const { a, ...r } = f(); });
t(() => { const f = () => n; const { a: [z], ...r } = f(); }); t(() => { const f = () => n; const { a = 1, ...r } = f(); }); t(() => { const o = {p: n}; const { 'x-y': a = 1, ...r } = o['p']; }); t(() => { const o = {p: n}; const { 5: a = 1, ...r } = o[0]; });
}
(async () => { for (const n of [null]) { try { const { a, ...r } = await n; } catch (e) { console.log(e.message) } try { await (async ({ a, ...r }) => 1)(n) } catch (e) { console.log(e.message) } } })();
`}, `Cannot destructure property 'a' of '.for' as it is null.
Cannot destructure property 'a' of '.for' as it is null.
Cannot destructure property 'a' of '.catch' as it is null.
Cannot destructure property 'a' of '.catch' as it is null.
Cannot read properties of null (reading 'y')
Cannot read properties of null (reading 'y')
Cannot read properties of null (reading 'y')
Cannot read properties of null (reading 'y')
Cannot read properties of null (reading 'y')
Cannot destructure property 'y' of '(intermediate value)(intermediate value)(intermediate value)' as it is null.
Cannot destructure property 'y' of '(intermediate value)(intermediate value)(intermediate value)' as it is null.
Cannot destructure 'object null' as it is null.
Cannot destructure 'object null' as it is null.
Cannot destructure property 'a' of 'n' as it is null.
Cannot destructure 'n' as it is null.
Cannot destructure 'n' as it is null.
Cannot destructure property 'a' of 'o.p' as it is null.
Cannot destructure property 'a' of '(intermediate value)' as it is null.
Cannot destructure property 'a' of '(o.p ?? n)' as it is null.
Cannot destructure property 'a' of 'f(...)' as it is null.
Cannot destructure property 'a' of 'f(...)' as it is null.
Cannot read properties of null (reading 'a')
Cannot read properties of null (reading 'x-y')
Cannot read properties of undefined (reading '5')
Cannot destructure property 'a' of '.for' as it is undefined.
Cannot destructure property 'a' of '.for' as it is undefined.
Cannot destructure property 'a' of '.catch' as it is undefined.
Cannot destructure property 'a' of '.catch' as it is undefined.
Cannot read properties of undefined (reading 'y')
Cannot read properties of undefined (reading 'y')
Cannot read properties of undefined (reading 'y')
Cannot read properties of undefined (reading 'y')
Cannot read properties of undefined (reading 'y')
ok
Cannot read properties of undefined (reading 'q')
Cannot destructure 'undefined' as it is undefined.
Cannot destructure 'undefined' as it is undefined.
Cannot destructure property 'a' of 'n' as it is undefined.
Cannot destructure 'n' as it is undefined.
Cannot destructure 'n' as it is undefined.
Cannot destructure property 'a' of 'o.p' as it is undefined.
Cannot destructure property 'a' of '(intermediate value)' as it is undefined.
Cannot destructure property 'a' of '(o.p ?? n)' as it is undefined.
Cannot destructure property 'a' of 'f(...)' as it is undefined.
Cannot destructure property 'a' of 'f(...)' as it is undefined.
Cannot read properties of undefined (reading 'a')
Cannot read properties of undefined (reading 'x-y')
Cannot read properties of undefined (reading '5')
Cannot destructure property 'a' of '(intermediate value)' as it is null.
Cannot destructure property 'a' of 'object null' as it is null.`)
}
