import { MillraceError } from './errors.ts';
import { US_PER_DAY, US_PER_HOUR, US_PER_MINUTE, type Micros } from '../platform/time.ts';

/**
 * Candle periods of the trading service, aligned to UTC: weeks from Monday, months from day 1.
 * Valid for times from 1970 to 2254, while microseconds are exact.
 */
export const PERIODS = ['M1', 'M3', 'M5', 'M15', 'M30', 'H1', 'H4', 'D1', 'D7', '1M'] as const;
export type Period = (typeof PERIODS)[number];

/** Further candle periods, built from shorter ones or from trades; no venue has them. */
export const BUILT_PERIODS = ['M10', 'H2', 'H6', 'H12'] as const;

/** All candle periods. */
export type CandlePeriod = Period | (typeof BUILT_PERIODS)[number];

/** A venue period by its name here, or by that of other tools. */
export type PeriodName =
  | Period
  | '1m'
  | '3m'
  | '5m'
  | '15m'
  | '30m'
  | '1h'
  | '4h'
  | '1d'
  | '1w'
  | '7d';

/** Names of other tools. `1m` is a minute and `1M` a month, there as here. */
const OTHER_NAMES = {
  '1m': 'M1',
  '3m': 'M3',
  '5m': 'M5',
  '15m': 'M15',
  '30m': 'M30',
  '1h': 'H1',
  '4h': 'H4',
  '1d': 'D1',
  '1w': 'D7',
  '7d': 'D7',
} as const satisfies Readonly<Record<Exclude<PeriodName, Period>, Period>>;

/** Names of other tools for the built periods. */
const OTHER_BUILT_NAMES = {
  '10m': 'M10',
  '2h': 'H2',
  '6h': 'H6',
  '12h': 'H12',
} as const;

/** A candle period by its name here, or by that of other tools. */
export type CandlePeriodName = PeriodName | CandlePeriod | keyof typeof OTHER_BUILT_NAMES;

const BUILT_BY_NAME: ReadonlyMap<unknown, CandlePeriod> = new Map<unknown, CandlePeriod>([
  ...BUILT_PERIODS.map((period) => [period, period] as const),
  ...Object.entries(OTHER_BUILT_NAMES),
]);

/** All valid names, for error messages. */
export const PERIOD_NAMES: readonly string[] = [...PERIODS, ...Object.keys(OTHER_NAMES)];

const BY_NAME: ReadonlyMap<unknown, Period> = new Map<unknown, Period>([
  ...PERIODS.map((period) => [period, period] as const),
  ...Object.entries(OTHER_NAMES),
]);

/** The venue period of a name; throws `period-unknown` with the valid ones. */
export function periodOf(name: unknown): Period {
  const period = BY_NAME.get(name);
  if (period !== undefined) return period;
  throw unknownPeriod(name, PERIODS, Object.keys(OTHER_NAMES));
}

/** The candle period of a name, of the venue or built. Throws `period-unknown`. */
export function candlePeriodOf(name: unknown): CandlePeriod {
  const period = BY_NAME.get(name) ?? BUILT_BY_NAME.get(name);
  if (period !== undefined) return period;
  throw unknownPeriod(
    name,
    [...PERIODS, ...BUILT_PERIODS],
    [...Object.keys(OTHER_NAMES), ...Object.keys(OTHER_BUILT_NAMES)],
  );
}

function unknownPeriod(
  name: unknown,
  periods: readonly string[],
  others: readonly string[],
): MillraceError {
  const shown = typeof name === 'string' ? JSON.stringify(name.slice(0, 40)) : typeof name;
  return new MillraceError(
    'period-unknown',
    `There is no candle period ${shown}; there are ${periods.join(', ')}, or as others write them ${others.join(', ')}.`,
    { field: 'period' },
  );
}

const SPAN_US: Readonly<Record<Exclude<CandlePeriod, '1M'>, number>> = {
  M1: US_PER_MINUTE,
  M3: 3 * US_PER_MINUTE,
  M5: 5 * US_PER_MINUTE,
  M10: 10 * US_PER_MINUTE,
  M15: 15 * US_PER_MINUTE,
  M30: 30 * US_PER_MINUTE,
  H1: US_PER_HOUR,
  H2: 2 * US_PER_HOUR,
  H4: 4 * US_PER_HOUR,
  H6: 6 * US_PER_HOUR,
  H12: 12 * US_PER_HOUR,
  D1: US_PER_DAY,
  D7: 7 * US_PER_DAY,
};

/** 1970-01-01 was a Thursday; weeks begin on Monday. */
const FIRST_MONDAY_US = 4 * US_PER_DAY;

/** The start of the period that holds `at`: start ≤ at < start of the next, aligned to UTC. */
export function periodStart(period: CandlePeriod, at: Micros): Micros {
  if (period === '1M') return monthStart(at, 0);
  const span = SPAN_US[period];
  const origin = period === 'D7' ? FIRST_MONDAY_US : 0;
  return (Math.floor((at - origin) / span) * span + origin) as Micros;
}

/** The end of the period that holds `at`, which is the start of the next. */
export function periodEnd(period: CandlePeriod, at: Micros): Micros {
  if (period === '1M') return monthStart(at, 1);
  return (periodStart(period, at) + SPAN_US[period]) as Micros;
}

/** True if whole candles of the shorter period make candles of the longer one. */
export function divides(short: CandlePeriod, long: CandlePeriod): boolean {
  // Months begin on any day of the week, and have whole days.
  if (long === '1M') return short !== 'D7' && short !== '1M';
  if (short === '1M' || SPAN_US[short] >= SPAN_US[long]) return false;
  return SPAN_US[long] % SPAN_US[short] === 0;
}

/** Fraction of a period that may be missed for the period to count as whole. */
const MISSED_MAX = 0.01;

/**
 * The start of the first whole period for data from `at` on: the period that holds `at` if at most
 * a hundredth of it was missed, else the next.
 */
export function firstWholePeriod(period: CandlePeriod, at: Micros): Micros {
  const start = periodStart(period, at);
  const end = periodEnd(period, at);
  return at - start <= MISSED_MAX * (end - start) ? start : end;
}

function monthStart(at: Micros, monthsOn: number): Micros {
  const date = new Date(Math.floor(at / 1_000));
  return (Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + monthsOn, 1) * 1_000) as Micros;
}
