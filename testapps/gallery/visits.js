// Requests whose clients leave, and that share nothing but what a log can hold.
const http = require('http');

const heard = [];
const visits = { events: 0, waiting: 0, uploading: 0 };

const handlers = {
  '/events'(q, s) {
    visits.events++;
    let n = 0;
    const timer = setInterval(() => s.write(`data: ${n++}\n\n`), 5);
    s.on('close', () => {
      clearInterval(timer);
      visits.events--;
      heard.push('gone');
    });
  },
  '/wait/never'(q, s) {
    visits.waiting++;
    s.on('finish', () => heard.push('finished')).on('close', () => {
      visits.waiting--;
      heard.push(`closed ${s.writableFinished} ${q.destroyed}`);
      s.write('nobody hears', (e) => heard.push(e.code));
    });
  },
  '/upload'(q, s) {
    let length = 0;
    let pieces = 0;
    visits.uploading++;
    q.on('data', (d) => {
      length += d.length;
      pieces++;
    });
    q.on('end', () => s.end(`${length} in ${pieces > 1 ? 'pieces' : 'one'}`));
    q.on('aborted', () => heard.push('aborted'));
    q.on('error', (e) => heard.push(`upload: ${e.code} after ${length}`));
    q.on('close', () => visits.uploading--);
  },
  // What has come of a body is told when nobody waits for the answer any more.
  '/late'(q, s) {
    visits.uploading++;
    q.socket.on('error', (e) => heard.push(`late: ${e.code}`));
    q.on('data', (d) => heard.push(`late: ${d.length}`));
    q.on('end', () => heard.push('late: all'));
    s.on('close', () =>
      setTimeout(() => {
        visits.uploading--;
        heard.push(`late: ${q.complete}`);
      }, 2),
    );
  },
  '/state': (q, s) => s.end(JSON.stringify({ visits, heard })),
};

http.createServer((q, s) => handlers[q.url](q, s)).listen(process.env.PORT);
