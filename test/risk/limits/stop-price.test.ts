import { describe, expect, test } from 'vitest';
import { requestedOrders } from '../../../src/engine/orders/requested-orders.ts';
import type { OrderMargin } from '../../../src/model/margin-terms.ts';
import type { OrderRequest } from '../../../src/model/order-request.ts';
import type { OrderType, Side } from '../../../src/model/order.ts';
import { micros } from '../../../src/platform/time.ts';
import { stopWarning } from '../../../src/risk/limits/stop-price.ts';
import { orderRejection } from '../../../src/risk/order-rejection.ts';
import type { RiskView } from '../../../src/risk/view.ts';
import { BTC, type Funds } from '../margin/view.ts';
import { limitsOf, marketOf, open, place, placeList } from '../view.ts';
import { REDUCE_ONLY, replace, viewAt } from './view.ts';

const REJECT = limitsOf({ stopBeyondLiquidation: 'reject' });

/** Entered at 100 and liquidated at 120 as a short, at 80 as a long: the last stops are 119 and 81. */
const positionOf = (size: string, mode: Funds['mode'] = 'isolated'): Funds => ({
  mode,
  balance: '1000',
  held: [{ instrument: BTC, size, entry: '100', liquidation: size.startsWith('-') ? '120' : '80' }],
});

const SHORT = viewAt([positionOf('-1')]);
const LONG = viewAt([positionOf('1')]);

/** A stop of a lot, in cents. */
const stop = (
  side: Side,
  stopTicks: number,
  margin: OrderMargin | undefined = REDUCE_ONLY,
  type: OrderType = 'stopMarket',
) => place({ side, type, lots: 1, stopTicks, ...(margin && { margin }) });

const codeOf = (request: OrderRequest, view: RiskView) =>
  orderRejection(request, view, REJECT)?.code;

describe('a stop loss', () => {
  test('of a short may be at the bound, and no tick above it', () => {
    expect(codeOf(stop('buy', 11_900), SHORT)).toBeUndefined();
    expect(codeOf(stop('buy', 11_901), SHORT)).toBe('risk-stop-price');
  });

  test('of a long may be at the bound, and no tick below it', () => {
    expect(codeOf(stop('sell', 8_100), LONG)).toBeUndefined();
    expect(codeOf(stop('sell', 8_099), LONG)).toBe('risk-stop-price');
  });

  test('that is rejected says where the position is liquidated', () => {
    expect(orderRejection(stop('sell', 8_099), LONG, REJECT)).toEqual({
      code: 'risk-stop-price',
      field: 'stopPrice',
      message:
        'A stop of BTCUSDT at 80.99 is beyond 81: the position is liquidated at 80, before or as the stop is reached.',
      limit: '81',
    });
  });

  test('with a limit price, and one that closes the whole position, is judged the same', () => {
    expect(codeOf(stop('sell', 8_099, REDUCE_ONLY, 'stopLimit'), LONG)).toBe('risk-stop-price');
    expect(codeOf(stop('sell', 8_100, REDUCE_ONLY, 'stopLimit'), LONG)).toBeUndefined();
    const closing: OrderMargin = { mode: 'isolated', closePosition: true };
    expect(codeOf(stop('sell', 8_099, closing), LONG)).toBe('risk-stop-price');
  });

  test('is judged by the position of its own margin', () => {
    const view = viewAt([positionOf('-1'), positionOf('1', 'cross')]);
    const cross: OrderMargin = { mode: 'cross', reduceOnly: true };
    expect(codeOf(stop('sell', 8_099, cross), view)).toBe('risk-stop-price');
    expect(codeOf(stop('sell', 8_099), view)).toBeUndefined();
    expect(codeOf(stop('buy', 11_901, cross), view)).toBeUndefined();
  });

  test('is judged wherever it is in a list', () => {
    const good = { side: 'sell', type: 'stopMarket', lots: 1, stopTicks: 8_100, margin: REDUCE_ONLY } as const; // prettier-ignore
    const list = placeList('allOrNone', good, { ...good, stopTicks: 8_099 });
    expect(codeOf(list, LONG)).toBe('risk-stop-price');
    expect(codeOf(placeList('allOrNone', good, good), LONG)).toBeUndefined();
  });
});

