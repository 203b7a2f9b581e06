'use strict';

// Message of the day on Express 5, whose handlers may be asynchronous: the
// store answers with promises, as one on another machine would.

const express = require('express');

//karousos:loggable
const motd = new Map();

const store = {
  async get(date) {
    return motd.get(date);
  },
  async set(date, entry) {
    motd.set(date, entry);
  },
};

const app = express();
app.use(express.json());

function today() {
  return new Date().toISOString().slice(0, 10);
}

app.post('/post', async (req, res) => {
  const { date, message, readable } = req.body ?? {};
  if (typeof date !== 'string' || typeof message !== 'string') {
    res.status(400).type('text').send('date and message are needed');
    return;
  }
  await store.set(date, { message, readable: readable === true });
  res.type('text').send(`Message set for ${date}`);
});

app.post('/getdate', async (req, res) => {
  const { date } = req.body ?? {};
  const entry = await store.get(date);
  if (!entry || (!entry.readable && date !== today())) {
    res.type('text').send(`No message for ${date}`);
    return;
  }
  res.type('text').send(`${date}: ${entry.message}`);
});

// Express 5 hands a failure to listen to the same callback.
const port = process.env.PORT || 3000;
app.listen(port, (error) => {
  if (error) throw error;
  console.log(`motd-express5 listening on port ${port}`);
});
