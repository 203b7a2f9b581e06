// A request's body, read the usual way (`on('data')`, `on('end')`, pause,
// resume, setEncoding, or not at all), needs little of a stream. Such a message
// carries a LightState in the place of ReadableState; it becomes a full
// readable-stream as soon as a program reads it in any other way (pipe, read,
// iteration…).
import { StringDecoder } from '../string_decoder';
import { loop } from './host';

// The fields that programs and readable-stream's own getters look at.
export class LightState {
  objectMode = false;
  highWaterMark = 16384;
  length = 0;
  pipes: any[] = noPipes;
  flowing: boolean | null = null;
  ended = false;
  endEmitted = false;
  reading = false;
  constructed = true;
  readableListening = false;
  resumeScheduled = false;
  errorEmitted = false;
  emitClose = true;
  autoDestroy = true;
  destroyed = false;
  errored: any = null;
  closed = false;
  closeEmitted = false;
  paused: boolean | null = null;
  dataEmitted = false;
  decoder: any = null;
  encoding: string | null = null;
  // Chunks that arrived and were not delivered yet, and after them what the decoder has left.
  waiting: any[] | null = null;
  rest = '';
  endScheduled = false;
  // Arrived: the platform has seen the end of the message.
  readable = true;
}

const noPipes: any[] = [];

export function isLight(m: any): boolean {
  return m._readableState instanceof LightState;
}

// arrive is the platform's delivery of a chunk, or of the end (null).
export function arrive(m: any, chunk: any): void {
  const s = m._readableState;
  if (!(s instanceof LightState)) {
    m.push(chunk);
    return;
  }
  if (s.destroyed) return;
  if (chunk === null) {
    s.ended = true;
    if (s.decoder !== null && s.waiting === null) s.rest = s.decoder.end();
  } else if (s.waiting === null) s.waiting = [chunk];
  else s.waiting.push(chunk);
  if (s.flowing === true && !s.resumeScheduled) flow(m, s);
}

function flow(m: any, s: LightState): void {
  while (s.flowing === true && (s.waiting !== null || s.rest !== '')) {
    const chunk = take(s);
    // Who reads the last chunk has read to the end, even if it pauses at it.
    if (s.ended && s.waiting === null && s.rest === '') end(m, s);
    if (chunk === '') continue;
    s.dataEmitted = true;
    m.emit('data', chunk);
    // A listener may have asked for more than this state can do.
    if (m._readableState !== s) return;
  }
  if (s.flowing === true && s.ended) end(m, s);
}

function take(s: LightState): any {
  if (s.waiting === null) {
    const { rest } = s;
    s.rest = '';
    return rest;
  }
  const chunk = s.waiting[0];
  if (s.waiting.length === 1) s.waiting = null;
  else s.waiting.shift();
  if (s.decoder === null) return chunk;
  const text = s.decoder.write(chunk);
  if (s.ended && s.waiting === null) s.rest = s.decoder.end();
  return text;
}

function end(m: any, s: LightState): void {
  if (s.endScheduled) return;
  s.endScheduled = true;
  loop.tick(() => {
    if (s.errored !== null || s.closeEmitted || m._readableState !== s) return;
    s.endEmitted = true;
    s.readable = false;
    m.emit('end');
    destroyed(m, s);
  });
}

function destroyed(m: any, s: LightState): void {
  if (s.destroyed) return;
  s.destroyed = true;
  loop.tick(() => loop.tick(() => close(m, s)));
}

function close(m: any, s: LightState): void {
  s.closed = true;
  s.closeEmitted = true;
  m.emit('close');
}