describe('no stop loss is', () => {
  test.each<readonly [string, OrderRequest]>([
    ['a stop on spot', place({ side: 'sell', type: 'stopMarket', lots: 1, stopTicks: 1 })],
    ['a stop that can open', stop('sell', 1, { mode: 'isolated' })],
    ['a take profit', stop('sell', 1, REDUCE_ONLY, 'takeProfitMarket')],
    ['a take profit with a limit price', stop('sell', 1, REDUCE_ONLY, 'takeProfitLimit')],
    [
      'an order without a stop price',
      place({ side: 'sell', lots: 1, ticks: 1, margin: REDUCE_ONLY }),
    ],
    ['a stop of the side that the position is on', stop('buy', 99_999)],
    ['such a stop below its liquidation', stop('buy', 1)],
  ])('%s', (_, request) => {
    expect(codeOf(request, LONG)).toBeUndefined();
    expect(stopWarning(request, LONG, REJECT)).toBeUndefined();
  });

  test('a stop where nothing is held, or whose liquidation is not known', () => {
    expect(codeOf(stop('sell', 1), viewAt([{ balance: '1000' }]))).toBeUndefined();
    expect(codeOf(stop('sell', 1), viewAt([]))).toBeUndefined();
    const held = [{ instrument: BTC, size: '1', entry: '100' }];
    expect(codeOf(stop('sell', 1), viewAt([{ balance: '1000', held }]))).toBeUndefined();
  });
});

describe('a stop beyond liquidation that is not to be rejected', () => {
  const beyond = stop('sell', 8_099);
  const message =
    'A stop of BTCUSDT at 80.99 is beyond 81: the position is liquidated at 80, before or as the stop is reached.';

  test('passes with a warning', () => {
    for (const limits of [limitsOf(), limitsOf({ stopBeyondLiquidation: 'warn' })]) {
      expect(orderRejection(beyond, LONG, limits)).toBeUndefined();
      expect(stopWarning(beyond, LONG, limits)).toBe(message);
      expect(stopWarning(stop('sell', 8_100), LONG, limits)).toBeUndefined();
    }
  });

  test('is warned of where an order is moved there, and nothing is where it is canceled', () => {
    const order = { ...open({ ...stop('sell', 8_100), lots: 1, stopTicks: 8_100 }) };
    const { clientOrderId, symbol } = order;
    const view = viewAt([positionOf('1')], { orders: [order] });
    const moved = (stopTicks: number) => replace(clientOrderId, 1, { stopTicks });
    expect(stopWarning(moved(8_099), view, limitsOf())).toBe(message);
    expect(stopWarning(moved(8_101), view, limitsOf())).toBeUndefined();
    expect(stopWarning({ kind: 'cancel', clientOrderId, symbol }, view, limitsOf())).toBeUndefined(); // prettier-ignore
    expect(stopWarning(replace('none', 1, { stopTicks: 8_099 }), view, limitsOf())).toBeUndefined();
  });
});

