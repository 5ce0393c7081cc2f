import { describe, expect, test } from 'vitest';
import { decimal } from '../../../src/model/decimal.ts';
import type { Order } from '../../../src/model/order.ts';
import type { OrderRequest } from '../../../src/model/order-request.ts';
import { requestedOrders } from '../../../src/engine/orders/requested-orders.ts';
import type { RiskSettings } from '../../../src/risk/settings.ts';
import { micros } from '../../../src/platform/time.ts';
import { effectiveLeverage } from '../../../src/rules/margin/leverage.ts';
import { shortestDistance } from '../../../src/risk/margin/distance.ts';
import { heldForOrders, heldForPositions } from '../../../src/risk/margin/reserves.ts';
import { worstSizes } from '../../../src/risk/margin/worst.ts';
import { riskPosition } from '../../../src/risk/margin/risk-position.ts';
import { accountEquity } from '../../../src/risk/margin/risk-position.ts';
import { usedBy } from '../../../src/risk/limits/leverage.ts';
import { marginFundsRejection } from '../../../src/risk/limits/margin-funds.ts';
import { stopBound, stopWarning } from '../../../src/risk/limits/stop-price.ts';
import { orderRejection } from '../../../src/risk/order-rejection.ts';
import type { RiskView } from '../../../src/risk/view.ts';
import { limitsOf, marketOf, open, place, placeList, viewOf } from '../view.ts';
import { accountOf, BTC, ETH, marginOf, positionOf, type Funds } from './view.ts';

const ISOLATED = { margin: { mode: 'isolated' } } as const;
const CROSS = { margin: { mode: 'cross' } } as const;

/** A market of BTC at its mark price, in ticks of 0.01. */
function viewAt(mark: string, accounts: readonly Funds[], orders: readonly Order[] = []): RiskView {
  const ticks = decimal(mark).times(100).toNumber();
  return viewOf({
    instruments: [BTC, ETH],
    orders,
    markets: { BTCUSDT: marketOf(ticks, ticks), ETHUSDT: marketOf(152_000, 152_000) },
    margin: marginOf(accounts.map(accountOf), { BTCUSDT: mark, ETHUSDT: '1520' }),
  });
}

/** Sells so many BTC at 20,000. */
const short = (size: string) => ({
  ...ISOLATED,
  ...({ side: 'sell', ticks: 2_000_000 } as const),
  lots: decimal(size).times(1_000).toNumber(),
});

const code = (request: OrderRequest, view: RiskView, limits: RiskSettings) =>
  orderRejection(request, view, limits)?.code;

describe('what is held', () => {
  test('by an order that sells 0.1 at 20,000 is 202.10', () => {
    const view = viewAt('20000', [{ balance: '600' }]);
    const [account] = view.margin?.accounts ?? [];
    expect(heldForOrders(account, [open(short('0.1'))], view, limitsOf()).toFixed()).toBe('202.1');
  });

  test.each([
    ['20000', '201.1'],
    ['21000', '301.15'],
  ])('by the position of it at a mark price of %s is %s', (mark, held) => {
    const account = accountOf({
      balance: '600',
      held: [{ instrument: BTC, size: '-0.1', entry: '20000' }],
    });
    expect(
      heldForPositions(
        account,
        () => decimal(mark),
        () => BTC,
      ).toFixed(),
    ).toBe(held);
  });

  test.each([
    ['202.1', undefined],
    ['202.09', 'funds-insufficient'],
  ])('has to be there: with %s the order is %s', (balance, outcome) => {
    const view = viewAt('20000', [{ balance }]);
    const rejection = marginFundsRejection(place(short('0.1')), view, limitsOf());
    expect(rejection?.code).toBe(outcome);
    if (outcome !== undefined) expect(rejection?.limit).toBe('202.1');
  });

  test('counts orders that were sent before in the same turn', () => {
    const first = open(short('0.1'));
    const view = viewAt('20000', [{ balance: '404.19' }], [first]);
    const rejection = marginFundsRejection(place(short('0.1')), view, limitsOf());
    expect(rejection).toMatchObject({ code: 'funds-insufficient', limit: '404.2' });
  });

  test('is nothing for what closes, however little is there', () => {
    const held = [{ instrument: BTC, size: '-0.1', entry: '20000' }];
    const view = viewAt('20000', [{ balance: '0.01', held }]);
    const buy = { ...ISOLATED, side: 'buy', ticks: 2_000_000, lots: 100 } as const;
    expect(marginFundsRejection(place(buy), view, limitsOf())).toBeUndefined();
    expect(
      marginFundsRejection(
        place({ ...buy, margin: { mode: 'isolated', reduceOnly: true } }),
        view,
        limitsOf(),
      ),
    ).toBeUndefined();
    expect(marginFundsRejection(place({ ...buy, lots: 101 }), view, limitsOf())?.code).toBe(
      'funds-insufficient',
    );
  });
});

