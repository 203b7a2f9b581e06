// AES as Node's Cipher and Decipher give it out: piece by piece, one object for all
// lanes of a group. The engine does the blocks.
import { inLanes } from './mv';
import { call } from './call';
import { laneOf } from './lift';

export interface Fault {
  kind: 'bad decrypt' | 'wrong final block length' | 'authentication' | 'state' | 'partial block';
}

const block = 16;
const none = new Uint8Array(0);

function join(a: Uint8Array, b: Uint8Array): Uint8Array {
  if (a.length === 0) return b;
  const r = new Uint8Array(a.length + b.length);
  r.set(a);
  r.set(b, a.length);
  return r;
}

// plus is a counter block n blocks on; in GCM only its last 32 bits count.
function plus(counter: Uint8Array, n: number, gcm: boolean): Uint8Array {
  const r = new Uint8Array(counter);
  for (let i = block - 1; n > 0 && i >= (gcm ? 12 : 0); i--) {
    n += r[i];
    r[i] = n & 255;
    n = Math.floor(n / 256);
  }
  return r;
}

class Lane {
  private pending: Uint8Array = none;
  private chain: Uint8Array;
  private counter: Uint8Array<ArrayBufferLike> | null = null;
  private done = 0;
  private plain: Uint8Array = none;
  private aad: Uint8Array = none;
  tag: Uint8Array<ArrayBufferLike> | null = null;
  padding = true;
  finished = false;

  constructor(
    private readonly mode: string,
    private readonly encrypt: boolean,
    private readonly key: Uint8Array,
    private readonly iv: Uint8Array,
    private readonly tagLength: number,
  ) {
    this.chain = iv;
  }

  update(data: Uint8Array): Uint8Array {
    if (this.mode === 'cbc') {
      const all = join(this.pending, data);
      let n = all.length - (all.length % block);
      if (!this.encrypt && this.padding && n === all.length && n > 0) n -= block;
      this.pending = new Uint8Array(all.subarray(n));
      return this.blocks(all.subarray(0, n));
    }
    this.counter ??= this.mode === 'gcm' ? call('gcmj0', this.key, this.iv).slice() : this.iv;
    const out = call('ctr', this.key, plus(this.counter, Math.floor(this.done / block), this.mode === 'gcm'), this.done % block, data).slice();
    this.done += data.length;
    if (this.mode === 'gcm') this.plain = join(this.plain, this.encrypt ? new Uint8Array(data) : out);
    return out;
  }

  private blocks(data: Uint8Array): Uint8Array {
    if (data.length === 0) return none;
    const out = call('cbc', this.encrypt ? 'e' : 'd', this.key, this.chain, data).slice();
    this.chain = new Uint8Array((this.encrypt ? out : data).subarray(data.length - block));
    return out;
  }

  authenticate(data: Uint8Array): void {
    this.aad = join(this.aad, new Uint8Array(data));
  }

  final(): Uint8Array | Fault {
    if (this.finished) return { kind: 'state' };
    this.finished = true;
    if (this.mode === 'gcm') {
      const tag = call('gcm', this.key, this.iv, this.plain, this.aad).slice(0, this.tag === null ? this.tagLength : this.tag.length);
      if (this.encrypt) this.tag = tag;
      else if (this.tag === null || this.tag.some((x, i) => x !== tag[i])) return { kind: 'authentication' };
      return none;
    }
    if (this.mode === 'ctr') return none;
    if (!this.padding) return this.pending.length === 0 ? none : { kind: 'partial block' };
    if (this.encrypt) {
      const n = block - this.pending.length;
      return this.blocks(join(this.pending, new Uint8Array(n).fill(n)));
    }
    if (this.pending.length !== block) return { kind: 'wrong final block length' };
    const last = this.blocks(this.pending);
    const n = last[block - 1];
    if (n < 1 || n > block || last.subarray(block - n).some((x) => x !== n)) return { kind: 'bad decrypt' };
    return last.subarray(0, block - n);
  }
}

// Cipher is a cipher of a group. What it answers is bytes, or what went wrong.
export class Cipher {
  private readonly lanes: Lane[] = [];
  constructor(
    private readonly mode: string,
    private readonly encrypt: boolean,
    private readonly key: any,
    private readonly iv: any,
    private readonly tagLength: number,
  ) {}

  private lane(i: number): Lane {
    return (this.lanes[i] ??= new Lane(this.mode, this.encrypt, new Uint8Array(laneOf(this.key, i)), new Uint8Array(laneOf(this.iv, i)), this.tagLength));
  }

  update(data: any): any {
    return inLanes((i) => this.lane(i).update(laneOf(data, i)), true);
  }
  final(): any {
    return inLanes((i) => this.lane(i).final(), true);
  }
  authenticate(data: any): void {
    inLanes((i) => this.lane(i).authenticate(laneOf(data, i)));
  }
  setTag(tag: any): void {
    inLanes((i) => void (this.lane(i).tag = new Uint8Array(laneOf(tag, i))));
  }
  getTag(): any {
    return inLanes((i) => this.lane(i).tag, true);
  }
  pad(on: any): void {
    inLanes((i) => void (this.lane(i).padding = !!laneOf(on, i)));
  }
}
