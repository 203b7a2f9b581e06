'use strict';

// GET /<program>/<request>/<slots> does what the request says, in the notation of
// package enumerate, on the variables of that program. Each timer of a request waits
// for its slot; gate.js makes the slots of a program come one after the other.

const http = require('http');

//karousos:loggable
const cells = new Map();
for (let p = 0; p < 6000; p++) for (const v of 'xyz') cells.set(v + p, '0');

// parse turns the notation into steps.
function parse(text, slots) {
  let i = 0;
  let gates = 0;
  let writes = 0;
  const sequence = () => {
    const steps = [];
    while (i < text.length && text[i] !== ')' && text[i] !== ']' && text[i] !== '|') {
      const c = text[i++];
      if (c === '.') steps.push({ gate: slots[++gates] });
      else if (c === ',') steps.push({ next: true });
      else if (c === '!') steps.push({ answer: true });
      else if (c === '=') steps.push({ copy: text[i++] });
      else if (c === '(' || c === '[') {
        const parts = [sequence()];
        while (text[i] === '|') {
          i++;
          parts.push(sequence());
        }
        i++;
        steps.push({ parts, race: c === '[' });
      } else if (c >= 'a') steps.push({ read: c });
      else steps.push({ write: c.toLowerCase(), value: String.fromCharCode(97 + writes++) });
    }
    return steps;
  };
  return sequence();
}

// In every other program, those that are to fire later have the shorter delays.
const wait = (p, slot) => new Promise((resolve) => setTimeout(resolve, p * 64 + (p % 2 === 0 ? slot : 63 - slot)));

function put(r, name, value) {
  if (name === 'v') r.own = value;
  else cells.set(name + r.program, value);
}

async function run(r, steps) {
  let seen = [];
  for (const s of steps) {
    if (s.gate !== undefined) await wait(r.program, s.gate);
    else if (s.next) await null;
    else if (s.answer) r.answer(seen);
    else if (s.read) seen.push(s.read === 'v' ? r.own : cells.get(s.read + r.program));
    else if (s.write) put(r, s.write, r.id + s.value);
    else if (s.copy) put(r, s.copy, seen.length > 0 ? seen[seen.length - 1] : '0');
    else if (s.race) seen = seen.concat(await Promise.race(s.parts.map((part) => run(r, part))));
    else {
      const parts = await Promise.all(s.parts.map((part) => run(r, part)));
      for (const part of parts) seen = seen.concat(part);
    }
  }
  return seen;
}

const server = http.createServer(async (req, res) => {
  const [, program, id, text, times] = decodeURIComponent(req.url).split('/');
  const slots = times.split(',').map(Number);
  let answered = false;
  const r = {
    program: Number(program),
    id,
    own: '0',
    answer(seen) {
      answered = true;
      res.end(seen.join(','));
    },
  };
  await wait(r.program, slots[0]);
  const seen = await run(r, parse(text, slots));
  if (!answered) r.answer(seen);
});

server.listen(Number(process.env.PORT) || 3000);
