// pushLast hands a stream the only chunk of its data together with the end. A stream
// that flows hands on a chunk as soon as it comes, and who pauses at it waits for the end;
// of a chunk that was there with the end, the end follows. What comes at one time is
// always the latter, however fast the stream's reader was.
export function pushLast(stream: any, push: Function, chunk: any): boolean {
  const s = stream._readableState;
  const flows = s.flowing === true && s.length === 0 && !s.sync;
  if (flows) s.sync = true;
  push.call(stream, chunk);
  if (flows) s.sync = false;
  return push.call(stream, null);
}
