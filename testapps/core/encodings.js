'use strict';
const { Buffer, transcode } = require('buffer');
const punycode = require('punycode');
const querystring = require('querystring');
const { StringDecoder } = require('string_decoder');
const { inspect } = require('util');

const failure = (f) => {
  try {
    return f();
  } catch (e) {
    return [e.name, e.message, e.code, e.errno];
  }
};
// streamed decodes parts one after another, says that they are over, and begins anew.
const streamed = (label, options, ...parts) => {
  const d = new TextDecoder(label, options);
  return [...parts.map((p) => failure(() => d.decode(Uint8Array.from(p), { stream: true }))), failure(() => d.decode()), failure(() => d.decode(Uint8Array.of(0x41, 0)))];
};
const single = 'ibm866 iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-5 iso-8859-6 iso-8859-7 iso-8859-8 iso-8859-8-i iso-8859-10 iso-8859-13 iso-8859-14 iso-8859-15 koi8-r koi8-u macintosh windows-874 windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258 x-mac-cyrillic';
const encodings = ['ascii', 'latin1', 'utf8', 'UCS2', 'utf-16le', 'binary'];

module.exports = {
  transcoded: (s) => encodings.map((from) => encodings.map((to) => failure(() => transcode(Buffer.from(s + 'é€\u200b', from), from, to).toString('hex')))),
  broken: (s) => [[0xe4, 0xc3], [0xd8, 0x3d, 0xd8], [0x3d, 0xd8, s.length]].map((b) => encodings.map((to) => ['utf8', 'utf16le', 'ascii'].map((from) => failure(() => transcode(Uint8Array.from(b), from, to).toString('hex'))))),
  refused: (s) => [failure(() => transcode(s, 'utf8', 'utf8')), failure(() => transcode(Buffer.from('x' + s), 'hex', 'utf8')), failure(() => transcode(Buffer.from('x'), 'utf8', s).toString()), transcode(Buffer.alloc(0), s, s).length, failure(() => transcode(null)), transcode(Buffer.from(s)).toString()],
  tables: (s) => single.split(' ').map((label) => new TextDecoder(label).decode(Uint8Array.from({ length: 256 }, (_, i) => i)) + s),
  strict: (s) => ['windows-1252', 'iso-8859-7', 'koi8-u'].map((label) => [0x81, 0xae, 0xff].map((b) => failure(() => new TextDecoder(label, { fatal: s.length > 2 }).decode(Uint8Array.of(b))))),
  streamed: (s) => [
    streamed('utf8', {}, [0xe2], [0x82], [0xac, 0xf0, 0x9f], [s.length], [0xed], [0xa0, 0x80]),
    streamed('utf8', { fatal: true }, [0xe2], [s.charCodeAt(0) || 0x82], [0xac], [0xc3]),
    streamed('utf8', {}, [], [0xef], [0xbb, 0xbf, 0x41], [0xef, 0xbb, 0xbf]),
    streamed('utf8', { ignoreBOM: true }, [0xef, 0xbb], [0xbf, 0x41]),
    streamed('utf-16le', {}, [0x3d], [0xd8, 0x4b], [0xdc, 0x3d, 0xd8], [0x41, s.length]),
    streamed('utf-16be', { fatal: s !== 'two' }, [0xd8, 0x3d, 0xdc], [0x4b, 0xdc, 0x4b]),
    streamed('utf-16', {}, [0xff, 0xfe, 0x41, 0], [0xff, 0xfe, 0x3d, 0xd8]),
    streamed('latin1', {}, [0x80, 0x9f], [s.length]),
  ],
  copied: (s) => {
    const b = Uint8Array.of(0xf0, 0x9f, 0x92);
    const d = new TextDecoder();
    const first = d.decode(b, { stream: true });
    b.fill(s.length);
    return [first, d.decode(Uint8Array.of(0xa9))];
  },
  labels: (s) => [' UTF-8\n', 'unicodefffe', 'Latin1', 'x-sjis', 'gb2312', 'ks_c_5601-1987', 'csisolatin2', 'iso-8859-16', 'x-user-defined', 'replacement', '\u00a0utf8', s].map((label) => failure(() => new TextDecoder(label).encoding)),
  shapes: (s) => {
    const d = new TextDecoder('utf-16', { fatal: s === 'two', ignoreBOM: true });
    return [
      [d.encoding, d.fatal, d.ignoreBOM, String(d), String(new TextEncoder()), inspect(d), inspect(new TextEncoder()), Object.keys(TextDecoder.prototype), Object.keys(d)],
      [() => TextDecoder.prototype.encoding, () => TextEncoder.prototype.encode.call({}, s), () => new TextDecoder('utf8', s), () => new TextDecoder(Symbol(s)), () => d.decode(s), () => new TextDecoder().decode(5), () => new TextDecoder('l1').decode([1])].map(failure),
      [() => new TextEncoder().encodeInto(5, new Uint8Array(1)), () => new TextEncoder().encodeInto(s, [1]), () => new TextEncoder().encodeInto('\ud800' + s, new Uint8Array(5)), () => new TextEncoder().encode('\udc00' + s).join()].map(failure),
      new TextDecoder().decode(new Uint16Array([0x41, s.length])),
      new TextDecoder().decode(new Uint8Array([0x42, 0x43, 0x44]).buffer),
      new TextDecoder().decode(new DataView(new Uint8Array([0x42, 0x43, 0x44]).buffer, 1)),
    ];
  },
  queries: (s) => [s, '\ud801' + s, s + '\udc00', s + '\ud800', { toString: 5, valueOf: () => s }, { toString: 5 }, Symbol(s), 1n, [s, 1], null].map((x) => [failure(() => querystring.escape(x)), failure(() => querystring.stringify({ [String(s)]: x, k: [x] }))]).concat([querystring.escape.name, querystring.unescape.name]),
  pieces: (s) => {
    const cut = (e, ...bytes) => {
      const d = new StringDecoder(e);
      return bytes.map((b) => [d.write(Buffer.from(b)), d.lastNeed, d.lastTotal, d.lastChar.length]).concat([d.end(), d.encoding, Object.keys(d).includes('encoding'), d.text(Buffer.from('x' + s), 1)]);
    };
    return [
      cut('utf8', [0xe2], [0x82], [0xac]), cut('utf-8', [0xf0, 0x9f], [65]), cut('utf16le', [0x41], [0, 0x3d, 0xd8], [0x3c, 0xdf]), cut('base64', [s.length], [1, 2], [3]), cut('hex', [s.length]), failure(() => new StringDecoder(s).encoding), failure(() => new StringDecoder().write(s.length)), failure(() => new StringDecoder().write(null)),
      failure(() => StringDecoder.prototype.write.call({}, Buffer.from(s + 'x'))), StringDecoder.prototype.write.name, new StringDecoder().write(new DataView(Uint8Array.from([65, 66]).buffer)),
    ];
  },
  punycode: (s) => [punycode.encode(s), failure(() => punycode.decode(s)), punycode.toASCII(`Mañana.${s}.com`), punycode.toUnicode('xn--maana-pta.' + s), failure(() => punycode.toUnicode('xn--' + s)), punycode.ucs2.decode(s), punycode.ucs2.encode(punycode.ucs2.decode(s).reverse()), punycode.version, punycode.toASCII(`${s}@ü.de`)],
};
