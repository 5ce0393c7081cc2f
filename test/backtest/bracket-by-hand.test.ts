import { from, mergeMap } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { BacktestResult } from '../../src/backtest/result.ts';
import { runBacktest } from '../../src/backtest/run.ts';
import { LAST, LEVEL, RESET, SELL, TRADE } from '../../src/model/events.ts';
import { bracket } from '../../src/strategy/bracket.ts';
import type { Command } from '../../src/strategy/commands.ts';
import { defineStrategy } from '../../src/strategy/define.ts';
import { cancel, replace } from '../../src/strategy/orders.ts';
import { instrumentOf } from '../kit/instruments.ts';
import { eventsMeta } from '../kit/metas.ts';
import { temporaryFolder, writeRecording, type Row } from '../kit/recordings.ts';

/*
 * Brackets worked out by hand. A tick is 0.5, a lot 0.1, so one tick times one lot is worth 0.05.
 * Takers pay 0.2 %, makers 0.1 %, in the quote currency Q. Orders and reports travel 1 ms. The
 * account starts with 1000 Q. Times are seconds after START.
 *
 * At 1 s the strategy answers with a bracket for 10 lots: a stop limit buy that waits for 102 and
 * pays 104 at most, a take profit at 110, a stop loss at 98.
 */
const START = Date.UTC(2024, 0, 1) * 1_000;
const at = (seconds: number): number => START + Math.round(seconds * 1_000_000);
const time = (seconds: number): string => new Date(at(seconds) / 1_000).toISOString();

const level = (
  seconds: number,
  sequence: number,
  flags: number,
  price: number,
  size: number,
): Row => [at(seconds), at(seconds), LEVEL, flags, sequence, price, size, 0, 0, 0];

const trade = (seconds: number, flags: number, price: number, size: number): Row => {
  tradeCount += 1;
  const row = [at(seconds), at(seconds), TRADE, flags | LAST, tradeCount, price, size, 0, 0, 0];
  return row as unknown as Row;
};
let tradeCount = 0;

const BOUGHT = 0;

/** 0 s: bids 20 lots at 97, asks 6 lots at 102 and 20 at 103. */
const BOOK: readonly Row[] = [
  [at(0), at(0), RESET, 0, 10, 0, 0, 0, 0, 0],
  level(0, 10, 0, 97, 20),
  level(0, 10, SELL, 102, 6),
  level(0, 10, SELL | LAST, 103, 20),
  trade(1, BOUGHT, 101, 1),
];

const BRACKET = bracket('HAND', {
  entry: {
    side: 'buy',
    type: 'stopLimit',
    stopTicks: 102,
    ticks: 104,
    clientOrderId: 'entry-01',
  },
  takeProfit: { ticks: 110, clientOrderId: 'profit-1' },
  stopLoss: { stopTicks: 98, clientOrderId: 'loss-001' },
  lots: 10,
  within: 60_000,
});

const instrument = instrumentOf({
  symbol: 'HAND',
  baseCurrency: 'B',
  quoteCurrency: 'Q',
  feeCurrency: 'Q',
  tickSize: '0.5',
  quantityIncrement: '0.1',
  takeRate: '0.002',
  makeRate: '0.001',
});

/** Runs a strategy that answers trades, counted from 1, with commands. */
async function run(
  rows: readonly Row[],
  answers: Readonly<Record<number, Command>> = {},
): Promise<BacktestResult> {
  const strategy = defineStrategy({
    name: 'by-hand',
    summary: 'Answers some trades.',
    parameters: z.object({}),
    run: ({ market }) => {
      let count = 0;
      return market.trades('HAND').pipe(
        mergeMap(() => {
          count += 1;
          const answer = count === 1 ? BRACKET : answers[count];
          return from(answer === undefined ? [] : [answer]);
        }),
      );
    },
  });
  const path = `${temporaryFolder()}/hand.arrow`;
  writeRecording(path, [...BOOK, ...rows], eventsMeta({ instrument: instrument.terms }));
  const plan = {
    strategy,
    parameters: {},
    recordings: [path],
    balances: { Q: '1000' },
    latency: { orderUs: 1_000, reportUs: 1_000 },
  };
  const result = await runBacktest(plan);
  const again = await runBacktest(plan);
  expect(again.hash).toBe(result.hash);
  expect(again).toEqual(result);
  return result;
}

