import { concatMap } from 'rxjs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runBacktest } from '../../src/backtest/run.ts';
import type { BacktestResult } from '../../src/backtest/result.ts';
import { LAST, LEVEL, RESET, SELL, TRADE } from '../../src/model/events.ts';
import { lots, ticks } from '../../src/model/units.ts';
import { micros } from '../../src/platform/time.ts';
import type { Command } from '../../src/strategy/commands.ts';
import { defineStrategy } from '../../src/strategy/define.ts';
import { place } from '../../src/strategy/orders.ts';
import { z } from 'zod';
import { instrumentOf } from '../kit/instruments.ts';
import { eventsMeta } from '../kit/metas.ts';
import { writeRecording, type Row } from '../kit/recordings.ts';

/*
 * A recording of a dozen messages, worked out by hand. A tick is 0.5, a lot 0.1, so one tick times
 * one lot is worth 0.05. Takers pay 0.2 %, makers 0.1 %, in the quote currency Q. Orders and
 * reports travel 1 ms. The account starts with 1000 Q. Times are seconds after START.
 */
const START = Date.UTC(2024, 0, 1) * 1_000;
const at = (seconds: number): number => START + seconds * 1_000_000;

const level = (
  seconds: number,
  sequence: number,
  flags: number,
  price: number,
  size: number,
): Row => [at(seconds), at(seconds), LEVEL, flags, sequence, price, size, 0, 0, 0];
const trade = (seconds: number, id: number, flags: number, price: number, size: number): Row => [
  at(seconds),
  at(seconds),
  TRADE,
  flags | LAST,
  id,
  price,
  size,
  0,
  0,
  0,
];

const BOUGHT = 0;

const ROWS: readonly Row[] = [
  // 0 s: the book. Bids 10 lots at 100 and 20 at 99, asks 10 at 102 and 20 at 104.
  [at(0), at(0), RESET, 0, 10, 0, 0, 0, 0, 0],
  level(0, 10, 0, 100, 10),
  level(0, 10, 0, 99, 20),
  level(0, 10, SELL, 102, 10),
  level(0, 10, SELL | LAST, 104, 20),
  // 1 s: the strategy answers with A, a market order for 15 lots. It arrives at 1.001 s and takes
  //      10 lots at 102: value 1020 · 0.05 = 51, fee 0.102
  //       5 lots at 104: value  520 · 0.05 = 26, fee 0.052
  //      Cash 1000 − 77 − 0.154 = 922.846, holding 15 lots.
  trade(1, 1, BOUGHT, 101, 1),
  level(2, 11, SELL | LAST, 102, 8),
  // 3 s: B, a limit order to sell 6 lots at 105. It arrives at 3.001 s; nothing is shown at 105, so
  //      nothing stands before it.
  trade(3, 2, SELL, 103, 2),
  // 4 s: 4 lots trade at 105: B sells 4 lots as maker, value 420 · 0.05 = 21, fee 0.021.
  //      Cash 943.825, holding 11 lots.
  trade(4, 3, BOUGHT, 105, 4),
  // 5 s: a trade goes beyond 105: B sells its other 2 lots at 105, value 10.5, fee 0.0105.
  //      Cash 954.3145, holding 9 lots. The strategy answers with C, a limit order IOC to sell 9
  //      lots at 100. It arrives at 5.001 s and takes 9 of the 10 bid at 100: value 45, fee 0.09.
  //      Cash 999.2245, holding nothing.
  trade(5, 4, BOUGHT, 106, 5),
  // 6 s: D, a limit order to buy 3 lots at 99. It arrives at 6.001 s; the 20 lots shown at 99 stand
  //      before it.
  trade(6, 5, SELL, 100, 1),
  // 7 s: 15 lots trade at 99, all before D; 5 are left before it.
  trade(7, 6, SELL, 99, 15),
  // 8 s: only 3 lots are shown at 99, so no more than 3 are before it.
  level(8, 12, LAST, 99, 3),
  // 9 s: 4 lots trade at 99: the 3 before D, then 1 of D, value 4.95, fee 0.00495.
  //      Cash 994.26955, holding 1 lot.
  trade(9, 7, SELL, 99, 4),
  // 10 s: the last price is 98, that is 49 Q: the lot is worth 4.9, equity 999.16955.
  trade(10, 8, BOUGHT, 98, 1),
];

