import { describe, expect, test } from 'vitest';
import { orderRejection } from '../../src/risk/order-rejection.ts';
import type { OrderRequest, ReplaceRequest } from '../../src/model/order-request.ts';
import type { Side } from '../../src/model/order.ts';
import type { Lots, Ticks } from '../../src/model/units.ts';
import { micros, US_PER_SECOND } from '../../src/platform/time.ts';
import { minimumRejection } from '../../src/rules/minimum.ts';
import { instrumentOf } from '../kit/instruments.ts';
import { BTC, ETH, limitsOf, marketOf, NOW, open, place, placeList, viewOf } from './view.ts';

const CANCEL: OrderRequest = { kind: 'cancel', clientOrderId: 'order-x', symbol: 'BTCUSDT' };

const replace = (clientOrderId: string, lots: number, ticks?: number): ReplaceRequest => ({
  kind: 'replace',
  clientOrderId,
  newClientOrderId: `${clientOrderId}-new`,
  symbol: 'BTCUSDT',
  lots: lots as Lots,
  ...(ticks === undefined ? {} : { ticks: ticks as Ticks }),
});

describe('without limits', () => {
  test('everything passes, even where no market is known', () => {
    const view = viewOf({ markets: {} });
    for (const request of [
      place(),
      place({ type: 'market' }),
      place({ side: 'sell', type: 'stopMarket', stopTicks: 5 }),
      placeList(
        'oneCancelOther',
        { side: 'sell' },
        { side: 'sell', type: 'stopLimit', stopTicks: 9 },
      ),
    ]) {
      expect(orderRejection(request, view, limitsOf())).toBeUndefined();
    }
  });

  test('a replacement of an order that is not open is refused', () => {
    const rejection = orderRejection(replace('order-none', 1), viewOf(), limitsOf());
    expect(rejection).toMatchObject({ code: 'order-unknown', field: 'clientOrderId' });
  });
});

describe('the least value of the venue', () => {
  const least = instrumentOf({ ...BTC.terms, minNotional: '50' });

  test('holds for each order of a list, and is the answer of the exchange', () => {
    const view = viewOf({ instruments: [least, ETH] });
    const list = placeList('oneTriggerOther', { lots: 5, ticks: 100 }, { lots: 4, ticks: 100 });
    expect(orderRejection(list, view, limitsOf())).toEqual(
      minimumRejection(least, { lots: 4 as Lots, ticks: 100 as Ticks }),
    );
  });

  test('leaves a smaller replacement to the venue', () => {
    const view = viewOf({
      instruments: [least, ETH],
      orders: [open({ clientOrderId: 'order-a', lots: 5, ticks: 100 })],
    });
    expect(orderRejection(replace('order-a', 4), view, limitsOf())).toBeUndefined();
  });
});

describe('quantity', () => {
  const limits = limitsOf({ maxQuantity: { BTCUSDT: '1' } });

  test('the limit itself passes, one lot more does not', () => {
    expect(orderRejection(place({ lots: 10 }), viewOf(), limits)).toBeUndefined();
    expect(orderRejection(place({ lots: 11 }), viewOf(), limits)).toMatchObject({
      code: 'risk-quantity',
      limit: '1',
    });
  });

  test('each order of a list is measured, and other symbols are not', () => {
    const eth = { symbol: 'ETHUSDT', lots: 99, ticks: 10 };
    expect(orderRejection(place(eth), viewOf(), limits)).toBeUndefined();
    expect(
      orderRejection(placeList('oneTriggerOther', eth, { lots: 11 }), viewOf(), limits)?.code,
    ).toBe('risk-quantity');
  });

  test('a replacement is measured by its new total', () => {
    const order = open({ lots: 10, filledLots: 9 });
    const view = viewOf({ orders: [order] });
    expect(orderRejection(replace(order.clientOrderId, 10), view, limits)).toBeUndefined();
    expect(orderRejection(replace(order.clientOrderId, 11), view, limits)?.code).toBe(
      'risk-quantity',
    );
  });
});

