'use strict';
const { Buffer, transcode } = require('buffer');
const punycode = require('punycode');

const failure = (f) => {
  try {
    return f();
  } catch (e) {
    return [e.name, e.message, e.code, e.errno];
  }
};
const encodings = ['ascii', 'latin1', 'utf8', 'UCS2', 'utf-16le', 'binary'];

module.exports = {
  transcoded: (s) => encodings.map((from) => encodings.map((to) => failure(() => transcode(Buffer.from(s + 'é€\u200b', from), from, to).toString('hex')))),
  broken: (s) => [[0xe4, 0xc3], [0xd8, 0x3d, 0xd8], [0x3d, 0xd8, s.length]].map((b) => encodings.map((to) => ['utf8', 'utf16le', 'ascii'].map((from) => failure(() => transcode(Uint8Array.from(b), from, to).toString('hex'))))),
  refused: (s) => [failure(() => transcode(s, 'utf8', 'utf8')), failure(() => transcode(Buffer.from('x' + s), 'hex', 'utf8')), failure(() => transcode(Buffer.from('x'), 'utf8', s).toString()), transcode(Buffer.alloc(0), s, s).length, failure(() => transcode(null)), transcode(Buffer.from(s)).toString()],
  punycode: (s) => [punycode.encode(s), failure(() => punycode.decode(s)), punycode.toASCII(`Mañana.${s}.com`), punycode.toUnicode('xn--maana-pta.' + s), failure(() => punycode.toUnicode('xn--' + s)), punycode.ucs2.decode(s), punycode.ucs2.encode(punycode.ucs2.decode(s).reverse()), punycode.version, punycode.toASCII(`${s}@ü.de`)],
};
