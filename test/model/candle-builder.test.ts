import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CandleBuilder } from '../../src/model/candle-builder.ts';
import type { Candle } from '../../src/model/candle.ts';
import { PERIODS, periodEnd, periodStart, type Period } from '../../src/model/period.ts';
import { lots, ticks } from '../../src/model/units.ts';
import { micros, US_PER_MINUTE, type Micros } from '../../src/platform/time.ts';
import { instrumentOf } from '../kit/instruments.ts';

const instrument = instrumentOf({ tickSize: '0.01', quantityIncrement: '0.1' });
const minute = (n: number): Micros => micros(n * US_PER_MINUTE);

const plain = (candle: Candle | undefined): unknown =>
  candle && {
    from: candle.openedAt / US_PER_MINUTE,
    to: candle.closedAt / US_PER_MINUTE,
    ohlc: [candle.openTicks, candle.highTicks, candle.lowTicks, candle.closeTicks],
    volume: candle.volumeLots,
  };

interface Print {
  readonly at: number;
  readonly ticks: number;
  readonly lots: number;
}

/** The naive candles: trades grouped by the start of their period, then summed up. */
function grouped(prints: readonly Print[], period: Period): unknown[] {
  const groups = Map.groupBy(prints, (print) => periodStart(period, micros(print.at)));
  return [...groups].map(([start, members]) => ({
    from: start / US_PER_MINUTE,
    to: periodEnd(period, start) / US_PER_MINUTE,
    ohlc: [
      members[0].ticks,
      Math.max(...members.map((print) => print.ticks)),
      Math.min(...members.map((print) => print.ticks)),
      members.at(-1)?.ticks,
    ],
    volume: members.reduce((sum, print) => sum + print.lots, 0),
  }));
}

describe('building candles from trades', () => {
  const prints = fc.array(
    fc.record({
      gapUs: fc.oneof(fc.nat(1_000), fc.nat(90_000_000), fc.nat(40 * 86_400_000_000)),
      ticks: fc.integer({ min: 1, max: 50 }),
      lots: fc.integer({ min: 1, max: 1_000 }),
    }),
    { maxLength: 60 },
  );

  test('gives what grouping the trades by period gives, whether time is advanced or not', () => {
    fc.assert(
      fc.property(prints, fc.constantFrom(...PERIODS), fc.boolean(), (steps, period, reported) => {
        const builder = new CandleBuilder(instrument, period);
        const finished: unknown[] = [];
        const keep = (candle: Candle | undefined): void => {
          if (candle) finished.push(plain(candle));
        };
        let at = 0;
        const tape: Print[] = [];
        for (const { gapUs, ticks: t, lots: l } of steps) {
          at += gapUs;
          if (reported) keep(builder.advance(micros(at - Math.floor(gapUs / 3))));
          if (reported) keep(builder.advance(micros(at)));
          keep(builder.trade(micros(at), ticks(t), lots(l)));
          tape.push({ at, ticks: t, lots: l });
        }
        keep(builder.advance(micros(Number.MAX_SAFE_INTEGER)));
        expect(finished).toEqual(grouped(tape, period));
      }),
    );
  });

  test('the first trade of a later period finishes the candle, which then opens again with it', () => {
    const builder = new CandleBuilder(instrument, 'M5');
    expect(builder.trade(minute(0), ticks(100), lots(1))).toBeUndefined();
    expect(builder.trade(minute(1), ticks(103), lots(2))).toBeUndefined();
    expect(builder.trade(minute(2), ticks(98), lots(3))).toBeUndefined();
    expect(builder.trade(micros(minute(5) - 1), ticks(101), lots(4))).toBeUndefined();
    // 16:30:00.000 is of the bar of 16:30; the open is this trade's price, not the close of 101.
    expect(plain(builder.trade(minute(5), ticks(99), lots(5)))).toEqual({
      from: 0,
      to: 5,
      ohlc: [100, 103, 98, 101],
      volume: 10,
    });
    expect(plain(builder.advance(minute(10)))).toEqual({
      from: 5,
      to: 10,
      ohlc: [99, 99, 99, 99],
      volume: 5,
    });
  });

  test('a period without trades has no candle', () => {
    const builder = new CandleBuilder(instrument, 'M1');
    expect(builder.advance(minute(3))).toBeUndefined();
    builder.trade(minute(3), ticks(100), lots(1));
    expect(plain(builder.trade(minute(60), ticks(101), lots(1)))).toMatchObject({ from: 3, to: 4 });
    expect(plain(builder.advance(minute(90)))).toMatchObject({ from: 60, to: 61 });
    expect(builder.advance(minute(1_000))).toBeUndefined();
  });

  test('time finishes the candle at the end of its period and not a microsecond before', () => {
    const builder = new CandleBuilder(instrument, 'M1');
    builder.trade(minute(7), ticks(100), lots(1));
    expect(builder.advance(micros(minute(8) - 1))).toBeUndefined();
    expect(plain(builder.advance(minute(8)))).toMatchObject({ from: 7, to: 8 });
    expect(builder.advance(minute(8))).toBeUndefined();
  });

  test('a late trade counts to the open candle, or to the period after the finished one', () => {
    const builder = new CandleBuilder(instrument, 'M1');
    builder.trade(minute(7), ticks(100), lots(1));
    expect(builder.trade(minute(2), ticks(90), lots(1))).toBeUndefined();
    expect(plain(builder.advance(minute(8)))).toMatchObject({ from: 7, ohlc: [100, 100, 90, 90] });
    expect(builder.trade(minute(7), ticks(80), lots(1))).toBeUndefined();
    expect(plain(builder.advance(minute(9)))).toMatchObject({ from: 8, ohlc: [80, 80, 80, 80] });
  });

  test('volume is exact up to 2^53 lots, and an error beyond', () => {
    const builder = new CandleBuilder(instrument, 'M1');
    builder.trade(minute(0), ticks(1), lots(Number.MAX_SAFE_INTEGER - 1));
    builder.trade(minute(0), ticks(1), lots(1));
    expect(() => builder.trade(minute(0), ticks(1), lots(1))).toThrow(
      expect.objectContaining({ code: 'out-of-range' }),
    );
    expect(builder.advance(minute(1))?.volumeLots).toBe(Number.MAX_SAFE_INTEGER);
  });

  test('a candle makes its decimals when asked for', () => {
    const builder = new CandleBuilder(instrument, 'M1');
    builder.trade(minute(0), ticks(100), lots(1));
    builder.trade(minute(0), ticks(103), lots(2));
    builder.trade(minute(0), ticks(98), lots(3));
    builder.trade(minute(0), ticks(101), lots(4));
    const candle = builder.advance(minute(1));
    const { open, high, low, close, volume } = candle ?? {};
    expect([open, high, low, close, volume].map(String)).toEqual([
      '1',
      '1.03',
      '0.98',
      '1.01',
      '1',
    ]);
    expect(candle).toMatchObject({ instrument, period: 'M1' });
  });
});
