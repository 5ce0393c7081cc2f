import type { VenueOrder } from '../model/order.ts';

/** Microseconds since 1970, as in the model. */
export type Micros = VenueOrder['createdAt'];

const US_PER_MS = 1_000;
/** The end of the year 9999, the last that four digits write. */
const MS_MAX = Date.parse('9999-12-31T23:59:59.999Z');

const MS_PER_DAY = 86_400_000;

const ISO =
  /^(\d{4}-\d\d-\d\d)(?:[Tt ]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?(?:[.,](\d{1,9}))?([Zz]|[+-](?:[01]\d|2[0-3]):?[0-5]\d)?)?$/;

/**
 * A point in time from Unix milliseconds; `undefined` for fractions, before 1970, after 9999. Exact until
 * the year 2255, later to the precision of a double.
 */
export const timeOfMs = (ms: number): Micros | undefined =>
  Number.isInteger(ms) && ms >= 0 && ms <= MS_MAX ? ((ms * US_PER_MS + 0) as Micros) : undefined;

/** Whole Unix milliseconds, rounded down. */
export const msOf = (at: Micros): number => Math.floor(at / US_PER_MS);

/** The date that was read last, and its midnight: most messages are of one day. */
const lastRead = { date: '', midnightMs: Number.NaN };

/** Midnight of a date as text; NaN if the calendar has no such day. */
function midnightOf(date: string): number {
  if (date !== lastRead.date) {
    const ms = Date.parse(`${date}T00:00:00Z`);
    // Date.parse reads the 30th of February as the 1st of March.
    const sound = Number.isFinite(ms) && new Date(ms).toISOString().startsWith(date);
    lastRead.midnightMs = sound ? ms : Number.NaN;
    lastRead.date = date;
  }
  return lastRead.midnightMs;
}

/** How far an offset such as `+02:00` is ahead of UTC. */
function offsetMs(zone: string): number {
  if (zone === 'Z' || zone === 'z') return 0;
  const minutes = 60 * Number(zone.slice(1, 3)) + Number(zone.slice(-2));
  return (zone.startsWith('-') ? -minutes : minutes) * 60_000;
}

/**
 * Reads a time as any call may give it: Unix milliseconds (number or digits), an ISO 8601 date-time with 0
 * to 9 digits of fraction (those beyond the microsecond are cut off), or a date alone, which is its
 * midnight. UTC if no offset is given. `undefined` for everything else.
 */
export function parseTime(value: string | number): Micros | undefined {
  if (typeof value === 'number') return timeOfMs(value);
  if (/^\d{1,15}$/.test(value)) return timeOfMs(Number(value));
  const match = ISO.exec(value);
  if (match === null) return undefined;
  const [, date = '', hours = '0', minutes = '0', seconds = '0', fraction = '', zone = 'Z'] = match;
  const secondsOfDay = 3_600 * Number(hours) + 60 * Number(minutes) + Number(seconds);
  const whole = timeOfMs(midnightOf(date) + 1_000 * secondsOfDay - offsetMs(zone));
  if (whole === undefined) return undefined;
  return (whole + Number(fraction.padEnd(6, '0').slice(0, 6))) as Micros;
}

/** The day that was written last, and its date, as for reading. */
const lastWritten = { day: Number.NaN, date: '' };

const TWO_DIGITS = Array.from({ length: 100 }, (_, value) => String(value).padStart(2, '0'));

/**
 * ISO 8601 in UTC, truncated to the millisecond, without trailing zeros of the fraction, like the service:
 * `2024-01-02T10:59:40.65Z`, `2024-01-02T10:59:40Z`.
 */
export function isoText(at: Micros): string {
  const ms = msOf(at);
  const day = Math.floor(ms / MS_PER_DAY);
  if (day !== lastWritten.day) {
    lastWritten.date = new Date(ms).toISOString().slice(0, -14);
    lastWritten.day = day;
  }
  const ofDay = ms - day * MS_PER_DAY;
  const second = Math.floor(ofDay / 1_000);
  const hours = TWO_DIGITS[Math.floor(second / 3_600)];
  const minutes = TWO_DIGITS[Math.floor(second / 60) % 60];
  const fraction = ofDay % 1_000;
  return `${lastWritten.date}T${hours}:${minutes}:${TWO_DIGITS[second % 60]}${fractionText(fraction)}Z`;
}

/** Milliseconds as a fraction of a second, without trailing zeros; nothing for 0. */
function fractionText(ms: number): string {
  if (ms === 0) return '';
  if (ms % 100 === 0) return `.${ms / 100}`;
  return ms % 10 === 0 ? `.${TWO_DIGITS[ms / 10]}` : `.${String(ms).padStart(3, '0')}`;
}
