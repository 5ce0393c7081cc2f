import type { EquityRow } from '../../backtest/tables/equity-series.ts';
import { Decimal } from '../../model/decimal.ts';
import { MillraceError } from '../../model/errors.ts';
import { isoTime, micros, parseIsoTime, US_PER_DAY } from '../../platform/time.ts';

/** Decimals of a return. */
export const RETURN_PLACES = 18;

export interface DailyReturn {
  /** UTC day, `2024-03-04`. */
  readonly date: string;
  readonly returns: string;
  /** Equity at the end of the day. */
  readonly equity: string;
}

/**
 * Daily returns in UTC: equity of the last sample up to and at midnight, over that of the day
 * before, less 1; of the first day over the first sample. Rounded to `RETURN_PLACES`, half to even.
 * Throws `export-unsupported` for a day without a sample, and for one that begins without equity.
 */
export function* dailyReturns(samples: Iterable<EquityRow>): Iterable<DailyReturn> {
  let before: string | undefined;
  let last: { readonly day: number; readonly equity: string } | undefined;
  for (const { at, equity } of samples) {
    if (before === undefined) {
      before = equity;
      continue;
    }
    // A sample at midnight is the end of the day before.
    const day = Math.floor(((parseIsoTime(at) ?? Number.NaN) - 1) / US_PER_DAY);
    if (last !== undefined && day !== last.day) {
      if (day > last.day + 1) {
        throw withoutReturn(
          `${dateOf(last.day + 1)} has no sample of equity`,
          'Run the backtest with a sampleEvery of a day or less',
        );
      }
      yield returnOf(last.day, before, last.equity);
      before = last.equity;
    }
    last = { day, equity };
  }
  if (before !== undefined && last !== undefined) yield returnOf(last.day, before, last.equity);
}

function returnOf(day: number, before: string, equity: string): DailyReturn {
  const base = new Decimal(before);
  const date = dateOf(day);
  if (base.lessThanOrEqualTo(0)) {
    throw withoutReturn(`${date} begins with an equity of ${before}`, 'Use --as csv');
  }
  return {
    date,
    returns: new Decimal(equity)
      .minus(base)
      .div(base)
      .toDecimalPlaces(RETURN_PLACES, Decimal.ROUND_HALF_EVEN)
      .toFixed(),
    equity,
  };
}

const dateOf = (day: number): string => isoTime(micros(day * US_PER_DAY)).slice(0, 10);

const withoutReturn = (why: string, remedy: string): MillraceError =>
  new MillraceError('export-unsupported', `${why}, so that the day has no return. ${remedy}.`);