const fills = ({ fills: { rows } }: BacktestResult): unknown[] =>
  rows.map(({ at: when, order, side, price, size, fee, taker }) => [
    ...[when, order, side, price, size, fee],
    taker ? 'taker' : 'maker',
  ]);

const balances = (result: BacktestResult): unknown =>
  Object.fromEntries(result.balances.map(({ currency, end }) => [currency, end]));

const outcomes = ({ orderHistory }: BacktestResult): unknown[] =>
  orderHistory.rows.map(({ order, status, filled, triggeredAt, endedAt }) => [
    ...[order, status, filled],
    ...[triggeredAt, endedAt],
  ]);

/*
 * 2 s: a trade at 102 triggers the entry, which takes
 *      6 lots at 102: value 612 · 0.05 = 30.6, fee 0.0612
 *      4 lots at 103: value 412 · 0.05 = 20.6, fee 0.0412
 *      Cash 1000 − 51.2 − 0.1024 = 948.6976, holding 10 lots. The exits become active.
 */
const IN = trade(2, BOUGHT, 102, 1);
const ENTERED = [
  [time(2), 'entry-01', 'buy', '51', '0.6', '0.0612', 'taker'],
  [time(2), 'entry-01', 'buy', '51.5', '0.4', '0.0412', 'taker'],
];

