const make = () => {
  let n = 0;
  return () => ++n;
};
exports.next = make();
