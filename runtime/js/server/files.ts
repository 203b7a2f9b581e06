// The app's own files. The build holds copies of them in a folder that stands for the
// app's: it is the working folder, as it would be where the app is started from its
// own. Copying a build often loses the files' times, which answers tell (Last-Modified,
// ETag), so they are given back here.
import { mkdirSync, readFileSync, statSync, utimesSync } from 'fs';
import { join } from 'path';
import * as log from './log';

export const appFolder = join(__dirname, 'app');

interface Entry {
  size: number;
  mtimeMs: number;
}

// The name under which the verifier learns where the app's folder was. No
// environment variable can be called so.
const folderName = '=';

export function enterAppFolder(): void {
  mkdirSync(appFolder, { recursive: true });
  process.chdir(appFolder);
  log.writer.env(folderName, appFolder);
  const table = JSON.parse(readFileSync(join(__dirname, 'files.json'), 'utf8')).files as Record<string, Entry>;
  const other: string[] = [];
  for (const name of Object.keys(table)) if (!restored(join(appFolder, name), table[name])) other.push(name);
  if (other.length > 0)
    process.stderr.write(`karousos: ${other.length === 1 ? 'a file is' : other.length + ' files are'} not as in the build: ${other.slice(0, 5).join(', ')}; answers that tell of them will be rejected\n`);
}

// restored tells whether a file is the build's, after its time was put right.
function restored(path: string, want: Entry): boolean {
  try {
    const is = statSync(path);
    if (is.size !== want.size) return false;
    if (Math.round(is.mtimeMs) !== want.mtimeMs) utimesSync(path, is.atime, want.mtimeMs / 1000);
    return true;
  } catch {
    return false;
  }
}