describe('a bracket on a recording worked out by hand', () => {
  test('that takes its profit sells as maker at its price and cancels the stop loss', async () => {
    // 3 s: 4 lots trade at 110: value 440 · 0.05 = 22, fee 0.022. The stop loss is canceled.
    // 4 s: a trade goes beyond: the other 6 lots, value 33, fee 0.033. A fall to 98 then does nothing.
    // Cash 948.6976 + 55 − 0.055 = 1003.6426.
    const rows = [trade(3, BOUGHT, 110, 4), trade(4, BOUGHT, 111, 9), trade(5, SELL, 98, 1)];
    const result = await run([IN, ...rows]);
    expect(fills(result)).toEqual([
      ...ENTERED,
      [time(3), 'profit-1', 'sell', '55', '0.4', '0.022', 'maker'],
      [time(4), 'profit-1', 'sell', '55', '0.6', '0.033', 'maker'],
    ]);
    expect(balances(result)).toEqual({ B: '0', Q: '1003.6426' });
    expect(outcomes(result)).toEqual([
      ['entry-01', 'filled', '1', time(2), time(2)],
      ['profit-1', 'filled', '1', null, time(4)],
      ['loss-001', 'canceled', '0', null, time(3)],
    ]);
    expect(result.trades.rows).toMatchObject([{ net: '3.6426', fees: '0.1574' }]);
    expect(result.orders).toMatchObject({ sent: 3, touched: 2, filled: 2, canceled: 1, fills: 4 });
  });

  test('says in its assumptions how stop orders are triggered', async () => {
    const { assumptions, warnings } = await run([IN]);
    expect(assumptions.filter((one) => one.startsWith('A stop or take-profit order'))).toHaveLength(
      1,
    );
    expect(warnings.join()).not.toContain('trigger');
  });

  test('that gives up sells as taker what is bid and cancels the take profit', async () => {
    // 3 s: a trade at 98 triggers the stop loss, which takes 10 of the 20 lots at 97: value 48.5,
    // fee 0.097. Cash 948.6976 + 48.5 − 0.097 = 997.1006.
    const result = await run([IN, trade(3, SELL, 98, 1), trade(4, BOUGHT, 111, 50)]);
    expect(fills(result)).toEqual([
      ...ENTERED,
      [time(3), 'loss-001', 'sell', '48.5', '1', '0.097', 'taker'],
    ]);
    expect(balances(result)).toEqual({ B: '0', Q: '997.1006' });
    expect(outcomes(result)).toEqual([
      ['entry-01', 'filled', '1', time(2), time(2)],
      ['profit-1', 'canceled', '0', null, time(3)],
      ['loss-001', 'filled', '1', time(3), time(3)],
    ]);
  });

  test('of which the entry fills in part has no exits, and loses them with the cancel of the rest', async () => {
    // 2 s: only 6 lots are asked up to 104, as the 20 lots stand at 105 now; 4 lots rest at 104.
    // 3 s: a lot trades at 98. It goes through the rest, which buys it at 104 for 5.2, fee 0.0052, and
    //      finds no stop loss. The strategy cancels the rest; the exits, which waited, go along.
    // Cash 1000 − 30.6 − 0.0612 − 5.2052 = 964.1336, holding 7 lots.
    const thin = [level(1.5, 11, SELL, 103, 0), level(1.5, 11, SELL | LAST, 105, 20)];
    const answers = { 3: cancel('entry-01') };
    const result = await run(
      [...thin, IN, trade(3, SELL, 98, 1), trade(4, BOUGHT, 111, 50)],
      answers,
    );
    expect(fills(result)).toEqual([
      ENTERED[0],
      [time(3), 'entry-01', 'buy', '52', '0.1', '0.0052', 'maker'],
    ]);
    expect(balances(result)).toEqual({ B: '0.7', Q: '964.1336' });
    expect(outcomes(result)).toEqual([
      ['entry-01', 'canceled', '0.7', time(2), time(3.001)],
      ['profit-1', 'canceled', '0', null, time(3.001)],
      ['loss-001', 'canceled', '0', null, time(3.001)],
    ]);
    expect(result.orders).toMatchObject({ cancels: 1, canceled: 3, rejected: 0 });
  });

  test('that is canceled while it waits leaves no trace but its orders', async () => {
    const result = await run([trade(2, SELL, 100, 1), trade(3, BOUGHT, 102, 1)], {
      2: cancel('entry-01'),
    });
    expect(fills(result)).toEqual([]);
    expect(balances(result)).toEqual({ Q: '1000' });
    expect(outcomes(result).map((row) => (row as unknown[]).slice(0, 2))).toEqual([
      ['entry-01', 'canceled'],
      ['profit-1', 'canceled'],
      ['loss-001', 'canceled'],
    ]);
  });

  test('whose entry is not reached in its time expires, and its exits go with it', async () => {
    const result = await run([trade(70, BOUGHT, 102, 1)]);
    expect(fills(result)).toEqual([]);
    // It was taken up at 1 s, so it expires at 61 s, with no event of the recording.
    expect(outcomes(result)).toEqual([
      ['entry-01', 'expired', '0', null, time(61)],
      ['profit-1', 'canceled', '0', null, time(61)],
      ['loss-001', 'canceled', '0', null, time(61)],
    ]);
  });

  test('whose stop loss is moved sells where it was moved to', async () => {
    const moved = replace('loss-001', { stopTicks: 100, newClientOrderId: 'loss-002' });
    const rows = [trade(3, BOUGHT, 106, 1), trade(4, SELL, 100, 1)];
    const result = await run([IN, ...rows], { 3: moved });
    expect(fills(result).slice(2)).toEqual([
      [time(4), 'loss-002', 'sell', '48.5', '1', '0.097', 'taker'],
    ]);
    expect(result.orderHistory.rows.slice(2)).toMatchObject([
      { order: 'loss-001', status: 'replaced', stopPrice: '49', endedAt: time(3.001) },
      {
        order: 'loss-002',
        replaces: 'loss-001',
        stopPrice: '50',
        triggeredAt: time(4),
        list: 'entry-01',
        listIndex: 2,
        status: 'filled',
      },
    ]);
  });
});
