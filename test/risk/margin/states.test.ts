import { describe, expect, test } from 'vitest';
import type { MarginMode } from '../../../src/model/margin-terms.ts';
import type { Order } from '../../../src/model/order.ts';
import { availableRejection } from '../../../src/risk/limits/available.ts';
import { budgetRejection } from '../../../src/risk/limits/budget.ts';
import { orderRejection } from '../../../src/risk/order-rejection.ts';
import type { TradingState } from '../../../src/risk/state.ts';
import type { RiskView } from '../../../src/risk/view.ts';
import { ZERO } from '../../../src/model/decimal.ts';
import { amounts, limitsOf, marketOf, open, place, viewOf, type ViewTexts } from '../view.ts';
import { accountOf, BTC, ETH, marginOf } from './view.ts';

const at = (mode: MarginMode, side: 'buy' | 'sell', lots: number, reduceOnly?: true) => ({
  side,
  lots,
  ticks: 10_000,
  margin: { mode, reduceOnly },
});

/** A market at 100, with this many BTC on isolated margin. */
function view(size: string, more: ViewTexts = {}): RiskView {
  const held = size === '0' ? [] : [{ instrument: BTC, size, entry: '100' }];
  return viewOf({
    instruments: [BTC, ETH],
    markets: { BTCUSDT: marketOf(10_000, 10_000) },
    margin: marginOf([accountOf({ balance: '1000000', held })], { BTCUSDT: '100' }),
    ...more,
  });
}

const codeOf = (request: Parameters<typeof orderRejection>[0], of: RiskView, limits = limitsOf()) =>
  orderRejection(request, of, limits)?.code;

describe('while trading is reducing', () => {
  const state: TradingState = 'reducing';
  const cases: readonly [string, 'buy' | 'sell', number, readonly Order[], string | undefined][] = [
    ['-2', 'buy', 2_000, [], undefined],
    ['-2', 'buy', 2_001, [], 'trading-reducing'],
    ['-2', 'sell', 1, [], 'trading-reducing'],
    ['2', 'sell', 2_000, [], undefined],
    ['2', 'sell', 2_001, [], 'trading-reducing'],
    ['2', 'buy', 1, [], 'trading-reducing'],
    ['0', 'buy', 1, [], 'trading-reducing'],
    ['0', 'sell', 1, [], 'trading-reducing'],
    ['-2', 'buy', 1_000, [open(at('isolated', 'buy', 1_000))], undefined],
    ['-2', 'buy', 1_001, [open(at('isolated', 'buy', 1_000))], 'trading-reducing'],
    ['-2', 'buy', 1_001, [open(at('isolated', 'buy', 1_000, true))], 'trading-reducing'],
    // Orders of another margin are those of another position.
    ['-2', 'buy', 2_000, [open(at('cross', 'buy', 2_000))], undefined],
  ];

  test.each(cases)('with %s held, a %s of %i lots is judged toward zero', (...one) => {
    const [size, side, lots, orders, outcome] = one;
    expect(codeOf(place(at('isolated', side, lots)), view(size, { state, orders }))).toBe(outcome);
  });

  test.each([
    ['-2', 'buy', 'short'],
    ['2', 'sell', 'long'],
  ] as const)('with %s held a %s beyond it is told how large the %s is', (size, side, what) => {
    const request = place(at('isolated', side, 2_001));
    expect(orderRejection(request, view(size, { state }), limitsOf())).toEqual({
      code: 'trading-reducing',
      field: 'quantity',
      message: `Trading is reducing: the ${what} in BTCUSDT on isolated margin is 2, and all ${side}s would come to 2.001.`,
      limit: '2',
    });
  });

  test('what only reduces passes, whatever is held and open', () => {
    for (const size of ['-2', '0', '2']) {
      for (const side of ['buy', 'sell'] as const) {
        const orders = [open(at('isolated', side, 9_000))];
        const of = view(size, { state, orders });
        expect(codeOf(place(at('isolated', side, 5_000, true)), of)).toBeUndefined();
        const close = { side, type: 'stopMarket', lots: 0, stopTicks: 9_000 } as const;
        const closing = { mode: 'isolated', closePosition: true } as const;
        expect(codeOf(place({ ...close, margin: closing }), of)).toBeUndefined();
      }
    }
  });

  test('spot holdings are sold as before, and do not count for margin', () => {
    const of = view('0', { state, holdings: { BTC: '1' } });
    expect(codeOf(place({ side: 'sell', lots: 1_000, ticks: 10_000 }), of)).toBeUndefined();
    expect(codeOf(place(at('isolated', 'sell', 1_000)), of)).toBe('trading-reducing');
  });

  test('a position on margin does not let spot be sold', () => {
    const of = view('1', { state });
    expect(codeOf(place({ side: 'sell', lots: 1, ticks: 10_000 }), of)).toBe('trading-reducing');
  });
});

