import { micros, US_PER_DAY, type Micros } from '../platform/time.ts';

/** Shortest retention of ended records, counted from their beginning. */
const KEPT_US = US_PER_DAY;

/** Limits of records, and which of them may be dropped. */
export interface Keeping<T> {
  /** Most records, whatever their age. */
  readonly most: number;
  /** True for what nothing more can become of. */
  readonly hasEnded: (one: T) => boolean;
  readonly begunAt: (one: T) => Micros;
}

/**
 * Drops surplus records, oldest first, so that a service can run for weeks: those that have ended and are
 * older than a day. Returns the dropped ones. `kept` has the oldest first.
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
