// util.styleText, and the colours that it knows.
import { inspect } from '../../shared/inspect';
import { invalidType, invalidValue } from './errors';
import { nondeterministic } from './host';
import { colored } from './results';

const table =
  'reset 0 0, bold 1 22, dim 2 22, italic 3 23, underline 4 24, blink 5 25, inverse 7 27, hidden 8 28, strikethrough 9 29, doubleunderline 21 24, black 30 39, ' +
  'red 31 39, green 32 39, yellow 33 39, blue 34 39, magenta 35 39, cyan 36 39, white 37 39, bgBlack 40 49, bgRed 41 49, bgGreen 42 49, bgYellow 43 49, ' +
  'bgBlue 44 49, bgMagenta 45 49, bgCyan 46 49, bgWhite 47 49, framed 51 54, overlined 53 55, gray 90 39, redBright 91 39, greenBright 92 39, yellowBright 93 39, ' +
  'blueBright 94 39, magentaBright 95 39, cyanBright 96 39, whiteBright 97 39, bgGray 100 49, bgRedBright 101 49, bgGreenBright 102 49, bgYellowBright 103 49, ' +
  'bgBlueBright 104 49, bgMagentaBright 105 49, bgCyanBright 106 49, bgWhiteBright 107 49';
const others =
  'grey gray, blackBright gray, bgGrey bgGray, bgBlackBright bgGray, faint dim, crossedout strikethrough, strikeThrough strikethrough, crossedOut strikethrough, ' +
  'conceal hidden, swapColors inverse, swapcolors inverse, doubleUnderline doubleunderline';

const { colors } = inspect as any;
for (const entry of table.split(', ')) {
  const [name, on, off] = entry.split(' ');
  colors[name] = [Number(on), Number(off)];
}
for (const entry of others.split(', ')) {
  const [name, of] = entry.split(' ');
  Object.defineProperty(colors, name, {
    get: () => colors[of],
    set: (v: any) => (colors[of] = v),
    configurable: true,
  });
}

const escape = (n: number): string => `\u001b[${n}m`;

function codes(format: any): [number, number] {
  const c = colors[format];
  if (c == null) throw invalidValue('format', format, `must be one of: ${Object.keys(colors).map((k) => `'${k}'`).join(', ')}`);
  return c;
}

const isStream = (s: any): boolean => s && (s._readableState || s._writableState || (typeof s.on === 'function' && (typeof s.write === 'function' || typeof s.pipe === 'function')));

export function styleText(format: any, text: any, { validateStream = true, stream = undefined }: any = {}): string {
  if (typeof text !== 'string') throw invalidType('text', 'of type string', text);
  if (typeof validateStream !== 'boolean') throw invalidType('options.validateStream', 'of type boolean', validateStream);
  if (validateStream && stream !== undefined && !isStream(stream)) throw invalidType('stream', 'an instance of ReadableStream, WritableStream, or Stream', stream);
  const several = Array.isArray(format);
  let left = '';
  let right = '';
  for (const key of several ? format : [format]) {
    const [on, off] = codes(key);
    left += escape(on);
    right = escape(off) + right;
  }
  // Whether a terminal shows colours is the server's to know.
  if (validateStream && !several && JSON.parse(nondeterministic('json', colored)) !== true) return text;
  return left + text + right;
}
