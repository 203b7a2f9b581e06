var __karousos_meta_resolve, __karousos_module;
require = (function (load) {
  var core = " CORE ", main = MAIN;
  function refuse(id) {
    var e = new Error("Cannot find module '" + id + "': it was not part of the build (karousosc bundles what is named by string literals)");
    e.code = "MODULE_NOT_FOUND";
    return e;
  }
  function require(id) {
    var name = String(id).replace(/^node:/, "");
    if (name === "module") load(name).createRequire = createRequire;
    if (core.indexOf(" " + name + " ") >= 0) return load(name);
    if (require.byName[id] !== undefined) return require.byName[id]();
    throw refuse(id);
  }
  require.resolve = function resolve(id) {
    if (String(id).indexOf(BUILT) === 0) return __karousos_dirname + "/" + id.slice(BUILT.length);
    if (core.indexOf(" " + String(id).replace(/^node:/, "") + " ") < 0) throw refuse(id);
    return id;
  };
  function createRequire(filename, own) {
    if (!/^(file:|\/)/.test(filename instanceof URL ? filename.href : filename)) {
      var e = new TypeError("The argument 'filename' must be a file URL object, file URL string, or absolute path string. Received '" + filename + "'");
      e.code = "ERR_INVALID_ARG_VALUE";
      throw e;
    }
    function made(id) { return own && own.modules[id] ? own.modules[id]() : require(id); }
    made.resolve = function resolve(id) { return own && own.files[id] ? own.files[id]() : require.resolve(id); };
    made.main = undefined;
    made.extensions = require.extensions;
    made.cache = require.cache;
    return made;
  }
  require.byName = Object.create(null);
  require.main = undefined;
  require.cache = Object.create(null);
  require.extensions = Object.create(null);
  // What a CommonJS module knows of itself; file is relative to the app's folder.
  var about = {
    get parent() { return this === require.main ? null : require.main; },
    get children() { return []; },
    get paths() { return []; },
    loaded: false,
    require: require
  };
  __karousos_module = function (file) {
    var up = file.replace(/^(\.\.\/)+/, ""), at = up.indexOf("node_modules/");
    var filename = __karousos_dirname + "/" + (up === file ? file : at >= 0 ? up.slice(at) : LINKED + up);
    var module = { __proto__: about, id: filename, path: filename.replace(/\/[^/]*$/, ""), exports: {}, filename: filename };
    if (file === main) {
      module.id = ".";
      require.main = module;
    }
    return module;
  };
  __karousos_meta_resolve = function (parent) {
    return function resolve(specifier) {
      var id = String(specifier), name = id.replace(/^node:/, "");
      if (core.indexOf(" " + name + " ") >= 0) return "node:" + name;
      if (!/^(\.\.?\/|\/)/.test(id) && !URL.canParse(id)) throw refuse(id);
      return new URL(id, parent).href;
    };
  };
  return require;
})(require);
