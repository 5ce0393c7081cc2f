import { describe, expect, test } from 'vitest';
import { requestedOrders } from '../../../src/engine/orders/requested-orders.ts';
import type { OrderMargin } from '../../../src/model/margin-terms.ts';
import type { OrderRequest } from '../../../src/model/order-request.ts';
import type { OrderType, Side } from '../../../src/model/order.ts';
import type { Lots, Ticks } from '../../../src/model/units.ts';
import { micros } from '../../../src/platform/time.ts';
import { stopWarning } from '../../../src/risk/limits/stop-price.ts';
import { orderRejection } from '../../../src/risk/order-rejection.ts';
import type { RiskView } from '../../../src/risk/view.ts';
import { accountOf, BTC, ETH, marginOf, type Funds } from '../margin/view.ts';
import { limitsOf, marketOf, open, place, placeList, viewOf, type ViewTexts } from '../view.ts';

const EXIT: OrderMargin = { mode: 'isolated', reduceOnly: true };
const REJECT = limitsOf({ stopBeyondLiquidation: 'reject' });

/** Entered at 100 and liquidated at 120 as a short, at 80 as a long: the last stops are 119 and 81. */
const positionOf = (size: string, mode: Funds['mode'] = 'isolated'): Funds => ({
  mode,
  balance: '1000',
  held: [{ instrument: BTC, size, entry: '100', liquidation: size.startsWith('-') ? '120' : '80' }],
});

const viewAt = (accounts: readonly Funds[], more: ViewTexts = {}): RiskView =>
  viewOf({
    instruments: [BTC, ETH],
    markets: { BTCUSDT: marketOf(10_000, 10_000) },
    margin: marginOf(accounts.map(accountOf), { BTCUSDT: '100' }),
    ...more,
  });

const SHORT = viewAt([positionOf('-1')]);
const LONG = viewAt([positionOf('1')]);

/** A stop of a lot, in cents. */
const stop = (
  side: Side,
  stopTicks: number,
  margin: OrderMargin | undefined = EXIT,
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
    expect(codeOf(stop('sell', 8_099, EXIT, 'stopLimit'), LONG)).toBe('risk-stop-price');
    expect(codeOf(stop('sell', 8_100, EXIT, 'stopLimit'), LONG)).toBeUndefined();
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
    const good = { side: 'sell', type: 'stopMarket', lots: 1, stopTicks: 8_100, margin: EXIT } as const; // prettier-ignore
    const list = placeList('allOrNone', good, { ...good, stopTicks: 8_099 });
    expect(codeOf(list, LONG)).toBe('risk-stop-price');
    expect(codeOf(placeList('allOrNone', good, good), LONG)).toBeUndefined();
  });
});

describe('no stop loss is', () => {
  test.each<readonly [string, OrderRequest]>([
    ['a stop on spot', place({ side: 'sell', type: 'stopMarket', lots: 1, stopTicks: 1 })],
    ['a stop that can open', stop('sell', 1, { mode: 'isolated' })],
    ['a take profit', stop('sell', 1, EXIT, 'takeProfitMarket')],
    ['a take profit with a limit price', stop('sell', 1, EXIT, 'takeProfitLimit')],
    ['an order without a stop price', place({ side: 'sell', lots: 1, ticks: 1, margin: EXIT })],
    ['a stop of the side that the position is on', stop('buy', 99_999)],
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
    const moved = (stopTicks: number): OrderRequest => ({
      ...({ kind: 'replace', clientOrderId, newClientOrderId: 'new', symbol } as const),
      lots: 1 as Lots,
      stopTicks: stopTicks as Ticks,
    });
    expect(stopWarning(moved(8_099), view, limitsOf())).toBe(message);
    expect(stopWarning(moved(8_101), view, limitsOf())).toBeUndefined();
    expect(stopWarning({ kind: 'cancel', clientOrderId, symbol }, view, limitsOf())).toBeUndefined(); // prettier-ignore
    const unknown = { ...moved(8_099), clientOrderId: 'none' } as OrderRequest;
    expect(stopWarning(unknown, view, limitsOf())).toBeUndefined();
  });
});

describe('a stop that waits for the first order of its list', () => {
  // A long of 1 at 100 with 10 and a fee of 0.05: (100 − 9.95) ÷ (1 − f − 1/20) is 94.84; the bound is 95.098.
  const list = (stopTicks: number, lead: Parameters<typeof place>[0] = {}) =>
    placeList(
      'oneTriggerOther',
      { side: 'buy', lots: 1_000, ticks: 10_000, margin: { mode: 'isolated' }, ...lead },
      { side: 'sell', type: 'stopMarket', lots: 1_000, stopTicks, margin: EXIT },
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
    const moved = (stopTicks: number): OrderRequest => ({
      ...({ kind: 'replace', newClientOrderId: 'new', symbol: 'BTCUSDT' } as const),
      clientOrderId: waiting.clientOrderId,
      lots: 1_000 as Lots,
      stopTicks: stopTicks as Ticks,
    });
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
    const moved = {
      ...({ kind: 'replace', newClientOrderId: 'new', symbol: 'BTCUSDT' } as const),
      clientOrderId: waiting.clientOrderId,
      lots: 1_000 as Lots,
    };
    expect(stopWarning(moved, view, limitsOf())).toContain('beyond 81');
  });

  test('protects nothing where the first one leaves no position, and so is not judged', () => {
    const closes = list(1, { side: 'sell', lots: 1_000 });
    expect(stopWarning(closes, LONG, limitsOf())).toBeUndefined();
    // Of one that closes half the rest is a long still: 50 at an entry of 100.
    const half = list(1, { side: 'sell', lots: 500 });
    expect(stopWarning(half, viewAt([{ ...positionOf('1'), balance: '10' }]), limitsOf())).toContain('beyond'); // prettier-ignore
  });
});
