'use strict';

// What requests share here cannot be written into a log: callbacks of requests that
// wait for others, promises that several requests await, work that the app starts
// at load. Nothing is annotated.

const express = require('express');

function openRoom() {
  const messages = [];
  let waiting = [];
  return {
    post(text) {
      const message = { id: messages.length + 1, text };
      messages.push(message);
      const all = waiting;
      waiting = [];
      for (const tell of all) tell(message);
      return message.id;
    },
    // poll tells of the first message after since, now or when it comes.
    poll(since, ms, tell) {
      const message = messages.find((m) => m.id > since);
      if (message) return tell(message);
      const late = setTimeout(() => {
        waiting = waiting.filter((f) => f !== answer);
        tell(null);
      }, ms);
      const answer = (m) => {
        clearTimeout(late);
        tell(m);
      };
      waiting.push(answer);
    },
  };
}

const rooms = new Map();
function room(name) {
  if (!rooms.has(name)) rooms.set(name, openRoom());
  return rooms.get(name);
}

// One load at a time for each key; who comes meanwhile gets the same promise.
const loading = new Map();
let loads = 0;
function load(key) {
  let p = loading.get(key);
  if (p === undefined) {
    p = new Promise((resolve) => setTimeout(resolve, 3)).then(() => {
      loading.delete(key);
      return { key, load: ++loads };
    });
    loading.set(key, p);
  }
  return p;
}

// A lock around a read-modify-write.
let last = Promise.resolve();
let tickets = 0;
function exclusive(f) {
  const p = last.then(f);
  last = p.catch(() => {});
  return p;
}

// Feature flags that are loaded anew all the time.
let flags = { generation: 0 };
setInterval(() => {
  flags = { generation: flags.generation + 1, since: Date.now() };
}, 5).unref();

const app = express();
app.use(express.text());

app.post('/rooms/:name', (req, res) => res.json({ id: room(req.params.name).post(req.body) }));

app.get('/rooms/:name', (req, res) => {
  room(req.params.name).poll(Number(req.query.since) || 0, 20, (m) => (m ? res.json(m) : res.status(204).end()));
});

app.get('/load/:key', async (req, res) => {
  res.json(await load(req.params.key));
});

app.post('/ticket', async (req, res) => {
  const mine = await exclusive(async () => {
    const before = tickets;
    await new Promise((resolve) => setTimeout(resolve, 1));
    tickets = before + 1;
    return tickets;
  });
  res.json({ ticket: mine });
});

app.get('/flags', (req, res) => res.json(flags));

const port = process.env.PORT || 3000;
app.listen(port, () => console.log(`chat listens on ${port}`));
