import { describe, expect, test } from 'vitest';
import { budgetRejection, marginBudgetRejection } from '../../src/risk/limits/budget.ts';
import { orderRejection } from '../../src/risk/order-rejection.ts';
import type { OrderRequest } from '../../src/model/order-request.ts';
import { decimal, ZERO } from '../../src/model/decimal.ts';
import type { Lots, Ticks } from '../../src/model/units.ts';
import { amounts, ETHBTC, limitsOf, marketOf, open, place, placeList, viewOf } from './view.ts';
import { accountOf, BTC as MARGIN_BTC, marginOf } from './margin/view.ts';

describe('position', () => {
  const limits = limitsOf({ maxPosition: { BTCUSDT: '5' } });
  const code = (request: OrderRequest, view = viewOf()) =>
    orderRejection(request, view, limits)?.code;

  test('what is held, what open buys may still buy and the order may reach the limit', () => {
    const view = viewOf({
      holdings: { BTC: '2' },
      orders: [open({ lots: 20, filledLots: 5 }), open({ side: 'sell', lots: 20 })],
    });
    expect(code(place({ lots: 15 }), view)).toBeUndefined();
    expect(code(place({ lots: 16 }), view)).toBe('risk-position');
    expect(code(place({ lots: 99, side: 'sell' }), view)).toBeUndefined();
  });

  test('of orders that cancel each other the larger counts, before and in the request', () => {
    const list = { orderListId: 'list', contingencyType: 'oneCancelOther' } as const;
    const view = viewOf({
      orders: [
        open({ lots: 10, ...list, listIndex: 0 }),
        open({ lots: 30, ...list, listIndex: 1 }),
      ],
    });
    expect(code(place({ lots: 20 }), view)).toBeUndefined();
    expect(code(place({ lots: 21 }), view)).toBe('risk-position');
    const pair = (lots: number) => placeList('oneCancelOther', { lots: 5 }, { lots });
    expect(code(pair(20), view)).toBeUndefined();
    expect(code(pair(21), view)).toBe('risk-position');
  });

  test('all orders of the other lists count, but only one exit of a bracket', () => {
    expect(code(placeList('allOrNone', { lots: 25 }, { lots: 25 }))).toBeUndefined();
    expect(code(placeList('allOrNone', { lots: 25 }, { lots: 26 }))).toBe('risk-position');
    expect(code(placeList('oneTriggerOther', { lots: 25 }, { lots: 26 }))).toBe('risk-position');
    const bracket = (lots: number) =>
      placeList('oneTriggerOneCancelOther', { lots: 20 }, { lots: 30 }, { lots });
    expect(code(bracket(30))).toBeUndefined();
    expect(code(bracket(31))).toBe('risk-position');
  });

  test('of a replacement the difference counts, and a smaller one passes beyond the limit', () => {
    const order = open({ lots: 40, filledLots: 10 });
    const replace = (lots: number): OrderRequest => ({
      kind: 'replace',
      clientOrderId: order.clientOrderId,
      newClientOrderId: 'order-new',
      symbol: 'BTCUSDT',
      lots: lots as Lots,
      ticks: 100 as Ticks,
    });
    const view = viewOf({ holdings: { BTC: '2' }, orders: [order] });
    expect(code(replace(40), view)).toBeUndefined();
    expect(code(replace(41), view)).toBe('risk-position');
    const beyond = viewOf({ holdings: { BTC: '9' }, orders: [order] });
    expect(code(replace(39), beyond)).toBeUndefined();
    expect(code(replace(41), beyond)).toBe('risk-position');
  });

  test('an order and its unanswered replacement count as the larger', () => {
    const orders = [
      open({ clientOrderId: 'order-a', lots: 20 }),
      open({ clientOrderId: 'order-b', lots: 30, replaces: 'order-a' }),
      open({ clientOrderId: 'order-c', lots: 10, replaces: 'order-b' }),
    ];
    expect(code(place({ lots: 20 }), viewOf({ orders }))).toBeUndefined();
    expect(code(place({ lots: 21 }), viewOf({ orders }))).toBe('risk-position');
  });

  test('the same currency bought by another symbol counts too', () => {
    const ether = limitsOf({ maxPosition: { ETHUSDT: '5' } });
    const view = viewOf({ orders: [open({ symbol: 'ETHUSDT', lots: 40 })] });
    const other = (lots: number) => place({ symbol: 'ETHBTC', lots });
    expect(orderRejection(other(10), view, ether)).toBeUndefined();
    expect(orderRejection(other(11), view, ether)?.code).toBe('risk-position');
  });
});

