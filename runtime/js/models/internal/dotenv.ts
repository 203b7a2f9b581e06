// util.parseEnv, as Node.js 20 reads a file of variables.
import { Buffer } from '../buffer';
import { host } from './host';

const trim = (s: string): string => s.replace(/^ +| +$/g, '');

function pairs(content: string): Map<string, string> {
  const found = new Map<string, string>();
  let rest = trim(content.replaceAll('\r', ''));
  // toLineEnd leaves what follows a value on its line.
  const toLineEnd = (from: number): void => {
    const at = rest.indexOf('\n', from);
    rest = at < 0 ? '' : rest.slice(at);
  };
  while (rest !== '') {
    const line = rest.indexOf('\n');
    if ((rest[0] === '\n' || rest[0] === '#') && line >= 0) {
      rest = rest.slice(line + 1);
      continue;
    }
    const equal = rest.indexOf('=');
    if (equal < 0) break;
    let key = rest.slice(0, equal);
    // Node looks one character too far where there are spaces only.
    key = /^ +$/.test(key) ? '\n' : trim(key);
    rest = trim(rest.slice(equal + 1));
    if (key === '') break;
    if (key.startsWith('export ')) key = key.slice(7);
    const quote = rest[0];
    const isQuoted = quote === '"' || quote === "'" || quote === '`';
    const close = isQuoted ? rest.indexOf(quote, 1) : -1;
    if (close >= 0) {
      const value = rest.slice(1, close);
      found.set(key, quote === '"' ? value.replaceAll('\\n', '\n') : value);
      toLineEnd(close + 1);
      continue;
    }
    const to = rest.indexOf('\n');
    if (isQuoted) {
      // What no quote closes is, on the last line, read once more: as a name.
      if (to < 0) continue;
      found.set(key, rest.slice(0, to));
    } else found.set(key, trim((to < 0 ? rest : rest.slice(0, to)).replace(/#[^]*/, '')));
    toLineEnd(0);
  }
  return found;
}

// Names come in the order of their bytes.
const text = host.lift((content: string): string => JSON.stringify([...pairs(content)].map(([k, v]) => [Buffer.from(k), k, v]).sort((a: any, b: any) => Buffer.compare(a[0], b[0])).map(([, k, v]) => [k, v])));

export function parseEnv(content: string): any {
  const r: any = {};
  for (const [k, v] of JSON.parse(text(content))) r[k] = v;
  return r;
}
