import type { Random } from '../../platform/random.ts';

/** How often a read is sent at most, and how long is waited before it is sent again. */
export interface Retries {
  /** Attempts in all; 1 sends once. */
  readonly attempts: number;
  /** The longest wait before the second attempt; it doubles with each further one. */
  readonly firstUs: number;
  /** No wait is longer. */
  readonly longestUs: number;
}

/** If a service requests a longer wait with Retry-After, the call fails instead. */
export const RETRY_AFTER_US_MAX = 60_000_000;

export const RETRIES: Retries = { attempts: 5, firstUs: 100_000, longestUs: 5_000_000 };

/**
 * The wait after a failed attempt, the first of which is 1: random between zero and a bound that doubles
 * (full jitter), so that many clients do not come back together. In whole microseconds, rounded down.
 */
export function backoffUs(
  retries: Pick<Retries, 'firstUs' | 'longestUs'>,
  attempt: number,
  random: Random,
): number {
  const bound = Math.min(retries.longestUs, retries.firstUs * 2 ** (attempt - 1));
  return Math.floor(random.unit() * bound);
}
