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
    input.on('data', data);
    input.on('end', end);
    this.#off = () => {
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

  write(text) {
    if (this.paused) this.resume();
    this.#read(String(text));
  }

  [Symbol.asyncIterator]() {
    if (this.#lines !== null) return this.#lines;
    const lines = [], waiting = [];
    let over = this.closed;
    const finish = () => {
      over = true;
      while (waiting.length > 0) waiting.shift()({ value: undefined, done: true });
    };
    this.on('line', (value) => {
      if (over) return;
      if (waiting.length > 0) waiting.shift()({ value, done: false });
      else lines.push(value);
    });
    this.on('close', finish);
    return (this.#lines = {
      next: () =>
        new Promise((resolve) => {
          if (lines.length > 0) resolve({ value: lines.shift(), done: false });
          else if (over) resolve({ value: undefined, done: true });
          else waiting.push(resolve);
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

module.exports = { ...require('readline'), Interface, createInterface };
