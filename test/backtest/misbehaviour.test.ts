import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { delay, from, map, mergeMap, NEVER, of, type Observable } from 'rxjs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { BacktestPlan } from '../../src/backtest/plan.ts';
import type { BacktestResult } from '../../src/backtest/result.ts';
import { runBacktest, type BacktestOptions } from '../../src/backtest/run.ts';
import { generateRecording, SAMPLE } from '../../src/feeds/generator.ts';
import { US_PER_MINUTE } from '../../src/platform/time.ts';
import { defineStrategy, type Strategy } from '../../src/strategy/define.ts';
import { target } from '../../src/strategy/wishes.ts';

const folder = mkdtempSync(join(tmpdir(), 'millrace-misbehaviour-'));
const path = join(folder, 'BTCUSDT.arrow');

beforeAll(() => {
  generateRecording(path, { ...SAMPLE, durationUs: 3 * US_PER_MINUTE });
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

const strategyOf = (run: Strategy['run'], warmUpMs?: Strategy['warmUpMs']): Strategy =>
  defineStrategy({
    name: 'bad-one',
    summary: 'Does what it must not.',
    parameters: z.object({}),
    run,
    ...(warmUpMs === undefined ? {} : { warmUpMs }),
  });

const planOf = (strategy: Strategy, changes: Partial<BacktestPlan> = {}): BacktestPlan => ({
  strategy,
  parameters: {},
  recordings: [path],
  balances: { USDT: '100000' },
  ...changes,
});

const backtest = (run: Strategy['run'], options: BacktestOptions = {}): Promise<BacktestResult> =>
  runBacktest(planOf(strategyOf(run)), options);

describe('commands outside event time fail the strategy, however often the run gives way', () => {
  const hold = target('BTCUSDT', 0.5);
  const cases: [string, Strategy['run']][] = [
    [
      'an asynchronous operator',
      ({ market }) => market.trades('BTCUSDT').pipe(mergeMap(() => from(Promise.resolve(hold)))),
    ],
    ['a promise given at the start', () => from(Promise.resolve(hold))],
    [
      'a promise given at the last event',
      ({ market }) =>
        market
          .trades('BTCUSDT')
          .pipe(
            mergeMap(({ id }, index): Observable<typeof hold> =>
              index === lastTrade || id < 0 ? from(Promise.resolve(hold)) : NEVER,
            ),
          ),
    ],
  ];
  let lastTrade = 0;

  beforeAll(async () => {
    let trades = 0;
    await backtest(({ market }) => {
      market.trades('BTCUSDT').subscribe(() => (trades += 1));
      return NEVER;
    });
    lastTrade = trades - 1;
  });

  test.each(cases)('%s', async (_, run) => {
    for (const rowsPerTurn of [10, 100, 131_072]) {
      const { failure, orders } = await backtest(run, { rowsPerTurn });
      expect(failure?.message).toContain('gave a command outside event time');
      expect(orders.sent).toBe(0);
    }
  });

  test('time operators are of event time and fail nothing', async () => {
    const run: Strategy['run'] = () => of(hold).pipe(delay(500));
    const once = await backtest(run);
    expect(once.failure).toBeUndefined();
    expect(once.orders.sent).toBeGreaterThan(0);
    expect(await backtest(run, { rowsPerTurn: 10 })).toEqual(once);
  });

  test('a promise that gives no command changes nothing', async () => {
    const run: Strategy['run'] = ({ market }) => {
      void Promise.resolve().then(() => 5);
      return market.trades('BTCUSDT').pipe(map(() => hold));
    };
    const { failure } = await backtest(run);
    expect(failure).toBeUndefined();
  });
});
