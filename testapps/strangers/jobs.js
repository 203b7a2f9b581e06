// A job queue with a worker that sleeps when there is nothing to do.
//> POST /jobs {"kind":"{sum|rev|bad}","input":"{12|345|6}"}
//> POST /jobs {"kind":"{sum|rev|bad}","input":"{12|345|6}"}
//> GET /jobs/{1-30}
//> GET /jobs
const express = require('express');
const jobs = new Map();
const waiting = [];
let working = false;
let lastId = 0;

const kinds = {
  sum: async (s) => [...s].reduce((a, c) => a + Number(c), 0),
  rev: async (s) => [...s].reverse().join(''),
};

async function work() {
  if (working) return;
  working = true;
  while (waiting.length > 0) {
    const job = waiting.shift();
    job.state = 'running';
    await new Promise((r) => setTimeout(r, 1));
    try {
      if (!kinds[job.kind]) throw new Error(`cannot ${job.kind}`);
      job.result = await kinds[job.kind](job.input);
      job.state = 'done';
    } catch (e) {
      job.state = 'failed';
      job.error = e.message;
    }
  }
  working = false;
}

const app = express();
app.use(express.json());
app.post('/jobs', (req, res) => {
  const job = { id: ++lastId, state: 'waiting', ...req.body };
  jobs.set(job.id, job);
  waiting.push(job);
  work();
  res.status(202).json({ id: job.id, ahead: waiting.length });
});
app.get('/jobs/:id', (req, res) => {
  const job = jobs.get(+req.params.id);
  job ? res.json(job) : res.status(404).end();
});
app.get('/jobs', (req, res) => {
  const by = {};
  for (const { state } of jobs.values()) by[state] = (by[state] ?? 0) + 1;
  res.json(by);
});
app.listen(process.env.PORT || 3000);
