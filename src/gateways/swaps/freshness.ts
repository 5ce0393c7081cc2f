import type { Micros } from '../../platform/time.ts';

/** Whether a quote is valid still, and for so long after. */
export const isFresh = (expiresAt: Micros, now: Micros, marginUs: number): boolean =>
  now + marginUs <= expiresAt;
