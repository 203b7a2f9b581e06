const table = await Promise.resolve({ a: 3, b: 5 });
let asked = 0;
export default (id) => ({ price: (table[id] ??= 7), asked: ++asked });
