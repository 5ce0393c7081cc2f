import { from, mergeMap, take } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { bracket } from '../../src/strategy/bracket.ts';
import type { Command } from '../../src/strategy/commands.ts';
import { defineStrategy } from '../../src/strategy/define.ts';
import { oco, oto } from '../../src/strategy/lists.ts';
import { cancel, place, replace } from '../../src/strategy/orders.ts';
import { at, replay, type ReplayOptions, type TestEvent } from '../../src/testing.ts';

const [FIRST, SECOND, THIRD] = ['first-001', 'second-01', 'third-001'];

const sell = { type: 'limit', side: 'sell', ticks: 1_100, lots: 10 } as const;
const stop = { type: 'stopMarket', side: 'sell', stopTicks: 900, lots: 10 } as const;

const BRACKET = bracket('BTCUSDT', {
  entry: { side: 'buy', type: 'market', clientOrderId: FIRST },
  takeProfit: { ticks: 1_100, clientOrderId: SECOND },
  stopLoss: { stopTicks: 900, clientOrderId: THIRD },
  lots: 10,
});
const WAITING = bracket('BTCUSDT', {
  entry: { side: 'buy', type: 'limit', ticks: 950, clientOrderId: FIRST },
  takeProfit: { ticks: 1_100, clientOrderId: SECOND },
  stopLoss: { stopTicks: 900, clientOrderId: THIRD },
  lots: 10,
});

/** Trades at 10, one a minute. */
const TRADES: readonly TestEvent[] = [1, 2, 3, 4].map((index) => ({
  at: `00:0${index}`,
  trade: 10,
  size: '0.001',
}));

/** The states that the orders of a strategy go through that gives one command at each trade. */
function states(
  commands: readonly Command[],
  options: ReplayOptions = {},
  events = TRADES,
): readonly string[] {
  const reported: string[] = [];
  const strategy = defineStrategy({
    name: 'lists',
    summary: 'Gives commands.',
    parameters: z.object({}),
    run: ({ market, account }) => {
      account.orders().subscribe(({ clientOrderId, status, inactive }) => {
        if (status === 'pending') return;
        reported.push(`${clientOrderId} ${status}${inactive === true ? ' inactive' : ''}`);
      });
      let count = 0;
      return market.trades('BTCUSDT').pipe(
        take(commands.length),
        mergeMap(() => from([commands[count++]])),
      );
    },
  });
  const given = replay(strategy, {}, options).events(events);
  expect(given).toEqual(commands.map((command, index) => at(`00:0${index + 1}`, command)));
  return reported;
}

const ENTERED = [`${FIRST} new`, `${SECOND} suspended inactive`, `${THIRD} suspended inactive`];

describe('the venue of the kit', () => {
  test('takes a list, its secondaries and its stops suspended', () => {
    expect(states([WAITING])).toEqual(ENTERED);
    const legs = oco('BTCUSDT', [
      { ...sell, clientOrderId: FIRST },
      { ...stop, clientOrderId: SECOND },
    ]);
    expect(states([legs])).toEqual([`${FIRST} new`, `${SECOND} suspended`]);
  });

  test('lets a market order trigger the others where market orders fill', () => {
    expect(states([BRACKET], { fills: true })).toEqual([
      ...ENTERED,
      `${FIRST} filled`,
      `${SECOND} new`,
      `${THIRD} suspended`,
    ]);
    const both = oto('BTCUSDT', [
      { type: 'market', side: 'buy', lots: 10, clientOrderId: FIRST },
      { type: 'market', side: 'sell', lots: 10, clientOrderId: SECOND },
    ]);
    expect(states([both], { fills: true })).toEqual([
      ...ENTERED.slice(0, 2),
      `${FIRST} filled`,
      `${SECOND} new`,
      `${SECOND} filled`,
    ]);
  });

  test('cancels with an order those that its end takes along', () => {
    expect(states([WAITING, cancel(FIRST)]).slice(3)).toEqual([
      `${FIRST} canceled`,
      `${SECOND} canceled`,
      `${THIRD} canceled`,
    ]);
    expect(states([WAITING, cancel(SECOND)]).slice(3)).toEqual([
      `${SECOND} canceled`,
      `${THIRD} canceled`,
    ]);
    expect(states([BRACKET, cancel(THIRD)], { fills: true }).slice(6)).toEqual([
      `${THIRD} canceled`,
      `${SECOND} canceled`,
    ]);
    const legs = oco('BTCUSDT', [
      { ...sell, clientOrderId: FIRST },
      { ...stop, clientOrderId: SECOND },
    ]);
    expect(states([legs, cancel(SECOND)]).slice(2)).toEqual([
      `${SECOND} canceled`,
      `${FIRST} canceled`,
    ]);
    const loose = oto('BTCUSDT', [
      { ...sell, clientOrderId: FIRST },
      { ...sell, clientOrderId: SECOND },
      { ...stop, clientOrderId: THIRD },
    ]);
    expect(states([loose, cancel(SECOND), cancel(FIRST)]).slice(3)).toEqual([
      `${SECOND} canceled`,
      `${FIRST} canceled`,
      `${THIRD} canceled`,
    ]);
  });

  test('replaces the stop price of an order', () => {
    const moved = replace(FIRST, { stopTicks: 910, newClientOrderId: SECOND });
    const stops: unknown[] = [];
    states([place('BTCUSDT', { ...stop, clientOrderId: FIRST }), moved], {
      audit: (event) => {
        if (event.kind !== 'report' || !('order' in event.report)) return;
        stops.push([event.report.kind, event.report.order.stopTicks]);
      },
    });
    expect(stops).toEqual([
      ['suspended', 900],
      ['replaced', 910],
    ]);
  });
});

describe('the exchange in the kit', () => {
  const fall: readonly TestEvent[] = [
    { at: '00:01', trade: 10, size: '0.001' },
    { at: '00:02', trade: '8.99', size: '0.001' },
  ];

  test('fills every type of order as in a backtest', () => {
    expect(states([BRACKET], { fills: 'exchange' }, fall)).toEqual([
      ...ENTERED,
      `${FIRST} filled`,
      `${SECOND} new`,
      `${THIRD} suspended`,
      `${THIRD} new`,
      `${THIRD} filled`,
      `${SECOND} canceled`,
    ]);
  });

  test('begins with the balances of the test', () => {
    const rich = { USDT: '10000', BTC: '1' };
    const dear = place('BTCUSDT', { ...sell, lots: 99_999, clientOrderId: FIRST });
    expect(states([dear], { fills: 'exchange', balances: rich })).toEqual([`${FIRST} new`]);
    expect(states([dear], { fills: 'exchange' })).toEqual([`${FIRST} rejected`]);
  });
});
