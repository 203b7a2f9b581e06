// What is made when it is first needed: a singleton, a config, a table.
//> GET /sin/{0-9}
//> GET /sin/{0-9}
//> GET /config
//> GET /pool
const express = require('express');
let instance;
class Pool {
  static get() {
    return (instance ??= new Pool());
  }
  used = 0;
  idle = ['c1', 'c2', 'c3'];
  async with(f) {
    const c = this.idle.pop() ?? `x${this.used}`;
    this.used++;
    try {
      return await f(c);
    } finally {
      this.idle.push(c);
    }
  }
}
const config = {
  get port() {
    Object.defineProperty(this, 'port', { value: 42 });
    return this.port;
  },
  loaded: false,
};
let table;
function sines() {
  if (!table) table = Float32Array.from({ length: 10 }, (_, i) => Math.fround(i / 4));
  return table;
}
const app = express();
app.get('/sin/:i', (req, res) => res.send(String(sines()[req.params.i])));
app.get('/config', (req, res) => {
  if (!config.loaded) config.loaded = true;
  res.json({ port: config.port, loaded: config.loaded });
});
app.get('/pool', async (req, res) => {
  const c = await Pool.get().with(async (c) => {
    await new Promise((r) => setTimeout(r, 1));
    return c;
  });
  res.json({ c, used: Pool.get().used, idle: Pool.get().idle });
});
app.listen(process.env.PORT || 3000);
