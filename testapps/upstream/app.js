'use strict';

// Asks another server in many ways, and answers with what became of it. The other
// server is the rest of the address: /get?http%3A%2F%2F127.0.0.1%3A4000
const express = require('express');

// Everybody's: what comes from outside must agree with the order in which it is used.
const counts = new Map();

module.exports = (things) => {
  const app = express();
  app.get('/:thing', async (req, res) => {
    const { thing } = req.params;
    const f = things[thing];
    if (!f) return res.status(404).send('no such thing');
    const at = decodeURIComponent(req.url.slice(req.url.indexOf('?') + 1));
    let out;
    try {
      out = await f(at, req, res);
    } catch (e) {
      out = { name: e.name, message: e.message, code: e.code };
    }
    counts.set(thing, (counts.get(thing) || 0) + 1);
    if (out !== undefined) res.json(out);
  });
  app.listen(process.env.PORT || 3000);
};
