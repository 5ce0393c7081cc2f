import { from, mergeMap } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { BacktestResult } from '../../src/backtest/result.ts';
import { runBacktest } from '../../src/backtest/run.ts';
import { CANDLE, LAST } from '../../src/model/events.ts';
import type { InstrumentTerms } from '../../src/model/instrument.ts';
import { US_PER_MINUTE } from '../../src/platform/time.ts';
import { bracket, type BracketOf } from '../../src/strategy/bracket.ts';
import type { Command } from '../../src/strategy/commands.ts';
import { defineStrategy } from '../../src/strategy/define.ts';
import { place } from '../../src/strategy/orders.ts';
import { flat } from '../../src/strategy/managed-orders.ts';
import { instrumentOf } from '../kit/instruments.ts';
import { candlesMeta } from '../kit/metas.ts';
import { temporaryFolder, writeRecording, type Row } from '../kit/recordings.ts';

/* Candles of a minute, a tick of 1 and lots of 1; the strategy answers candles, counted from 1. */

const START = Date.UTC(2024, 0, 1) * 1_000;

type Bar = readonly [open: number, high: number, low: number, close: number, volume: number];

const CALM: Bar = [100, 101, 99, 100, 1_000];

const rows = (bars: readonly Bar[]): Row[] =>
  bars.map(([open, high, low, close, volume], index) => {
    const at = START + index * US_PER_MINUTE;
    return [at + US_PER_MINUTE, at, CANDLE, LAST, 0, close, volume, high, low, open];
  });

const ENTRY = { side: 'buy', type: 'market', clientOrderId: 'entry-01' } as const;

const bracketOf = (lots: number, change: Partial<BracketOf> = {}): Command =>
  bracket('XUSDT', {
    entry: ENTRY,
    takeProfit: { ticks: 105, clientOrderId: 'profit-1' },
    stopLoss: { stopTicks: 97, clientOrderId: 'loss-001' },
    lots,
    ...change,
  } as BracketOf);

async function run(
  bars: readonly Bar[],
  answers: Readonly<Record<number, readonly Command[]>>,
  terms: Partial<InstrumentTerms> = {},
): Promise<BacktestResult> {
  const strategy = defineStrategy({
    name: 'guarded',
    summary: 'Answers some candles.',
    parameters: z.object({}),
    run: ({ market }) => {
      let count = 0;
      return market.candles('XUSDT', 'M1').pipe(mergeMap(() => from(answers[(count += 1)] ?? [])));
    },
  });
  const instrument = instrumentOf({
    symbol: 'XUSDT',
    baseCurrency: 'X',
    tickSize: '1',
    quantityIncrement: '1',
    takeRate: '0.001',
    makeRate: '0.001',
    ...terms,
  });
  const path = `${temporaryFolder()}/x.arrow`;
  writeRecording(path, rows(bars), { ...candlesMeta(), instrument: instrument.terms });
  const balances = { USDT: '1000000' };
  return runBacktest({ strategy, parameters: {}, recordings: [path], balances });
}

const orders = ({ orderHistory }: BacktestResult): unknown[] =>
  orderHistory.rows.map(({ order, size, filled, status }) => [order, size, filled, status]);

const sales = ({ fills }: BacktestResult): unknown[] =>
  fills.rows.flatMap(({ side, price, size }) => (side === 'sell' ? [[price, size]] : []));

const about = ({ warnings }: BacktestResult, word: string): readonly string[] =>
  warnings.filter((warning) => warning.includes(word));

