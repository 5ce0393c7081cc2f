import { Candle } from '../../src/model/candle.ts';
import { lots, ticks } from '../../src/model/units.ts';
import { micros, US_PER_MINUTE } from '../../src/platform/time.ts';
import { instrumentOf } from './instruments.ts';

const INSTRUMENT = instrumentOf();

/** A candle of one minute; high and low are those of open and close where they are not given. */
export function candleOf(
  closeTicks: number,
  { open = closeTicks, high = Math.max(open, closeTicks), low = Math.min(open, closeTicks) } = {},
  turn = 0,
): Candle {
  return new Candle(
    INSTRUMENT,
    'M1',
    micros(turn * US_PER_MINUTE),
    micros((turn + 1) * US_PER_MINUTE),
    ticks(open),
    ticks(high),
    ticks(low),
    ticks(closeTicks),
    lots(1),
  );
}

/** Candles of one minute after another with these closes. */
export const candlesOf = (closes: readonly number[]): Candle[] =>
  closes.map((close, turn) => candleOf(close, {}, turn));