// streamMethods teaches Readable.prototype, in place, what a light message
// does. In place, because a listener's registration is recognized by the
// function that it goes through.
export function streamMethods(Readable: any): void {
  const p = Readable.prototype;
  const { on, pause, read, resume, isPaused, unpipe, setEncoding, destroy } = p;
  const emitterOn = Object.getPrototypeOf(p).on;

  p.on = p.addListener = function (this: any, event: any, listener: any): any {
    const s = this._readableState;
    if (!(s instanceof LightState)) return on.call(this, event, listener);
    if (event === 'readable') {
      materialize(this);
      return on.call(this, event, listener);
    }
    const r = emitterOn.call(this, event, listener);
    if (event === 'data' && s.flowing !== false) this.resume();
    return r;
  };

  p.resume = function (this: any): any {
    const s = this._readableState;
    if (!(s instanceof LightState)) return resume.call(this);
    if (s.flowing !== true) {
      s.flowing = true;
      if (!s.resumeScheduled) {
        s.resumeScheduled = true;
        loop.tick(() => {
          if (this._readableState !== s) return;
          s.resumeScheduled = false;
          this.emit('resume');
          flow(this, s);
        });
      }
    }
    s.paused = false;
    return this;
  };

  p.pause = function (this: any): any {
    const s = this._readableState;
    if (!(s instanceof LightState)) return pause.call(this);
    if (s.flowing !== false) {
      s.flowing = false;
      this.emit('pause');
    }
    s.paused = true;
    return this;
  };

  p.isPaused = function (this: any): boolean {
    const s = this._readableState;
    return s instanceof LightState ? s.paused === true || s.flowing === false : isPaused.call(this);
  };

  p.unpipe = function (this: any, to: any): any {
    return this._readableState instanceof LightState ? this : unpipe.call(this, to);
  };

  p.setEncoding = function (this: any, encoding: any): any {
    const s = this._readableState;
    if (!(s instanceof LightState)) return setEncoding.call(this, encoding);
    s.decoder = new (StringDecoder as any)(encoding);
    s.encoding = s.decoder.encoding;
    return this;
  };

  p.destroy = function (this: any, err?: any, done?: any): any {
    const s = this._readableState;
    if (!(s instanceof LightState)) return destroy.call(this, err, done);
    if (s.destroyed) return this;
    s.errored = err ?? null;
    s.waiting = null;
    s.destroyed = true;
    this._destroy(err ?? null, (e: any) => {
      done?.(e);
      loop.tick(() => {
        if (e) {
          s.errorEmitted = true;
          this.emit('error', e);
        }
        close(this, s);
      });
    });
    return this;
  };

  // Everything else is readable-stream's, on a full state.
  const light = new Set(['constructor', 'on', 'addListener', 'resume', 'pause', 'isPaused', 'unpipe', 'setEncoding', 'destroy', 'removeListener', 'off', 'removeAllListeners', '_read', '_destroy', '_undestroy']);
  for (const key of Reflect.ownKeys(p)) {
    const d = Object.getOwnPropertyDescriptor(p, key)!;
    if (light.has(key as string) || typeof d.value !== 'function') continue;
    const full = d.value;
    d.value = function (this: any) {
      if (this !== null && typeof this === 'object' && this._readableState instanceof LightState) materialize(this);
      return new.target === undefined ? Reflect.apply(full, this, arguments) : Reflect.construct(full, arguments);
    };
    Object.defineProperty(d.value, 'name', { value: full.name, configurable: true });
    Object.defineProperty(p, key, d);
  }

  function materialize(m: any): void {
    const s: LightState = m._readableState;
    const { _events, _eventsCount } = m;
    Readable.call(m, { highWaterMark: s.highWaterMark });
    m._events = _events;
    m._eventsCount = _eventsCount;
    const full = m._readableState;
    full.readingMore = true;
    if (s.encoding !== null) {
      setEncoding.call(m, s.encoding);
      full.decoder = s.decoder;
    }
    if (s.destroyed || s.endEmitted) {
      full.ended = s.ended;
      full.endEmitted = s.endEmitted;
      full.destroyed = s.destroyed;
      full.closed = s.closed;
      full.closeEmitted = s.closeEmitted;
      full.errored = s.errored;
      full.errorEmitted = s.errorEmitted;
      return;
    }
    if (s.waiting !== null) for (const chunk of s.waiting) m.push(chunk);
    if (s.rest !== '') m.push(s.rest, s.encoding);
    if (s.ended) m.push(null);
    if (s.endScheduled) read.call(m, 0);
    if (s.flowing === false) pause.call(m);
    else if (s.flowing === true) resume.call(m);
  }
}
