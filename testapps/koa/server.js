'use strict';
const Koa = require('koa');
const Router = require('@koa/router');
const bodyParser = require('koa-bodyparser');

const app = new Koa({ keys: ['one key', 'another'] });
const router = new Router();

//karousos:loggable
const notes = new Map();

app.on('error', () => {}); // nothing on the terminal

app.use(async (ctx, next) => {
  ctx.set('X-Served-By', 'koa');
  try {
    await next();
  } catch (e) {
    ctx.status = e.status ?? 500;
    ctx.body = { error: e.expose ? e.message : 'internal' };
    if (ctx.status === 500) ctx.app.emit('error', e, ctx);
  }
});
app.use(bodyParser({ jsonLimit: '20kb' }));

router.get('/notes', (ctx) => {
  ctx.body = [...notes.entries()].map(([id, { text }]) => ({ id, text }));
});
router.get('/notes/:id', async (ctx) => {
  const note = notes.get(ctx.params.id);
  ctx.assert(note, 404, 'no such note');
  await null;
  ctx.body = note;
  ctx.etag = `${ctx.params.id}-${note.version}`;
  if (ctx.fresh) ctx.status = 304;
});
router.put('/notes/:id', async (ctx) => {
  const { text } = ctx.request.body;
  if (typeof text !== 'string') ctx.throw(422, 'text is missing');
  const old = notes.get(ctx.params.id);
  notes.set(ctx.params.id, { text, version: (old?.version ?? 0) + 1 });
  ctx.status = old ? 200 : 201;
  ctx.body = { id: ctx.params.id };
});
router.del('/notes/:id', (ctx) => {
  ctx.status = notes.delete(ctx.params.id) ? 204 : 404;
});
router.get('/text', (ctx) => (ctx.body = `text for ${ctx.query.name ?? 'nobody'}`));
router.get('/html', (ctx) => (ctx.body = '<p>html</p>'));
router.get('/buffer', (ctx) => (ctx.body = Buffer.from([1, 2, 255])));
router.get('/cookie', (ctx) => {
  const seen = ctx.cookies.get('seen', { signed: true });
  ctx.cookies.set('seen', String(Number(seen ?? 0) + 1), { signed: true });
  ctx.body = { seen: seen ?? null };
});
router.get('/old', (ctx) => ctx.redirect('/notes'));
router.get('/boom', () => {
  throw new Error('boom');
});

app.use(router.routes()).use(router.allowedMethods());
app.listen(Number(process.env.PORT || 3000));
