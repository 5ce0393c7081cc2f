import { describe, expect, expectTypeOf, test } from 'vitest';
import {
  aon,
  bracket,
  hours,
  lots as lotsOf,
  oco,
  oto,
  otoco,
  placeList,
  price,
  quantity,
  type Lots,
  type PlaceList,
  type Ticks,
} from '../../src/index.ts';

const sell = { type: 'limit', side: 'sell', ticks: 105, lots: 10 } as const;
const stop = { type: 'stopMarket', side: 'sell', stopTicks: 95, lots: 10 } as const;
const buy = { type: 'market', side: 'buy', lots: 10 } as const;

const isFrozen = (list: PlaceList): boolean =>
  [list, list.orders, ...list.orders].every(Object.isFrozen);

describe('lists', () => {
  test('are frozen data with their contingency type and their orders, each with its symbol', () => {
    const list = oco('BTCUSDT', [sell, stop]);
    expect(list).toEqual({
      kind: 'placeList',
      contingencyType: 'oneCancelOther',
      orders: [
        { symbol: 'BTCUSDT', ...sell },
        { symbol: 'BTCUSDT', ...stop },
      ],
    });
    expect(isFrozen(list)).toBe(true);
    expectTypeOf(list).toEqualTypeOf<PlaceList>();
  });

  test('oto and otoco begin with the order that triggers the others', () => {
    expect(oto('BTCUSDT', [buy, sell])).toMatchObject({
      contingencyType: 'oneTriggerOther',
      orders: [{ type: 'market' }, { type: 'limit' }],
    });
    expect(otoco('BTCUSDT', [buy, sell, stop])).toMatchObject({
      contingencyType: 'oneTriggerOneCancelOther',
      orders: [{ type: 'market' }, { type: 'limit' }, { type: 'stopMarket' }],
    });
    expect(otoco('BTCUSDT', [buy, sell, stop])).not.toHaveProperty('bracket');
  });

  test('aon makes every order FOK and names the symbols', () => {
    const list = aon([
      { symbol: 'BTCUSDT', type: 'limit', side: 'buy', price: price('61837.63'), lots: 2 },
      { symbol: 'ETHUSDT', type: 'market', side: 'sell', quantity: quantity('0.5') },
    ]);
    expect(JSON.parse(JSON.stringify(list))).toEqual({
      kind: 'placeList',
      contingencyType: 'allOrNone',
      orders: [
        {
          symbol: 'BTCUSDT',
          type: 'limit',
          side: 'buy',
          price: '61837.63',
          lots: 2,
          timeInForce: 'FOK',
        },
        { symbol: 'ETHUSDT', type: 'market', side: 'sell', quantity: '0.5', timeInForce: 'FOK' },
      ],
    });
  });

  test('placeList says it in full, for different symbols too', () => {
    const eth = { ...sell, symbol: 'ETHUSDT' };
    expect(placeList('oneCancelOther', [{ ...stop, symbol: 'BTCUSDT' }, eth])).toEqual({
      kind: 'placeList',
      contingencyType: 'oneCancelOther',
      orders: [{ ...stop, symbol: 'BTCUSDT' }, eth],
    });
  });

  test('a fraction of a tick or a lot is kept as it is, for the engine to refuse', () => {
    const { orders } = oco('BTCUSDT', [sell, { ...stop, stopTicks: 95.5 }]);
    expect(orders[1]).toMatchObject({ stopTicks: 95.5 });
    expect(oto('BTCUSDT', [{ ...buy, lots: 0.5 }, sell]).orders[0].lots).toBe(0.5);
  });
});

