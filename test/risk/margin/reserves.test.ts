import { describe, expect, test } from 'vitest';
import { decimal } from '../../../src/model/decimal.ts';
import type { ContingencyType, Order } from '../../../src/model/order.ts';
import { heldForOrders, heldForPositions } from '../../../src/risk/margin/reserves.ts';
import { instrumentOf } from '../../kit/instruments.ts';
import { at, position, REDUCE_ONLY, viewAt } from '../limits/view.ts';
import { limitsOf, open } from '../view.ts';
import { accountOf, BTC, ETH, type Funds } from './view.ts';

/** What so many orders hold, in hundreds of USDT of value: 10.105 each at a leverage of 10. */
function held(orders: readonly Order[], funds: Funds = { balance: '0' }): number {
  const view = viewAt([funds], { orders });
  return heldForOrders(accountOf(funds), orders, view, limitsOf()).div('10.105').toNumber();
}

const buy = (lots: number, more: Parameters<typeof open>[0] = {}) =>
  open({ ...at('buy', lots, 'isolated'), ...more });
const sell = (lots: number, more: Parameters<typeof open>[0] = {}) =>
  open({ ...at('sell', lots, 'isolated'), ...more });

const listed = (contingencyType: ContingencyType, orderListId: string, ...all: Order[]) =>
  all.map((order, listIndex) => ({ ...order, contingencyType, orderListId, listIndex }));

describe('of orders that cannot all execute the dearest of a side holds funds', () => {
  test('of a pair that cancel each other, whichever is first', () => {
    const pair = listed('oneCancelOther', 'a', buy(1_000), buy(3_000));
    expect(held(pair)).toBe(3);
    expect(held(pair.toReversed())).toBe(3);
    // Dearer by its price, though smaller.
    expect(held(listed('oneCancelOther', 'a', buy(1_000, { ticks: 40_000 }), buy(3_000)))).toBe(4);
  });

  test('of each pair for itself, and of either side', () => {
    const pairs = [
      ...listed('oneCancelOther', 'a', buy(1_000), buy(3_000)),
      ...listed('oneCancelOther', 'b', buy(2_000), buy(1_000)),
      buy(4_000),
    ];
    expect(held(pairs)).toBe(9);
    expect(held(listed('oneCancelOther', 'a', buy(1_000), sell(3_000)))).toBe(3);
  });

  test('of the exits of a bracket one, beside its entry', () => {
    const [first, one, other] = listed('oneTriggerOneCancelOther', 'a', buy(1_000), buy(2_000), buy(3_000)); // prettier-ignore
    expect(held([first, one, other])).toBe(4);
    // Exits that wait for the entry hold nothing yet.
    const waiting = { inactive: true } as const;
    expect(held([first, { ...one, ...waiting }, { ...other, ...waiting }])).toBe(1);
  });

  test('of an order and its replacement', () => {
    const old = buy(1_000, { clientOrderId: 'old' });
    expect(held([old, buy(3_000, { replaces: 'old' })])).toBe(3);
    expect(held([buy(3_000, { replaces: 'gone' }), old])).toBe(4);
  });

  test.each(['allOrNone', 'oneTriggerOther'] as const)(
    'of an %s list all that are active',
    (type) => {
      expect(held(listed(type, 'a', buy(1_000), buy(3_000), buy(2_000)))).toBe(6);
    },
  );
});

describe('of a position', () => {
  test.each([
    ['2', 'sell'],
    ['-2', 'buy'],
  ] as const)('of %s what a %s closes holds nothing, from the oldest on', (size, side) => {
    const funds = position(size);
    const order = (lots: number, ticks = 10_000) => open(at(side, lots, 'isolated', ticks));
    expect(held([order(2_000)], funds)).toBe(0);
    expect(held([order(3_000)], funds)).toBe(1);
    // The first of them closes 2, the second opens 1 at 200.
    expect(held([order(2_000), order(1_000, 20_000)], funds)).toBe(2);
    expect(held([order(1_000, 20_000), order(2_000)], funds)).toBe(1);
  });

  test('the side that needs more holds funds, and the other nothing', () => {
    expect(held([buy(3_000), sell(2_000)])).toBe(3);
    expect(held([buy(2_000), sell(3_000)])).toBe(3);
    expect(held([buy(2_000), sell(3_000)], position('2'))).toBe(2);
  });

  test('what only reduces, and what is on spot or in another account, holds nothing', () => {
    const others = [
      open(at('buy', 1_000, REDUCE_ONLY)),
      open(at('buy', 1_000)),
      open(at('buy', 1_000, 'cross')),
      open({ ...at('buy', 1_000, 'isolated'), symbol: 'ETHUSDT' }),
    ];
    expect(held(others)).toBe(0);
    expect(held([...others, buy(1_000)])).toBe(1);
  });

  test('each symbol of a cross account holds for itself', () => {
    const orders = [
      open(at('buy', 1_000, 'cross')),
      // A lot of ETH is 0.01: 10 at 100.
      open({ ...at('sell', 1_000, 'cross'), symbol: 'ETHUSDT' }),
    ];
    expect(held(orders, { mode: 'cross', balance: '0' })).toBe(11);
  });
});

describe('without terms for its margin', () => {
  const { margin: _, ...terms } = BTC.terms;
  const spot = instrumentOf(terms);

  test('an instrument holds nothing', () => {
    const funds = position('-1');
    const orders = [sell(1_000)];
    const view = viewAt([funds], { instruments: [spot, ETH], orders });
    expect(heldForOrders(accountOf(funds), orders, view, limitsOf()).toFixed()).toBe('0');
    expect(heldForPositions(accountOf(funds), () => decimal('100'), () => spot).toFixed()).toBe('0'); // prettier-ignore
  });
});

test('a loss at an unknown price counts as none', () => {
  const account = accountOf(position('-1'));
  expect(heldForPositions(account, () => undefined, () => BTC).toFixed()).toBe('10.055'); // prettier-ignore
  expect(heldForPositions(account, () => decimal('110'), () => BTC).toFixed()).toBe('20.06'); // prettier-ignore
});
