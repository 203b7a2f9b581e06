export const greeted = new Set();
let times = 0;
export function greet(who) {
  greeted.add(who);
  return `hello ${who}, for the ${++times}. time`;
}
