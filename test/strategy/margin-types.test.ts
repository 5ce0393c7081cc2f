import { expect, test } from 'vitest';
import { bracket } from '../../src/strategy/bracket.ts';
import type { Account, Market } from '../../src/strategy/context.ts';
import { oco } from '../../src/strategy/lists.ts';
import { setLeverage, setMargin } from '../../src/strategy/margin.ts';
import type { MarginEvent } from '../../src/strategy/positions.ts';
import { amount } from '../../src/strategy/numbers.ts';
import { cancelAll, place } from '../../src/strategy/orders.ts';
import { cross, isolated, on } from '../../src/strategy/where.ts';
import { flat, quote, target } from '../../src/strategy/managed-orders.ts';

const stop = { type: 'stopMarket', side: 'buy', stopTicks: 110 } as const;
const BRACKET = {
  entry: { type: 'market', side: 'sell' },
  takeProfit: { ticks: 80 },
  stopLoss: { stopTicks: 110 },
  lots: 1,
} as const;

/** Reads an event to its end; a kind that is left out does not compile. */
function reported(event: MarginEvent): string {
  switch (event.kind) {
    case 'funding':
    case 'interest':
      return event.amount.toFixed();
    case 'marginChanged':
      return event.balance.toFixed();
    case 'leverageChanged':
      return String(event.leverage);
    case 'rejected':
      return event.rejection.code;
    case 'liquidated':
    case 'deleveraged':
    case 'settled':
    case 'changedByOthers':
      return String(event.lots);
    case 'marginCall':
    case 'recovered':
      return '';
    default:
      return event satisfies never;
  }
}

test('what is meant compiles, with the place where the symbol stands', () => {
  expect([
    target(isolated('BTCUSDT'), -0.5),
    target(on('BTCUSDT', 'cross'), { lots: -5 }),
    flat(cross('BTCUSDT')),
    quote(cross('BTCUSDT'), { ask: { ticks: 5, lots: 1 } }),
    place(isolated('BTCUSDT'), { ...stop, lots: 1, reduceOnly: true }),
    place(isolated('BTCUSDT'), { ...stop, closePosition: true }),
    oco(isolated('BTCUSDT'), [
      { ...stop, lots: 1, reduceOnly: true },
      { ...stop, lots: 2 },
    ]),
    bracket(cross('BTCUSDT'), BRACKET),
    cancelAll(isolated('BTCUSDT')),
    setMargin(cross('BTCUSDT'), { balance: amount('500') }),
    setLeverage(isolated('BTCUSDT'), 5),
  ]).toMatchSnapshot();
});

/** Never called: that it compiles as it does is the test. */
export function notMeant(account: Account, market: Market): void {
  // @ts-expect-error spot has no position to reduce
  place('BTCUSDT', { ...stop, lots: 1, reduceOnly: true });
  // @ts-expect-error what closes a position has no quantity
  place(isolated('BTCUSDT'), { ...stop, lots: 1, closePosition: true });
  // @ts-expect-error a limit order closes no position that is not known yet
  place(isolated('BTCUSDT'), { type: 'limit', side: 'buy', ticks: 5, closePosition: true });
  // @ts-expect-error a spot symbol has no leverage
  setLeverage('BTCUSDT', 5);
  // @ts-expect-error the leverage of a cross account goes with its balance
  setLeverage(cross('BTCUSDT'), 5);
  // @ts-expect-error a spot symbol has no margin account
  setMargin('BTCUSDT', { balance: amount('500') });
  // @ts-expect-error money is no binary number
  setMargin(isolated('BTCUSDT'), { balance: 500 });
  const stopLoss = { stopTicks: 5, reduceOnly: false };
  // @ts-expect-error the exits of a bracket on margin always reduce
  bracket(isolated('BTCUSDT'), { ...BRACKET, stopLoss });
  // @ts-expect-error a spot symbol has no margin account to look at
  account.margin('BTCUSDT');
  // @ts-expect-error market data belong to the instrument
  market.trades(cross('BTCUSDT'));
  // @ts-expect-error a spot holding is never liquidated
  account.position('BTCUSDT').subscribe((one) => void one.liquidationPrice);
}

test('an event is of one of the kinds that a switch ends with', () => {
  expect(reported({ kind: 'marginCall', at: 0 as never, mode: 'cross' })).toBe('');
});