describe('price collar', () => {
  const limits = limitsOf({ priceCollar: '0.05' });
  const code = (request: OrderRequest, view = viewOf()) =>
    orderRejection(request, view, limits)?.code;

  test.each([
    ['buy', 105, undefined],
    ['buy', 106, 'risk-collar'],
    ['buy', 1, undefined],
    ['sell', 95, undefined],
    ['sell', 94, 'risk-collar'],
    ['sell', 900, undefined],
  ] as const)('around a middle of 100 a %s at %i gives %s', (side, ticks, rejected) => {
    expect(code(place({ side, ticks }))).toBe(rejected);
  });

  test('the middle between two ticks is not rounded', () => {
    const view = viewOf({ markets: { BTCUSDT: marketOf(100, 101) } });
    // 100.5 × 1.05 = 105.525
    expect(code(place({ ticks: 105 }), view)).toBeUndefined();
    expect(code(place({ ticks: 106 }), view)).toBe('risk-collar');
    expect(orderRejection(place({ ticks: 106 }), view, limits)?.limit).toBe('105.525');
  });

  test('the last trade stands in where a side of the book is empty', () => {
    const view = viewOf({ markets: { BTCUSDT: marketOf(99, Number.NaN, 200) } });
    expect(code(place({ ticks: 210 }), view)).toBeUndefined();
    expect(code(place({ ticks: 211 }), view)).toBe('risk-collar');
  });

  test('a market order is measured by the best price that it would take', () => {
    const view = viewOf({ markets: { BTCUSDT: marketOf(80, 120) } });
    expect(code(place({ type: 'market' }), view)).toBe('risk-collar');
    expect(code(place({ type: 'market', side: 'sell' }), view)).toBe('risk-collar');
    expect(code(place({ type: 'market' }))).toBeUndefined();
  });

  test('an order that waits for a stop price is measured by it', () => {
    const stop = { type: 'stopLimit', stopTicks: 200 } as const;
    expect(code(place({ ...stop, ticks: 210 }))).toBeUndefined();
    expect(code(place({ ...stop, ticks: 211 }))).toBe('risk-collar');
    expect(code(place({ ...stop, side: 'sell', ticks: 189 }))).toBe('risk-collar');
    expect(code(place({ type: 'stopMarket', stopTicks: 500 }))).toBeUndefined();
  });

  test('says on which side of which limit a price is', () => {
    const found = (request: OrderRequest) => orderRejection(request, viewOf(), limits);
    expect(found(place({ ticks: 106 }))).toEqual({
      code: 'risk-collar',
      field: 'price',
      message: 'A buy of BTCUSDT at 106 is above 105, the limit around 100.',
      limit: '105',
    });
    expect(found(place({ side: 'sell', ticks: 94 }))?.message).toBe(
      'A sell of BTCUSDT at 94 is below 95, the limit around 100.',
    );
  });

  test('each order of a list is measured', () => {
    expect(code(placeList('oneTriggerOther', { ticks: 105 }, { ticks: 106 }))).toBe('risk-collar');
    expect(code(placeList('oneTriggerOther', { ticks: 105 }, { ticks: 105 }))).toBeUndefined();
  });

  test('a stop that was triggered is measured by the market', () => {
    const order = open({ type: 'stopLimit', stopTicks: 200, ticks: 100 });
    const view = viewOf({ orders: [order] });
    expect(code(replace(order.clientOrderId, 10, 105), view)).toBeUndefined();
    expect(code(replace(order.clientOrderId, 10, 106), view)).toBe('risk-collar');
    const waiting = open({ type: 'stopLimit', stopTicks: 200, ticks: 200, suspended: true });
    const suspended = viewOf({ orders: [waiting] });
    expect(code(replace(waiting.clientOrderId, 10, 210), suspended)).toBeUndefined();
    expect(code(replace(waiting.clientOrderId, 10, 211), suspended)).toBe('risk-collar');
  });

  test('a market order needs a price to take, and a limit order one to compare with', () => {
    const empty = viewOf({ markets: { BTCUSDT: marketOf(99, Number.NaN) } });
    expect(code(place({ type: 'market' }), empty)).toBe('risk-market-unknown');
    const lastTrade = viewOf({ markets: { BTCUSDT: marketOf(99, Number.NaN, 100) } });
    expect(code(place({ type: 'market' }), lastTrade)).toBe('risk-market-unknown');
    expect(code(place({ type: 'market', side: 'sell' }), lastTrade)).toBeUndefined();
  });

  test.each([
    ['unknown', {}],
    ['stale', { BTCUSDT: { ...marketOf(99, 101), stale: true } }],
    ['empty', { BTCUSDT: marketOf(Number.NaN, Number.NaN) }],
  ])('a market that is %s has no price to measure by', (_, markets) => {
    expect(code(place(), viewOf({ markets }))).toBe('risk-market-unknown');
  });

  test('a market without data for longer than allowed is unknown', () => {
    const receivedAt = micros(NOW - US_PER_SECOND);
    const view = viewOf({ markets: { BTCUSDT: { ...marketOf(99, 101), receivedAt } } });
    const within = (staleAfterUs: number) =>
      orderRejection(place(), view, limitsOf({ priceCollar: '0.05', staleAfterUs }))?.code;
    expect(within(US_PER_SECOND)).toBeUndefined();
    expect(within(US_PER_SECOND - 1)).toBe('risk-market-unknown');
  });
});

