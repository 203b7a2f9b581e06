// What package path-unified checks, in Node's words.
import { invalidType } from './errors';

export function validateString(value: any, name: string): void {
  if (typeof value !== 'string') throw invalidType(name, 'of type string', value);
}

export function validateObject(value: any, name: string): void {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw invalidType(name, 'of type object', value);
}
