import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Decimal, decimal } from '../../src/model/decimal.ts';
import { ORDER_TYPES, type Side } from '../../src/model/order.ts';
import { isRejection } from '../../src/model/rejections.ts';
import { trailedTicks, trailOf, trailRateRejection } from '../../src/rules/trailing.ts';
import { instrumentOf } from '../kit/instruments.ts';

const INSTRUMENT = instrumentOf();

describe('the rate of a trail', () => {
  test.each(['0.01', '0.999999999', '0.000000001'])('may be %s', (rate) => {
    expect(trailRateRejection(decimal(rate))).toBeUndefined();
  });

  test.each(['0', '-0.01', '1', '1.5', '0.0000000001', 'NaN', 'Infinity'])('is not %s', (rate) => {
    expect(trailRateRejection(new Decimal(rate))).toEqual({
      code: 'stop-price-invalid',
      field: 'rate',
      message: `The trail has a rate of ${new Decimal(rate).toString()}; it is a fraction above 0 and below 1 with at most 9 decimals, such as 0.01.`,
    });
  });
});

describe('the trail of an order', () => {
  test.each(ORDER_TYPES)('of the type %s is there for stops alone', (type) => {
    const trail = trailOf(INSTRUMENT, type, { ticks: 5 });
    if (type === 'stopMarket' || type === 'stopLimit') {
      expect(trail).toMatchObject({ offset: 5 });
      return;
    }
    expect(trail).toEqual({
      code: 'type-invalid',
      field: 'trail',
      message: `An order of the type ${type} cannot trail; stopMarket and stopLimit can.`,
    });
  });

  test('follows the last price by at least a tick where nothing else is said', () => {
    expect(trailOf(INSTRUMENT, 'stopMarket', { rate: decimal('0.0100') })).toEqual({
      offset: '0.01',
      by: 'last',
      step: 1,
      activationTicks: undefined,
    });
  });

  test('keeps what is said, and brings the activation price onto the grid', () => {
    const draft = { ticks: 7, by: 'touch', step: 3 } as const;
    const trail = { offset: 7, by: 'touch', step: 3, activationTicks: 1_250 };
    expect(trailOf(INSTRUMENT, 'stopLimit', { ...draft, activation: decimal('12.5') })).toEqual(
      trail,
    );
    expect(trailOf(INSTRUMENT, 'stopLimit', { ...draft, activationTicks: 1_250 })).toEqual(trail);
  });

  test('has no activation price off the grid', () => {
    const trail = trailOf(INSTRUMENT, 'stopMarket', { ticks: 7, activation: decimal('12.505') });
    expect(trail).toMatchObject({ code: 'price-off-tick', field: 'trail.activation' });
    expect(isRejection(trail)).toBe(true);
  });

  test('without an offset is a mistake of the caller', () => {
    expect(() => trailOf(INSTRUMENT, 'stopMarket', {})).toThrow(
      new RangeError('a trail has ticks or a rate'),
    );
  });
});

describe('the stop price', () => {
  const at = (side: Side, extreme: number, offset: number | string, activationTicks?: number) =>
    trailedTicks(side, extreme, { offset, by: 'last', step: 1, activationTicks });

  test('is so many ticks below the highest price of a sell and above the lowest of a buy', () => {
    expect([at('sell', 100, 5), at('buy', 100, 5)]).toEqual([95, 105]);
  });

  test('is a fraction away, and never nearer than was asked for', () => {
    // A hundredth of 150 is 1.5 ticks.
    expect([at('sell', 150, '0.01'), at('buy', 150, '0.01')]).toEqual([148, 152]);
    expect([at('sell', 200, '0.01'), at('buy', 200, '0.01')]).toEqual([198, 202]);
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 1e9 }),
        fc.integer({ min: 1, max: 999 }),
        (price, per) => {
          const rate = new Decimal(per).div(1_000);
          const sell = at('sell', price, rate.toFixed());
          const buy = at('buy', price, rate.toFixed());
          // Whole ticks: the exact offset is less than a tick nearer.
          const offset = rate.times(price);
          if (sell !== undefined) {
            expect(offset.lessThanOrEqualTo(price - sell)).toBe(true);
            expect(offset.greaterThan(price - sell - 1)).toBe(true);
          }
          expect(offset.lessThanOrEqualTo(Number(buy) - price)).toBe(true);
          expect(offset.greaterThan(Number(buy) - price - 1)).toBe(true);
        },
      ),
    );
  });

  test('is there from the activation price on', () => {
    expect([at('sell', 99, 5, 100), at('sell', 100, 5, 100), at('sell', 101, 5, 100)]).toEqual([
      undefined,
      95,
      96,
    ]);
    expect([at('buy', 101, 5, 100), at('buy', 100, 5, 100), at('buy', 99, 5, 100)]).toEqual([
      undefined,
      105,
      104,
    ]);
  });

  test('is nowhere where no tick is left or can be counted', () => {
    expect([at('sell', 6, 5), at('sell', 5, 5), at('sell', 5, 6)]).toEqual([
      1,
      undefined,
      undefined,
    ]);
    expect(at('buy', Number.MAX_SAFE_INTEGER, 1)).toBeUndefined();
  });
});
