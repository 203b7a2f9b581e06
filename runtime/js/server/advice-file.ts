// The file of one life. Full buffers go to the flush worker; until a block is
// in the file this side can still read it, so that sync() and finish() can do the
// rest in order and synchronously, inside exit handlers too.
import * as fs from 'fs';
import { join } from 'path';
import { Worker } from 'worker_threads';
import { current, setCurrent } from '../shared/activation';
import { blockSize, control, preamble, writeAll, writeBlock } from './advice-block';

// More than this may not wait for the disk: then the writer waits for it.
const maxPending = 64 * 1024 * 1024;
// Blocks up to this size are written by the main thread while there is no worker.
const smallBlock = 32 * 1024;
// A disk that does nothing for this long counts as failed.
const patience = 10000;

interface Pending {
  seq: number;
  data: Buffer;
  length: number;
}

export class AdviceFile {
  failed = false;
  path = '';
  private fd = -1;
  private worker: Worker | null = null;
  private started = false;
  private readonly state = new Int32Array(new SharedArrayBuffer(4 * control.size));
  private seq = 0;
  private endAt = 0;
  private pending: Pending[] = [];
  private pendingBytes = 0;
  private spare: Buffer[] = [];

  // marker encodes the record that says why the file ends early.
  constructor(
    dir: string,
    buildId: string,
    private readonly workerPath: string,
    private readonly marker: (reason: string) => Uint8Array,
  ) {
    try {
      fs.mkdirSync(dir, { recursive: true });
      for (let ms = Date.now(); this.fd < 0; ms++) {
        this.path = join(dir, `life-${String(ms).padStart(13, '0')}-${process.pid}.kadv`);
        try {
          this.fd = fs.openSync(this.path, 'ax');
        } catch (e) {
          if ((e as NodeJS.ErrnoException).code !== 'EEXIST') throw e;
        }
      }
      writeAll(this.fd, preamble(buildId));
    } catch (e) {
      this.fail((e as Error).message);
      return;
    }
  }

  // startWorker is left until there is much to write: a thread costs more than
  // many small blocks that are written here.
  private startWorker(): void {
    this.started = true;
    // What Node does to make a thread is no doing of the program's.
    const running = current;
    setCurrent(null);
    try {
      this.worker = new Worker(this.workerPath, { workerData: { fd: this.fd, shared: this.state.buffer }, execArgv: [] });
      this.worker.on('message', (message: string) => this.fail(message));
      // Without a worker the blocks are written here.
      this.worker.on('error', () => (this.worker = null));
      this.worker.unref();
    } catch {
      this.worker = null;
    } finally {
      setCurrent(running);
    }
  }

  buffer(size: number): Buffer {
    if (size <= blockSize && this.spare.length > 0) return this.spare.pop()!;
    return Buffer.from(new SharedArrayBuffer(Math.max(size, blockSize)));
  }

  // put takes over data[0, length) as the next block.
  put(data: Buffer, length: number): void {
    if (this.failed) {
      this.recycle(data);
      return;
    }
    const block = { seq: this.seq++, data, length };
    this.pending.push(block);
    this.pendingBytes += data.length;
    if (!this.started && length > smallBlock) this.startWorker();
    if (this.worker === null) {
      this.sync();
      return;
    }
    this.worker.postMessage({ seq: block.seq, data: data.buffer, length });
    this.reap();
    if (this.pendingBytes > maxPending) this.sync();
  }

  // reap takes back the buffers of blocks that are in the file.
  private reap(): void {
    const done = Atomics.load(this.state, control.done);
    let n = 0;
    for (; n < this.pending.length && this.pending[n].seq < done; n++) {
      this.pendingBytes -= this.pending[n].data.length;
      this.recycle(this.pending[n].data);
    }
    if (n > 0) this.pending.splice(0, n);
  }

  private recycle(data: Buffer): void {
    if (data.length === blockSize && this.spare.length < 8) this.spare.push(data);
  }

  // sync returns when every block that was put is in the file (or never will be).
  sync(): void {
    if (this.failed) return;
    const s = this.state;
    // From here on the worker takes no further block; those it has, it finishes.
    const claimed = Atomics.exchange(s, control.claimed, -1);
    const end = performanceNow() + patience;
    for (;;) {
      const done = Atomics.load(s, control.done);
      if (Atomics.load(s, control.failed) !== 0) return this.fail('a block could not be written');
      if (done >= claimed) break;
      const left = end - performanceNow();
      if (left <= 0) return this.fail('the disk does not keep up');
      Atomics.wait(s, control.done, done, left);
    }
    this.reap();
    try {
      for (const b of this.pending) {
        writeBlock(this.fd, b.seq, b.data.subarray(0, b.length));
        Atomics.store(s, control.done, b.seq + 1);
      }
    } catch (e) {
      return this.fail((e as Error).message);
    }
    this.reap();
    Atomics.store(s, control.claimed, this.seq);
  }

  // finish writes the last block of a life that ends cleanly, once all others
  // are in the file. The descriptor stays open: the process is about to end, and
  // a worker that hangs in a write must not find its number given to another file.
  finish(last: Uint8Array): void {
    this.sync();
    if (this.failed) return;
    try {
      this.endAt = fs.fstatSync(this.fd).size;
      writeBlock(this.fd, this.seq, last);
    } catch (e) {
      this.fail((e as Error).message);
    }
  }

  // resume takes the last block back, because there is more to say after all.
  resume(): void {
    if (this.failed) return;
    try {
      fs.ftruncateSync(this.fd, this.endAt);
    } catch (e) {
      this.fail((e as Error).message);
    }
  }

  // fail gives up: the server goes on, the advice does not.
  private fail(reason: string): void {
    if (this.failed) return;
    this.failed = true;
    Atomics.store(this.state, control.failed, 1);
    process.stderr.write(`karousos: the advice is incomplete, requests from now on cannot be audited: ${reason}\n`);
    this.pending = [];
    if (this.fd < 0) return;
    // A block was cut off the file, so the little that says so may still fit.
    try {
      writeBlock(this.fd, Atomics.load(this.state, control.done), this.marker(reason));
    } catch {
      // The missing end record says it too.
    }
  }
}

// The application's clock calls are recorded; these are not the application's.
const performanceNow = performance.now.bind(performance);
