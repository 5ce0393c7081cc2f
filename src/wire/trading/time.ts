import type { VenueOrder } from '../../model/order.ts';

/** Microseconds since 1970, as in the model. */
export type Micros = VenueOrder['createdAt'];

const US_PER_MS = 1_000;
/** The end of the year 9999, the last that four digits write. */
const MS_MAX = Date.parse('9999-12-31T23:59:59.999Z');

const ISO =
  /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d)(?::(\d\d))?(?:[.,](\d{1,9}))?([Zz]|[+-]\d\d:?\d\d)?)?$/;

/**
 * A point in time from Unix milliseconds; `undefined` for fractions, before 1970, after 9999. Exact
 * until the year 2255, later as near as a double comes.
 */
export const timeOfMs = (ms: number): Micros | undefined =>
  Number.isInteger(ms) && ms >= 0 && ms <= MS_MAX ? ((ms * US_PER_MS + 0) as Micros) : undefined;

/** Whole Unix milliseconds, rounded down. */
export const msOf = (at: Micros): number => Math.floor(at / US_PER_MS);

/**
 * Reads a time as any call may give it: Unix milliseconds (number or digits), an ISO 8601 date-time
 * with 0 to 9 digits of fraction (those beyond the microsecond are cut off), or a date alone, which
 * is its midnight. UTC where no offset is given. `undefined` for everything else.
 */
export function parseTime(value: string | number): Micros | undefined {
  if (typeof value === 'number') return timeOfMs(value);
  if (/^\d{1,15}$/.test(value)) return timeOfMs(Number(value));
  const match = ISO.exec(value);
  if (match === null) return undefined;
  const [, date = '', minute = '00:00', second = '00', fraction = '', zone = 'Z'] = match;
  const midnight = Date.parse(`${date}T00:00:00Z`);
  const ms = Date.parse(`${date}T${minute}:${second}${zone.toUpperCase()}`);
  // Date.parse takes the 30th of February for the 1st of March.
  if (!Number.isFinite(midnight) || !new Date(midnight).toISOString().startsWith(date)) {
    return undefined;
  }
  const whole = timeOfMs(ms);
  if (whole === undefined) return undefined;
  return (whole + Number(fraction.padEnd(6, '0').slice(0, 6))) as Micros;
}

/**
 * ISO 8601 in UTC, down to the millisecond (what is finer is cut off), trailing zeros of the
 * fraction left out as the service does: `2024-01-02T10:59:40.65Z`, `2024-01-02T10:59:40Z`.
 */
export function isoText(at: Micros): string {
  const text = new Date(msOf(at)).toISOString();
  let end = text.length - 1;
  while (text[end - 1] === '0') end -= 1;
  if (text[end - 1] === '.') return `${text.slice(0, end - 1)}Z`;
  return `${text.slice(0, end)}Z`;
}
