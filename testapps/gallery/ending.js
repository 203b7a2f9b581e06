'use strict';

// It counts what it is sent, and tells how many have begun to send.

const http = require('http');

let total = 0;
let begun = 0;

http.createServer((req, res) => {
  if (req.url === '/total') return res.end(String(total));
  if (req.url === '/begun') return res.end(String(begun));
  begun++;
  let text = '';
  req.setEncoding('utf8');
  req.on('data', (s) => (text += s));
  req.on('end', () => {
    total += text.length;
    res.end(String(total));
  });
}).listen(process.env.PORT || 3000);
