import { MillraceError } from '../../model/errors.ts';
import { US_PER_DAY, US_PER_HOUR, US_PER_MINUTE, US_PER_MS } from '../../platform/time.ts';

/** Reads a clock time, in microseconds as if it were UTC; `undefined` for an invalid one. */
export type ReadClock = (text: string) => number | undefined;

const TOKENS = {
  YYYY: String.raw`(?<year>\d{4})`,
  MM: String.raw`(?<month>\d{1,2})`,
  DD: String.raw`(?<day>\d{1,2})`,
  HH: String.raw`(?<hour>\d{1,2})`,
  mm: String.raw`(?<minute>\d{2})`,
  ss: String.raw`(?<second>\d{2})`,
  SSS: String.raw`(?<fraction>\d{1,9})`,
  A: '(?<half>AM|PM)',
} as const;
const TOKEN = /YYYY|MM|DD|HH|mm|ss|SSS|A/g;

/**
 * Compiles a pattern such as `DD.MM.YYYY HH:mm:ss.SSS` or `YYYY-MM-DD HH-A`. Throws `usage` for one without
 * a day.
 */
export function clockPattern(pattern: string): ReadClock {
  let source = '';
  let from = 0;
  for (const { 0: token, index } of pattern.matchAll(TOKEN)) {
    source += escaped(pattern.slice(from, index)) + TOKENS[token as keyof typeof TOKENS];
    from = index + token.length;
  }
  source += escaped(pattern.slice(from));
  for (const needed of ['year', 'month', 'day']) {
    if (source.split(`(?<${needed}>`).length === 2) continue;
    throw new MillraceError(
      'usage',
      `The time format "${pattern}" needs YYYY, MM and DD once each, and may have HH, mm, ss, SSS and A (AM or PM).`,
      { field: 'timeFormat' },
    );
  }
  const form = new RegExp(`^${source}$`, 'i');
  return (text) => {
    const groups = form.exec(text.trim())?.groups;
    return groups === undefined ? undefined : clockOf(groups);
  };
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

function clockOf(groups: Readonly<Record<string, string | undefined>>): number | undefined {
  const number = (name: string): number => Number(groups[name] ?? 0);
  const [month, day, minute, second] = ['month', 'day', 'minute', 'second'].map(number);
  let hour = number('hour');
  const { half } = groups;
  if (half !== undefined) {
    if (hour < 1 || hour > 12) return undefined;
    hour = (hour % 12) + (half.toUpperCase() === 'PM' ? 12 : 0);
  }
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const ms = Date.UTC(number('year'), month - 1, day, hour, minute, second);
  // Date.UTC reads the 30th of February as the 1st of March.
  const date = new Date(ms);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  return ms * US_PER_MS + Number((groups['fraction'] ?? '').padEnd(6, '0').slice(0, 6));
}

const FIXED = /^([+-])(\d{2}):?(\d{2})$/;

/** Offset of a zone's clock from UTC at a time, in microseconds. */
type OffsetAt = (utc: number) => number;

/** A zone's clock: converts its times into UTC. One object reads the times of one file, in their order. */
export class ZoneClock {
  readonly #offsetAt: OffsetAt;
  readonly #isFixed: boolean;
  readonly #isEach: boolean;
  #day = Number.NaN;
  #before = 0;
  #after = 0;
  #previous: number | undefined;
  /** The latest clock time within a repeated hour, and whether it is the second one. */
  #fold: { latest: number; isSecond: boolean } | undefined;

  /**
   * Accepts `UTC`, an offset such as `+08:00`, or a name such as `Europe/Berlin`, and whether each row has
   * a unique time, as candles have. Throws `usage` for another zone.
   */
  constructor(zone: string, isEach: boolean) {
    this.#isEach = isEach;
    const fixed = zone === 'UTC' ? 0 : fixedOffset(zone);
    this.#isFixed = fixed !== undefined;
    this.#offsetAt = fixed === undefined ? offsetsOf(zone) : () => fixed;
  }

  /**
   * The instant of a clock time, or why there is none: `never`, as the clocks were put forward; `twice`, as
   * they were put back, and the rows around do not show which time it is.
   */
  utc(clock: number): number | 'never' | 'twice' {
    if (this.#isFixed) return clock - this.#offsetAt(0);
    const previous = this.#previous;
    this.#previous = clock;
    this.#turnTo(clock);
    const [before, after] = [this.#before, this.#after];
    if (before === after) return this.#leaveFold() ? clock - before : 'twice';
    const isBefore = this.#offsetAt(clock - before) === before;
    const isAfter = this.#offsetAt(clock - after) === after;
    if (isBefore && isAfter) return this.#inFold(clock, previous);
    if (!this.#leaveFold()) return 'twice';
    if (isBefore) return clock - before;
    return isAfter ? clock - after : 'never';
  }

  /** False if the times ended within a repeated hour after its first pass. */
  end(): boolean {
    return this.#leaveFold();
  }

  #turnTo(clock: number): void {
    const day = Math.floor(clock / US_PER_DAY);
    if (day === this.#day) return;
    this.#day = day;
    this.#before = this.#offsetAt((day - 1) * US_PER_DAY);
    this.#after = this.#offsetAt((day + 2) * US_PER_DAY);
  }

  /** The first time until the clock goes back, then the second: falling times of rows show nothing. */
  #inFold(clock: number, previous: number | undefined): number | 'twice' {
    const fold = this.#fold;
    if (fold === undefined) {
      if (previous === undefined || previous >= clock) return 'twice';
      this.#fold = { latest: clock, isSecond: false };
    } else {
      const isBack = clock < fold.latest || (this.#isEach && clock === fold.latest);
      if (isBack && fold.isSecond) return 'twice';
      if (isBack) fold.isSecond = true;
      fold.latest = clock;
    }
    const offsets = [this.#before, this.#after];
    return clock - (this.#fold?.isSecond === true ? Math.min(...offsets) : Math.max(...offsets));
  }

  #leaveFold(): boolean {
    const isKnown = this.#fold?.isSecond ?? true;
    this.#fold = undefined;
    return isKnown;
  }
}

function fixedOffset(zone: string): number | undefined {
  const [, sign, hours, minutes] = FIXED.exec(zone) ?? [];
  if (sign === undefined || Number(hours) > 14 || Number(minutes) > 59) return undefined;
  const size = Number(hours) * US_PER_HOUR + Number(minutes) * US_PER_MINUTE;
  return sign === '-' ? -size : size;
}

function offsetsOf(zone: string): OffsetAt {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  } catch (cause) {
    throw new MillraceError(
      'usage',
      `There is no time zone "${zone}": give UTC, an offset such as +08:00, or a name such as Europe/Berlin.`,
      { field: 'zone', cause },
    );
  }
  return (utc) => {
    const parts = format.formatToParts(utc / US_PER_MS);
    const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT';
    return fixedOffset(name.slice('GMT'.length)) ?? 0;
  };
}
