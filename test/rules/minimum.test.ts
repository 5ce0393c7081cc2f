import { describe, expect, test } from 'vitest';
import { Instrument } from '../../src/model/instrument.ts';
import { lots, ticks } from '../../src/model/units.ts';
import { minimumRejection, openingMinimumRejection } from '../../src/rules/minimum.ts';
import { Floor, instrumentOf, TERMS as PLAIN, type Order } from '../exchange/kit.ts';

const TERMS = { ...PLAIN, tickSize: '0.01', quantityIncrement: '0.001' };
const instrument = new Instrument({ ...TERMS, minQuantity: '0.005', minNotional: '5' });

describe('the minimums of an instrument', () => {
  test.each([
    [{ lots: lots(4), ticks: ticks(1_000_000) }, 'quantity-below-minimum', '0.005'],
    [{ lots: lots(5), ticks: ticks(99_999) }, 'value-below-minimum', '5'],
    [{ lots: lots(5), ticks: ticks(100_000) }, undefined, undefined],
    [{ lots: lots(5) }, undefined, undefined],
    [{ lots: lots(0), margin: { mode: 'cross', closePosition: true } }, undefined, undefined],
  ] as const)('hold for %o', (order, code, limit) => {
    const rejection = minimumRejection(instrument, order);
    expect([rejection?.code, rejection?.limit]).toEqual([code, limit]);
  });

  test('are not those of what only makes a position smaller', () => {
    const small = { lots: lots(5), ticks: ticks(1) };
    const codeOf = (order: Parameters<typeof minimumRejection>[1]) =>
      minimumRejection(instrument, order)?.code;
    expect(codeOf({ ...small, margin: { mode: 'cross' } })).toBe('value-below-minimum');
    expect(codeOf({ ...small, margin: { mode: 'cross', reduceOnly: true } })).toBeUndefined();
    expect(codeOf({ lots: lots(4), margin: { mode: 'cross', reduceOnly: true } })).toBe(
      'quantity-below-minimum',
    );
  });

  test('hold an order back only where it opens something', () => {
    const codeOf = (more: object) =>
      openingMinimumRejection(instrument, { side: 'buy', lots: lots(4), ...more }, 0)?.code;
    expect(codeOf({})).toBe('quantity-below-minimum');
    expect(codeOf({ side: 'sell' })).toBeUndefined();
    expect(codeOf({ side: 'sell', margin: { mode: 'cross' } })).toBe('quantity-below-minimum');
    expect(codeOf({ margin: { mode: 'cross', reduceOnly: true } })).toBeUndefined();
  });

  test('value an order without a price at its stop price, or at the upper tick of the last price', () => {
    const codeAt = (lastTicks: number, more: object = {}) =>
      openingMinimumRejection(instrument, { side: 'buy', lots: lots(5), ...more }, lastTicks)?.code;
    expect([codeAt(99_999), codeAt(99_999.5), codeAt(Number.NaN), codeAt(0)]).toEqual([
      'value-below-minimum',
      undefined,
      undefined,
      undefined,
    ]);
    expect(codeAt(99_999, { stopTicks: ticks(100_000) })).toBeUndefined();
    expect(codeAt(100_000, { stopTicks: ticks(99_999) })).toBe('value-below-minimum');
  });

  test('are one increment and no value where the terms name none', () => {
    const { minLots, minNotional } = new Instrument(TERMS);
    expect([minLots, minNotional]).toEqual([1, undefined]);
  });

  test('between two increments count as the upper one', () => {
    expect(new Instrument({ ...TERMS, minQuantity: '0.0041' }).minLots).toBe(5);
  });

  test.each(['0', '-1', 'x'])('are refused as %s', (text) => {
    expect(() => new Instrument({ ...TERMS, minNotional: text })).toThrow('must be a positive');
    expect(() => new Instrument({ ...TERMS, minQuantity: text })).toThrow('must be a positive');
  });

  test('are those of the simulated exchange, for orders of every path and for replacements', () => {
    const floor = new Floor([instrumentOf({ minQuantity: '3', minNotional: '400' })]);
    const account = floor.account({ USDT: '100000' });
    const code = (lots: number, ticks: number, more: Partial<Order> = {}): string | undefined =>
      floor.place(account, 'a', { side: 'buy', lots, ticks, ...more })?.code;
    expect(code(2, 1_000)).toBe('quantity-below-minimum');
    expect(code(3, 133)).toBe('value-below-minimum');
    expect(code(3, 133, { postOnly: true })).toBe('value-below-minimum');
    expect(code(3, 134)).toBeUndefined();
    expect(floor.replace(account, 'a', 'b', { lots: 4, ticks: 99 })?.code).toBe(
      'value-below-minimum',
    );
    expect(floor.replace(account, 'a', 'b', { lots: 4, ticks: 100 })).toBeUndefined();
  });
});
