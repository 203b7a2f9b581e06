// One object in several places, and identity.
//> POST /move/{a|b|c}/{todo|doing|done}
//> POST /move/{a|b|c}/{todo|doing|done}
//> POST /rename/{a|b|c}/{x|y|z}
//> POST /merge/{a|b}/{b|c}
//> GET /
const http = require('http');
const cards = new Map(['a', 'b', 'c'].map((id) => [id, { id, title: id.toUpperCase(), moves: 0, self: null }]));
for (const c of cards.values()) c.self = c;
const lanes = { todo: [...cards.values()], doing: [], done: [] };
let latest = cards.get('a');

http.createServer((req, res) => {
  const [, what, id, x] = req.url.split('/');
  const card = cards.get(id);
  if (what === 'move') {
    for (const lane of Object.values(lanes)) {
      const i = lane.indexOf(card);
      if (i >= 0) lane.splice(i, 1);
    }
    lanes[x].push(card);
    card.self.moves++;
    latest = card;
  }
  if (what === 'rename') latest.title = card.title = x + card.self.moves;
  if (what === 'merge') cards.set(id, cards.get(x));
  const lane = Object.keys(lanes).find((k) => lanes[k].includes(latest));
  res.end(JSON.stringify({ lanes: Object.values(lanes).map((l) => l.map((c) => c.title).join()), lane, same: cards.get('a') === cards.get('b'), latest: latest.title, cyclic: latest.self === latest.self.self }));
}).listen(process.env.PORT || 3000);
