import { MillraceError } from './errors.ts';
import { US_PER_DAY, US_PER_HOUR, US_PER_MINUTE, type Micros } from '../platform/time.ts';

/**
 * Candle periods, as the trading service names them, aligned to UTC: weeks from Monday, months from
 * day 1. Good for times from 1970 to 2254, where microseconds are exact.
 */
export const PERIODS = ['M1', 'M3', 'M5', 'M15', 'M30', 'H1', 'H4', 'D1', 'D7', '1M'] as const;
export type Period = (typeof PERIODS)[number];

/** A period by its name here, or by that of other tools. */
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

/** What other tools call them. `1m` is a minute and `1M` a month, there as here. */
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

/** All names, for lists of what can be said. */
export const PERIOD_NAMES: readonly string[] = [...PERIODS, ...Object.keys(OTHER_NAMES)];

const BY_NAME: ReadonlyMap<unknown, Period> = new Map<unknown, Period>([
  ...PERIODS.map((period) => [period, period] as const),
  ...Object.entries(OTHER_NAMES),
]);

/** The period of a name; throws `period-unknown` with those that there are. */
export function periodOf(name: unknown): Period {
  const period = BY_NAME.get(name);
  if (period !== undefined) return period;
  const shown = typeof name === 'string' ? JSON.stringify(name.slice(0, 40)) : typeof name;
  throw new MillraceError(
    'period-unknown',
    `There is no candle period ${shown}; there are ${PERIODS.join(', ')}, or as others write them ${Object.keys(OTHER_NAMES).join(', ')}.`,
    { field: 'period' },
  );
}

const SPAN_US: Readonly<Record<Exclude<Period, '1M'>, number>> = {
  M1: US_PER_MINUTE,
  M3: 3 * US_PER_MINUTE,
  M5: 5 * US_PER_MINUTE,
  M15: 15 * US_PER_MINUTE,
  M30: 30 * US_PER_MINUTE,
  H1: US_PER_HOUR,
  H4: 4 * US_PER_HOUR,
  D1: US_PER_DAY,
  D7: 7 * US_PER_DAY,
};

/** 1970-01-01 was a Thursday; weeks begin on Monday. */
const FIRST_MONDAY_US = 4 * US_PER_DAY;

/** The start of the period that holds `at`: start ≤ at < start of the next, aligned to UTC. */
export function periodStart(period: Period, at: Micros): Micros {
  if (period === '1M') return monthStart(at, 0);
  const span = SPAN_US[period];
  const origin = period === 'D7' ? FIRST_MONDAY_US : 0;
  return (Math.floor((at - origin) / span) * span + origin) as Micros;
}

/** The start of the period after the one that holds `at`, which is the end of that one. */
export function periodEnd(period: Period, at: Micros): Micros {
  if (period === '1M') return monthStart(at, 1);
  return (periodStart(period, at) + SPAN_US[period]) as Micros;
}

function monthStart(at: Micros, monthsOn: number): Micros {
  const date = new Date(Math.floor(at / 1_000));
  return (Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + monthsOn, 1) * 1_000) as Micros;
}