describe('exposure', () => {
  const limits = limitsOf({ maxExposure: { USDT: '1000' } });
  const code = (request: OrderRequest, view = viewOf()) =>
    orderRejection(request, view, limits)?.code;

  test('all that is held at the middle of its market and all open buys at their prices', () => {
    // 2 × 100 + 10 × 10 = 300 held, 3 × 100 + 5 × 20 = 400 open
    const view = viewOf({
      holdings: { BTC: '2', ETH: '10', USDT: '99999' },
      orders: [
        open({ lots: 30 }),
        open({ symbol: 'ETHUSDT', lots: 60, filledLots: 10, ticks: 20 }),
        open({ side: 'sell', lots: 20 }),
      ],
    });
    expect(code(place({ lots: 30 }), view)).toBeUndefined();
    expect(code(place({ lots: 30, ticks: 101 }), view)).toBe('risk-exposure');
    expect(code(place({ side: 'sell', lots: 999 }), view)).toBeUndefined();
  });

  test('what is held without a known price cannot be counted', () => {
    const view = (holdings: Record<string, string>) =>
      viewOf({ holdings, markets: { BTCUSDT: marketOf(99, 101) } });
    expect(code(place(), view({ ETH: '1' }))).toBe('risk-market-unknown');
    expect(code(place(), view({ ETH: '0' }))).toBeUndefined();
  });

  test('an open market buy without a known price cannot be counted', () => {
    const view = viewOf({ markets: {}, orders: [open({ type: 'market' })] });
    expect(code(place(), view)).toBe('risk-market-unknown');
  });

  test('other quote currencies have limits of their own', () => {
    const view = viewOf({ instruments: [ETHBTC], holdings: { ETH: '9' }, markets: {} });
    expect(code(place({ symbol: 'ETHBTC', lots: 9999 }), view)).toBeUndefined();
  });
});