describe('notional', () => {
  const limits = limitsOf({ maxNotional: { USDT: '100' } });
  const rejected = (request: OrderRequest, more = limits, view = viewOf()) =>
    orderRejection(request, view, more)?.code;

  test('a buy counts at its price', () => {
    expect(rejected(place({ lots: 10, ticks: 100 }))).toBeUndefined();
    expect(rejected(place({ lots: 10, ticks: 101 }))).toBe('risk-notional');
  });

  test('a sell counts at the best bid where that is higher than its price', () => {
    expect(rejected(place({ side: 'sell', lots: 11, ticks: 1 }))).toBe('risk-notional');
    expect(rejected(place({ side: 'sell', lots: 10, ticks: 1 }))).toBeUndefined();
  });

  test('a sell counts at its price, or its stop price, where that is higher', () => {
    const sell = { side: 'sell', lots: 5 } as const;
    expect(rejected(place({ ...sell, ticks: 200 }))).toBeUndefined();
    expect(rejected(place({ ...sell, ticks: 201 }))).toBe('risk-notional');
    const stop = { ...sell, type: 'stopLimit' } as const;
    expect(rejected(place({ ...stop, ticks: 190, stopTicks: 200 }))).toBeUndefined();
    expect(rejected(place({ ...stop, ticks: 190, stopTicks: 201 }))).toBe('risk-notional');
    expect(rejected(place({ ...stop, ticks: 201, stopTicks: 190 }))).toBe('risk-notional');
  });

  test('what only reduces is measured too where its price is known', () => {
    const exit = { side: 'sell', margin: { mode: 'isolated', reduceOnly: true } } as const;
    expect(rejected(place({ ...exit, lots: 10 }))).toBeUndefined();
    expect(rejected(place({ ...exit, lots: 11 }))).toBe('risk-notional');
  });

  test('a market buy counts at the best ask and the collar', () => {
    // 0.9 × 101 × 1.1 = 99.99, 0.9 × 101 × 1.11 = 100.899
    const market = place({ type: 'market', lots: 9 });
    expect(rejected(market, limitsOf({ maxNotional: { USDT: '100' }, priceCollar: '0.1' }))).toBe(
      undefined,
    );
    expect(rejected(market, limitsOf({ maxNotional: { USDT: '100' }, priceCollar: '0.11' }))).toBe(
      'risk-notional',
    );
  });

  test('a market sell counts at the best bid', () => {
    expect(rejected(place({ type: 'market', side: 'sell', lots: 10 }))).toBeUndefined();
    expect(rejected(place({ type: 'market', side: 'sell', lots: 11 }))).toBe('risk-notional');
  });

  test('a stop market buy counts at its stop price and a tenth, such a sell at its stop price', () => {
    const stop = { type: 'stopMarket', lots: 10 } as const;
    expect(rejected(place({ ...stop, stopTicks: 90 }))).toBeUndefined();
    expect(rejected(place({ ...stop, stopTicks: 91 }))).toBe('risk-notional');
    expect(rejected(place({ ...stop, side: 'sell', stopTicks: 100 }))).toBeUndefined();
    expect(rejected(place({ ...stop, side: 'sell', stopTicks: 101 }))).toBe('risk-notional');
  });

  test('only what needs the market is refused without one', () => {
    const view = viewOf({ markets: {} });
    expect(rejected(place({ ticks: 100 }), limits, view)).toBeUndefined();
    expect(rejected(place({ type: 'market' }), limits, view)).toBe('risk-market-unknown');
    expect(rejected(place({ type: 'market', side: 'sell' }), limits, view)).toBe(
      'risk-market-unknown',
    );
  });
});

