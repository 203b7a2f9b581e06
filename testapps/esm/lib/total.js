import { area } from './shapes.js';

export const total = (shapes) => [...shapes].reduce((sum, s) => sum + area(s), 0);
