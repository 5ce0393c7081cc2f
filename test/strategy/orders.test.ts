import { describe, expect, expectTypeOf, test } from 'vitest';
import {
  cancel,
  cancelAll,
  place,
  price,
  quantity,
  replace,
  type Command,
  type Lots,
  type Micros,
  type PlaceLimit,
  type PlaceMarket,
  type Ticks,
} from '../../src/index.ts';
import { instrumentOf } from '../kit/instruments.ts';

describe('plain orders', () => {
  test('a limit order is frozen data with what it was given and no more', () => {
    const order = place('BTCUSDT', { type: 'limit', side: 'buy', ticks: 6_183_763, lots: 50_000 });
    expect(order).toEqual({
      kind: 'place',
      symbol: 'BTCUSDT',
      type: 'limit',
      side: 'buy',
      ticks: 6_183_763,
      lots: 50_000,
    });
    expect(Object.isFrozen(order)).toBe(true);
    expectTypeOf(order).toEqualTypeOf<PlaceLimit>();
  });

  test('decimals go along as they were written', () => {
    const order = place('BTCUSDT', {
      type: 'limit',
      side: 'sell',
      price: price('61837.63'),
      quantity: quantity('0.5'),
      timeInForce: 'GTD',
      expireAt: 1_723_075_200_000_000 as Micros,
      postOnly: true,
      clientOrderId: 'my-order-1',
    });
    expect(JSON.parse(JSON.stringify(order))).toEqual({
      kind: 'place',
      symbol: 'BTCUSDT',
      type: 'limit',
      side: 'sell',
      price: '61837.63',
      quantity: '0.5',
      timeInForce: 'GTD',
      expireAt: 1_723_075_200_000_000,
      postOnly: true,
      clientOrderId: 'my-order-1',
    });
  });

  test('a market order takes a quantity and no price', () => {
    const order = place('BTCUSDT', {
      type: 'market',
      side: 'sell',
      lots: 3,
      timeInForce: 'IOC',
    });
    expect(order).toEqual({
      kind: 'place',
      symbol: 'BTCUSDT',
      type: 'market',
      side: 'sell',
      lots: 3,
      timeInForce: 'IOC',
    });
    expect(Object.isFrozen(order)).toBe(true);
    expectTypeOf(order).toEqualTypeOf<PlaceMarket>();
  });

  test('a fraction of a tick or a lot is kept as it is, for the engine to refuse', () => {
    for (const bad of [0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53]) {
      const order = place('BTCUSDT', { type: 'limit', side: 'buy', ticks: bad, lots: bad });
      expect([order.ticks, order.lots]).toEqual([bad, bad]);
    }
  });

  test('computed ticks are plain numbers and are taken; an instrument rounds where asked', () => {
    const instrument = instrumentOf();
    const bid = instrument.ticks(price('61837.639'), 'down');
    const order = place('BTCUSDT', {
      type: 'limit',
      side: 'buy',
      ticks: bid - 10,
      lots: instrument.lots(quantity('0.123456'), 'down'),
    });
    expect([order.ticks, order.lots]).toEqual([6_183_753, 12_345]);
  });
});

describe('changes of plain orders', () => {
  test('a replacement names the order and what changes', () => {
    expect(replace('my-order-1', { ticks: 7 })).toEqual({
      kind: 'replace',
      clientOrderId: 'my-order-1',
      ticks: 7,
    });
    const both = replace('my-order-1', {
      price: price('1.5'),
      lots: 2,
      newClientOrderId: 'my-order-2',
    });
    expect(both).toEqual({
      kind: 'replace',
      clientOrderId: 'my-order-1',
      newClientOrderId: 'my-order-2',
      price: price('1.5'),
      lots: 2,
    });
    expect(Object.isFrozen(both)).toBe(true);
    expect(replace('my-order-1', { lots: 1.5 }).lots).toBe(1.5);
  });

  test('cancel names one order, cancelAll one symbol or none', () => {
    expect(cancel('my-order-1')).toEqual({ kind: 'cancel', clientOrderId: 'my-order-1' });
    expect(cancelAll('BTCUSDT')).toEqual({ kind: 'cancelAll', symbol: 'BTCUSDT' });
    expect(cancelAll()).toEqual({ kind: 'cancelAll' });
    for (const command of [cancel('my-order-1'), cancelAll('BTCUSDT'), cancelAll()]) {
      expect(Object.isFrozen(command)).toBe(true);
    }
  });
});