describe('bracket', () => {
  test('is one list: an entry, and two exits of the other side for the same quantity', () => {
    const list = bracket('BTCUSDT', {
      entry: { side: 'buy', type: 'stopLimit', stopTicks: 100, ticks: 102 },
      takeProfit: { ticks: 110 },
      stopLoss: { stopTicks: 95 },
      lots: 10,
      within: hours(4),
    });
    expect(list).toEqual({
      kind: 'placeList',
      contingencyType: 'oneTriggerOneCancelOther',
      bracket: true,
      orders: [
        {
          symbol: 'BTCUSDT',
          side: 'buy',
          type: 'stopLimit',
          stopTicks: 100,
          ticks: 102,
          lots: 10,
          timeInForce: 'GTD',
          within: 14_400_000,
        },
        { symbol: 'BTCUSDT', side: 'sell', type: 'limit', ticks: 110, lots: 10 },
        {
          symbol: 'BTCUSDT',
          side: 'sell',
          type: 'stopMarket',
          stopTicks: 95,
          lots: 10,
          timeInForce: 'IOC',
        },
      ],
    });
    expect(isFrozen(list)).toBe(true);
  });

  test('takes decimals, a price alone being a limit for the profit and a stop for the loss', () => {
    const list = bracket('BTCUSDT', {
      entry: { side: 'sell', type: 'market', clientOrderId: 'entry-01' },
      takeProfit: price('60000'),
      stopLoss: price('63000'),
      quantity: quantity('0.5'),
    });
    expect(JSON.parse(JSON.stringify(list.orders))).toEqual([
      {
        symbol: 'BTCUSDT',
        side: 'sell',
        type: 'market',
        clientOrderId: 'entry-01',
        quantity: '0.5',
      },
      { symbol: 'BTCUSDT', side: 'buy', type: 'limit', price: '60000', quantity: '0.5' },
      {
        symbol: 'BTCUSDT',
        side: 'buy',
        type: 'stopMarket',
        stopPrice: '63000',
        quantity: '0.5',
        timeInForce: 'IOC',
      },
    ]);
  });

  test('takes exits of the other types as they are given, with ids of their own', () => {
    const { orders } = bracket('BTCUSDT', {
      entry: { side: 'buy', type: 'limit', ticks: 100, postOnly: true },
      takeProfit: {
        type: 'takeProfitLimit',
        stopTicks: 109,
        ticks: 110,
        clientOrderId: 'profit-1',
      },
      stopLoss: { type: 'stopLimit', stopTicks: 95, ticks: 94, clientOrderId: 'loss-001' },
      lots: 10,
    });
    expect(orders).toEqual([
      { symbol: 'BTCUSDT', side: 'buy', type: 'limit', ticks: 100, postOnly: true, lots: 10 },
      {
        symbol: 'BTCUSDT',
        side: 'sell',
        type: 'takeProfitLimit',
        stopTicks: 109,
        ticks: 110,
        clientOrderId: 'profit-1',
        lots: 10,
      },
      {
        symbol: 'BTCUSDT',
        side: 'sell',
        type: 'stopLimit',
        stopTicks: 95,
        ticks: 94,
        clientOrderId: 'loss-001',
        lots: 10,
      },
    ]);
    const { orders: others } = bracket('BTCUSDT', {
      entry: { side: 'buy', type: 'takeProfitMarket', stopTicks: 90 },
      takeProfit: { type: 'takeProfitMarket', stopTicks: 110 },
      stopLoss: { type: 'stopMarket', stopTicks: 85 },
      lots: 10,
    });
    expect(others[1]).toMatchObject({ type: 'takeProfitMarket', timeInForce: 'IOC' });
    expect(others[2]).toMatchObject({ type: 'stopMarket', timeInForce: 'IOC' });
  });

  test('a fraction of a tick or a lot is kept as it is, for the engine to refuse', () => {
    const entry = { side: 'buy', type: 'market' } as const;
    const exits = { takeProfit: { ticks: 110 }, stopLoss: { stopTicks: 95.5 } };
    const { orders } = bracket('BTCUSDT', { entry, ...exits, lots: 10 });
    expect(orders[2]).toMatchObject({ stopTicks: 95.5 });
  });
});

/** Never run: the compiler is the test, and `npm run types` fails when it is silent here. */
export function whatDoesNotCompile(ticks: Ticks, lots: Lots): unknown[] {
  const entry = { side: 'buy', type: 'limit', ticks } as const;
  const exits = { takeProfit: { ticks }, stopLoss: { stopTicks: ticks } };
  return [
    // @ts-expect-error a list has two or three orders
    oco('BTCUSDT', [sell]),
    // @ts-expect-error a leg that excludes others is no market order
    oco('BTCUSDT', [buy, stop]),
    // @ts-expect-error a stop order needs its stop price in a list too
    oco('BTCUSDT', [sell, { type: 'stopMarket', side: 'sell', lots }]),
    // @ts-expect-error an order of this list has three orders
    otoco('BTCUSDT', [buy, sell]),
    // @ts-expect-error orders of different symbols name theirs
    aon([buy, buy]),
    aon([
      // @ts-expect-error only limit and market orders fill at once
      { ...stop, symbol: 'BTCUSDT' },
      { ...sell, symbol: 'ETHUSDT' },
    ]),
    // @ts-expect-error a bracket has a stop loss
    bracket('BTCUSDT', { entry, takeProfit: { ticks }, lots: lotsOf(1) }),
    // @ts-expect-error an entry that waits needs a stop price
    bracket('BTCUSDT', { entry: { side: 'buy', type: 'stopMarket' }, ...exits, lots }),
    // @ts-expect-error a market entry is over at once
    bracket('BTCUSDT', { entry: { side: 'buy', type: 'market' }, ...exits, lots, within: 5 }),
    // @ts-expect-error a plain number is no price
    bracket('BTCUSDT', { entry, takeProfit: 63_000, stopLoss: { stopTicks: ticks }, lots }),
    // @ts-expect-error a stop loss is given by its stop price
    bracket('BTCUSDT', { entry, takeProfit: { ticks }, stopLoss: { ticks }, lots }),
  ];
}
