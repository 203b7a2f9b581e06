import Stream from './stream';
export const { Readable, Writable, Duplex, Transform, PassThrough } = Stream as any;
