import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { minimumRejection } from '../../src/rules/minimum.ts';
import { lots as asLots, ticks as asTicks } from '../../src/model/units.ts';
import { decimal } from '../../src/model/decimal.ts';
import { Floor, instrumentOf } from './kit.ts';

const floorOf = (minNotional?: string): { readonly floor: Floor; readonly me: number } => {
  const floor = new Floor([instrumentOf(minNotional === undefined ? {} : { minNotional })]);
  return { floor, me: floor.account({ USDT: '100000', BTC: '1000' }) };
};

describe('the minimum value of an order', () => {
  test('rejects what is worth less, by its price, and takes what is worth as much', () => {
    const { floor, me } = floorOf('500');
    expect(floor.place(me, 'small', { side: 'buy', lots: 4, ticks: 100 })).toMatchObject({
      code: 'value-below-minimum',
      limit: '500',
    });
    expect(floor.place(me, 'enough', { side: 'buy', lots: 5, ticks: 100 })).toBeUndefined();
    expect(floor.events()).toEqual(['new enough-- new 0/5']);
  });

  test('counts an order without a price at the last trade, and not before the first', () => {
    const { floor, me } = floorOf('500');
    floor.snapshot([['ask', 100, 50]]);
    expect(floor.place(me, 'unknown', { side: 'buy', lots: 1 })).toBeUndefined();
    floor.trade('buy', 100, 1);
    expect(floor.place(me, 'small', { side: 'buy', lots: 4 })).toMatchObject({
      code: 'value-below-minimum',
    });
    expect(floor.place(me, 'enough', { side: 'buy', lots: 5 })).toBeUndefined();
  });

  test('holds for a replacement too', () => {
    const { floor, me } = floorOf('500');
    floor.place(me, 'old', { side: 'sell', lots: 5, ticks: 100 });
    expect(floor.replace(me, 'old', 'next', { lots: 4 })).toMatchObject({
      code: 'value-below-minimum',
    });
    expect(floor.replace(me, 'old', 'next', { lots: 6 })).toBeUndefined();
  });

  test('is none where the instrument has none, as at the trading service', () => {
    const { floor, me } = floorOf();
    expect(floor.place(me, 'small', { side: 'buy', lots: 1, ticks: 1 })).toBeUndefined();
  });

  test('is price times quantity times the size of a contract, exactly', () => {
    const count = fc.integer({ min: 1, max: 2 ** 40 });
    fc.assert(
      fc.property(count, count, fc.integer({ min: 1, max: 10 ** 9 }), (ticks, lots, cents) => {
        const minNotional = decimal(String(cents)).div(100).toFixed();
        const contract = { type: 'futures', contractSize: '0.01', minNotional } as const;
        const instrument = instrumentOf({
          ...contract,
          tickSize: '0.1',
          quantityIncrement: '0.001',
        });
        const isBelow = BigInt(ticks) * BigInt(lots) < BigInt(cents) * 10_000n;
        expect(
          minimumRejection(instrument, { ticks: asTicks(ticks), lots: asLots(lots) }) !== undefined,
        ).toBe(isBelow);
      }),
    );
  });

  test.each([
    ['0', {}],
    ['-1', {}],
    ['x', {}],
    ['5', { type: 'futures', settlement: 'inverse' }],
  ] as const)('of %s with %o is refused', (minNotional, rest) => {
    expect(() => instrumentOf({ minNotional, ...rest })).toThrow(/minNotional/);
  });
});
