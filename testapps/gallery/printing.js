// Prints while it answers, and goes on with what comes from outside.
const fs = require('fs');
const http = require('http');

http
  .createServer((req, res) => {
    console.log('asked for %s', req.url);
    console.error('asked for %s', req.url);
    fs.readFile('package.json', 'utf8', (err, text) => {
      if (err) throw err;
      process.stdout.write('found it\n', () => res.end(req.url + ' ' + JSON.parse(text).name));
    });
  })
  .listen(process.env.PORT);
