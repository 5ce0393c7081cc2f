import { from, mergeMap } from 'rxjs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { BacktestResult } from '../../src/backtest/result.ts';
import { runBacktest } from '../../src/backtest/run.ts';
import { decimal } from '../../src/model/decimal.ts';
import { CANDLE, LAST } from '../../src/model/events.ts';
import { US_PER_MINUTE } from '../../src/platform/time.ts';
import type { RiskSettings } from '../../src/risk/settings.ts';
import type { Command } from '../../src/strategy/commands.ts';
import { defineStrategy } from '../../src/strategy/define.ts';
import { place } from '../../src/strategy/orders.ts';
import { instrumentOf } from '../kit/instruments.ts';
import { candlesMeta } from '../kit/metas.ts';
import { temporaryFolder, writeRecording, type Row } from '../kit/recordings.ts';
import { limitsOf } from '../risk/view.ts';

const START = Date.UTC(2024, 0, 1) * 1_000;

/** Candles of a minute that close at these prices; the strategy answers them, counted from 1. */
async function run(
  closes: readonly number[],
  answers: Readonly<Record<number, readonly Command[]>>,
  risk?: RiskSettings,
): Promise<BacktestResult> {
  const strategy = defineStrategy({
    name: 'limited',
    summary: 'Answers some candles.',
    parameters: z.object({}),
    run: ({ market }) => {
      let count = 0;
      return market.candles('XUSDT', 'M1').pipe(mergeMap(() => from(answers[(count += 1)] ?? [])));
    },
  });
  const rows = closes.map((close, index): Row => {
    const at = START + index * US_PER_MINUTE;
    return [at + US_PER_MINUTE, at, CANDLE, LAST, 0, close, 1_000, close + 1, close - 1, close];
  });
  const terms = { symbol: 'XUSDT', baseCurrency: 'X', tickSize: '1', quantityIncrement: '1' };
  const path = `${temporaryFolder()}/x.arrow`;
  const meta = { ...candlesMeta(), instrument: instrumentOf({ ...terms, takeRate: '0' }).terms };
  writeRecording(path, rows, meta);
  return runBacktest({
    strategy,
    parameters: {},
    recordings: [path],
    balances: { USDT: '1000' },
    risk,
  });
}

const buy = (lots: number): Command => place('XUSDT', { type: 'market', side: 'buy', lots });
const offer = (ticks: number, lots: number): Command =>
  place('XUSDT', { type: 'limit', side: 'sell', ticks, lots, clientOrderId: 'profit-1' });

const filled = ({ fills }: BacktestResult): unknown[] => fills.rows.map(({ size }) => size);

test('a backtest with limits refuses what a bot refuses, with its code', async () => {
  const answers = { 1: [buy(3)], 2: [buy(2)] };
  const free = await run([100, 100, 100], answers);
  expect(filled(free)).toEqual(['3', '2']);
  const limits = limitsOf({ maxQuantity: { XUSDT: '2' } });
  const limited = await run([100, 100, 100], answers, limits);
  expect(filled(limited)).toEqual(['2']);
  expect(limited.orders.rejections).toEqual({ 'risk-quantity': 1 });
  expect(limited.hash).not.toBe(free.hash);
});

test('a market order does not cross an own one while the market has enough before it', async () => {
  const limits = limitsOf({ preventOwnCross: true });
  const apart = { 1: [buy(2)], 2: [offer(106, 2)], 3: [buy(1)] };
  expect(filled(await run([100, 100, 100, 100], apart, limits))).toEqual(['2', '1']);
});

test('what is open and held counts', async () => {
  const limits = limitsOf({ maxPosition: { XUSDT: '3' } });
  const result = await run([100, 100, 100], { 1: [buy(2)], 2: [buy(2)] }, limits);
  expect(filled(result)).toEqual(['2']);
  expect(result.orders.rejections).toEqual({ 'risk-position': 1 });
});

test('a loss of the day halts the strategy, and the result says so', async () => {
  const limits = limitsOf({ maxDailyLoss: { USDT: '50' } });
  const result = await run([100, 100, 80, 80, 80], { 1: [buy(5)], 4: [buy(1)] }, limits);
  expect(filled(result)).toEqual(['5']);
  expect(result.orders.rejections).toEqual({ 'trading-halted': 1 });
  expect(result.warnings).toContain(
    'Limits were broken once, the first time: 100 USDT were lost since midnight UTC, and 50 may be. From then on less was allowed, or nothing.',
  );
});

test('on candles alone the collar and the value of a market order use the last close', async () => {
  const answers = { 1: [buy(1)], 2: [buy(3)] };
  const limits = {
    ...limitsOf({ maxNotional: { USDT: '250' } }),
    priceCollar: decimal('0.05'),
  };
  const result = await run([100, 100, 100], answers, limits);
  expect(filled(result)).toEqual(['1']);
});
