import * as all from 'rxjs/operators';

// The same for `rxjs/operators`, from which older code imports.
export * from 'rxjs/operators';

// As Node exports a whole CommonJS package.
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
