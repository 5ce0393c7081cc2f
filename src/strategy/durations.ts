import { MillraceError } from '../model/errors.ts';

/**
 * Durations in milliseconds, the unit of RxJS' time operators: `auditTime(seconds(5))`. In a
 * backtest they pass in event time. Each throws `delay-invalid` for a number that is not finite.
 */
export const seconds = (count: number): number => span('seconds', count, 1_000);

export const minutes = (count: number): number => span('minutes', count, 60_000);

export const hours = (count: number): number => span('hours', count, 3_600_000);

export const days = (count: number): number => span('days', count, 86_400_000);

/** Checked here, where it is computed: a timer of NaN does not show where it comes from. */
function span(unit: string, count: number, ms: number): number {
  if (Number.isFinite(count)) return count * ms;
  throw new MillraceError(
    'delay-invalid',
    `${unit}(${typeof count === 'number' ? count : typeof count}): a span is a finite number of ${unit}.`,
    { field: 'count' },
  );
}
