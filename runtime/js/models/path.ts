// path: npm's, with Node's words about what is no path.
import { invalidType } from './internal/errors';
import windows from '../node_modules/path-unified/src/win32.js';

const npm = require('../node_modules/path-browserify/index.js');
const own: any = npm.default ?? npm;

function text(value: any, name: string): void {
  if (typeof value !== 'string') throw invalidType(name, 'of type string', value);
}

export const path: any = {
  ...own,
  resolve(...args: any[]): string {
    for (let i = args.length - 1; i >= 0; i--) {
      text(args[i], `paths[${i}]`);
      if (args[i][0] === '/') break;
    }
    return own.resolve(...args);
  },
  join(...args: any[]): string {
    for (const arg of args) text(arg, 'path');
    return own.join(...args);
  },
  relative(from: any, to: any): string {
    text(from, 'from');
    text(to, 'to');
    return own.relative(from, to);
  },
  basename(p: any, suffix: any): string {
    if (suffix !== undefined) text(suffix, 'suffix');
    text(p, 'path');
    return own.basename(p, suffix);
  },
  format(o: any): string {
    if (o === null || typeof o !== 'object' || Array.isArray(o)) throw invalidType('pathObject', 'of type object', o);
    const { ext } = o;
    return own.format(ext && ext[0] !== '.' && !o.base ? { ...o, ext: '.' + ext } : o);
  },
  toNamespacedPath: (p: any) => p,
};
for (const k of ['normalize', 'isAbsolute', 'dirname', 'extname', 'parse'])
  path[k] = {
    [k](p: any): any {
      text(p, 'path');
      return own[k](p);
    },
  }[k];
path.posix = path;
path.win32 = {
  ...windows,
  posix: path,
  basename(p: any, suffix: any): string {
    if (suffix !== undefined) text(suffix, 'suffix');
    return windows.basename(p, suffix);
  },
};
path.win32.win32 = path.win32;
for (const p of [path, path.win32]) p._makeLong = p.toNamespacedPath;