describe('held -2, open buy of 1, open sell of 3', () => {
  const orders = [
    open({ ...ISOLATED, side: 'buy', lots: 1_000, ticks: 100 }),
    open({ ...ISOLATED, side: 'sell', lots: 2_000, ticks: 200 }),
  ];
  const held = [{ instrument: BTC, size: '-2', entry: '1' }];
  const sell = place({ ...ISOLATED, side: 'sell', lots: 1_000, ticks: 200 });

  test('come to no long, and to a short of 5', () => {
    const view = viewAt('1', [{ balance: '600', held }]);
    const all = [...orders, open({ ...ISOLATED, side: 'sell', lots: 1_000, ticks: 200 })];
    const worst = worstSizes(riskPosition(view, 'BTCUSDT', 'isolated'), all);
    expect([worst.long.toFixed(), worst.short.toFixed()]).toEqual(['0', '5']);
  });

  test.each([
    ['maxShort', '4', 'risk-short'],
    ['maxShort', '5', undefined],
    ['maxPosition', '4', 'risk-position'],
    ['maxPosition', '5', undefined],
  ])('%s of %s makes of the last sell: %s', (limit, most, outcome) => {
    const view = viewAt('1', [{ balance: '600', held }], orders);
    expect(code(sell, view, limitsOf({ [limit]: { BTCUSDT: most } }))).toBe(outcome);
  });
});

describe('long 0.1 BTC at 19,500 and short 2 ETH at 1,520', () => {
  const cross: Funds = {
    mode: 'cross',
    balance: '1000',
    held: [
      { instrument: BTC, size: '0.1', entry: '20000' },
      { instrument: ETH, size: '-2', entry: '1500' },
    ],
  };
  const view = viewAt('19500', [cross]);
  const buy = { ...CROSS, side: 'buy', ticks: 1_950_000, lots: 100 } as const;

  test.each([
    ['maxExposure', '6940', undefined],
    ['maxExposure', '6939.99', 'risk-exposure'],
    // 1,950 more of long: -1,090 becomes 860, and the other way it stays.
    ['maxNetExposure', '860', undefined],
    ['maxNetExposure', '859.99', 'risk-net-exposure'],
  ])('%s of %s makes of a buy worth 1,950: %s', (limit, most, outcome) => {
    expect(code(place(buy), view, limitsOf({ [limit]: { USDT: most } }))).toBe(outcome);
  });

  test('are 4,990 gross and 1,090 net, before anything else is bought or sold', () => {
    const least = { ...CROSS, side: 'buy', ticks: 1, lots: 1 } as const;
    const gross = (most: string) =>
      code(place(least), view, limitsOf({ maxExposure: { USDT: most } }));
    // The buy is worth 0.00001.
    expect([gross('4990.00001'), gross('4990')]).toEqual([undefined, 'risk-exposure']);
    const sell = { ...least, side: 'sell', ticks: 1_950_000 } as const;
    const net = (most: string) =>
      code(place(sell), view, limitsOf({ maxNetExposure: { USDT: most } }));
    // The sell is worth 19.50.
    expect([net('1109.5'), net('1109.49')]).toEqual([undefined, 'risk-net-exposure']);
  });

  test('have an equity of 910, an effective leverage of 5.4835 and a margin use of 27.7 %', () => {
    const [account] = view.margin?.accounts ?? [];
    const margin = view.margin ?? marginOf([], {});
    const equity = accountEquity(account, margin, (symbol) => view.instrument(symbol));
    expect(equity?.toFixed()).toBe('910');
    const use = usedBy(account, [], view, new Map());
    if ('code' in use) throw new Error(use.message);
    expect([use.notional.toFixed(), use.kept.toFixed()]).toEqual(['4990', '251.995']);
    expect(effectiveLeverage(use.notional, use.equity)?.toFixed()).toBe('5.4835');
    expect(use.kept.div(use.equity).times(100).toFixed(1)).toBe('27.7');
  });

  test.each([
    // (4,990 + 19.5) ÷ 910 = 5.50494…
    [{ maxLeverage: '5.51' }, undefined],
    [{ maxLeverage: '5.5' }, 'risk-leverage'],
    // (251.995 + 0.98475) ÷ 910 = 0.27800
    [{ maxMarginUse: '0.279' }, undefined],
    [{ maxMarginUse: '0.278' }, undefined],
    [{ maxMarginUse: '0.2779' }, 'risk-margin-use'],
  ])('%o makes of a buy worth 19.50: %s', (limits, outcome) => {
    const bought = place({ ...buy, lots: 1 });
    expect(code(bought, view, limitsOf(limits))).toBe(outcome);
  });
});

