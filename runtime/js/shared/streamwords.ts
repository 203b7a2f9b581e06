// What Node.js says of the web's streams, where the package whose streams both builds have says it in other words.
import { coded } from '../models/internal/errors';
import { custom, inspect } from './inspect';

// What state a stream, its reader, writer or controller is in.
const states: [RegExp, string][] = [
  [/^This stream has already been locked for exclusive reading|^Cannot cancel a stream that already has a reader/, 'ReadableStream is locked'],
  [/^This stream has already been locked for exclusive writing|^Cannot (abort|close) a stream that already has a writer/, 'WritableStream is locked'],
  [/ cannot be used on a locked (\w+)$/, 'The $1 is locked'],
  [/^The stream is not in a state that permits /, 'Controller is already closed'],
  [/^The stream has already been closed; do not close it again!/, 'Controller is already closed'],
  [/^stream is closed or draining/, 'Controller is already closed'],
  [/^The stream \(in \w+ state\) is not in the readable state/, 'ReadableStream is already closed'],
  [/^The stream \(in \w+ state\) is not in the writable state|^The stream is closing or closed and cannot be written to/, 'WritableStream is closed'],
  [/^Cannot close an already-closing stream/, 'Failure to close WritableStream'],
  [/^Cannot \w+ (from )?a stream using a released reader/, 'The reader is not attached to a stream'],
  [/^Cannot \w+ (to )?a stream using a released writer/, 'Writer is not bound to a WritableStream'],
  [/^Reader was released and can no longer/, 'Reader released'],
  [/^Reader was released$/, 'Releasing reader'],
  [/^Writer was released and can no longer/, 'Writer has been released'],
  [/^TransformStream terminated/, 'TransformStream has been terminated'],
  [/^Readable side is not in a state that permits enqueue/, 'Unable to enqueue'],
  [/^the destination writable stream closed before/, 'Destination WritableStream is closed'],
  [/^chunk(('s buffer)? must have non-zero byteLength|'s buffer is detached)/, 'chunk ArrayBuffer is zero-length or detached'],
  [/^view('s buffer)? (must have non-zero byteLength|has been detached)/, 'View or Viewed ArrayBuffer is zero-length or detached'],
  [/^Insufficient bytes to fill elements/, 'Partial read'],
];

// What is wrong with an argument keeps its words, where those of Node.js tell what it was.
const kinds: [RegExp, string][] = [
  [/^Illegal constructor/, 'ERR_ILLEGAL_CONSTRUCTOR'],
  [/ is not (a function|an object|a finite number|an AbortSignal|a (Readable|Writable)Stream)\.?$| is required in | must be an? (array buffer view|WritableStream)$/, 'ERR_INVALID_ARG_TYPE'],
  [/^Invalid |^Size must be |^The strategy for a byte stream |^Cannot construct a ReadableStreamBYOBReader/, 'ERR_INVALID_ARG_VALUE'],
  [/^bytesWritten |^options\.min |^The region specified by view |^The buffer of view /, 'ERR_INVALID_STATE'],
];

// streamError is the error that Node.js makes where the package makes one with message.
export function streamError(Base: any, message: string): any {
  for (const [theirs, ours] of states) {
    const m = theirs.exec(message);
    if (m !== null) return coded(Base, 'ERR_INVALID_STATE', `Invalid state: ${ours.replace('$1', m[1])}`);
  }
  const chosen = /member '(\w+)' that ('.*') is not a valid enumeration value for /.exec(message);
  if (chosen !== null) return coded(Base, 'ERR_INVALID_ARG_VALUE', `The property '${chosen[1] === 'mode' ? 'options' : 'source'}.${chosen[1]}' is invalid. Received ${chosen[2]}`);
  const own = / can only be used on an? (\w+)$/.exec(message);
  if (own !== null) return coded(Base, 'ERR_INVALID_THIS', `Value of "this" must be of type ${own[1]}`);
  for (const [theirs, code] of kinds) if (theirs.test(message)) return coded(Base, code, message);
  return new Base(message);
}

// iterable refuses what ReadableStream.from cannot go over.
export function iterable(from: any): any {
  if (from !== null && from !== undefined && (from[Symbol.asyncIterator] ?? from[Symbol.iterator]) === undefined) throw coded(TypeError, 'ERR_ARG_NOT_ITERABLE', `${inspect(from)} must be iterable`);
  return from;
}

// shown has an object of one of the classes shown with some of what it has, and no more.
export function shown(Class: any, of: (x: any) => object): void {
  Object.defineProperty(Class.prototype, custom, {
    value(this: any, depth: number, options: any): any {
      if (depth < 0) return; // it shows 'undefined', as in Node.js
      return `${Class.name} ${inspect(of(this), { ...options, depth: options.depth == null ? null : options.depth - 1 })}`;
    },
    configurable: true,
    writable: true,
  });
}

// showing has all classes of the package m shown as by Node.js.
export function showing(m: any): void {
  shown(m.ReadableStream, (s) => ({ locked: s.locked, state: s._state, supportsBYOB: s._readableStreamController instanceof m.ReadableByteStreamController }));
  shown(m.WritableStream, (s) => ({ locked: s.locked, state: s._state }));
  shown(m.TransformStream, (s) => ({ readable: s.readable, writable: s.writable, backpressure: s._backpressure }));
  shown(m.ReadableStreamDefaultReader, (r) => ({ stream: r._ownerReadableStream, readRequests: r._readRequests.length, close: r.closed }));
  shown(m.ReadableStreamBYOBReader, (r) => ({ stream: r._ownerReadableStream, readIntoRequests: r._readIntoRequests.length, close: r.closed }));
  shown(m.ReadableStreamBYOBRequest, (q) => ({ view: q.view, controller: q._associatedReadableByteStreamController }));
  shown(m.WritableStreamDefaultWriter, (w) => ({ stream: w._ownerWritableStream, close: w.closed, ready: w.ready, desiredSize: w.desiredSize }));
  shown(m.WritableStreamDefaultController, (c) => ({ stream: c._controlledWritableStream }));
  shown(m.TransformStreamDefaultController, (c) => ({ stream: c._controlledTransformStream }));
  for (const k of ['ReadableStreamDefaultController', 'ReadableByteStreamController']) shown(m[k], () => ({}));
  for (const k of ['ByteLengthQueuingStrategy', 'CountQueuingStrategy']) shown(m[k], (s) => ({ highWaterMark: s.highWaterMark }));
}
