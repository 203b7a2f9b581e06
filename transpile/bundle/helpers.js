// The bundler's helpers for async generators, in as many turns of the microtask queue
// as the language takes, and for what a pattern leaves over. Each stands in the place of
// the bundler's own, on as many lines. What spreads a Proxy asks its traps as the language does.

var __asyncGenerator = ((proto) => (__this, __arguments, generator) => {
  var requests = [], running = false, begun = false, ended = false, left = __await, it = Object.create(proto);
  var answer = (done, value) => { running = false; requests.shift().yes({ value, done }); };
  var refuse = (error) => { running = false; ended = true; requests.shift().no(error); };
  var wait = (value, then, otherwise) => {
    try { value = Promise.resolve(value); } catch (error) { otherwise(error); return; }
    value.then((v) => { then(v); drain(); }, (e) => { otherwise(e); drain(); });
  };
  var step = (kind, given, delegated) => {
    var x, value;
    begun = running = true;
    try { x = generator[kind](given); value = x.value; } catch (error) { refuse(error); return; }
    if (kind === "return") left = delegated ? delegated.left : given;
    if (x.done) {
      ended = true;
      if (value === void 0 || value === left) answer(true, value);
      else wait(value, (v) => answer(true, v), refuse);
    } else if (!(value instanceof __await)) wait(value, (v) => answer(false, v), (e) => step("throw", e));
    else if (value[1] === 2) answer(false, value[0]);
    else wait(value[0], (v) => step(value[1] && kind === "return" ? kind : "next", v, value[1] && value), (e) => step("throw", e));
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
  var method = (kind) => Object.defineProperty(it, kind, { value: (value) => new Promise((yes, no) => { requests.push({ kind, value, yes, no }); drain(); }), writable: true, configurable: true });
  generator = generator.apply(__this, __arguments);
  method("next");
  method("throw");
  method("return");
  return it;
})(Object.defineProperties({}, { [__knownSymbol("asyncIterator")]: { value: function () { return this; } }, [Symbol.toStringTag]: { value: "AsyncGenerator" } }));

var __yieldStar = (value) => {
  var source = value[__knownSymbol("asyncIterator")], primitive = (x) => typeof x === "object" ? x === null : typeof x !== "function";
  var object = (x, what) => { if (primitive(x)) throw new TypeError(what(x)); return x; };
  var method = (name) => (x) => "Result of the Symbol." + name + " method is not an object", result = (x) => "Iterator result " + String(x) + " is not an object";
  if (source == null) {
    var sync = object(value[__knownSymbol("iterator")](), method("iterator")), next = sync.next, from = (kind) => (value) => new Promise((yes, no) => {
      var f = kind === "next" ? next : sync[kind], x, done;
      if (f == null) { if (kind === "return") yes({ value, done: true }); else no(value); return; }
      x = object(f.call(sync, value), result);
      done = x.done;
      Promise.resolve(x.value).then((value) => yes({ value, done }), no);
    });
    source = { next: from("next"), throw: from("throw"), return: from("return") };
  } else source = object(source.call(value), method("asyncIterator"));
  var first = source.next, waiting, lacking, it = {}, refuse = () => { throw new TypeError("The iterator does not provide a 'throw' method."); };
  var ask = (kind) => it[kind] = (x) => {
    var asked = waiting, f;
    waiting = void 0;
    if (!asked) {
      f = kind === "next" ? first : source[kind];
      lacking = f == null && kind !== "next";
      if (lacking && kind === "throw" && (f = source.return) == null) refuse();
      return { done: false, value: waiting = new __await(f == null && lacking ? x : lacking ? f.call(source) : f.call(source, x), 1) };
    }
    if (kind === "throw") throw x;
    if (lacking && kind === "return") return { done: true, value: asked.left = x };
    if (lacking) refuse();
    return object(x, result).done ? { done: true, value: asked.left = x.value } : { done: false, value: new __await(x.value, 2) };
  };
  it[__knownSymbol("iterator")] = () => it;
  ask("next");
  ask("throw");
  ask("return");
  return it;
};

var __forAwait = (obj, text) => {
  var it, object = (x, what) => { if (typeof x === "object" ? x === null : typeof x !== "function") throw new TypeError(what || "Iterator result " + String(x) + " is not an object"); return x; };
  var $ = (x) => !object(x).done, next;
  var callable = (f) => {
    if (typeof f !== "function") throw new TypeError(f == null && text ? text + " is not async iterable" : (f == null ? f : typeof f + " " + String(f)) + " is not a function");
  };
  it = obj[__knownSymbol("asyncIterator")];
  if (it != null) {
    callable(it);
    it = object(it.call(obj), "Result of the Symbol.asyncIterator method is not an object");
    next = it.next;
    return { $, next: () => next.call(it), get return() { var f = it.return; return f == null ? f : () => f.call(it); } };
  }
  it = obj[__knownSymbol("iterator")];
  callable(it);
  obj = object(it.call(obj), "Result of the Symbol.iterator method is not an object");
  var method = (kind, f) => (...value) => new Promise((yes, no) => {
    var g = f || obj[kind], x, done;
    if (g == null) { yes({ value: value[0], done: true }); return; }
    x = g.call(obj, ...value);
    done = object(x).done;
    Promise.resolve(x.value).then((value) => yes({ value, done }), no);
  });
  return { $, next: method("next", obj.next), return: method("return") };
};

var __spreadValues = ((isProxy) => (target, source) => {
  if (isProxy(source)) {
    for (var prop of Reflect.ownKeys(source)) if (__propIsEnum.call(source, prop)) __defNormalProp(target, prop, source[prop]);
    return target;
  }
  for (var prop in source || (source = {})) if (__hasOwnProp.call(source, prop)) __defNormalProp(target, prop, source[prop]);
  for (var prop of __getOwnPropSymbols(source)) if (__propIsEnum.call(source, prop)) __defNormalProp(target, prop, source[prop]);
  return target;
})(typeof require === "function" ? require("util").types.isProxy : () => false);

var __objRest = ((isProxy) => (source, exclude, text) => {
  if (source == null) throw new TypeError("Cannot destructure '" + (text && (source === null || text !== "object null") ? text : source) + "' as it is " + source + ".");
  var target = {};
  if (isProxy(source)) {
    for (var prop of Reflect.ownKeys(source)) if (exclude.indexOf(prop) < 0 && __propIsEnum.call(source, prop)) Object.defineProperty(target, prop, { value: source[prop], writable: true, enumerable: true, configurable: true });
    return target;
  }
  for (var prop in source) if (__hasOwnProp.call(source, prop) && exclude.indexOf(prop) < 0) {
    if (prop === "__proto__") Object.defineProperty(target, prop, { value: source[prop], writable: true, enumerable: true, configurable: true });
    else target[prop] = source[prop];
  }
  for (var prop of __getOwnPropSymbols(source)) if (exclude.indexOf(prop) < 0 && __propIsEnum.call(source, prop)) target[prop] = source[prop];
  return target;
})(typeof require === "function" ? require("util").types.isProxy : () => false), __restOf = (x, before, after) => {
  if (x == null) throw new TypeError((x === null ? before : before.replace("'object null'", "'undefined'")) + x + after);
  return x;
};

var __privateIn = (member, obj, name) => Object(obj) !== obj ? __typeError("Cannot use 'in' operator to search for '" + (name && name[0] === "=" ? name.slice(1) : name) + "' in " + String(obj)) : member.has(obj);

var __privateGet = (obj, member, getter, name) => (member.has(obj) || __typeError(!name ? "Cannot read from private field" : name[0] === "=" ? "Receiver must be class " + name.slice(1) : obj == null ? "Cannot read properties of " + obj + " (reading '" + name + "')" : name[0] === "#" ? "Cannot read private member " + name + " from an object whose class did not declare it" : "Receiver must be an instance of class " + name), getter ? getter.call(obj) : member.get(obj));

var __privateSet = (obj, member, value, setter, name) => (member.has(obj) || __typeError(!name ? "Cannot write to private field" : name[0] === "=" ? "Receiver must be class " + name.slice(1) : name[0] !== "#" ? obj == null ? "Cannot read properties of " + obj + " (reading '" + name + "')" : "Receiver must be an instance of class " + name : obj == null ? "Cannot set properties of " + obj + " (setting '" + name + "')" : "Cannot write private member " + name + " to an object whose class did not declare it"), setter ? setter.call(obj, value) : member.set(obj, value), value);

var __privateMethod = (obj, member, method, name) => (member.has(obj) || __typeError(!name ? "Cannot access private method" : name[0] === "=" ? "Receiver must be class " + name.slice(1) : obj == null ? "Cannot read properties of " + obj + " (reading '" + name + "')" : "Receiver must be an instance of class " + name), method);

var __privateAdd = (obj, member, value, name) => member.has(obj) ? __typeError(!name ? "Cannot add the same private member more than once" : name[0] === "#" ? "Cannot initialize " + name + " twice on the same object" : "Cannot initialize private methods of class " + (name[0] === "=" ? name.slice(1) : name) + " twice on the same object") : member instanceof WeakSet ? member.add(obj) : member.set(obj, value);
