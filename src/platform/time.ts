/** Points in time and spans of time, both in whole microseconds. */

/** Microseconds since 1970-01-01T00:00:00Z. Exact as a double until the year 2255. */
export type Micros = number & { readonly __micros: unique symbol };

/** Names a whole number of microseconds as a point in time. */
export const micros = (value: number): Micros => value as Micros;

export const US_PER_MS = 1_000;
export const US_PER_SECOND = 1_000_000;
export const US_PER_MINUTE = 60 * US_PER_SECOND;
export const US_PER_HOUR = 60 * US_PER_MINUTE;
export const US_PER_DAY = 24 * US_PER_HOUR;

/** The day of a time, counted from 1970-01-01 in UTC+0. */
export const dayOf = (at: Micros): number => Math.floor(at / US_PER_DAY);

const UNIT_US: ReadonlyMap<string, number> = new Map([
  ['us', 1],
  ['ms', US_PER_MS],
  ['s', US_PER_SECOND],
  ['m', US_PER_MINUTE],
  ['h', US_PER_HOUR],
  ['d', US_PER_DAY],
]);

/**
 * Reads a span such as `250us`, `20ms`, `1.5s`, `5m`, `4h` or `2d` as whole microseconds; `undefined` if
 * the text is no span or no whole number of microseconds.
 */
export function parseSpanUs(text: string): number | undefined {
  const match = /^(\d{1,16})(?:\.(\d{1,16}))?\s*(us|ms|s|m|h|d)$/.exec(text.trim());
  if (match === null) return undefined;
  const [, whole = '', fraction = '', unit = ''] = match;
  // In whole numbers: as a double, 1.000007 s is not 1,000,007 us.
  const scaled = BigInt(whole + fraction) * BigInt(UNIT_US.get(unit) ?? 0);
  const scale = 10n ** BigInt(fraction.length);
  const us = Number(scaled / scale);
  return scaled % scale === 0n && Number.isSafeInteger(us) ? us : undefined;
}

/** Writes a point in time as ISO 8601 in UTC; microseconds are shown only if there are any. */
export function isoTime(at: Micros): string {
  const second = Math.floor(at / US_PER_SECOND);
  if (second !== lastSecond) {
    lastText = secondText(second);
    lastSecond = second;
  }
  const rest = at - second * US_PER_SECOND;
  const digits = String(1_000_000 + rest);
  return `${lastText}${digits.slice(1, rest % US_PER_MS === 0 ? 4 : 7)}Z`;
}

/** To the second, as people read it. */
export const clockText = (at: Micros): string => `${isoTime(at).slice(0, 19).replace('T', ' ')}Z`;

/** `3s`, `2m 5s`, `4h 12m`, `3d 7h`: the two largest parts. */
export function spanText(us: number): string {
  const seconds = Math.max(0, Math.floor(us / US_PER_SECOND));
  const parts: readonly (readonly [number, string])[] = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3_600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'm'],
    [seconds % 60, 's'],
  ];
  const first = parts.findIndex(([count]) => count > 0);
  if (first < 0) return '0s';
  return parts
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count}${unit}`)
    .join(' ');
}

/** The second of the last written time, up to its point: times come in groups. */
let lastSecond = Number.NaN;
let lastText = '';
/** Its day: the calendar costs more than the clock. */
let lastDay = Number.NaN;
let lastDate = '';

const SECONDS_PER_DAY = 86_400;
/** `00` to `59`. */
const PAIRS = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));

function secondText(second: number): string {
  const day = Math.floor(second / SECONDS_PER_DAY);
  if (day !== lastDay) {
    lastDate = new Date(day * SECONDS_PER_DAY * 1_000)
      .toISOString()
      .slice(0, -'00:00:00.000Z'.length);
    lastDay = day;
  }
  const ofDay = second - day * SECONDS_PER_DAY;
  const minute = Math.floor(ofDay / 60);
  const hour = Math.floor(minute / 60);
  return `${lastDate}${PAIRS[hour]}:${PAIRS[minute - 60 * hour]}:${PAIRS[ofDay - 60 * minute]}.`;
}

/**
 * Reads an ISO 8601 date or date-time (UTC if no offset is given) to the microsecond; `undefined` for any
 * other text.
 */
export function parseIsoTime(text: string): Micros | undefined {
  if (typeof text !== 'string') return undefined;
  const match =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(?:\.(\d{1,9}))?(Z|[+-]\d\d:?\d\d)?)?$/.exec(
      text.trim(),
    );
  if (match === null) return undefined;
  const [, date = '', time = '00:00:00', fraction = '', zone = 'Z'] = match;
  const midnightMs = Date.parse(`${date}T00:00:00Z`);
  const ms = Date.parse(`${date}T${time.length === 5 ? `${time}:00` : time}${zone}`);
  if (!Number.isFinite(ms) || !Number.isFinite(midnightMs)) return undefined;
  // Date.parse reads the 30th of February as the 1st of March.
  if (!new Date(midnightMs).toISOString().startsWith(date)) return undefined;
  const us = ms * US_PER_MS + Number(fraction.padEnd(6, '0').slice(0, 6));
  return Number.isSafeInteger(us) ? micros(us) : undefined;
}