describe('with isolated funds of 600', () => {
  const view = viewAt('20000', [{ balance: '600' }]);
  const [account] = view.margin?.accounts ?? [];

  test.each([
    ['0.1', '24750.11', '23.8'],
    ['0.25', '21323.17', '6.6'],
  ])('a short of %s is liquidated at %s, %s %% away', (size, price, percent) => {
    const orders = [open(short(size))];
    const distance = shortestDistance(account, { view, limits: limitsOf(), orders });
    if (distance === undefined || distance === 'unknown') throw new Error('no distance');
    expect(distance.liquidationPrice.toFixed()).toBe(price);
    expect(distance.share.times(100).toFixed(1)).toBe(percent);
  });

  test('the venue would take the second, and the limit rejects it', () => {
    const request = place(short('0.25'));
    const [order] = [open(short('0.25'))];
    expect(heldForOrders(account, [order], view, limitsOf()).toFixed()).toBe('505.25');
    expect(marginFundsRejection(request, view, limitsOf())).toBeUndefined();
    const limits = limitsOf({ minLiquidationDistance: '0.15' });
    expect(code(request, view, limits)).toBe('risk-liquidation-distance');
  });

  test.each([
    ['0.144', undefined],
    ['0.145', 'risk-liquidation-distance'],
  ])('a distance of 15 %% makes of a short of %s: %s', (size, outcome) => {
    const limits = limitsOf({ minLiquidationDistance: '0.15' });
    expect(code(place(short(size)), view, limits)).toBe(outcome);
  });
});

/** A list that sells so many BTC at 20,000 and then protects them by a stop. */
function entered(
  size: string,
  type: 'oneTriggerOther' | 'oneTriggerOneCancelOther',
  stopTicks: number,
): ReturnType<typeof placeList> {
  const { side, lots, ...entry } = short(size);
  const exit = { side: 'buy', lots, margin: { mode: 'isolated', reduceOnly: true } } as const;
  const stop = { ...exit, type: 'stopMarket', stopTicks } as const;
  const profit = type === 'oneTriggerOther' ? [] : [{ ...exit, ticks: 1_900_000 }];
  return placeList(type, { ...entry, side, lots }, ...profit, stop);
}

/** The orders of a list while it waits. */
const openOrders = (list: OrderRequest): readonly Order[] =>
  requestedOrders(list, () => undefined, { strategy: '', managed: false, requestedAt: micros(0) });

