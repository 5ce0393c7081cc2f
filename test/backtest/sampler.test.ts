import { join } from 'node:path';
import { map, take } from 'rxjs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { BacktestPlan } from '../../src/backtest/plan.ts';
import type { BacktestResult } from '../../src/backtest/result.ts';
import { runBacktest } from '../../src/backtest/run.ts';
import { LAST, QUOTE, TRADE } from '../../src/model/events.ts';
import { micros, US_PER_SECOND } from '../../src/platform/time.ts';
import { defineStrategy } from '../../src/strategy/define.ts';
import { place } from '../../src/strategy/orders.ts';
import { instrumentOf } from '../kit/instruments.ts';
import { eventsMeta } from '../kit/metas.ts';
import { temporaryFolder, writeRecording, type Row } from '../kit/recordings.ts';
import { limitsOf } from '../risk/view.ts';

/*
 * A tick is 1, a lot 1, takers pay 1 %. Bid and ask are 90 and 110 around a price of 100, so buying
 * one lot costs 110 and a fee of 1.1 for what is worth 100: 11.1 are lost.
 */
const START = Date.UTC(2024, 0, 1) * 1_000;
const at = (seconds: number): number => START + seconds * US_PER_SECOND;

const quote = (seconds: number, middle: number): Row => [
  ...([at(seconds), at(seconds), QUOTE, LAST, 0] as const),
  ...([middle - 10, 100, middle + 10, 100, 0] as const),
];

const trade = (seconds: number, price: number): Row => [
  ...([at(seconds), at(seconds), TRADE, LAST, seconds] as const),
  ...([price, 1, 0, 0, 0] as const),
];

function recording(base: string, rows: readonly Row[]): string {
  const symbol = `${base}USDT`;
  const terms = { symbol, baseCurrency: base, tickSize: '1', quantityIncrement: '1' };
  const { terms: instrument } = instrumentOf({ ...terms, takeRate: '0.01' });
  return writeRecording(
    join(temporaryFolder(), `${symbol}.arrow`),
    rows,
    eventsMeta({ instrument }),
  );
}

/** Buys one lot of AUSDT at the first quote of it. */
const eager = defineStrategy({
  name: 'eager',
  summary: 'For tests.',
  parameters: z.object({}),
  run: ({ market }) =>
    market.bbo('AUSDT').pipe(
      take(1),
      map(() => place('AUSDT', { type: 'market', side: 'buy', lots: 1 })),
    ),
});

const run = (changes: Partial<BacktestPlan>): Promise<BacktestResult> =>
  runBacktest({
    strategy: eager,
    parameters: {},
    recordings: [],
    latency: { orderUs: 0, reportUs: 0 },
    sampleUs: 10 * US_PER_SECOND,
    ...changes,
    balances: { USDT: '1000', A: '1', ...changes.balances },
  });

const QUOTES = [quote(0, 100), quote(1, 100), quote(20, 100)];
const TRADES = [quote(0, 100), trade(0, 100), trade(1, 100), trade(20, 100)];

test('the first equity is that before the first fill, where what is held gets its price by the first event', async () => {
  const { metrics, series, fills } = await run({ recordings: [recording('A', QUOTES)] });
  expect(fills.total).toBe(1);
  expect(metrics.equity).toMatchObject({ start: '1100', end: '1088.9' });
  expect(metrics.profit).toBe('-11.1');
  expect(metrics.spanUs).toBe(20 * US_PER_SECOND);
  expect(series.equity).toEqual(['1100', '1088.9', '1088.9']);
  expect(series.instruments[0].position).toEqual(['1', '2', '2']);
});

test('after a warm-up without a price the first equity is that before the first fill too', async () => {
  const quotes = [quote(12, 100), quote(13, 100), quote(22, 100)];
  const empty = [quote(0, 100), quote(30, 100)];
  const { metrics, fills } = await run({
    recordings: [recording('A', quotes), recording('B', empty)],
    from: micros(at(5)),
  });
  expect(fills.total).toBe(1);
  expect(metrics.equity).toMatchObject({ start: '1100', end: '1088.9' });
  expect(metrics.spanUs).toBe(18 * US_PER_SECOND);
});

test('a fill before everything held has a price is part of what is measured', async () => {
  const late = [quote(5, 300), quote(6, 300)];
  const { metrics, series } = await run({
    recordings: [recording('A', QUOTES), recording('B', late)],
    balances: { B: '1' },
  });
  // 1000 + 100 + 300, and the fill at 0 s has cost 11.1 by then.
  expect(metrics.equity).toMatchObject({ start: '1400', end: '1388.9', high: '1400' });
  expect(series.equity).toEqual(['1400', '1388.9', '1388.9']);
  expect(series.instruments[0].position[0]).toBe('1');
});

test.each([
  ['at once', [], {}],
  ['after the first fill', [[trade(5, 300), trade(6, 300)]], { B: '1' }],
])('losses against a limit count from before the first fill: prices %s', async (_, more, held) => {
  const { warnings } = await run({
    recordings: [recording('A', TRADES), ...more.map((rows) => recording('B', rows))],
    balances: held,
    risk: limitsOf({ maxDailyLoss: { USDT: '11' } }),
  });
  expect(warnings.join('\n')).toContain('11.1 USDT were lost since midnight UTC');
});
