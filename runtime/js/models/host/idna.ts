// The names of hosts, in the place of package tr46: those that are plain ASCII are
// done here, all others by the verifier's engine.
import { call } from './call';
import { decode } from './text';

const plain = /^[\x00-\x7f]*$/;
const encoded = /(^|\.)xn--/i;

function ask(name: string, domain: string): string | null {
  try {
    const b = call(name, domain);
    return decode(b, 0, b.length);
  } catch {
    return null;
  }
}

export function toASCII(domain: string): string | null {
  return plain.test(domain) && !encoded.test(domain) ? domain.toLowerCase() : ask('ascii', domain);
}

export function toUnicode(domain: string): { domain: string; error: boolean } {
  if (plain.test(domain) && !encoded.test(domain)) return { domain: domain.toLowerCase(), error: false };
  return { domain: ask('unicode', domain) ?? domain, error: false };
}
