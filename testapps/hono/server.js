'use strict';
// Notes, on Hono and its server for Node.js.
const { serve } = require('@hono/node-server');
const { Hono } = require('hono');
const { cors } = require('hono/cors');
const { getCookie, setCookie } = require('hono/cookie');
const { stream, streamSSE, streamText } = require('hono/streaming');

const app = new Hono();
const notes = new Map();
let last = 0;

app.use('*', cors());
app.get('/notes', (c) => c.json([...notes.values()]));
app.post('/notes', async (c) => {
  const { text } = await c.req.json();
  const note = { id: ++last, text };
  notes.set(note.id, note);
  return c.json(note, 201);
});
app.get('/notes/:id', (c) => {
  const note = notes.get(Number(c.req.param('id')));
  return note ? c.json(note) : c.notFound();
});
app.delete('/notes/:id', (c) => c.body(null, notes.delete(Number(c.req.param('id'))) ? 204 : 404));
app.post('/form', async (c) => {
  const form = await c.req.parseBody();
  return c.html(`<b>${form.name}</b>`);
});
app.get('/visits', (c) => {
  const n = Number(getCookie(c, 'sid') || 0) + 1;
  setCookie(c, 'sid', String(n));
  return c.text(`visit ${n}`);
});
app.get('/home', (c) => c.redirect('/notes'));
app.get('/fails', () => {
  throw new Error('on purpose');
});
// A Response of a Response's body, and one that is read.
app.get('/made', async (c) => {
  const r = new Response('made of text', { headers: { 'X-Made': 'yes' } });
  const again = new Response(r.clone().body, r);
  return c.json([await r.text(), r.bodyUsed, again.headers.get('x-made'), await again.json().catch((e) => e.name), (await new Response(new Uint8Array([1, 2])).arrayBuffer()).byteLength, await new Response().text()]);
});
// Answers that come bit by bit.
app.get('/lines', (c) =>
  streamText(c, async (s) => {
    for (const note of notes.values()) {
      await s.writeln(note.text);
      await s.sleep(1);
    }
  }),
);
app.get('/events', (c) =>
  streamSSE(c, async (s) => {
    for (let i = 0; i < 3; i++) await s.writeSSE({ data: `note ${i} of ${notes.size}`, event: 'note', id: String(i) });
  }),
);
app.get('/broken', (c) =>
  stream(
    c,
    async (s) => {
      await s.pipe(new Response('piped, ').body);
      throw new Error('on purpose');
    },
    async (e, s) => void (await s.write(e.message)),
  ),
);
app.post('/upper', (c) =>
  c.body(c.req.raw.body.pipeThrough(new TextDecoderStream()).pipeThrough(new TransformStream({ transform: (s, to) => to.enqueue(s.toUpperCase()) })).pipeThrough(new TextEncoderStream())),
);
app.post('/upload', async (c) => {
  const { file } = await c.req.parseBody();
  return c.json([file.name, file.type, await file.text()]);
});
app.onError((e, c) => c.text(`failed: ${e.message}`, 500));

serve({ fetch: app.fetch, port: Number(process.env.PORT || 3000) });
