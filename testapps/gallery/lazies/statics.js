class Counted {
  static #n = 0;
  static next() {
    return ++Counted.#n;
  }
}
exports.next = () => Counted.next();
