// readline: programs that ask for it get this in its place, as a module of their own. It
// reads lines of streams; what is typed at a terminal nobody records.
'use strict';
const { EventEmitter } = require('events');
const { StringDecoder } = require('string_decoder');

class Interface extends EventEmitter {
  #decoder = new StringDecoder('utf8');
  #rest = '';
  #returned = false; // the last chunk ended in \r, and \n may follow
  #prompt = '> ';
  #asked = null;
  #lines = null;
  #off;

  constructor(input, output, completer, terminal) {
    super();
    if (input && input.input) ({ input, output, terminal, prompt: this.#prompt = '> ' } = input);
    if (input === process.stdin || terminal) throw new Error('karousosc: what is typed is not recorded');
    this.input = input;
    this.output = output;
    this.terminal = false;
    this.line = '';
    this.paused = false;
    this.closed = false;
    const data = (chunk) => this.#read(this.#decoder.write(chunk));
    const end = () => {
      if (this.#rest !== '') this.#line(this.#rest);
      this.close();
    };
    const error = (e) => this.emit('error', e);
    input.on('error', error);
    input.on('data', data);
    input.on('end', end);
    this.#off = () => {
      input.removeListener('error', error);
      input.removeListener('data', data);
      input.removeListener('end', end);
    };
    input.resume();
  }

  #read(text) {
    if (this.#returned && text !== '') {
      if (text[0] === '\n') text = text.slice(1);
      this.#returned = false;
    }
    const ending = /\r?\n|\r(?!\n)/g;
    if (!ending.test(text)) {
      this.#rest += text;
      return;
    }
    text = this.#rest + text;
    this.#returned = text.endsWith('\r');
    const lines = text.split(ending);
    this.#rest = lines.pop();
    for (const line of lines) this.#line(line);
  }

  #line(line) {
    const asked = this.#asked;
    this.#asked = null;
    if (asked !== null) asked(line);
    else this.emit('line', line);
  }

  close() {
    if (this.closed) return;
    this.pause();
    this.#off();
    this.closed = true;
    this.emit('close');
  }

  pause() {
    if (this.paused) return this;
    this.input.pause();
    this.paused = true;
    this.emit('pause');
    return this;
  }

  resume() {
    if (!this.paused) return this;
    this.input.resume();
    this.paused = false;
    this.emit('resume');
    return this;
  }

  getPrompt() {
    return this.#prompt;
  }

  setPrompt(prompt) {
    this.#prompt = String(prompt);
  }

