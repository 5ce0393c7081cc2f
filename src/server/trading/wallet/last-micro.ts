import { micros, US_PER_MS, type Micros } from '../../../platform/time.ts';

/**
 * The last microsecond of a bound. Times are shown to the millisecond, so that one that bounds a
 * list from above includes everything that is shown with it.
 */
export const lastMicroOf = (till: Micros): Micros =>
  till % US_PER_MS === 0 ? micros(till + US_PER_MS - 1) : till;