test.each(['halted', 'killed'] as const)('while trading is %s nothing new leaves', (state) => {
  const of = view('-2', { state });
  expect(codeOf(place(at('isolated', 'buy', 1_000, true)), of)).toBe('trading-halted');
});

describe('spot limits', () => {
  const buy = place(at('isolated', 'buy', 1_000));
  const sell = place(at('isolated', 'sell', 1_000));

  test('ask nothing of the balance for an order on margin', () => {
    for (const request of [buy, sell]) {
      expect(availableRejection(request, view('0'), () => ZERO, limitsOf())).toBeUndefined();
    }
  });

  test('ask nothing of the budget for an order on margin, nor for one that is open', () => {
    const budget = { amounts: amounts({ USDT: '101' }), change: () => ZERO };
    const of = view('0', { orders: [open(at('isolated', 'buy', 1_000))] });
    expect(budgetRejection(sell, of, budget, limitsOf())).toBeUndefined();
    // 1 BTC at 100 and the fee of 0.05 %.
    const spot = place({ side: 'buy', lots: 1_000, ticks: 10_000 });
    expect(budgetRejection(spot, of, budget, limitsOf())).toBeUndefined();
  });

  test('count spot and both margins for the largest position, and net nothing', () => {
    const accounts = [
      accountOf({ balance: '1000000', held: [{ instrument: BTC, size: '2', entry: '100' }] }),
      accountOf({
        mode: 'cross',
        balance: '1000000',
        held: [{ instrument: BTC, size: '-3', entry: '100' }],
      }),
    ];
    const of = view('0', {
      margin: marginOf(accounts, { BTCUSDT: '100' }),
      holdings: { BTC: '1' },
    });
    const limits = limitsOf({ maxPosition: { BTCUSDT: '4' } });
    const spot = (lots: number) => place({ side: 'buy', lots, ticks: 10_000 });
    // Longs 1 + 2, shorts 3.
    expect(codeOf(spot(1_000), of, limits)).toBeUndefined();
    expect(codeOf(spot(1_001), of, limits)).toBe('risk-position');
    expect(codeOf(place(at('isolated', 'buy', 1_000)), of, limits)).toBeUndefined();
    expect(codeOf(place(at('isolated', 'buy', 1_001)), of, limits)).toBe('risk-position');
    expect(codeOf(place(at('cross', 'sell', 1_000)), of, limits)).toBeUndefined();
    expect(codeOf(place(at('cross', 'sell', 1_001)), of, limits)).toBe('risk-position');
    // The isolated long of 2 turns into a short of 1.
    expect(codeOf(place(at('isolated', 'sell', 3_000)), of, limits)).toBeUndefined();
    expect(codeOf(place(at('isolated', 'sell', 3_001)), of, limits)).toBe('risk-position');
  });
});

describe('limits of a single order hold on margin too', () => {
  test.each([
    [{ maxQuantity: { BTCUSDT: '0.9' } }, 'risk-quantity'],
    [{ maxNotional: { USDT: '99' } }, 'risk-notional'],
    [{ maxOpenOrders: 0 }, 'risk-open-orders'],
    [{ maxOrdersPerSecond: 0 }, 'risk-order-rate'],
  ] as const)('%o', (limits, code) => {
    expect(codeOf(place(at('isolated', 'sell', 1_000)), view('0'), limitsOf(limits))).toBe(code);
  });

  test('the collar', () => {
    const far = place({ ...at('isolated', 'buy', 1_000), ticks: 10_501 });
    expect(codeOf(far, view('0'), limitsOf({ priceCollar: '0.05' }))).toBe('risk-collar');
  });

  test('orders of spot and of both margins stand in one book, so none crosses another', () => {
    const limits = limitsOf({ preventOwnCross: true });
    for (const one of [
      {},
      { margin: { mode: 'isolated' } },
      { margin: { mode: 'cross' } },
    ] as const) {
      const orders = [open({ side: 'sell', lots: 1_000, ticks: 10_000, ...one })];
      const of = view('0', { orders });
      expect(codeOf(place(at('isolated', 'buy', 1_000)), of, limits)).toBe('risk-own-cross');
      const spot = place({ side: 'buy', lots: 1_000, ticks: 10_000 });
      expect(codeOf(spot, of, limits)).toBe('risk-own-cross');
    }
  });
});
