// DOMException.
import { coded } from './internal/errors';
import { enumerable, tagged } from './eventtarget';

// In the order of their codes, from 1.
const names = ['IndexSize', 'DOMStringSize', 'HierarchyRequest', 'WrongDocument', 'InvalidCharacter', 'NoDataAllowed', 'NoModificationAllowed', 'NotFound', 'NotSupported', 'InUseAttribute', 'InvalidState', 'Syntax', 'InvalidModification', 'Namespace', 'InvalidAccess', 'Validation', 'TypeMismatch', 'Security', 'Network', 'Abort', 'URLMismatch', 'QuotaExceeded', 'Timeout', 'InvalidNodeType', 'DataClone'];
const unused = ['DOMStringSize', 'NoDataAllowed', 'Validation'];

const said = Symbol('said');

// of is what an exception was told when it was made.
function of(e: any): { name: string; message: string } {
  if (e?.[said] === undefined) throw coded(TypeError, 'ERR_INVALID_THIS', 'Value of "this" must be of DOMException');
  return e[said];
}

export class DOMException extends Error {
  constructor(message: any = '', options: any = 'Error') {
    super();
    const detailed = typeof options === 'object' && options !== null;
    const { name } = detailed ? options : { name: options };
    Object.defineProperty(this, said, { value: { message: `${message}`, name: `${name}` } });
    if (detailed && 'cause' in options) Object.defineProperty(this, 'cause', { value: options.cause, writable: true, configurable: true });
  }
  get name(): string {
    return of(this).name;
  }
  get message(): string {
    return of(this).message;
  }
  get code(): number {
    const { name } = of(this);
    const short = name.endsWith('Error') ? name.slice(0, -5) : '';
    return unused.includes(short) ? 0 : names.indexOf(short) + 1;
  }
}
enumerable(DOMException, 'name', 'message', 'code');
tagged(DOMException, 'DOMException');
names.forEach((name, i) => {
  const words = name.replace(/(InUse|URL|[a-z])(?=[A-Z])/g, '$1_');
  for (const o of [DOMException, DOMException.prototype]) Object.defineProperty(o, words.toUpperCase() + '_ERR', { value: i + 1, enumerable: true });
});
