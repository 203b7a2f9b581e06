// Where the code of this build stands in the owner's sources, by the map that lies beside it.
import { readFileSync } from 'fs';
import { join } from 'path';
import type { SourceMap } from 'module';

let map: SourceMap | null | undefined;

// Place is in a file relative to the app's folder; line and column count from 1.
export interface Place {
  file: string;
  line: number;
  column: number;
}

// placeOf is where line:column of this build stems from, or null: the runtime is nobody's source.
export function placeOf(line: number, column: number): Place | null {
  if (map === undefined) {
    map = null;
    try {
      // Read when it is first needed: it is large.
      map = new (require('module').SourceMap)(JSON.parse(readFileSync(join(__dirname, 'index.js.map'), 'utf8')));
    } catch {
      // Without a map there is no place to give.
    }
  }
  const e: any = map?.findEntry(line - 1, column - 1);
  return e?.originalSource === undefined ? null : { file: e.originalSource, line: e.originalLine + 1, column: e.originalColumn + 1 };
}

// framesOf are the lines of a stack trace as if the sources had run, in a folder: without
// the frames of this runtime, and of what of the platform's it calls.
export function framesOf(frames: NodeJS.CallSite[], folder: string): string[] {
  const lines: string[] = [];
  let native: string[] = [];
  // Where in the sources the last line is, and whether it is of the body of an async function,
  // which the build made a generator without a name: the next frame has the name.
  let last = '';
  let nameless = false;
  let body = false;
  for (const frame of frames) {
    const text = String(frame);
    const file = frame.getFileName();
    if (file === null || file === undefined) {
      native.push(text);
      continue;
    }
    const at = `${file}:${frame.getLineNumber()}:${frame.getColumnNumber()}`;
    const place = file === __filename ? placeOf(frame.getLineNumber()!, frame.getColumnNumber()!) : null;
    if (file !== __filename) {
      lines.push(...native, text);
      body = false;
    } else if (place === null) {
      body ||= nameless && native[0] === 'Generator.next (<anonymous>)';
    } else {
      if (body) lines.pop();
      else last = `${join(folder, place.file)}:${place.line}:${place.column}`;
      lines.push(...native, text.replace(at, () => last));
      nameless = !body && frame.getFunctionName() === null;
      body = false;
    }
    native = [];
  }
  return lines.concat(native);
}
