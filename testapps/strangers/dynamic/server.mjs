// A module that is imported when it is first asked for.
//> GET /greet/{ann|bob}
//> GET /greet/{ann|bob}
//> GET /count
import http from 'node:http';
let imports = 0;
http.createServer(async (req, res) => {
  const [, what, who] = req.url.split('/');
  imports++;
  const { greet, greeted } = await import('./greetings.mjs');
  res.end(what === 'greet' ? greet(who) : `${greeted.size} ${imports > 0}`);
}).listen(process.env.PORT || 3000);
