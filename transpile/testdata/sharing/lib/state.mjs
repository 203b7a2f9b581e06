export const sessions = new Map(); // want "sessions changed"
export const recent = []; // want "recent changed"
export let counter = 0; // want "counter assigned"
export let flags = { dark: false }; // want "flags assigned"
export const next = () => ++counter;
const state = { hits: 0 }; // want "state changed"
export default state;
setInterval(() => {
  flags = { dark: !flags.dark };
}, 1000);
