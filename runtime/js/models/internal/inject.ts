// The free name `process` in the npm shims.
import * as process from './process';
export { process };
