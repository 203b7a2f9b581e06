// The flush worker compresses and writes blocks off the thread that answers
// requests. A block stays readable by the main thread until it is in the file,
// so the writer can take over at any moment (exit, signals) without asking.
import { parentPort, workerData } from 'worker_threads';
import { control, writeBlock } from './advice-block';

export interface WorkerStart {
  fd: number;
  shared: SharedArrayBuffer;
}

export interface BlockMessage {
  seq: number;
  data: SharedArrayBuffer;
  length: number;
}

const { fd, shared } = workerData as WorkerStart;
const state = new Int32Array(shared);

parentPort!.on('message', (m: BlockMessage) => {
  // Whoever moves `claimed` from seq to seq+1 writes the block.
  if (Atomics.compareExchange(state, control.claimed, m.seq, m.seq + 1) !== m.seq) return;
  try {
    writeBlock(fd, m.seq, new Uint8Array(m.data, 0, m.length));
    Atomics.store(state, control.done, m.seq + 1);
  } catch (e) {
    Atomics.store(state, control.failed, 1);
    parentPort!.postMessage(String((e as Error).message));
  }
  Atomics.notify(state, control.done);
});