describe('a stop of a short of 0.1 at 20,000 with 599 left of its funds', () => {
  const held = [{ instrument: BTC, size: '-0.1', entry: '20000', liquidation: '24740.59' }];
  const view = viewAt('20000', [{ balance: '599', held }]);
  const stop = (stopTicks: number) =>
    place({
      side: 'buy',
      type: 'stopMarket',
      lots: 100,
      stopTicks,
      margin: { mode: 'isolated', reduceOnly: true },
    });

  test('is liquidated at 24,740.59, and its stop is one up to 24,503.56', () => {
    const [account] = view.margin?.accounts ?? [];
    const distance = shortestDistance(account, { view, limits: limitsOf(), orders: [] });
    if (distance === undefined || distance === 'unknown') throw new Error('no distance');
    expect(distance.liquidationPrice.toFixed()).toBe('24740.59');
    const { entryPrice, liquidationPrice } = positionOf(held[0]);
    expect(stopBound(entryPrice, liquidationPrice ?? entryPrice).toFixed()).toBe('24503.5605');
  });

  test.each([
    [2_450_356, undefined],
    [2_450_357, 'risk-stop-price'],
  ])('at %i ticks is: %s', (ticks, outcome) => {
    const limits = limitsOf({ stopBeyondLiquidation: 'reject' });
    expect(code(stop(ticks), view, limits)).toBe(outcome);
    expect(code(stop(ticks), view, limitsOf())).toBeUndefined();
  });

  // The entry of 0.1 at 20,000 costs a fee of 1: the same 599 are left of 600.
  test.each([
    ['oneTriggerOther', 2_450_356, undefined],
    ['oneTriggerOther', 2_450_357, 'risk-stop-price'],
    ['oneTriggerOneCancelOther', 2_450_356, undefined],
    ['oneTriggerOneCancelOther', 2_450_357, 'risk-stop-price'],
  ] as const)('that waits for its entry in a %s at %i ticks is: %s', (type, ticks, outcome) => {
    const flat = viewAt('20000', [{ balance: '600' }]);
    const list = entered('0.1', type, ticks);
    expect(code(list, flat, limitsOf({ stopBeyondLiquidation: 'reject' }))).toBe(outcome);
    const warning = stopWarning(list, flat, limitsOf());
    if (outcome === undefined) expect(warning).toBeUndefined();
    else expect(warning).toContain('at 24503.57 is beyond 24503.5605: the position is liquidated at 24740.59'); // prettier-ignore
  });

  test('that waits for an entry which makes the position larger is judged by all of it', () => {
    // 0.2 at a mean of 19,500, with 600 and a fee of 1 of the second half at 20,000:
    // (599 + 1,900 + 2,000) / (0.2 × (1 + 0.0005 + 0.05)) = 21,413.6125, and a twentieth back to the entry.
    const half = { instrument: BTC, size: '-0.1', entry: '19000', liquidation: '23782.98' };
    const view = viewAt('20000', [{ balance: '600', held: [half] }]);
    const reject = limitsOf({ stopBeyondLiquidation: 'reject' });
    const bound = stopBound(decimal('19500'), decimal('21413.61'));
    expect(bound.toFixed()).toBe('21317.9295');
    expect(code(entered('0.1', 'oneTriggerOther', 2_131_792), view, reject)).toBeUndefined();
    expect(code(entered('0.1', 'oneTriggerOther', 2_131_793), view, reject)).toBe('risk-stop-price'); // prettier-ignore
  });

  test('that waits is judged again where its price is replaced', () => {
    const list = entered('0.1', 'oneTriggerOther', 2_450_356);
    const view = viewAt('20000', [{ balance: '600' }], openOrders(list));
    const [, exit] = list.orders;
    const moved = {
      ...({ kind: 'replace', clientOrderId: exit.clientOrderId } as const),
      newClientOrderId: 'later',
      symbol: 'BTCUSDT',
      lots: exit.lots,
      stopTicks: 2_450_357,
    };
    const reject = limitsOf({ stopBeyondLiquidation: 'reject' });
    expect(orderRejection(moved as OrderRequest, view, reject)?.code).toBe('risk-stop-price');
  });

  test('that waits for an entry of unknown price cannot be judged, and is not sent where it is to be', () => {
    const view = viewOf({
      instruments: [BTC],
      margin: marginOf([accountOf({ balance: '600' })], {}),
    });
    const list = entered('0.1', 'oneTriggerOther', 2_450_356);
    expect(code(list, view, limitsOf({ stopBeyondLiquidation: 'reject' }))).toBe('risk-market-unknown'); // prettier-ignore
  });

  test('of a long lies above: entry 10 and liquidation 8 give 8.1', () => {
    expect(stopBound(decimal('10'), decimal('8')).toFixed()).toBe('8.1');
  });
});
