import { CANDLE, LAST } from '../../model/events.ts';
import { periodEnd, periodStart, type Period } from '../../model/period.ts';
import type { Random } from '../../platform/random.ts';
import { micros, type Micros } from '../../platform/time.ts';
import type { RowSink } from '../row-sink.ts';
import type { BarParameters } from './parameters.ts';

/**
 * Writes `count` candles, the first of the period that holds `startAt`. Pauses after each and yields the
 * share that is written, 0 to 1.
 */
export function* writeBars(
  sink: RowSink,
  random: Random,
  parameters: BarParameters,
  span: { readonly startTicks: number; readonly startAt: Micros; readonly count: number },
  period: Period,
): Generator<number, void, undefined> {
  const { stepTicks, reachTicks, volumeLots } = parameters;
  let start = periodStart(period, span.startAt);
  let close = span.startTicks;
  for (let i = 0; i < span.count; i += 1) {
    const end = periodEnd(period, start);
    const open = close;
    const step = random.integer(-stepTicks, stepTicks);
    const inside = Math.abs(open + step - span.startTicks) <= reachTicks;
    close = Math.max(1, inside ? open + step : open - step);
    const high = Math.max(open, close) + random.integer(0, stepTicks);
    const low = Math.max(1, Math.min(open, close) - random.integer(0, stepTicks));
    const volume = random.integer(1, volumeLots);
    sink.row(end, start, CANDLE, LAST, 0, close, volume, high, low, open);
    start = micros(end);
    yield (i + 1) / span.count;
  }
}
