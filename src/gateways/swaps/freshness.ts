import type { Micros } from '../../platform/time.ts';
import { invalid } from '../http/invalid.ts';
import { refuseNoObject } from '../http/unknown-members.ts';

/** Throws `request-invalid` for an invalid quote or margin. */
export function checkFreshness(quote: object | undefined, marginUs: number): void {
  if (quote !== undefined) refuseNoObject('freshQuote', 'quote', quote);
  if (Number.isFinite(marginUs)) return;
  throw invalid('freshQuote', 'marginUs must be a number of microseconds', 'marginUs');
}

/** True if a quote remains valid for at least the margin. */
export const isFresh = (expiresAt: Micros, now: Micros, marginUs: number): boolean =>
  now + marginUs <= expiresAt;
