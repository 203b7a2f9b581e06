require = (function (load, main) {
  var core = " CORE ";
  function refuse(id) {
    var e = new Error("Cannot find module '" + id + "': it was not part of the build (karousosc bundles what is named by string literals)");
    e.code = "MODULE_NOT_FOUND";
    return e;
  }
  function require(id) {
    var name = String(id).replace(/^node:/, "");
    if (core.indexOf(" " + name + " ") >= 0) return load(name);
    if (require.byName[id] !== undefined) return require.byName[id]();
    throw refuse(id);
  }
  require.resolve = function resolve(id) {
    if (core.indexOf(" " + String(id).replace(/^node:/, "") + " ") < 0) throw refuse(id);
    return id;
  };
  require.byName = Object.create(null);
  require.main = main;
  require.cache = Object.create(null);
  require.extensions = Object.create(null);
  return require;
})(require, module);
