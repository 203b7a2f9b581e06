//> PUT /prefs/{ann|bob}?theme={dark|light}&size={1-3}
//> GET /prefs/{ann|bob}
//> POST /swap/{0-4}/{0-4}
//> POST /rotate/{1-3}
//> GET /board
// Logical assignment, swaps by destructuring, labels, nested arrays.
const http = require('http');
const prefs = {};
const defaults = { theme: 'light', size: 2, panels: { left: true, right: false } };
let tiles = ['a', 'b', 'c', 'd', 'e'];
const board = [[0, 0, 0], [0, 0, 0], [0, 0, 0]];
let moves = 0n;
http
  .createServer((req, res) => {
    const url = new URL(req.url, 'http://x');
    const [, what, a, b] = url.pathname.split('/');
    if (what === 'prefs') {
      const mine = (prefs[a] ??= { ...defaults, panels: { ...defaults.panels } });
      if (req.method === 'PUT') {
        const { theme, size } = Object.fromEntries(url.searchParams);
        mine.theme = theme;
        mine.size &&= Number(size);
        mine.panels.right ||= size === '3';
        mine.seen ??= [];
        mine.seen.push(theme);
        if (mine.seen.length > 3) mine.seen.length = 2;
      }
      const { theme = 'none', panels: { right, left: l = 1 }, seen: [first, ...more] = [] } = mine;
      return res.end(JSON.stringify([theme, right, l, first, more]));
    }
    if (what === 'swap') {
      [tiles[a], tiles[b]] = [tiles[b], tiles[a]];
      moves++;
      outer: for (const [y, row] of board.entries()) {
        for (const x in row) {
          if (row[x] < 3) {
            row[x]++;
            break outer;
          }
        }
        if (y === 2) board.forEach((r) => r.fill(0));
      }
      return res.end(tiles.join('') + moves);
    }
    if (what === 'rotate') {
      tiles = [...tiles.slice(a), ...tiles.slice(0, a)];
      tiles.copyWithin(0, 4);
      return res.end(tiles.join(''));
    }
    res.end(`${board.flat().join('')} ${moves} ${tiles.includes('a')} ${tiles.lastIndexOf('e')}`);
  })
  .listen(process.env.PORT || 3000);
