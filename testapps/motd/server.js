'use strict';

// Message of the day. A message belongs to a date; one that is not readable
// every day is shown on its own date only. Everything is kept in memory.

const express = require('express');

//karousos:loggable
const motd = new Map();

const app = express();
app.use(express.json());

function today() {
  return new Date().toISOString().slice(0, 10);
}

app.post('/post', (req, res) => {
  const { date, message, readable } = req.body;
  if (typeof date !== 'string' || typeof message !== 'string') {
    res.status(400).type('text').send('date and message are needed');
    return;
  }
  motd.set(date, { message, readable: readable === true });
  res.type('text').send(`Message set for ${date}`);
});

app.post('/getdate', (req, res) => {
  const { date } = req.body;
  const entry = motd.get(date);
  if (entry === undefined || (!entry.readable && date !== today())) {
    res.type('text').send(`No message for ${date}`);
    return;
  }
  res.type('text').send(`${date}: ${entry.message}`);
});

const port = process.env.PORT || 3000;
app.listen(port, () => {
  console.log(`motd listening on port ${port}`);
});
