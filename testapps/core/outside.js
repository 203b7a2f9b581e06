'use strict';
// What comes from outside: the input is the address of another server.
const failure = (e) => [e.name, e.message, e.cause && e.cause.code];

module.exports = {
  fetched: async (url) => {
    const r = await fetch(url + '/json?a=1', { method: 'POST', body: 'sent', headers: { 'X-Sent': 'yes' } });
    return [r.ok, r.status, r.statusText, r.headers.get('x-answer'), r.headers.get('content-type'), await r.json(), r.bodyUsed, r instanceof Response, Object.prototype.toString.call(r.headers)];
  },
  several: async (url) => {
    const all = await Promise.all([1, 2, 3].map((n) => fetch(url + '/slow?' + n).then((r) => r.text())));
    const order = [];
    await Promise.all([30, 1, 15].map(async (ms) => order.push(await (await fetch(url + '/wait?' + ms)).text())));
    return [all, order.length];
  },
  ordered: async (url) => {
    const order = [];
    const timer = new Promise((resolve) => setTimeout(() => resolve(order.push('timer')), 20));
    await Promise.all([60, 1, 40].map(async (ms) => order.push(await (await fetch(url + '/wait?' + ms)).text())).concat(timer));
    return order;
  },
  missing: async (url) => {
    const r = await fetch(url + '/missing');
    const copy = r.clone();
    return [await copy.text(), copy.url === r.url, r.headers instanceof Headers, r.status, r.ok, (await r.arrayBuffer()).byteLength, await r.text().catch(failure)];
  },
  // A body that is read as the stream that it would be.
  streamed: async (url) => {
    const r = await fetch(url + '/json?s');
    const reader = r.body.getReader();
    const out = [r.bodyUsed, r.body.locked];
    let text = '';
    for (let next = await reader.read(); !next.done; next = await reader.read()) text += Buffer.from(next.value);
    await reader.closed;
    out.push(text, r.bodyUsed, await r.text().catch((e) => e.name));
    let n = 0;
    for await (const chunk of (await fetch(url + '/json?t')).body) n += chunk.length;
    const left = await fetch(url + '/json?u');
    await left.body.cancel();
    return [...out, n, left.bodyUsed, `${left.body}`];
  },
  refused: async () => fetch('http://127.0.0.1:1/').catch((e) => failure(e)),
  invalid: async () => fetch('nonsense').catch((e) => [e.name]),
  aborted: async (url) => {
    const c = new AbortController();
    setTimeout(() => c.abort(), 5);
    return fetch(url + '/wait?3000', { signal: c.signal }).catch((e) => failure(e).slice(0, 2));
  },
  timedout: async (url) => fetch(url + '/wait?3000', { signal: AbortSignal.timeout(5) }).catch((e) => failure(e).slice(0, 2)),
};
