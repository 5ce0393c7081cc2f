import * as all from 'rxjs';

// What a strategy gets that imports rxjs: all of it, with its delays looked at where they are given.
export * from 'rxjs';

// As Node gives whoever imports the whole of a CommonJS package.
export default all;
export {
  timer,
  interval,
  auditTime,
  bufferTime,
  debounceTime,
  delay,
  sampleTime,
  throttleTime,
  timeout,
  timeoutWith,
  retry,
  repeat,
  windowTime,
} from './checked.ts';

/** Where this module is, for whoever leads imports of rxjs to it. */
export const url = import.meta.url;
