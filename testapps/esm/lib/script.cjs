// A script as pages have them: sloppy, and with neither imports nor exports.
var local = this;
(function () {
  fromScript = typeof this + typeof local;
})();