describe('budget', () => {
  const budget = (texts: Record<string, string>, changes: Record<string, string> = {}) => ({
    amounts: amounts(texts),
    change: (currency: string) => amounts(changes).get(currency) ?? ZERO,
  });
  const limits = limitsOf();

  test('buys hold price × quantity and the fee, together no more than the budget', () => {
    const view = viewOf({ orders: [open({ lots: 20 })] });
    const code = (lots: number) =>
      budgetRejection(place({ lots }), view, budget({ USDT: '505' }), limits)?.code;
    // (200 + 300) × 1.01 = 505
    expect(code(30)).toBeUndefined();
    expect(code(31)).toBe('budget-exceeded');
  });

  test('what fills have changed adds to it, and what it does not name has nothing else', () => {
    const sell = place({ side: 'sell', lots: 10 });
    const bought = budget({ USDT: '505' }, { USDT: '-101', BTC: '1' });
    expect(budgetRejection(sell, viewOf(), bought, limits)).toBeUndefined();
    expect(budgetRejection(place({ lots: 40 }), viewOf(), bought, limits)).toBeUndefined();
    expect(budgetRejection(place({ lots: 41 }), viewOf(), bought, limits)).toMatchObject({
      code: 'budget-exceeded',
      limit: '404',
    });
    const none = budget({ USDT: '505' });
    expect(budgetRejection(sell, viewOf(), none, limits)).toMatchObject({ limit: '0' });
  });

  test('exits that wait for their entry hold nothing, exits that exclude each other once', () => {
    const exit = { side: 'sell', lots: 10 } as const;
    const bracket = placeList('oneTriggerOneCancelOther', {}, exit, exit);
    expect(budgetRejection(bracket, viewOf(), budget({ USDT: '101' }), limits)).toBeUndefined();
    const pair = placeList('oneCancelOther', exit, exit);
    expect(budgetRejection(pair, viewOf(), budget({ BTC: '1' }), limits)).toBeUndefined();
    expect(budgetRejection(pair, viewOf(), budget({ BTC: '0.9' }), limits)?.code).toBe(
      'budget-exceeded',
    );
  });

  test('a market buy counts at the best ask, and needs the market for it', () => {
    const market = place({ type: 'market', lots: 10 });
    const collar = limitsOf({ priceCollar: '0.1' });
    // 101 × 1.01 = 102.01
    const code = (texts: string, view = viewOf()) =>
      budgetRejection(market, view, budget({ USDT: texts }), collar)?.code;
    expect(code('102.01')).toBeUndefined();
    expect(code('102')).toBe('budget-exceeded');
    expect(code('999', viewOf({ markets: {} }))).toBe('risk-market-unknown');
  });

  test('cancels and what only shrinks always pass', () => {
    const order = open({ lots: 20 });
    const view = viewOf({ orders: [order] });
    const { clientOrderId } = order;
    const symbol = 'BTCUSDT';
    const cancel = { kind: 'cancel', clientOrderId, symbol } as const;
    const smaller = {
      clientOrderId,
      symbol,
      kind: 'replace' as const,
      newClientOrderId: 'order-new',
      lots: 19 as Lots,
    };
    expect(budgetRejection(cancel, view, budget({}), limits)).toBeUndefined();
    expect(budgetRejection(smaller, view, budget({}), limits)).toBeUndefined();
    const unknown = { ...smaller, clientOrderId: 'order-none' };
    expect(budgetRejection(unknown, view, budget({}), limits)?.code).toBe('order-unknown');
  });

  test('an order on margin passes, though an open order on spot has no known price', () => {
    const view = viewOf({ markets: {}, orders: [open({ type: 'market' })] });
    const margined = place({ margin: { mode: 'isolated' } });
    expect(budgetRejection(margined, view, budget({}), limits)).toBeUndefined();
    expect(budgetRejection(place(), view, budget({}), limits)?.code).toBe('risk-market-unknown');
  });

  test('messages say what is missing', () => {
    const rejection = budgetRejection(place(), viewOf(), budget({ USDT: '50' }), limits);
    expect(rejection?.message).toBe(
      'The orders would hold 101 USDT, fees included, and the budget has 50 with what fills have changed.',
    );
    expect(decimal(rejection?.limit ?? '').toFixed()).toBe('50');
  });
});

describe('bringing funds to a margin account', () => {
  const request = (balance: string, mode: 'isolated' | 'cross' = 'isolated') =>
    ({ kind: 'setMargin', symbol: 'BTCUSDT', mode, balance: decimal(balance) }) as const;
  const outcome = (given: string, changed: string, balance: string, view = marginViewOf()) => {
    const budget = { amounts: amounts({ USDT: given }), change: () => decimal(changed) };
    const found = marginBudgetRejection(request(balance), view, budget, limitsOf());
    return found && `${found.code} ${found.field ?? ''} ${found.limit ?? ''}`;
  };
  /** 100 USDT are in the account, and an open buy holds 2 × 100 × 1.0005 beside it. */
  const marginViewOf = () =>
    viewOf({
      instruments: [MARGIN_BTC],
      orders: [open({ lots: 2_000, ticks: 10_000 })],
      margin: marginOf([accountOf({ balance: '100' })], {}),
    });

  test('takes what it adds from the budget, beside what orders hold and fills have changed', () => {
    // 400 − 50 − 2 × 100 × 1.0005 = 149.9
    expect(outcome('400', '-50', '249.9')).toBeUndefined();
    expect(outcome('400', '-50', '249.91')).toBe('budget-exceeded balance 149.9');
  });

  test('takes nothing where funds come back or stay', () => {
    expect(outcome('0', '0', '100')).toBeUndefined();
    expect(outcome('0', '0', '1')).toBeUndefined();
  });

  test('is refused while an open order has no known price', () => {
    const view = viewOf({
      instruments: [MARGIN_BTC],
      markets: {},
      orders: [open({ type: 'market', lots: 1_000 })],
    });
    expect(outcome('400', '0', '1', view)).toMatch(/^risk-market-unknown/);
  });
});