describe('a bracket in a backtest', () => {
  test('whose fee is taken in the base currency is left by its exits', async () => {
    const result = await run(
      [CALM, CALM, [90, 91, 80, 85, 1_000]],
      { 1: [bracketOf(1_000)] },
      { feeCurrency: 'X' },
    );
    expect(orders(result)).toEqual([
      ['entry-01', '1000', '1000', 'filled'],
      ['profit-1', '998', '0', 'canceled'],
      ['loss-001', '998', '998', 'filled'],
    ]);
    expect(about(result, 'Protection')).toEqual([]);
    expect(result.logs.rows).toMatchObject([{ level: 'info' }]);
  });

  test('whose stop is larger than the volume of a candle sells on in the next', async () => {
    const result = await run([CALM, CALM, [100, 100, 90, 92, 3], [92, 93, 70, 71, 1_000], CALM], {
      1: [bracketOf(10)],
    });
    expect(sales(result)).toEqual([
      ['97', '3'],
      ['92', '7'],
    ]);
    expect(about(result, 'Protection')).toEqual([]);
  });

  test('whose recording ends before its stop has sold all is not reported as unprotected', async () => {
    const result = await run([CALM, CALM, [100, 100, 90, 92, 3]], { 1: [bracketOf(10)] });
    expect(orders(result).at(-1)).toEqual(['loss-001', '10', '3', 'partiallyFilled']);
  });

  test('a stop that is whole or nothing and too large for the candle is reported', async () => {
    const buy = place('XUSDT', { type: 'market', side: 'buy', lots: 10 });
    const stop = place('XUSDT', {
      type: 'stopMarket',
      side: 'sell',
      stopTicks: 97,
      lots: 10,
      clientOrderId: 'guard-01',
    });
    const result = await run([CALM, CALM, CALM, [100, 100, 90, 92, 3], CALM], {
      1: [buy],
      2: [stop],
    });
    expect(about(result, 'Protection')).toEqual([
      'Protection ended once before what it protected was sold: The FOK stopMarket guard-01, which fills whole or not at all, has ended: 10 of 10 lots of XUSDT stand without protection.',
    ]);
    expect(result.logs.rows).toMatchObject([{ level: 'warn' }]);
  });

  test('is left by flat, whatever guards it', async () => {
    const result = await run([CALM, CALM, CALM, CALM], {
      1: [bracketOf(10)],
      2: [flat('XUSDT')],
    });
    expect(sales(result)).toEqual([['100', '10']]);
    expect(about(result, 'Refused')).toEqual([]);
  });
});

describe('exits inside a candle', () => {
  const PATH = 'assumed path';

  test.each<[string, Bar, string]>([
    ['falling', [100, 110, 90, 95, 1_000], '105'],
    ['rising', [100, 110, 90, 105, 1_000], '97'],
  ])('that the path of a %s one decides are counted', async (_, bar, price) => {
    const result = await run([CALM, CALM, bar, CALM], { 1: [bracketOf(10)] });
    expect(sales(result)).toEqual([[price, '10']]);
    expect(about(result, PATH)).toEqual([
      '1 of 1 exits were decided by the assumed path inside a candle: its range held another exit too, or the entry, and the opposite path would have ended otherwise. Candles of a shorter period, or trades, tell what came first.',
    ]);
  });

  test.each<[string, Bar]>([
    ['whose range holds one exit alone', [100, 104, 90, 95, 1_000]],
    ['that opens beyond an exit', [90, 110, 85, 95, 1_000]],
    ['that only touches the profit', [100, 105, 90, 95, 1_000]],
  ])('of one %s are not', async (_, bar) => {
    const result = await run([CALM, CALM, bar, CALM], { 1: [bracketOf(10)] });
    expect(sales(result)).toHaveLength(1);
    expect(about(result, PATH)).toEqual([]);
  });

  const limit = {
    entry: { side: 'buy', type: 'limit', ticks: 98, clientOrderId: 'entry-01' },
  } as const;

  test('a profit in the candle of its entry is decided by the path, where the high may be first', async () => {
    // Rising: down to 90 by the entry and the stop. The other way the high would come before both.
    const result = await run([CALM, CALM, [100, 110, 97, 106, 1_000], CALM], {
      1: [bracketOf(10, { ...limit, stopLoss: { stopTicks: 96 } })],
    });
    expect(sales(result)).toEqual([['105', '10']]);
    // It closed beyond the profit, so either way it was taken.
    expect(about(result, PATH)).toEqual([]);
    const other = await run([CALM, CALM, [100, 110, 97, 101, 1_000], CALM], {
      1: [bracketOf(10, { ...limit, stopLoss: { stopTicks: 96 } })],
    });
    expect(sales(other)).toEqual([['105', '10']]);
    expect(about(other, PATH)).toHaveLength(1);
  });

  test('a stop behind its entry is on the way of either path', async () => {
    const result = await run([CALM, CALM, [100, 101, 90, 95, 1_000], CALM], {
      1: [bracketOf(10, limit)],
    });
    expect(sales(result)).toEqual([['97', '10']]);
    expect(about(result, PATH)).toEqual([]);
  });
});
