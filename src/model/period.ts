import { US_PER_DAY, US_PER_HOUR, US_PER_MINUTE, type Micros } from '../platform/time.ts';

/**
 * Candle periods, as the trading service names them, aligned to UTC: weeks from Monday, months from
 * day 1. Good for times from 1970 to 2254, where microseconds are exact.
 */
export const PERIODS = ['M1', 'M3', 'M5', 'M15', 'M30', 'H1', 'H4', 'D1', 'D7', '1M'] as const;
export type Period = (typeof PERIODS)[number];

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

/** So much of a period may have passed before somebody looks who still sees it as whole. */
const MISSED_MAX = 0.01;

/**
 * The start of the first period that is whole to whoever looks from `at` on: the one that holds `at`
 * where no more than a hundredth of it was missed, else the next.
 */
export function firstWholePeriod(period: Period, at: Micros): Micros {
  const start = periodStart(period, at);
  const end = periodEnd(period, at);
  return at - start <= MISSED_MAX * (end - start) ? start : end;
}

function monthStart(at: Micros, monthsOn: number): Micros {
  const date = new Date(Math.floor(at / 1_000));
  return (Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + monthsOn, 1) * 1_000) as Micros;
}