describe('a stop that waits for the first order of its list', () => {
  // A long of 1 at 100 with 10 and a fee of 0.05: (100 − 9.95) ÷ (1 − f − 1/20) is 94.84; the bound is 95.098.
  const list = (stopTicks: number, lead: Parameters<typeof place>[0] = {}) =>
    placeList(
      'oneTriggerOther',
      { side: 'buy', lots: 1_000, ticks: 10_000, margin: { mode: 'isolated' }, ...lead },
      { side: 'sell', type: 'stopMarket', lots: 1_000, stopTicks, margin: REDUCE_ONLY },
    );
  const flat = viewAt([{ balance: '10' }]);

  test('is judged by the position that the first one makes', () => {
    expect(codeOf(list(9_510), flat)).toBeUndefined();
    expect(codeOf(list(9_509), flat)).toBe('risk-stop-price');
    expect(stopWarning(list(9_509), flat, limitsOf())).toContain('beyond 95.098: the position is liquidated at 94.84'); // prettier-ignore
  });

  test('is judged by what the venue shows where there is no account yet', () => {
    expect(stopWarning(list(9_509), viewAt([]), limitsOf())).toBeUndefined();
  });

  test('is judged by its own list, whatever else is open', () => {
    const asked = requestedOrders(list(9_510), () => undefined, {
      ...{ strategy: '', managed: false },
      requestedAt: micros(0),
    });
    const [, waiting] = asked;
    const elsewhere = [
      open({ side: 'buy', lots: 1, ticks: 10_000, margin: { mode: 'isolated' } }),
      open({
        ...{ side: 'buy', lots: 9_000, ticks: 10_000, margin: { mode: 'isolated' } as const },
        ...{ orderListId: 'other', contingencyType: 'oneTriggerOther', listIndex: 0 },
      }),
    ];
    const view = viewAt([{ balance: '10' }], { orders: [...elsewhere, waiting, asked[0]] });
    const moved = (stopTicks: number) => replace(waiting.clientOrderId, 1_000, { stopTicks });
    expect(stopWarning(moved(9_510), view, limitsOf())).toBeUndefined();
    expect(stopWarning(moved(9_509), view, limitsOf())).toContain('beyond 95.098');
  });

  test('is judged by what is held once the first one has filled', () => {
    const [first, waiting] = requestedOrders(list(8_099), () => undefined, {
      ...{ strategy: '', managed: false },
      requestedAt: micros(0),
    });
    expect(first.listIndex).toBe(0);
    const view = viewAt([positionOf('1')], { orders: [waiting] });
    const moved = replace(waiting.clientOrderId, 1_000);
    expect(stopWarning(moved, view, limitsOf())).toContain('beyond 81');
  });

  test('protects nothing where the first one leaves no position, and so is not judged', () => {
    const closes = list(1, { side: 'sell', lots: 1_000 });
    expect(stopWarning(closes, LONG, limitsOf())).toBeUndefined();
    // Of one that closes half the rest is a long still: 50 at an entry of 100.
    const half = list(1, { side: 'sell', lots: 500 });
    expect(stopWarning(half, viewAt([{ ...positionOf('1'), balance: '10' }]), limitsOf())).toContain('beyond'); // prettier-ignore
  });

  const bounds = (view: RiskView, lead: Parameters<typeof place>[0], side: Side = 'sell') => {
    const exit = { side, type: 'stopMarket', lots: 1, margin: REDUCE_ONLY } as const;
    const entry = {
      side: 'buy',
      lots: 1_000,
      ticks: 10_000,
      margin: { mode: 'isolated' },
    } as const;
    // Far beyond any liquidation, so that the message says the bound.
    const stopTicks = side === 'sell' ? 1 : 99_999;
    const found = placeList('oneTriggerOther', { ...entry, ...lead }, { ...exit, stopTicks });
    return /beyond (\S+): the position is liquidated at (\S+),/.exec(stopWarning(found, view, limitsOf()) ?? '')?.slice(1); // prettier-ignore
  };

  test('is judged from the mean entry of a position that the first one makes larger', () => {
    // 190 for 2, a mean of 95: (190 − 9.955) ÷ (2 × 0.9495) is 94.82.
    const view = viewAt([{ ...positionOf('1'), balance: '10' }]);
    expect(bounds(view, { ticks: 9_000 })).toEqual(['94.829', '94.82']);
  });

  test('is judged from the same entry of a position that the first one makes smaller', () => {
    // Half of it sold at 110: (45 − 9.9725) ÷ (0.5 × 0.9495) is 73.79.
    const view = viewAt([{ ...positionOf('1'), balance: '10' }]);
    expect(bounds(view, { side: 'sell', lots: 500, ticks: 11_000 })).toEqual(['75.1005', '73.79']);
  });

  test('is judged from the price of the first one where that turns a position around', () => {
    // Short 1 at 90, and 2 bought at 100: (110 − 29.9) ÷ 0.9495 is 84.37.
    const held = [{ instrument: BTC, size: '-1', entry: '90' }];
    expect(bounds(viewAt([{ balance: '30', held }]), { lots: 2_000 })).toEqual([
      '85.1515',
      '84.37',
    ]);
  });

  test('is judged from what a market order takes first, or the mark price where that is unknown', () => {
    const funds = [{ balance: '10' }];
    const market = { type: 'market' } as const;
    const markets = { BTCUSDT: marketOf(9_900, 10_100) };
    expect(bounds(viewAt(funds, { markets }), market)).toEqual(['96.155', '95.9']);
    expect(bounds(viewAt(funds, { markets: {} }), market)).toEqual(['95.098', '94.84']);
    expect(bounds(viewAt(funds, { markets }), { ...market, side: 'sell' }, 'buy')).toEqual([
      ...['103.4745', '103.71'],
    ]);
  });
});
