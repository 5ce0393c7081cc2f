import { US_PER_DAY, US_PER_MINUTE, type Micros } from '../../platform/time.ts';

/** A Day order ends at 23:59 UTC of its day; from that minute on, of the next day. */
export function dayEnd(at: Micros): Micros {
  const end = Math.floor(at / US_PER_DAY) * US_PER_DAY + US_PER_DAY - US_PER_MINUTE;
  return (at < end ? end : end + US_PER_DAY) as Micros;
}
