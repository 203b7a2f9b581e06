export let count = 0;
export let mode = 'on';
const log = [];
export default log;

export function increment() {
  if (mode === 'on') count++;
  log.push(`${mode} ${count}`);
}
export const setMode = (m) => {
  mode = m;
};

// In what is built, the runtime is called so.
const $k = { unknown: -1 };

// A private method's name, lowered, is the name of a variable beside this module's: $_fn.
class Lines {
  #$(all) {
    return all.indexOf ? all.length : $k.unknown;
  }
  get count() {
    return this.#$(log);
  }
}
export const lines = new Lines();
