import settings from './settings.mjs';

export const guests = [];
export let served = 0;

export function enter(name) {
  if (guests.length >= settings.limit) return -1;
  return guests.push({ name, at: served });
}

export function leave() {
  const guest = guests.shift();
  if (guest) served++;
  return guest;
}
