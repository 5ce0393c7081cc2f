import { micros, US_PER_MS, type Micros } from '../../../platform/time.ts';

/**
 * The last microsecond of a bound. Times are shown to the millisecond, so an upper bound of a list includes
 * everything that is shown with it.
 */
export const lastMicroOf = (till: Micros): Micros =>
  till % US_PER_MS === 0 ? micros(till + US_PER_MS - 1) : till;
