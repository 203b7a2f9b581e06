// What package whatwg-url wants of TextEncoder and TextDecoder.
import { utf8 } from './call';
import { decode } from './text';

export const utf8Encode = utf8;
export const utf8DecodeWithoutBOM = (b: Uint8Array): string => decode(b, 0, b.length);
