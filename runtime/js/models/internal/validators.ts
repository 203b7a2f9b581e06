// Checks of arguments, in Node's words.
import { invalidType } from './errors';

export function validateString(value: any, name: string): void {
  if (typeof value !== 'string') throw invalidType(name, 'of type string', value);
}

export function validateObject(value: any, name: string): void {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw invalidType(name, 'of type object', value);
}

export function validateFunction(value: any, name: string): void {
  if (typeof value !== 'function') throw invalidType(name, 'of type function', value);
}

export function validateBoolean(value: any, name: string): void {
  if (typeof value !== 'boolean') throw invalidType(name, 'of type boolean', value);
}

export function validateAbortSignal(signal: any, name: string): void {
  if (signal !== undefined && (signal === null || typeof signal !== 'object' || !('aborted' in signal))) throw invalidType(name, 'an instance of AbortSignal', signal);
}
