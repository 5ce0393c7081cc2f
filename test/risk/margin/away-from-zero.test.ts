import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Order } from '../../../src/model/order.ts';
import type { Lots } from '../../../src/model/units.ts';
import { awayFromZero, canceledIn } from '../../../src/risk/margin/away-from-zero.ts';
import { marketOf, open, viewOf } from '../view.ts';
import { accountOf, BTC, ETH, marginOf } from './view.ts';
import { runs } from '../../kit/size.ts';

/** This many lots of BTC on isolated margin, a short where negative. */
function held(lots: number) {
  const size = BTC.size(Math.abs(lots) as Lots)
    .times(Math.sign(lots))
    .toFixed();
  const positions = lots === 0 ? [] : [{ instrument: BTC, size, entry: '100' }];
  return viewOf({
    instruments: [BTC, ETH],
    markets: { BTCUSDT: marketOf(9_999, 10_001) },
    margin: marginOf([accountOf({ balance: '1000', held: positions })], { BTCUSDT: '100' }),
  });
}

const sell = (lots: number, more: Parameters<typeof open>[0] = {}): Order =>
  open({ side: 'sell', lots, margin: { mode: 'isolated' }, ...more });
const buy = (lots: number, more: Parameters<typeof open>[0] = {}): Order =>
  sell(lots, { side: 'buy', ...more });
const exit = (lots: number): Order =>
  sell(lots, { margin: { mode: 'isolated', reduceOnly: true } });

test('of a long the buys go, and the sells that could turn it around', () => {
  const [first, second, third, more] = [sell(60), sell(40), sell(1), buy(5)];
  expect(awayFromZero([first, more, second, third], held(100))).toEqual([more, third]);
});

test('of a short the sells go, and the buys that could turn it around', () => {
  const [first, second, third, more] = [buy(60), buy(40), buy(1), sell(5)];
  expect(awayFromZero([first, more, second, third], held(-100))).toEqual([more, third]);
});

test('with nothing held every order that can open goes', () => {
  const orders = [sell(1), buy(1)];
  expect(awayFromZero(orders, held(0))).toEqual(orders);
});

test('what only reduces stays, and leaves others the rest to close', () => {
  const [protection, first, second] = [exit(70), sell(30), sell(31)];
  expect(awayFromZero([first, protection], held(100))).toEqual([]);
  expect(awayFromZero([second, protection], held(100))).toEqual([second]);
});

test('what closes the whole position leaves nothing to others', () => {
  const closing = sell(0, { type: 'stopMarket', stopTicks: 9_000, margin: { mode: 'isolated', closePosition: true } }); // prettier-ignore
  const other = sell(1);
  expect(awayFromZero([other, closing], held(100))).toEqual([other]);
});

test('of an order that filled in part the rest counts', () => {
  const first = { ...sell(150, { filledLots: 50 }), receivedLots: 50 as Lots };
  const second = sell(1);
  expect(awayFromZero([first, second], held(100))).toEqual([second]);
});

test('of orders that cancel each other all take what the largest takes', () => {
  const list = { orderListId: 'list', contingencyType: 'oneCancelOther' } as const;
  const [one, two, rest, beyond] = [sell(60, list), sell(80, list), sell(20), sell(1)];
  expect(awayFromZero([one, two, rest], held(100))).toEqual([]);
  expect(awayFromZero([one, two, rest, beyond], held(100))).toEqual([beyond]);
});

test('each margin and each symbol is a position of its own', () => {
  const cross = sell(1, { margin: { mode: 'cross' } });
  const eth = sell(1, { symbol: 'ETHUSDT' });
  const own = sell(100);
  expect(awayFromZero([own, cross, eth], held(100))).toEqual([cross, eth]);
});

test('what is held on one margin, or in one symbol, lets nothing stay on another', () => {
  const accounts = [
    accountOf({ balance: '1', held: [{ instrument: BTC, size: '0.1', entry: '100' }] }),
    accountOf({
      mode: 'cross',
      balance: '1',
      held: [
        { instrument: BTC, size: '-0.05', entry: '100' },
        { instrument: ETH, size: '0.3', entry: '10' },
      ],
    }),
  ];
  const of = viewOf({ instruments: [BTC, ETH], margin: marginOf(accounts, {}) });
  const cross = { mode: 'cross' } as const;
  const orders = [
    ...[sell(100), sell(1), buy(1)],
    ...[buy(50, { margin: cross }), buy(1, { margin: cross }), sell(1, { margin: cross })],
    // Lots of ETH are hundredths.
    ...[sell(30, { margin: cross, symbol: 'ETHUSDT' }), sell(1, { margin: cross, symbol: 'ETHUSDT' })], // prettier-ignore
  ];
  const [, beyond, opens, , beyondCross, opensCross, , beyondEth] = orders;
  expect(awayFromZero(orders, of)).toEqual([beyond, opens, beyondCross, opensCross, beyondEth]);
});

test('on spot every buy goes and every sell stays', () => {
  const [bought, sold] = [open({ lots: 1 }), open({ side: 'sell', lots: 999 })];
  expect(awayFromZero([bought, sold], held(0))).toEqual([bought]);
});

test('nothing is canceled while trading runs, and everything once it is halted or killed', () => {
  const orders = [exit(1), sell(1), buy(1)];
  const of = held(100);
  expect(canceledIn('running', orders, of)).toEqual([]);
  expect(canceledIn('reducing', orders, of)).toEqual([orders[2]]);
  for (const state of ['halted', 'killed'] as const) {
    expect(canceledIn(state, orders, of)).toEqual(orders);
  }
});

test('whatever fills of what stays, in whatever order, no position grows or turns around', () => {
  const drawn = fc.record({
    isSell: fc.boolean(),
    lots: fc.integer({ min: 1, max: 60 }),
    reduceOnly: fc.boolean(),
  });
  fc.assert(
    fc.property(
      fc.integer({ min: -100, max: 100 }),
      fc.array(drawn, { maxLength: 6 }),
      (start, all) => {
        const orders = all.map(({ isSell, lots, reduceOnly }) =>
          sell(lots, {
            side: isSell ? 'sell' : 'buy',
            margin: { mode: 'isolated', ...(reduceOnly ? { reduceOnly } : {}) },
          }),
        );
        const gone = new Set(awayFromZero(orders, held(start)));
        const kept = orders.filter((order) => !gone.has(order));
        for (const order of kept.filter(({ margin }) => margin?.reduceOnly !== true)) {
          expect(order.side).toBe(start > 0 ? 'sell' : 'buy');
        }
        // What only reduces closes no more than is there, and no other order may open what it has closed.
        const toZero = kept.filter(({ side }) => side === (start > 0 ? 'sell' : 'buy'));
        const others = toZero.filter(({ margin }) => margin?.reduceOnly !== true);
        const sum = (those: readonly Order[]) => those.reduce((total, { lots }) => total + lots, 0);
        if (others.length > 0) expect(sum(toZero)).toBeLessThanOrEqual(Math.abs(start));
      },
    ),
    { numRuns: runs(500) },
  );
});
