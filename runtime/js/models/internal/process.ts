// `process` as the npm shims want it: their ticks are the platform's, not the
// guest's, so they do not count as registrations.
import { loop } from './host';

export const env: Record<string, string> = {};
export const argv: string[] = [];
export const pid = 0;
export const platform = 'linux';
export const version = 'v20.20.2';
export const versions = { node: '20.20.2' };
export const stderr = null;
export const noDeprecation = true;

export function nextTick(f: Function, ...args: any[]): void {
  loop.tick(args.length === 0 ? (f as () => void) : () => Reflect.apply(f, undefined, args));
}
export function emitWarning(): void {}
// cwd is the app's folder; captured files lie below it.
export function cwd(): string {
  return (globalThis as any).$folder ?? '/app';
}
