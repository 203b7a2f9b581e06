export * from './store.mjs';
export { default } from './store.mjs';
