import { parseIsoTime } from '../../platform/time.ts';

/** Units of numeric times since 1970. */
export type TimeUnit = 's' | 'ms' | 'us' | 'ns';

const NUMERIC = /^(\d{1,20})(?:\.(\d+))?$/;
/** Below each of these, a plain number counts the unit: they are times of the years 1973 to 5138. */
const BELOW: readonly (readonly [number, TimeUnit])[] = [
  [1e11, 's'],
  [1e14, 'ms'],
  [1e17, 'us'],
];
/** Decimal places by which a unit's number moves to become microseconds. */
const PLACES: Readonly<Record<TimeUnit, number>> = { s: 6, ms: 3, us: 0, ns: -3 };

/**
 * Reads a point in time: ISO 8601 with `T` or a space (UTC without an offset), or a plain number of
 * seconds, milliseconds, microseconds or nanoseconds since 1970. Digits finer than a microsecond are
 * dropped. `undefined` if it is neither.
 */
export function readTime(text: string, unit?: TimeUnit): number | undefined {
  const match = NUMERIC.exec(text);
  if (match === null) return parseIsoTime(text);
  const [, whole = '', fraction = ''] = match;
  const places = PLACES[unit ?? unitOf(Number(whole))];
  const digits =
    places < 0 ? whole.slice(0, places) : whole + fraction.padEnd(places, '0').slice(0, places);
  const value = Number(digits);
  return Number.isSafeInteger(value) ? value : undefined;
}

/**
 * The time of a whole number of at most 2^53, in microseconds; NaN if it is beyond 2^53 of them. The same
 * as `readTime` of its digits.
 */
export function timeOf(value: number, unit?: TimeUnit): number {
  if (!(value <= Number.MAX_SAFE_INTEGER)) return Number.NaN;
  const places = PLACES[unit ?? unitOf(value)];
  const nanos = 10 ** -places;
  const time = places < 0 ? (value - (value % nanos)) / nanos : value * 10 ** places;
  return time <= Number.MAX_SAFE_INTEGER ? time : Number.NaN;
}

/** The unit in which a plain number is a time of our age. */
const unitOf = (value: number): TimeUnit => BELOW.find(([limit]) => value < limit)?.[1] ?? 'ns';
