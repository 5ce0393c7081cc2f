import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { concatMap, map, of, take, timer } from 'rxjs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import algoOrders from '../../strategies/algo-orders.ts';
import rsiReversal from '../../strategies/rsi-reversal.ts';
import bookImbalance from '../../strategies/book-imbalance.ts';
import breakoutBracket from '../../strategies/breakout-bracket.ts';
import emaCross from '../../strategies/ema-cross.ts';
import marketMaker from '../../strategies/market-maker.ts';
import trendTrail from '../../strategies/trend-trail.ts';
import type { BacktestPlan } from '../../src/backtest/plan.ts';
import { runBacktest } from '../../src/backtest/run.ts';
import { generateRecording } from '../../src/feeds/generator.ts';
import { SAMPLE } from '../../src/feeds/synthetic/sample.ts';
import { decimal } from '../../src/model/decimal.ts';
import { MillraceError } from '../../src/model/errors.ts';
import { LAST, LEVEL, RESET, SELL } from '../../src/model/events.ts';
import { lots } from '../../src/model/units.ts';
import { micros, US_PER_MINUTE } from '../../src/platform/time.ts';
import type { Command } from '../../src/strategy/commands.ts';
import { defineStrategy, type Strategy } from '../../src/strategy/define.ts';
import { cancel, place } from '../../src/strategy/orders.ts';
import { eventsMeta } from '../kit/metas.ts';
import { instrumentOf } from '../kit/instruments.ts';
import { writeRecording } from '../kit/recordings.ts';

const folder = mkdtempSync(join(tmpdir(), 'millrace-run-'));
const path = join(folder, 'BTCUSDT.arrow');
const startAt = SAMPLE.startAt;
const minutes = (count: number): number => startAt + count * US_PER_MINUTE;

