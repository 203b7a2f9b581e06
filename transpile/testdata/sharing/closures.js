'use strict';
// State that functions keep for the functions in them.
const http = require('http');

function createStore() {
  const items = []; // want "items changed"
  let n = 0; // want "n assigned"
  const limits = { max: 100 };
  return {
    add(x) {
      if (items.length < limits.max) items.push(x);
      n++;
    },
    all: () => ({ items, n }),
  };
}

const counter = (() => {
  let value = 0; // want "value assigned"
  return () => ++value;
})();

function from(start) { // want "start assigned"
  return { next: () => start++ };
}

const once = (f) => {
  let done = false; // want "done assigned"
  return () => {
    if (!done) f();
    done = true;
  };
};

function table() {
  const squares = [];
  for (let i = 0; i < 10; i++) squares.push(i * i);
  return (i) => squares[i];
}

const store = createStore();
const ids = from(1);
const warn = once(() => {});
const square = table();

http.createServer((req, res) => {
  let body = '';
  const seen = new Set();
  req.on('data', (c) => {
    body += c;
    seen.add(c);
  });
  req.on('end', () => {
    store.add(body);
    warn();
    res.end(String(counter() + ids.next() + square(2)) + JSON.stringify(store.all()));
  });
}).listen(3000);
