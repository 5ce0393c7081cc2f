import { from } from 'rxjs';
import { describe, expect, expectTypeOf, test } from 'vitest';
import {
  atr,
  bollinger,
  derive,
  ema,
  macd,
  rsi,
  ta,
  type BestBidOffer,
  type Candle,
  type Indicator,
} from '../../../src/index.ts';
import { candleOf, candlesOf } from '../../kit/candles.ts';

const CANDLES = [10, 14, 12, 12, 19, 11, 15].map((close, turn) =>
  candleOf(close, { open: 12, high: 20, low: 9 }, turn),
);

describe('indicators by place', () => {
  test('are those by name', () => {
    const pairs: readonly (readonly [Indicator<Candle, unknown>, Indicator<Candle, unknown>])[] = [
      [ema(3), ta.ema(3)],
      [rsi(3), ta.rsi({ length: 3 })],
      [atr(3), ta.atr(3)],
      [macd(2, 3, 2), ta.macd({ fast: 2, slow: 3, signal: 2 })],
      [bollinger(3), ta.bollingerBands({ length: 3 })],
      [bollinger(3, 1), ta.bollingerBands({ length: 3, deviations: 1 })],
    ];
    for (const [one, other] of pairs) {
      const values = CANDLES.map(one());
      expect(values.at(-1)).toBeDefined();
      expect(values).toEqual(CANDLES.map(other()));
    }
  });

  test('take any number of any event', () => {
    const double = (value: number): number => value * 2;
    const last = <V>(indicator: Indicator<number, V>): V | undefined =>
      [1, 2, 3, 4].map(indicator()).at(-1);
    expect(last(ema(1, double))).toBe(8);
    expect(last(rsi(2, double))).toBe(100);
    expect(last(bollinger(1, 2, double))).toEqual({ lower: 8, middle: 8, upper: 8 });
    expect(last(macd(1, 2, 1, double))?.histogram).toBe(0);
  });
});

describe('indicators by name', () => {
  test('start fresh with every subscription', () => {
    const source = from(candlesOf([10, 20, 40])).pipe(derive({ value: ta.ema(2) }));
    const first: number[] = [];
    const second: number[] = [];
    source.subscribe(({ value }) => first.push(value));
    source.subscribe(({ value }) => second.push(value));
    expect(first).toHaveLength(2);
    expect(second).toEqual(first);
  });

  test('give the types that they say, of the events that they take', () => {
    from(CANDLES)
      .pipe(derive({ adx: ta.adx(2), bands: ta.bollingerBands(), trend: ta.superTrend(2) }))
      .subscribe(({ adx, bands, trend, event }) => {
        expectTypeOf(adx.adx).toEqualTypeOf<number>();
        expectTypeOf(bands.upper).toEqualTypeOf<number>();
        expectTypeOf(trend.trend).toEqualTypeOf<'up' | 'down'>();
        expectTypeOf(event).toEqualTypeOf<Candle>();
      });
    expectTypeOf(ta.rsi({ of: (bbo: BestBidOffer) => bbo.bidTicks })).toEqualTypeOf<
      Indicator<BestBidOffer, number>
    >();
    // @ts-expect-error: it reads whole bars, so there is no number to choose.
    expect(() => ta.atr({ of: (candle: Candle) => candle.closeTicks })).toThrow('no of');
    // @ts-expect-error: it has no parameter, so no number says one.
    expect(() => ta.obv(5)).toThrow('by name');
  });

  test('refuse parameters that they do not take, with the name of each', () => {
    expect(() => ema(0)).toThrow('ta.ema: length is 0; it is a whole number from 1 on.');
    expect(() => rsi(1)).toThrow('ta.rsi: length is 1; it is a whole number from 2 on.');
    expect(() => atr(2.5)).toThrow('ta.atr: length is 2.5');
    expect(() => ta.macd({ fast: 26, slow: 12 })).toThrow(
      'ta.macd: slow must be more events than fast.',
    );
    expect(() => bollinger(5, Number.NaN)).toThrow('deviations is NaN; it is a number from 0 on');
    expect(() => ta.alma({ offset: 2 })).toThrow('offset is 2; it is a number from 0 to 1.');
    expect(() => ta.frama(5)).toThrow('even');
    expect(() => ta.higherLowTrail({ monotonic: 1 as never })).toThrow('it is true or false');
    expect(() => ta.rsi({ lenght: 3 } as never)).toThrow('did you mean length?');
    expect(() => ta.rsi('14' as never)).toThrow('takes its parameters by name');
    expect(() => ta.rsi({ of: 3 as never })).toThrow('is a function of an event');
  });

  test('are silent and start again where a formula has no number', () => {
    const values = [1, 2, Number.NaN, 4, 6, 8].map(ta.ema({ length: 2, of: (x: number) => x })());
    expect(values.slice(0, 4).map((value) => value !== undefined)).toEqual([
      false,
      true,
      false,
      false,
    ]);
    expect(values.slice(4)).toEqual(
      [4, 6, 8].map(ta.ema({ length: 2, of: (x: number) => x })()).slice(1),
    );
  });

  test('say 0 of the strength of a market that does not move, and go on after it', () => {
    const flat = Array.from({ length: 40 }, (_, turn) => candleOf(10, {}, turn));
    const moving = Array.from({ length: 40 }, (_, turn) => candleOf(10 + turn, {}, turn));
    const values = [...flat, ...moving].map(ta.adx(5)());
    expect(values[39]).toEqual({ adx: 0, plus: 0, minus: 0 });
    expect(values[79]?.adx).toBeGreaterThan(99);
  });
});