  prompt() {
    if (this.paused) this.resume();
    if (this.output) this.output.write(this.#prompt);
  }

  question(query, options, callback = options) {
    if (this.closed) throw Object.assign(new Error('readline was closed'), { code: 'ERR_USE_AFTER_CLOSE' });
    if (this.output) this.output.write(query);
    this.#asked = callback;
  }

  _unask() {
    this.#asked = null;
  }

  write(text) {
    if (this.paused) this.resume();
    this.#read(String(text));
  }

  [Symbol.asyncIterator]() {
    if (this.#lines !== null) return this.#lines;
    const lines = [], waiting = [];
    let over = this.closed;
    let failed = []; // with an error that nobody was told of yet
    const finish = () => {
      over = true;
      for (const name of Object.keys(heard)) this.removeListener(name, heard[name]);
      while (waiting.length > 0) waiting.shift()[0]({ value: undefined, done: true });
    };
    const heard = {
      line: (value) => {
        if (waiting.length > 0) waiting.shift()[0]({ value, done: false });
        else lines.push(value);
      },
      error: (e) => {
        if (waiting.length > 0) waiting.shift()[1](e);
        else failed = [e];
        finish();
      },
      close: finish,
    };
    for (const name of Object.keys(heard)) this.on(name, heard[name]);
    return (this.#lines = {
      next: () =>
        new Promise((resolve, reject) => {
          if (lines.length > 0) resolve({ value: lines.shift(), done: false });
          else if (failed.length > 0) reject(failed.shift());
          else if (over) resolve({ value: undefined, done: true });
          else waiting.push([resolve, reject]);
        }),
      return: () => {
        finish();
        return Promise.resolve({ value: undefined, done: true });
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    });
  }
}

function createInterface(input, output, completer, terminal) {
  return new Interface(input, output, completer, terminal);
}

// What follows moves a terminal's cursor, by what is written to it.

const shown = (v) => (v == null ? `${v}` : typeof v === 'function' ? `function ${v.name}` : typeof v === 'object' ? `an instance of ${v.constructor.name}` : typeof v === 'string' ? `type string ('${v}')` : `type ${typeof v} (${String(v)})`);

function checkCallback(callback) {
  if (callback === undefined || typeof callback === 'function') return;
  throw Object.assign(new TypeError(`The "callback" argument must be of type function. Received ${shown(callback)}`), { code: 'ERR_INVALID_ARG_TYPE' });
}

// put writes text, if there is where to.
function put(stream, text, callback) {
  if (stream != null && text !== '') return stream.write(text, callback);
  if (typeof callback === 'function') process.nextTick(callback, null);
  return true;
}

const to = (x, y) => (typeof y === 'number' ? `\x1b[${y + 1};${x + 1}H` : `\x1b[${x + 1}G`);
const by = (n, back, on) => (n < 0 ? `\x1b[${-n}${back}` : n > 0 ? `\x1b[${n}${on}` : '');
const line = (dir) => (dir < 0 ? '\x1b[1K' : dir > 0 ? '\x1b[0K' : '\x1b[2K');

function cursorTo(stream, x, y, callback) {
  checkCallback(callback);
  if (typeof y === 'function') {
    callback = y;
    y = undefined;
  }
  for (const [k, n] of [['x', x], ['y', y]]) if (Number.isNaN(n)) throw Object.assign(new TypeError(`The argument '${k}' is invalid. Received NaN`), { code: 'ERR_INVALID_ARG_VALUE' });
  if (stream == null || (typeof x !== 'number' && typeof y !== 'number')) return put(null, '', callback);
  if (typeof x !== 'number') throw Object.assign(new TypeError('Cannot set cursor row without setting its column'), { code: 'ERR_INVALID_CURSOR_POS' });
  return put(stream, to(x, y), callback);
}

function moveCursor(stream, dx, dy, callback) {
  checkCallback(callback);
  return put(stream, by(dx, 'D', 'C') + by(dy, 'A', 'B'), callback);
}

function clearLine(stream, dir, callback) {
  checkCallback(callback);
  return put(stream, line(dir), callback);
}

function clearScreenDown(stream, callback) {
  checkCallback(callback);
  return put(stream, '\x1b[0J', callback);
}

const promises = {};
module.exports = { ...require('readline'), Interface, createInterface, cursorTo, moveCursor, clearLine, clearScreenDown, promises };

// ---- readline/promises

class Asking extends Interface {
  question(query, options) {
    return new Promise((resolve, reject) => {
      const { signal } = options ?? {};
      if (signal === undefined) return super.question(query, resolve);
      const abort = () => {
        this._unask();
        reject(Object.assign(new Error('The operation was aborted', { cause: signal.reason }), { name: 'AbortError', code: 'ABORT_ERR' }));
      };
      if (signal.aborted) return abort();
      signal.addEventListener('abort', abort, { once: true });
      super.question(query, (answer) => {
        signal.removeEventListener('abort', abort);
        resolve(answer);
      });
    });
  }
}
Object.defineProperty(Asking, 'name', { value: 'Interface' });

function integer(value, name, low = Number.MIN_SAFE_INTEGER, high = Number.MAX_SAFE_INTEGER) {
  const separated = (n) => (Math.abs(n) > 2 ** 32 ? String(n).replace(/\B(?=(\d{3})+$)/g, '_') : n);
  if (typeof value !== 'number') throw Object.assign(new TypeError(`The "${name}" argument must be of type number. Received ${shown(value)}`), { code: 'ERR_INVALID_ARG_TYPE' });
  const range = !Number.isInteger(value) ? 'an integer' : value < low || value > high ? `>= ${low} && <= ${high}` : null;
  if (range !== null) throw Object.assign(new RangeError(`The value of "${name}" is out of range. It must be ${range}. Received ${separated(value)}`), { code: 'ERR_OUT_OF_RANGE' });
}

// Readline writes what it was told together.
class Readline {
  #stream;
  #autoCommit;
  #todo = '';

  constructor(stream, options) {
    if (stream == null || stream.writable !== true) throw Object.assign(new TypeError(`The "stream" argument must be an instance of Writable. Received ${shown(stream)}`), { code: 'ERR_INVALID_ARG_TYPE' });
    this.#stream = stream;
    const autoCommit = options?.autoCommit;
    if (autoCommit != null && typeof autoCommit !== 'boolean') throw Object.assign(new TypeError(`The "options.autoCommit" property must be of type boolean. Received ${shown(autoCommit)}`), { code: 'ERR_INVALID_ARG_TYPE' });
    this.#autoCommit = autoCommit === true;
  }

  #put(text) {
    if (this.#autoCommit) process.nextTick(() => this.#stream.write(text));
    else this.#todo += text;
    return this;
  }

  cursorTo(x, y) {
    integer(x, 'x');
    if (y != null) integer(y, 'y');
    return this.#put(to(x, y));
  }

  moveCursor(dx, dy) {
    if (!dx && !dy) return this;
    integer(dx, 'dx');
    integer(dy, 'dy');
    return this.#put(by(dx, 'D', 'C') + by(dy, 'A', 'B'));
  }

  clearLine(dir) {
    integer(dir, 'dir', -1, 1);
    return this.#put(line(dir));
  }

  clearScreenDown() {
    return this.#put('\x1b[0J');
  }

  commit() {
    return new Promise((resolve) => {
      this.#stream.write(this.#todo, resolve);
      this.#todo = '';
    });
  }

  rollback() {
    this.#todo = '';
    return this;
  }
}

Object.assign(promises, { Interface: Asking, Readline, createInterface: (...args) => new Asking(...args) });