describe('open orders and order rate', () => {
  test('lists count each of their orders, a replacement none', () => {
    const limits = limitsOf({ maxOpenOrders: 2 });
    const order = open();
    const view = viewOf({ orders: [order] });
    expect(orderRejection(place(), view, limits)).toBeUndefined();
    const two = placeList('oneTriggerOther', {}, { side: 'sell' });
    expect(orderRejection(two, view, limits)).toMatchObject({
      code: 'risk-open-orders',
      limit: '2',
    });
    const full = viewOf({ orders: [order, open()] });
    expect(orderRejection(replace(order.clientOrderId, 5), full, limits)).toBeUndefined();
    expect(orderRejection(place(), full, limits)?.code).toBe('risk-open-orders');
    const beyond = viewOf({ orders: [order, open(), open()] });
    expect(orderRejection(replace(order.clientOrderId, 5), beyond, limits)).toBeUndefined();
    expect(orderRejection(place(), beyond, limits)?.message).toBe(
      '4 orders would be open, and 2 may be.',
    );
  });

  test('an order and its unanswered replacement are one', () => {
    const old = open({ clientOrderId: 'order-old' });
    const view = viewOf({ orders: [old, open({ replaces: 'order-old' })] });
    expect(orderRejection(place(), view, limitsOf({ maxOpenOrders: 2 }))).toBeUndefined();
    expect(orderRejection(place(), view, limitsOf({ maxOpenOrders: 1 }))?.code).toBe(
      'risk-open-orders',
    );
  });

  test('no more requests than allowed in the last second, cancels aside', () => {
    const limits = limitsOf({ maxOrdersPerSecond: 3 });
    expect(orderRejection(place(), viewOf({ requestsInSecond: 2 }), limits)).toBeUndefined();
    const full = viewOf({ requestsInSecond: 3 });
    expect(orderRejection(place(), full, limits)?.code).toBe('risk-order-rate');
    expect(orderRejection(CANCEL, full, limits)).toBeUndefined();
  });
});

describe('trading state', () => {
  const limits = limitsOf();
  const reducing = (orders = [] as ReturnType<typeof open>[]) =>
    viewOf({ state: 'reducing', holdings: { BTC: '2' }, orders });

  test.each(['halted', 'killed'] as const)('%s lets cancels pass and nothing else', (state) => {
    const order = open({ side: 'sell' });
    const view = viewOf({ state, holdings: { BTC: '2' }, orders: [order] });
    expect(orderRejection(CANCEL, view, limits)).toBeUndefined();
    for (const request of [
      place(),
      place({ side: 'sell' }),
      replace(order.clientOrderId, 1),
      placeList('oneCancelOther', { side: 'sell' }, { side: 'sell' }),
    ]) {
      expect(orderRejection(request, view, limits)?.code).toBe('trading-halted');
    }
  });

  test('reducing lets sells pass up to what is held, open sells counted in', () => {
    const sell = (lots: number) => place({ side: 'sell', lots });
    expect(orderRejection(sell(20), reducing(), limits)).toBeUndefined();
    expect(orderRejection(sell(21), reducing(), limits)).toMatchObject({
      code: 'trading-reducing',
      limit: '2',
    });
    const partly = [open({ side: 'sell', lots: 10, filledLots: 4 })];
    expect(orderRejection(sell(14), reducing(partly), limits)).toBeUndefined();
    expect(orderRejection(sell(15), reducing(partly), limits)?.code).toBe('trading-reducing');
  });

  test('reducing counts the sells of the same currency alone, and no buys', () => {
    const orders = [
      open({ lots: 90 }),
      open({ symbol: 'ETHUSDT', side: 'sell', lots: 90 }),
      open({ symbol: 'BTCUSDT', side: 'sell', lots: 10 }),
    ];
    const sell = (lots: number) => place({ side: 'sell', lots });
    expect(orderRejection(sell(10), reducing(orders), limits)).toBeUndefined();
    expect(orderRejection(sell(11), reducing(orders), limits)).toEqual({
      code: 'trading-reducing',
      field: 'quantity',
      message: 'Trading is reducing: 2 BTC is held and all sells would come to 2.1.',
      limit: '2',
    });
  });

  test('reducing refuses whatever buys, also as part of a list', () => {
    expect(orderRejection(place(), reducing(), limits)?.field).toBe('side');
    const bracket = placeList('oneTriggerOther', { side: 'sell' }, { side: 'buy' });
    expect(orderRejection(bracket, reducing(), limits)?.code).toBe('trading-reducing');
  });

  test('reducing counts the larger of two sells that cancel each other', () => {
    const exits = (lots: number) =>
      placeList(
        'oneCancelOther',
        { side: 'sell', lots: 5 },
        { side: 'sell', lots, type: 'stopMarket', stopTicks: 50 },
      );
    expect(orderRejection(exits(20), reducing(), limits)).toBeUndefined();
    expect(orderRejection(exits(21), reducing(), limits)?.code).toBe('trading-reducing');
  });

  test('a sell that only shrinks passes where more is open than held', () => {
    const order = open({ side: 'sell', lots: 30 });
    expect(orderRejection(replace(order.clientOrderId, 25), reducing([order]), limits)).toBe(
      undefined,
    );
    expect(orderRejection(replace(order.clientOrderId, 31), reducing([order]), limits)?.code).toBe(
      'trading-reducing',
    );
  });
});

