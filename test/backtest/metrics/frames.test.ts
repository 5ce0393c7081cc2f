import fc from 'fast-check';
import { expect, test } from 'vitest';
import { InstrumentFrames, type InstrumentFrame } from '../../../src/backtest/metrics/frames.ts';
import { Amount } from '../../../src/model/amount.ts';
import { micros } from '../../../src/platform/time.ts';

const frame = (at: number, price: number): InstrumentFrame => ({
  at: micros(at),
  equity: Amount.count(at),
  drawdown: price / 100,
  instruments: [
    { open: price, high: price + 1, low: price - 1, close: price, held: Amount.count(at) },
  ],
  plots: new Map([['line', at]]),
});

test('a long run keeps its start, its end and every extreme within the bounded number of points', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 99 }), { minLength: 1, maxLength: 300 }),
      fc.integer({ min: 2, max: 20 }),
      (prices, limit) => {
        const frames = new InstrumentFrames(limit);
        prices.forEach((price, at) => frames.add(frame(at, price)));
        const kept = frames.frames;
        expect(kept.length).toBeLessThanOrEqual(limit);
        expect(kept[0]).toEqual(frame(0, prices[0]));
        expect(kept.at(-1)?.at).toBe(prices.length - 1);
        // Each point after the first stands for as many samples as the one before, the last for the rest.
        let first = 1;
        for (const point of kept.slice(1)) {
          const end = Math.min(first + frames.samplesPerFrame, prices.length);
          const part = prices.slice(first, end);
          expect(point.at).toBe(end - 1);
          expect(point.equity.toNumber()).toBe(end - 1);
          expect(point.drawdown).toBe(Math.max(...part) / 100);
          expect(point.instruments).toEqual([
            {
              open: part[0],
              high: Math.max(...part) + 1,
              low: Math.min(...part) - 1,
              close: part.at(-1),
              held: Amount.count(end - 1),
            },
          ]);
          expect(point.plots?.get('line')).toBe(end - 1);
          first = end;
        }
        expect(first).toBe(prices.length);
      },
    ),
  );
});

test('a frame without a price takes the price of the one it is joined with', () => {
  const frames = new InstrumentFrames(2);
  const none = { open: NaN, high: NaN, low: NaN, close: NaN, held: Amount.count(0) };
  frames.add({ ...frame(0, 5), instruments: [none] });
  frames.add({ ...frame(1, 5), instruments: [{ ...none }] });
  frames.add(frame(2, 7));
  expect(frames.frames[1].instruments).toEqual([
    { open: 7, high: 8, low: 6, close: 7, held: Amount.count(2) },
  ]);
});
