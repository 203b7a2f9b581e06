// What the url shim asks of qs, as Node's url module asks it of querystring.
import querystring from '../querystring';

export const parse = (s: string): any => querystring.parse(s);
export const stringify = (o: any): string => querystring.stringify(o);