describe('own cross', () => {
  const limits = limitsOf({ preventOwnCross: true });
  const against = (...orders: ReturnType<typeof open>[]) => viewOf({ accountOrders: orders });
  const code = (request: OrderRequest, view: ReturnType<typeof against>) =>
    orderRejection(request, view, limits)?.code;

  test('a buy at or above an own sell is refused, one below it passes', () => {
    const view = against(open({ side: 'sell', ticks: 100 }));
    expect(code(place({ ticks: 100 }), view)).toBe('risk-own-cross');
    expect(code(place({ ticks: 99 }), view)).toBeUndefined();
    expect(code(place({ type: 'market' }), view)).toBe('risk-own-cross');
    expect(code(place({ ticks: 100, symbol: 'ETHUSDT' }), view)).toBeUndefined();
    expect(code(place({ ticks: 100, postOnly: true }), view)).toBeUndefined();
  });

  test('a sell at or below an own buy is refused', () => {
    const view = against(open({ side: 'buy', ticks: 100 }));
    expect(code(place({ side: 'sell', ticks: 100 }), view)).toBe('risk-own-cross');
    expect(code(place({ side: 'sell', ticks: 101 }), view)).toBeUndefined();
  });

  test('what waits for a price or another order stands in no book', () => {
    const waiting = against(
      open({ side: 'sell', ticks: 90, type: 'stopLimit', stopTicks: 91, suspended: true }),
      open({ side: 'sell', ticks: 90, inactive: true }),
    );
    expect(code(place({ ticks: 100 }), waiting)).toBeUndefined();
    const book = against(open({ side: 'sell', ticks: 100 }));
    expect(code(place({ type: 'stopLimit', stopTicks: 100, ticks: 100 }), book)).toBeUndefined();
    const bracket = placeList('oneTriggerOther', { ticks: 99 }, { ticks: 100 });
    expect(code(bracket, book)).toBeUndefined();
  });

  test('an order of the same side, and one without a price, is nothing to trade with', () => {
    const view = against(
      open({ ticks: 100 }),
      open({ side: 'sell', type: 'market' }),
      open({ side: 'sell', ticks: 106 }),
    );
    expect(code(place({ ticks: 105 }), view)).toBeUndefined();
    expect(code(place({ ticks: 106 }), view)).toBe('risk-own-cross');
    expect(code(place({ type: 'market' }), view)).toBe('risk-own-cross');
  });

  test('an order passes that fills whole at better prices, as far as the market shows them', () => {
    const market = marketOf(99, 101);
    const asked: [string, number][] = [];
    const lotsBefore = (taker: Side, ticks: number): number => {
      asked.push([taker, ticks]);
      return 10;
    };
    const view = {
      ...against(open({ side: 'sell', ticks: 105 })),
      market: () => ({ ...market, lotsBefore }),
    };
    expect(code(place({ ticks: 110, lots: 10 }), view)).toBeUndefined();
    expect(code(place({ ticks: 110, lots: 11 }), view)).toBe('risk-own-cross');
    expect(asked).toEqual([
      ['buy', 105],
      ['buy', 105],
    ]);
    const stale = { ...view, market: () => ({ ...market, lotsBefore, stale: true }) };
    expect(code(place({ ticks: 110, lots: 10 }), stale)).toBe('risk-own-cross');
  });

  test('a post-only order that would meet one of its own list takes nothing', () => {
    const maker = { side: 'sell', ticks: 100, postOnly: true } as const;
    expect(code(placeList('allOrNone', { ticks: 100 }, maker), against())).toBeUndefined();
  });

  test('the orders of a list that stand at once may not meet each other', () => {
    const pair = placeList('allOrNone', { ticks: 100 }, { side: 'sell', ticks: 100 });
    expect(code(pair, against())).toBe('risk-own-cross');
  });

  test('a replacement is measured by its new price', () => {
    const order = open({ ticks: 90 });
    const view = viewOf({ orders: [order], accountOrders: [order, open({ side: 'sell' })] });
    expect(code(replace(order.clientOrderId, 10, 100), view)).toBe('risk-own-cross');
    expect(code(replace(order.clientOrderId, 10, 99), view)).toBeUndefined();
  });
});
