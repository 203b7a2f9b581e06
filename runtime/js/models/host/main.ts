// Helpers of the Node core models that are not rewritten for lanes.
import { forLanes, inLanes, mv, present, together } from './mv';
import * as base64 from './base64';
import * as brands from './brands';
import * as bytes from './bytes';
import * as decoding from './decoding';
import * as group from './groupbuffer';
import * as hash from './hash';
import * as inflate from './inflate';
import { call } from './call';
import { Cipher } from './cipher';
import * as files from './files';
import * as url from './url';
import { laneOf, lift, liftAll } from './lift';
import * as text from './text';

const previous = (globalThis as any).$host;

function byteLength(s: any): any {
  return typeof s === 'string' ? text.byteLength(s) : forLanes((i) => text.byteLength(mv.lane(s, i)));
}

// digest answers the digest, in base64, of text or bytes that may differ
// between lanes: a string, a Uint8Array, a group's Buffer or a multivalue.
function digest(algorithm: string, x: any): any {
  if (typeof x === 'string') return hash.text(algorithm, x);
  const grouped = group.is(x);
  if (!grouped && x instanceof Uint8Array) return hash.bytes(algorithm, x);
  const t = grouped ? (group.textOf(x) ?? group.buffersOf(x)) : x;
  if (typeof t === 'string') return hash.text(algorithm, t);
  if (!together()) {
    const one = mv.state.L < 0 ? t : mv.lane(t, mv.state.L);
    return typeof one === 'string' ? hash.text(algorithm, one) : hash.bytes(algorithm, one);
  }
  const n = mv.state.N;
  const list = new Array<any>(n);
  let strings = true;
  for (let i = 0; i < n; i++) {
    list[i] = mv.lane(t, i);
    if (typeof list[i] !== 'string') strings = false;
  }
  if (strings) return mv.norm(hash.texts(algorithm, list));
  return mv.norm(list.map((b) => (typeof b === 'string' ? hash.text(algorithm, b) : hash.bytes(algorithm, b))));
}

const helpers = {
  byteLength,
  digest,
  brands: liftAll({ ...brands }),
  base64: liftAll({ encode: base64.encode, decode: base64.decode }),
  text: { ...liftAll({ byteLength: text.byteLength, latin1: text.latin1, decode: text.decode, ascii: text.ascii }), write: lift(text.write, true) },
  bytes,
  decoding: liftAll({ nameOf: decoding.nameOf, ofBytes: decoding.ofBytes, held: decoding.held, text: decoding.text }),
  // zlib: see models/zlib.ts.
  crc32: lift(inflate.crc32),
  zlib: { Stream: inflate.Stream, all: inflate.all, oneShot: inflate.oneShot, decode: base64.decode },
  call,
  Cipher,
  files: liftAll({ place: files.place, read: files.read, entry: files.entry, list: files.list, isFolder: files.isFolder }),
  url: liftAll({ parse: url.parse, part: url.part, change: url.change, pairs: url.pairs, encode: url.encode, domainToASCII: url.domainToASCII, domainToUnicode: url.domainToUnicode }),
  laneOf,
  group,
  lift,
  sizes: hash.sizes,
  blocks: hash.blocks,
  forLanes,
  inLanes,
  together,
  mv,
  present,
};

Object.defineProperty(globalThis, '$host', { value: { ...previous, ...helpers }, configurable: true });

export type Host = typeof helpers & { microtasks(): void };
