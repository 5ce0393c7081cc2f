import { micros, US_PER_DAY, type Micros } from '../platform/time.ts';

/** What has ended is kept for so long at least, counted from its beginning. */
const KEPT_US = US_PER_DAY;

/** How much is kept of something, and what of it may be forgotten. */
export interface Keeping<T> {
  /** So many are kept, whatever their age. */
  readonly most: number;
  /** True for what nothing more can become of. */
  readonly hasEnded: (one: T) => boolean;
  readonly begunAt: (one: T) => Micros;
}

/**
 * Forgets what is too much, oldest first, so that a service can run for weeks: what is older than a day and
 * has ended. Returns what was forgotten. `kept` has the oldest first.
 */
export function forgetOld<T>(kept: Map<string, T>, now: Micros, keeping: Keeping<T>): readonly T[] {
  const { most, hasEnded, begunAt } = keeping;
  const forgotten: T[] = [];
  if (kept.size <= most) return forgotten;
  const before = micros(now - KEPT_US);
  for (const [key, one] of kept) {
    if (kept.size <= most || begunAt(one) > before) break;
    if (!hasEnded(one)) continue;
    kept.delete(key);
    forgotten.push(one);
  }
  return forgotten;
}