describe('numbers', () => {
  test('a price or quantity is read exactly from its text', () => {
    expect(price('61837.63').toFixed()).toBe('61837.63');
    expect(quantity('1e-8').toFixed()).toBe('0.00000001');
  });

  test('what is no decimal text is refused by name', () => {
    expect(() => price('0x10')).toThrow('price: "0x10" is not a decimal number');
    expect(() => quantity('Infinity')).toThrow('quantity: "Infinity" is not a decimal number');
  });
});

/** Never run: the compiler is the test, and `npm run types` fails when it is silent here. */
export function whatDoesNotCompile(ticks: Ticks, lots: Lots, expireAt: Micros): unknown[] {
  const one = price('1');
  const buy = { type: 'limit', side: 'buy' } as const;
  return [
    // @ts-expect-error a limit order needs a price
    place('BTCUSDT', { type: 'limit', side: 'buy', lots }),
    // @ts-expect-error a limit order needs a quantity
    place('BTCUSDT', { type: 'limit', side: 'buy', ticks }),
    // @ts-expect-error ticks or price, not both
    place('BTCUSDT', { ...buy, ticks, price: price('1'), lots }),
    // @ts-expect-error lots or quantity, not both
    place('BTCUSDT', { ...buy, ticks, lots, quantity: quantity('1') }),
    // @ts-expect-error a plain number is no price
    place('BTCUSDT', { ...buy, price: 61_837.63, lots }),
    // @ts-expect-error a plain number is no quantity
    place('BTCUSDT', { ...buy, ticks, quantity: 0.5 }),
    // @ts-expect-error lots are no ticks
    place('BTCUSDT', { ...buy, ticks: lots, lots }),
    // @ts-expect-error ticks are no lots
    place('BTCUSDT', { ...buy, ticks, lots: ticks }),
    // @ts-expect-error GTD needs the time at which it expires
    place('BTCUSDT', { ...buy, ticks, lots, timeInForce: 'GTD' }),
    // @ts-expect-error only GTD has a time at which it expires
    place('BTCUSDT', { ...buy, ticks, lots, timeInForce: 'GTC', expireAt }),
    // @ts-expect-error what must execute at once cannot wait to be the maker
    place('BTCUSDT', { ...buy, ticks, lots, timeInForce: 'IOC', postOnly: true }),
    // @ts-expect-error a market order has no price
    place('BTCUSDT', { type: 'market', side: 'buy', ticks, lots }),
    // @ts-expect-error a market order cannot rest
    place('BTCUSDT', { type: 'market', side: 'buy', lots, timeInForce: 'GTC' }),
    // @ts-expect-error a replacement changes something
    replace('my-order-1', {}),
    // @ts-expect-error ticks or price, not both
    replace('my-order-1', { ticks, price: price('1') }),
    // @ts-expect-error a stop order needs a stop price
    place('BTCUSDT', { type: 'stopMarket', side: 'sell', lots }),
    // @ts-expect-error a stop order with a limit needs that too
    place('BTCUSDT', { type: 'stopLimit', side: 'sell', stopTicks: ticks, lots }),
    // @ts-expect-error a take profit needs a stop price
    place('BTCUSDT', { type: 'takeProfitMarket', side: 'sell', lots }),
    // @ts-expect-error a limit price is not a stop price
    place('BTCUSDT', { type: 'takeProfitLimit', side: 'sell', ticks, lots }),
    // @ts-expect-error a stop market order has no limit price
    place('BTCUSDT', { type: 'stopMarket', side: 'sell', stopTicks: ticks, ticks, lots }),
    // @ts-expect-error a plain limit order waits for nothing
    place('BTCUSDT', { ...buy, ticks, stopTicks: ticks, lots }),
    // @ts-expect-error stop ticks or stop price, not both
    place('BTCUSDT', { type: 'stopMarket', side: 'buy', stopTicks: ticks, stopPrice: one, lots }),
    // @ts-expect-error a time or a span, not both
    place('BTCUSDT', { ...buy, ticks, lots, timeInForce: 'GTD', expireAt, within: 5 }),
    // @ts-expect-error what is over at once needs no span
    place('BTCUSDT', { ...buy, ticks, lots, timeInForce: 'IOC', within: 5 }),
    // @ts-expect-error stop ticks or stop price, not both
    replace('my-order-1', { stopTicks: ticks, stopPrice: one }),
  ];
}

export const unmarked = (): Command => ({
  kind: 'place',
  symbol: 'BTCUSDT',
  type: 'limit',
  side: 'buy',
  // @ts-expect-error a command is data of its kind, with the marks of its units
  ticks: 1,
  // @ts-expect-error lots have a mark of their own
  lots: 1,
});
