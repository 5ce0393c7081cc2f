import { describe, expect, test } from 'vitest';
import { flat, quote, target, type Command, type Lots, type Ticks } from '../../src/index.ts';

describe('targets', () => {
  test('a number is a share of the equity, { lots } a holding', () => {
    expect(target('BTCUSDT', 0.5)).toEqual({
      kind: 'target',
      symbol: 'BTCUSDT',
      hold: { share: 0.5 },
    });
    expect(target('BTCUSDT', { lots: 250 })).toEqual({
      kind: 'target',
      symbol: 'BTCUSDT',
      hold: { lots: 250 },
    });
  });

  test('flat is the target of no lots that clears what guards the position', () => {
    expect(flat('BTCUSDT')).toEqual({ ...target('BTCUSDT', { lots: 0 }), clears: true });
  });

  test('is frozen through and through', () => {
    for (const managedOrder of [
      target('BTCUSDT', 0.5),
      target('BTCUSDT', { lots: 1 }),
      flat('BTCUSDT'),
    ]) {
      expect(Object.isFrozen(managedOrder)).toBe(true);
      expect(Object.isFrozen(managedOrder.hold)).toBe(true);
    }
  });

  test('what is no share and no number of lots is kept as it is, for the engine to refuse', () => {
    for (const n of [-0.1, 1.01, 50, Number.NaN]) {
      expect(target('BTCUSDT', n).hold).toEqual({ share: n });
      expect(target('BTCUSDT', { lots: n }).hold).toEqual({ lots: n });
    }
  });
});

describe('quotes', () => {
  const bid = { ticks: 99, lots: 5 };
  const ask = { ticks: 101, lots: 6 };

  test('has the sides that it was given', () => {
    expect(quote('BTCUSDT', { bid, ask })).toEqual({ kind: 'quote', symbol: 'BTCUSDT', bid, ask });
    expect(quote('BTCUSDT', { bid })).toEqual({ kind: 'quote', symbol: 'BTCUSDT', bid });
    expect(quote('BTCUSDT', {})).toEqual({ kind: 'quote', symbol: 'BTCUSDT' });
  });

  test('a side of no lots, or none, leaves no trace', () => {
    const managedOrder = quote('BTCUSDT', { bid: { ticks: 99, lots: 0 }, ask: undefined });
    expect(Object.keys(managedOrder)).toEqual(['kind', 'symbol']);
  });

  test('is frozen through and through and does not hold on to what it was given', () => {
    const managedOrder = quote('BTCUSDT', { bid, ask });
    expect([managedOrder, managedOrder.bid, managedOrder.ask].every(Object.isFrozen)).toBe(true);
    expect(managedOrder.bid).not.toBe(bid);
    expect(Object.isFrozen(bid)).toBe(false);
  });

  test('fractions, NaN and less than no lots are kept as they are, for the engine to refuse', () => {
    for (const side of [
      { ticks: 99.5, lots: 5 },
      { ticks: Number.NaN, lots: 0.5 },
      { ticks: 99, lots: -1 },
    ]) {
      expect(quote('BTCUSDT', { bid: side, ask: side })).toMatchObject({ bid: side, ask: side });
    }
  });
});

/** Never run: the compiler is the test, and `npm run types` fails when it is silent here. */
export function whatDoesNotCompile(ticks: Ticks, lots: Lots): Command[] {
  return [
    // @ts-expect-error lots are no share
    target('BTCUSDT', lots),
    // @ts-expect-error ticks are no lots
    target('BTCUSDT', { lots: ticks }),
    // @ts-expect-error one or the other
    target('BTCUSDT', { lots, share: 0.5 }),
    // @ts-expect-error a price or ticks, not both
    quote('BTCUSDT', { bid: { price: '1', ticks, lots } }),
    // @ts-expect-error a plain number is no price
    quote('BTCUSDT', { bid: { price: 1, lots } }),
    // @ts-expect-error a plain number is no quantity
    target('BTCUSDT', { quantity: 0.5 }),
    // @ts-expect-error a side has a size
    quote('BTCUSDT', { bid: { ticks } }),
    // @ts-expect-error lots are no ticks
    quote('BTCUSDT', { bid: { ticks: lots, lots } }),
  ];
}
