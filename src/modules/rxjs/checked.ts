import { withDelays, withSettings } from './delays.ts';

// Functions of rxjs that take delays, with a check of the delays.
export const timer = withDelays('timer', [0, 1], false);
export const interval = withDelays('interval', [0], false);
export const auditTime = withDelays('auditTime', [0]);
export const bufferTime = withDelays('bufferTime', [0, 1]);
export const debounceTime = withDelays('debounceTime', [0]);
export const delay = withDelays('delay', [0]);
export const sampleTime = withDelays('sampleTime', [0]);
export const throttleTime = withDelays('throttleTime', [0]);
export const timeout = withSettings('timeout', ['first', 'each'], true);
export const timeoutWith = withDelays('timeoutWith', [0]);
export const retry = withSettings('retry', ['delay'], false);
export const repeat = withSettings('repeat', ['delay'], false);
export const windowTime = withDelays('windowTime', [0, 1]);