const ANSWERS: Readonly<Record<number, Command>> = {
  1: place('HAND', { type: 'market', side: 'buy', lots: lots(15), clientOrderId: 'order-A-1' }),
  2: place('HAND', {
    type: 'limit',
    side: 'sell',
    ticks: ticks(105),
    lots: lots(6),
    clientOrderId: 'order-B-2',
  }),
  4: place('HAND', {
    type: 'limit',
    side: 'sell',
    ticks: ticks(100),
    lots: lots(9),
    timeInForce: 'IOC',
    clientOrderId: 'order-C-3',
  }),
  5: place('HAND', {
    type: 'limit',
    side: 'buy',
    ticks: ticks(99),
    lots: lots(3),
    clientOrderId: 'order-D-4',
  }),
};

const byHand = defineStrategy({
  name: 'by-hand',
  summary: 'Answers four trades with an order each.',
  parameters: z.object({ level: z.string().default('price') }),
  run: ({ market, plot }) =>
    market.trades('HAND').pipe(
      concatMap(({ id, ticks: price }) => {
        plot('trade', price);
        const answer = ANSWERS[id];
        return id in ANSWERS ? [answer] : [];
      }),
    ),
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

const time = (seconds: number): string => new Date(at(seconds) / 1_000).toISOString();

describe('a recording worked out by hand', () => {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-by-hand-'));
  let result: BacktestResult;

  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  beforeAll(async () => {
    const path = join(folder, 'hand.arrow');
    writeRecording(path, ROWS, eventsMeta({ instrument: instrument.terms }));
    result = await runBacktest({
      strategy: byHand,
      parameters: {},
      recordings: [path],
      balances: { Q: '1000' },
      latency: { orderUs: 1_000, reportUs: 1_000 },
      sampleUs: 5_000_000,
    });
  });

  test('fills at these prices, for these fees, at these times', () => {
    const reported = result.fills.rows.map((fill) => [
      fill.at,
      fill.order,
      fill.side,
      fill.price,
      fill.size,
      fill.fee,
      fill.taker ? 'taker' : 'maker',
    ]);
    expect(reported).toEqual([
      [time(1.001), 'order-A-1', 'buy', '51', '1', '0.102', 'taker'],
      [time(1.001), 'order-A-1', 'buy', '52', '0.5', '0.052', 'taker'],
      [time(4), 'order-B-2', 'sell', '52.5', '0.4', '0.021', 'maker'],
      [time(5), 'order-B-2', 'sell', '52.5', '0.2', '0.0105', 'maker'],
      [time(5.001), 'order-C-3', 'sell', '50', '0.9', '0.09', 'taker'],
      [time(9), 'order-D-4', 'buy', '49.5', '0.1', '0.00495', 'maker'],
    ]);
    expect(result.fills.rows.every(({ feeCurrency }) => feeCurrency === 'Q')).toBe(true);
  });

  test('ends with these balances', () => {
    expect(result.balances).toEqual([
      { currency: 'B', start: '0', end: '0.1', value: '4.9' },
      { currency: 'Q', start: '1000', end: '994.26955', value: '994.26955' },
    ]);
  });

  test('pairs the fills first in, first out', () => {
    // A and B: 6 of the lots bought at 102, sold at 105. Fees 0.102 · 6/10 + 0.021 + 0.0105.
    //   While it was open the market showed 102 (its own fill) at worst and 106 at best.
    // A and C: 4 lots bought at 102 and 5 at 104, sold at 100. Fees 0.102 · 4/10 + 0.052 + 0.09.
    //   Entry 20.4 + 26 = 46.4; at 100 it is worth 45, at 106 47.7.
    expect(result.trades.rows).toEqual([
      {
        symbol: 'HAND',
        side: 'long',
        openedAt: time(1.001),
        closedAt: time(5),
        size: '0.6',
        entryPrice: '51',
        exitPrice: '52.5',
        fees: '0.0927',
        net: '0.8073',
        return: 0.8073 / 30.6,
        mae: '0',
        mfe: '1.2',
      },
      {
        symbol: 'HAND',
        side: 'long',
        openedAt: time(1.001),
        closedAt: time(5.001),
        size: '0.9',
        entryPrice: '51.555555555555555556',
        exitPrice: '50',
        fees: '0.1828',
        net: '-1.5828',
        return: -1.5828 / 46.4,
        mae: '-1.4',
        mfe: '1.3',
      },
    ]);
    expect(result.metrics.trades).toEqual({
      count: 2,
      wins: 1,
      losses: 1,
      winRate: 0.5,
      grossProfit: '0.8073',
      grossLoss: '1.5828',
      profitFactor: 0.8073 / 1.5828,
      expectancy: '-0.38775',
      averageWin: '0.8073',
      averageLoss: '1.5828',
      payoff: 0.8073 / 1.5828,
      best: '0.8073',
      worst: '-1.5828',
      averageMae: '-0.7',
      averageMfe: '1.25',
      // 3.999 s and 4 s
      averageDurationUs: 3_999_500,
      // The lot of D: worth 4.9, bought for 4.95, fee 0.00495
      unrealized: '-0.05495',
    });
  });

  test('measures equity, drawdown and returns', () => {
    // Sampled at 0 s, 5 s and 10 s. At 5 s: cash 954.3145 and 9 lots at 53, that is 47.7.
    expect(result.series.at).toEqual([time(0), time(5), time(10)]);
    expect(result.series.equity).toEqual(['1000', '1002.0145', '999.16955']);
    expect(result.series.drawdown).toEqual([0, 0, 2.84495 / 1002.0145]);
    const { metrics } = result;
    expect(metrics.equity).toEqual({
      currency: 'Q',
      start: '1000',
      end: '999.16955',
      high: '1002.0145',
      low: '999.16955',
    });
    expect(metrics.profit).toBe('-0.83045');
    expect(metrics.totalReturn).toBe(-0.83045 / 1000);
    expect(metrics.spanUs).toBe(10_000_000);
    expect(metrics.events).toBe(ROWS.length);
    expect(metrics.drawdown).toEqual({
      maxAmount: '2.84495',
      maxRatio: 2.84495 / 1002.0145,
      maxRatioPeakAt: time(5),
      maxRatioTroughAt: time(10),
      longestUs: 5_000_000,
    });
    // Two returns over five seconds each; a year has 365 · 86400 / 5 of them.
    const [first, second] = [2.0145 / 1000, -2.84495 / 1002.0145];
    const mean = (first + second) / 2;
    // With two values the sample deviation is their distance over the root of two.
    const deviation = (first - second) / Math.SQRT2;
    const perYear = Math.sqrt((365 * 86_400) / 5);
    expect(metrics.returns).toBe(2);
    expect(metrics.volatility).toBeCloseTo(deviation * perYear, 9);
    expect(metrics.sharpe).toBeCloseTo((mean / deviation) * perYear, 9);
    expect(metrics.sortino).toBeCloseTo((mean / (-second / Math.SQRT2)) * perYear, 9);
    const annual = 0.99916955 ** ((365 * 86_400) / 10) - 1;
    expect(metrics.annualReturn).toBeCloseTo(annual, 12);
    expect(metrics.calmar).toBeCloseTo(annual / (2.84495 / 1002.0145), 6);
  });

  test('measures fees, turnover, exposure and what holding would have brought', () => {
    const { metrics } = result;
    // 0.102 + 0.052 + 0.021 + 0.0105 + 0.09 + 0.00495
    expect(metrics.fees).toEqual({ byCurrency: { Q: '0.28045' }, value: '0.28045' });
    // 51 + 26 + 21 + 10.5 + 45 + 4.95, over the mean of the three samples
    expect(metrics.turnover.amount).toBe('158.45');
    expect(metrics.turnover.ratio).toBeCloseTo(158.45 / (3001.18405 / 3), 12);
    // Held from 1.001 s to 5.001 s and from 9 s to 10 s, of 10 s.
    expect(metrics.exposure).toBe(0.5);
    // The first trade was at 101, the last at 98.
    expect(metrics.buyAndHold).toEqual([
      { symbol: 'HAND', firstPrice: '50.5', lastPrice: '49', return: -3 / 101 },
    ]);
  });

  test('counts orders', () => {
    expect(result.orders).toEqual({
      sent: 4,
      replacements: 0,
      cancels: 0,
      touched: 4,
      filled: 3,
      canceled: 0,
      expired: 0,
      rejected: 0,
      refused: 0,
      refusedReplacements: 0,
      refusedCancels: 0,
      refusedManagedOrders: 0,
      rejections: {},
      firstRejections: {},
      fillRatio: 1,
      fills: 6,
      takerFills: 3,
    });
  });

  test('draws prices, position and plots of each sample', () => {
    const [series] = result.series.instruments;
    // Until the first trade there is no price: the recording has no quotes. Then 101, 103, 105, 106
    // up to 5 s and 100, 99, 99, 98 up to 10 s.
    expect(series).toEqual({
      symbol: 'HAND',
      open: [null, '50.5', '53'],
      high: [null, '53', '53'],
      low: [null, '50.5', '49'],
      close: [null, '53', '49'],
      position: ['0', '0.9', '0.1'],
    });
    expect(result.series.plots).toEqual([{ name: 'trade', values: [null, 106, 98] }]);
    expect(result.plan.till).toBe(time(10));
    expect(result.plan.tradingFrom).toBe(new Date(micros(START) / 1_000).toISOString());
  });
});
