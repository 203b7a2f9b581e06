import { setTimeout as sleep } from 'node:timers/promises';
import { label } from './label.mjs';

await sleep(5);
const goods = new Map();

export const scale = await Promise.resolve(3);

export async function open(name) {
  await null;
  return {
    put: async (id, amount) => {
      await null;
      goods.set(id, { name, amount, label: label(id) });
    },
    get: async (id) => goods.get(id),
    get kinds() {
      return goods.size;
    },
  };
}
