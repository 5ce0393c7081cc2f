import * as all from 'rxjs';

// The rxjs that strategies import: all of it, with a check of delays.
export * from 'rxjs';

// As Node exports a whole CommonJS package.
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

/** URL of this module, to which imports of rxjs are resolved. */
export const url = import.meta.url;
