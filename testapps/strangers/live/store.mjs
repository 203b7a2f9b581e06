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
