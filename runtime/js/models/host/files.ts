// The app's own files, as the build took them. The engine holds their contents.
import { call } from './call';
import { decode } from './text';

interface Entry {
  size: number;
  mtimeMs: number;
  mode: number;
}

let files: Map<string, Entry> | null = null;
const folders = new Map<string, string[]>();
const contents = new Map<string, Uint8Array>();

function load(): Map<string, Entry> {
  if (files !== null) return files;
  files = new Map();
  folders.set('', []);
  const b = call('files');
  const table = JSON.parse(decode(b, 0, b.length));
  for (const name of Object.keys(table)) {
    files.set(name, table[name]);
    for (let at = name; at !== ''; ) {
      const cut = at.lastIndexOf('/');
      const folder = cut < 0 ? '' : at.slice(0, cut);
      let l = folders.get(folder);
      if (l === undefined) folders.set(folder, (l = []));
      const base = at.slice(cut + 1);
      if (!l.includes(base)) l.push(base);
      at = folder;
    }
  }
  for (const l of folders.values()) l.sort(byBytes);
  return files;
}

// byBytes is the order of UTF-8, which is that of code points.
function byBytes(a: string, b: string): number {
  const x = [...a];
  const y = [...b];
  for (let i = 0; i < x.length && i < y.length; i++) if (x[i] !== y[i]) return x[i].codePointAt(0)! - y[i].codePointAt(0)!;
  return x.length - y.length;
}

// normal is an absolute path without . and .. in it.
function normal(p: string, folder: string): string {
  const out: string[] = [];
  for (const part of (p[0] === '/' ? p : folder + '/' + p).split('/')) {
    if (part === '..') out.pop();
    else if (part !== '' && part !== '.') out.push(part);
  }
  return '/' + out.join('/');
}

// place tells where a path leads: a file or a folder of the app, nowhere in its
// folder, or outside. name is relative to the app's folder.
export function place(p: string, folder: string): { kind: 'file' | 'folder' | 'missing' | 'outside'; name: string; full: string } {
  const full = normal(p, folder);
  const root = normal(folder, '/');
  const name = full === root ? '' : full.startsWith(root + '/') ? full.slice(root.length + 1) : null;
  if (name === null) return { kind: 'outside', name: '', full };
  if (load().has(name)) return { kind: 'file', name, full };
  return { kind: folders.has(name) ? 'folder' : 'missing', name, full };
}

export function read(name: string): Uint8Array {
  let b = contents.get(name);
  if (b === undefined) contents.set(name, (b = call('file', name).slice()));
  return b.slice();
}

export const entry = (name: string): Entry => load().get(name)!;
export const list = (name: string): string[] => folders.get(name)!.slice();
export const isFolder = (name: string): boolean => folders.has(name);
