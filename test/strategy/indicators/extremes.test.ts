import fc from 'fast-check';
import { from } from 'rxjs';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { derive, highest, lowest, type Ticks } from '../../../src/index.ts';
import { candleOf } from '../../kit/candles.ts';

const self = (value: number): number => value;

describe('highest and lowest', () => {
  test('look at the highs and lows of candles, in ticks', () => {
    const candles = [
      candleOf(10, { high: 15, low: 9 }),
      candleOf(11, { high: 13, low: 8 }),
      candleOf(12, { high: 14, low: 11 }),
      candleOf(12, { high: 12, low: 12 }),
    ];
    const seen: (readonly [Ticks, Ticks])[] = [];
    from(candles)
      .pipe(derive({ high: highest(2), low: lowest(2) }))
      .subscribe(({ high, low }) => seen.push([high, low]));
    expect(seen).toEqual([
      [15, 8],
      [14, 8],
      [14, 11],
    ]);
    expectTypeOf(seen).toEqualTypeOf<(readonly [Ticks, Ticks])[]>();
  });

  test('are those of the last values, whatever these are', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20 }),
        fc.array(fc.integer({ min: -5, max: 5 }), { maxLength: 200 }),
        (length, values) => {
          const high = values.map(highest(length, self)());
          const low = values.map(lowest(length, self)());
          values.forEach((_, end) => {
            const window = values.slice(end - length + 1, end + 1);
            expect(high[end]).toBe(end < length - 1 ? undefined : Math.max(...window));
            expect(low[end]).toBe(end < length - 1 ? undefined : Math.min(...window));
          });
        },
      ),
    );
  });

  test('refuse a length that is none', () => {
    expect(() => highest(0)).toThrow('highest(0)');
    expect(() => lowest(1.5)).toThrow('lowest(1.5)');
  });
});
