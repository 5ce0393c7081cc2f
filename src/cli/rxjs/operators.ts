// The same for `rxjs/operators`, where older code has its operators from.
export * from 'rxjs/operators';
export {
  auditTime,
  bufferTime,
  debounceTime,
  delay,
  sampleTime,
  throttleTime,
  timeout,
  windowTime,
} from './checked.ts';

export const url = import.meta.url;
