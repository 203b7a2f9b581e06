// A line is a conversation with the world outside, of which the server says what
// events came: the verifier's half of server/line.ts.
import { nondeterministic, port, recordedNext } from './host';

export class Line {
  _port = port();
  constructor(
    public _type: string,
    public _check: (v: any) => string | null,
    public _came: (e: any) => void,
    public _over: () => boolean,
  ) {
    this._expect();
  }
  _expect(): void {
    this._port.expect(() => {
      try {
        do this._came(JSON.parse(nondeterministic(this._type, this._check)));
        while (recordedNext(this._type));
      } finally {
        // Also if the program failed at one of them.
        if (!this._over()) this._expect();
      }
    });
  }
}