beforeAll(() => {
  generateRecording(path, { ...SAMPLE, durationUs: 30 * US_PER_MINUTE });
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

const planOf = (strategy: Strategy, changes: Partial<BacktestPlan> = {}): BacktestPlan => ({
  strategy,
  parameters: {},
  recordings: [path],
  balances: { USDT: '100000' },
  ...changes,
});

/** Does nothing but what it is told at its start and every minute. */
const idler = (run: Strategy['run']): Strategy =>
  defineStrategy({
    name: 'idler',
    summary: 'For tests.',
    parameters: z.object({ symbol: z.string().default('BTCUSDT') }),
    run,
  });

async function rejection(plan: BacktestPlan): Promise<string> {
  const error: unknown = await runBacktest(plan).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(MillraceError);
  return error instanceof MillraceError ? `${error.code}: ${error.message}` : '';
}

const QUICK_BREAKS = { period: 'M1', length: 3, atrLength: 3 };
const QUICK_RSI = { period: 'M1', length: 3, low: 45, high: 55 };
const QUICK_CROSS = { period: 'M1', fast: 3, slow: 8 };

describe.each<[string, Strategy, Record<string, unknown>, Record<string, unknown>]>([
  ['ema-cross', emaCross, QUICK_CROSS, { ...QUICK_CROSS, slow: 9 }],
  ['book-imbalance', bookImbalance, { threshold: 0.5 }, { threshold: 0.51 }],
  ['market-maker', marketMaker, {}, { skew: '2.01' }],
  ['rsi-reversal', rsiReversal, QUICK_RSI, { ...QUICK_RSI, high: 56 }],
  ['breakout-bracket', breakoutBracket, QUICK_BREAKS, { ...QUICK_BREAKS, profit: 2.5 }],
  ['trend-trail', trendTrail, QUICK_BREAKS, { ...QUICK_BREAKS, distance: 2.5 }],
  ['algo-orders', algoOrders, { minutes: 3 }, { minutes: 2 }],
])('the hash of %s', (_, strategy, parameters, others) => {
  test('is the same for two runs, which agree to the byte, and another for any other plan', async () => {
    const first = await runBacktest(planOf(strategy, { parameters }));
    const second = await runBacktest(planOf(strategy, { parameters }));
    expect(first.orders.sent).toBeGreaterThan(0);
    expect(JSON.stringify(second)).toBe(JSON.stringify(first));
    const changes: Partial<BacktestPlan>[] = [
      { parameters: others },
      { seed: 2 },
      { fees: { BTCUSDT: { takeRate: '0.0024' } } },
      { fees: { BTCUSDT: { makeRate: '0.0011' } } },
      { latency: { orderUs: 21_000 } },
      { latency: { reportUs: 21_000 } },
      { balances: { USDT: '100000.01' } },
    ];
    const hashes = [first.hash];
    for (const change of changes) {
      hashes.push((await runBacktest(planOf(strategy, { parameters, ...change }))).hash);
    }
    expect(new Set(hashes).size, hashes.join('\n')).toBe(1 + changes.length);
  });
});

describe('two strategies of one name', () => {
  const canceller = (...ids: readonly string[]): Strategy =>
    idler(() => of(...ids).pipe(map((id) => cancel(id))));

  test('have two hashes where one asks for a cancel more, though that is refused', async () => {
    const run = (ids: readonly string[]) => runBacktest(planOf(canceller(...ids)));
    const one = await run(['nothing-1']);
    const more = await run(['nothing-1', 'nothing-1']);
    const other = await run(['nothing-2']);
    expect([one, more].map(({ orders }) => orders.refusedCancels)).toEqual([1, 2]);
    expect(new Set([one.hash, more.hash, other.hash]).size).toBe(3);
  });

  test('have two hashes where their texts differ, whatever they do', async () => {
    const file = (text: string): string => {
      const target = join(mkdtempSync(join(folder, 'strategy-')), 'mine.ts');
      writeFileSync(target, text);
      return target;
    };
    const hashOf = async (text: string): Promise<string> =>
      (await runBacktest(planOf(emaCross, { strategyFile: file(text) }))).hash;
    const one = await hashOf('const a = 1;\n');
    expect(await hashOf('const a = 1;\r\n')).toBe(one);
    expect(await hashOf('const a = 2;\n')).not.toBe(one);
  });

  test('have two hashes where what they emit is no command at all', async () => {
    const hashOf = async (given: unknown): Promise<string> =>
      (await runBacktest(planOf(idler(() => of(given as Command))))).hash;
    const loop: { self?: unknown } = {};
    loop.self = loop;
    const hashes = [await hashOf(7), await hashOf(undefined), await hashOf(loop)];
    expect(new Set(hashes).size).toBe(3);
  });
});

describe('a run', () => {
  test('does not depend on the folder of its recording', async () => {
    const copy = join(folder, 'elsewhere', 'BTCUSDT.arrow');
    generateRecording(copy, { ...SAMPLE, durationUs: 30 * US_PER_MINUTE });
    const here = await runBacktest(planOf(emaCross));
    const there = await runBacktest(planOf(emaCross, { recordings: [copy] }));
    expect(there).toEqual(here);
  });

  test('starts trading after warm-up or at its start, whichever is later, and ends before its end', async () => {
    const buyer = idler(() => timer(0, 60_000).pipe(map(() => buy(1))));
    const buy = (size: number) =>
      place('BTCUSDT', { type: 'market', side: 'buy', lots: lots(size) });
    const early = await runBacktest(planOf(buyer, { warmUpUs: 5 * US_PER_MINUTE }));
    expect(Date.parse(early.fills.rows[0].at) * 1_000).toBeGreaterThanOrEqual(minutes(5));
    expect(early.metrics.spanUs).toBeLessThanOrEqual(25 * US_PER_MINUTE);
    const late = await runBacktest(
      planOf(buyer, {
        warmUpUs: 5 * US_PER_MINUTE,
        from: micros(minutes(10)),
        till: micros(minutes(12)),
      }),
    );
    expect(late.plan.tradingFrom).toBe(new Date(minutes(10) / 1_000).toISOString());
    expect(late.series.at[0]).toBe(late.plan.tradingFrom);
    expect(Date.parse(late.plan.till) * 1_000).toBeLessThan(minutes(12));
    for (const { at } of late.fills.rows) {
      expect(Date.parse(at) * 1_000).toBeGreaterThanOrEqual(minutes(10));
      expect(Date.parse(at) * 1_000).toBeLessThan(minutes(12));
    }
    expect(late.fills.rows.length).toBe(2);
  });

  test('that starts with base currency is measured from its first price', async () => {
    const result = await runBacktest(
      planOf(
        idler(() => of()),
        { balances: { BTC: '1', USDT: '0' } },
      ),
    );
    const [series] = result.series.instruments;
    expect(series.close[0]).not.toBeNull();
    expect(result.metrics.equity.start).toBe(series.close[0]);
    expect(result.metrics.exposure).toBe(1);
    expect(result.metrics.totalReturn).toBeCloseTo(result.metrics.buyAndHold[0].return ?? 0, 12);
  });

  test('of a strategy that throws ends with what was held and says when and why', async () => {
    const result = await runBacktest(
      planOf(
        idler(({ market }) =>
          market.trades('BTCUSDT').pipe(
            take(5),
            concatMap(({ id }) => {
              if (id >= 5) throw new RangeError('five is too many');
              return [];
            }),
          ),
        ),
      ),
    );
    expect(result.failure?.message).toBe('five is too many');
    expect(result.metrics.spanUs).toBeGreaterThan(29 * US_PER_MINUTE);
    const healthy = await runBacktest(planOf(idler(() => of())));
    expect(result.hash).not.toBe(healthy.hash);
  });

  test('reports its progress and ends early when asked to', async () => {
    const shares: number[] = [];
    const stop = new AbortController();
    const run = runBacktest(planOf(emaCross), {
      rowsPerTurn: 1_000,
      signal: stop.signal,
      onProgress: ({ share }) => {
        shares.push(share);
        if (share > 0.5) stop.abort(new Error('enough'));
      },
    });
    await expect(run).rejects.toThrow('enough');
    expect(shares.length).toBeGreaterThan(3);
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
    // RxJS has its own clock back, so that the next run can take it.
    await expect(runBacktest(planOf(emaCross as Strategy))).resolves.toBeDefined();
  });

  test('draws at most sixteen plots and keeps at most a thousand lines of log', async () => {
    const talker = idler(({ market, log, plot }) =>
      market.trades('BTCUSDT').pipe(
        concatMap(({ ticks }, index) => {
          plot(`line ${index % 20}`, ticks);
          log.info('a trade');
          return [];
        }),
      ),
    );
    const result = await runBacktest(planOf(talker));
    expect(result.series.plots.length).toBe(16);
    expect(result.warnings.at(-1)).toContain('line 16');
    expect(result.logs.total).toBeGreaterThan(1_000);
    expect(result.logs.rows.length).toBe(1_000);
  });

  test('on a feed of levels alone is valued at the middle of the book', async () => {
    const only = join(folder, 'levels.arrow');
    const row = (at: number, kind: number, flags: number, price: number) =>
      [startAt + at, startAt + at, kind, flags, 1, price, 10, 0, 0, 0] as const;
    const rows = [row(0, RESET, 0, 0), row(0, LEVEL, 0, 100), row(0, LEVEL, SELL | LAST, 103)];
    const meta = eventsMeta({ instrument: instrumentOf().terms });
    writeRecording(only, [...rows, row(9e6, LEVEL, LAST, 101)], meta);
    const result = await runBacktest(
      planOf(
        idler(() => of()),
        { recordings: [only], balances: { BTC: '1' } },
      ),
    );
    expect(result.metrics.equity.start).toBe('1.015');
    // The last message has the sequence of the snapshot that has ended, so it is old news.
    expect(result.metrics.equity.end).toBe('1.015');
  });
});

describe('a plan that cannot be run is refused with what to do', () => {
  test('when there is no recording, or none with rows', async () => {
    expect(await rejection(planOf(emaCross as Strategy, { recordings: [] }))).toMatch(/^usage: /);
    const empty = join(folder, 'empty.arrow');
    writeRecording(empty, [], eventsMeta());
    expect(await rejection(planOf(emaCross as Strategy, { recordings: [empty] }))).toMatch(
      /^recording-invalid: .*has no rows/,
    );
  });

  test('when a file is missing or no recording', async () => {
    const missing = join(folder, 'missing.arrow');
    expect(await rejection(planOf(emaCross as Strategy, { recordings: [missing] }))).toMatch(
      /^file-missing: /,
    );
    const text = join(folder, 'text.arrow');
    writeFileSync(text, 'not a recording at all, just a line of text');
    expect(await rejection(planOf(emaCross as Strategy, { recordings: [text] }))).toMatch(
      /^recording-invalid: /,
    );
  });

  test('when the strategy asks for a symbol or an event that the run does not have', async () => {
    const other = { parameters: { symbol: 'ETHUSDT' } };
    expect(await rejection(planOf(emaCross as Strategy, other))).toMatch(/^symbol-unknown: /);
    const bars = join(folder, 'bars.arrow');
    generateRecording(bars, {
      seed: 1,
      instrument: SAMPLE.instrument,
      startAt,
      period: 'M1',
      count: 10,
    });
    expect(await rejection(planOf(bookImbalance as Strategy, { recordings: [bars] }))).toMatch(
      /^feed-lacks: /,
    );
  });

  test('when a parameter, a currency or a recording is wrong', async () => {
    expect(await rejection(planOf(emaCross as Strategy, { parameters: { fats: 3 } }))).toMatch(
      /^parameter-invalid: .*fast/,
    );
    expect(await rejection(planOf(emaCross as Strategy, { equityCurrency: 'EUR' }))).toMatch(
      /^currency-unknown: .*USDT/,
    );
    expect(await rejection(planOf(emaCross as Strategy, { balances: { EUR: '1' } }))).toMatch(
      /^currency-unknown: /,
    );
    expect(await rejection(planOf(emaCross as Strategy, { recordings: [path, path] }))).toMatch(
      /^recording-invalid: .*recorded at the same time/,
    );
  });
});

test('reports what algo orders traded, and which of them the end cut off', async () => {
  const short = await runBacktest(planOf(algoOrders, { parameters: { minutes: 10, slices: 5 } }));
  expect(short.algoOrders).toMatchObject([
    { id: 'work-0001', kind: 'twap', side: 'buy', status: 'filled', sold: '0' },
  ]);
  const [order] = short.algoOrders ?? [];
  expect(order?.bought).toBe(order?.quantity);
  const value = short.fills.rows.reduce(
    (sum, { price, size }) => sum.plus(decimal(price).times(decimal(size))),
    decimal('0'),
  );
  const mean = value.div(decimal(order?.bought ?? '0')).toDecimalPlaces(12);
  expect(order?.boughtPrice).toBe(mean.toFixed());
  expect(order?.slippage).toBe(mean.minus(decimal(order?.arrivalPrice ?? '0')).toFixed());
  const long = await runBacktest(planOf(algoOrders, { parameters: { minutes: 60 } }));
  expect(long.warnings).toContain('The run ended while algo orders were at work: work-0001.');
});
