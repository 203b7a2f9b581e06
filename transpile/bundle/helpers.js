// The bundler's helpers for async generators, in as many turns of the microtask queue
// as the language takes. Each stands in the place of the bundler's own, on as many lines.

var __asyncGenerator = (__this, __arguments, generator) => {
  var requests = [], running = false, begun = false, ended = false, left = __await, it = {};
  var answer = (done, value) => { running = false; requests.shift().yes({ value, done }); };
  var refuse = (error) => { running = false; ended = true; requests.shift().no(error); };
  var wait = (value, then, otherwise) => {
    try { value = Promise.resolve(value); } catch (error) { otherwise(error); return; }
    value.then((v) => { then(v); drain(); }, (e) => { otherwise(e); drain(); });
  };
  var step = (kind, given, delegated) => {
    var x, value;
    begun = running = true;
    if (kind === "return") left = delegated ? given.value : given;
    try { x = generator[kind](given); value = x.value; } catch (error) { refuse(error); return; }
    if (x.done) {
      ended = true;
      if (value === void 0 || value === left) answer(true, value);
      else wait(value, (v) => answer(true, v), refuse);
    } else if (!(value instanceof __await)) wait(value, (v) => answer(false, v), (e) => step("throw", e));
    else if (value[1] === 2) answer(false, value[0]);
    else wait(value[0], (v) => step(value[1] && kind === "return" ? kind : "next", v, value[1]), (e) => step("throw", e));
  };
  var drain = () => {
    while (requests.length > 0 && !running) {
      var { kind, value } = requests[0], over = ended || !begun;
      if (kind === "next" || kind === "throw" && !over) {
        if (ended) answer(true, void 0);
        else step(kind, value);
      } else if (kind === "throw") refuse(value);
      else {
        running = true;
        if (over) {
          ended = true;
          wait(value, (v) => answer(true, v), refuse);
        } else wait(value, (v) => step("return", v), (e) => step("throw", e));
      }
    }
  };
  var method = (kind) => it[kind] = (value) => new Promise((yes, no) => { requests.push({ kind, value, yes, no }); drain(); });
  generator = generator.apply(__this, __arguments);
  it[__knownSymbol("asyncIterator")] = () => it;
  method("next");
  method("throw");
  method("return");
  return it;
};

var __yieldStar = (value) => {
  var source = value[__knownSymbol("asyncIterator")], waiting = false, it = {};
  if (source == null) {
    var sync = value[__knownSymbol("iterator")](), from = (kind) => (value) => new Promise((yes, no) => {
      var f = sync[kind], x, done;
      if (f == null) { if (kind === "return") yes({ value, done: true }); else no(value); return; }
      x = f.call(sync, value);
      done = x.done;
      Promise.resolve(x.value).then((value) => yes({ value, done }), no);
    });
    source = { next: from("next"), throw: from("throw"), return: from("return") };
  } else source = source.call(value);
  var method = (kind) => it[kind] = (x) => {
    if (!waiting) {
      waiting = true;
      return { done: false, value: new __await(source[kind](x), 1) };
    }
    waiting = false;
    if (kind === "throw") throw x;
    if (!(x instanceof Object)) throw new TypeError("Iterator result " + String(x) + " is not an object");
    return x.done ? x : { done: false, value: new __await(x.value, 2) };
  };
  it[__knownSymbol("iterator")] = () => it;
  method("next");
  if ("throw" in source) method("throw");
  else it.throw = (x) => { throw x; };
  if ("return" in source) method("return");
  return it;
};

var __forAwait = (obj, it) => {
  it = obj[__knownSymbol("asyncIterator")];
  if (it) return it.call(obj);
  obj = obj[__knownSymbol("iterator")]();
  var method = (kind, f) => (value) => new Promise((yes, no) => {
    var g = f || obj[kind], x, done;
    if (g == null) { yes({ value, done: true }); return; }
    x = g.call(obj, value);
    done = x.done;
    Promise.resolve(x.value).then((value) => yes({ value, done }), no);
  });
  return { next: method("next", obj.next), return: method("return") };
};
