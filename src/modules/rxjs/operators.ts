import * as all from 'rxjs/operators';

// The same for `rxjs/operators`, where older code has its operators from.
export * from 'rxjs/operators';

// As Node gives whoever imports the whole of a CommonJS package.
export default all;
export {
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

export const url = import.meta.url;
