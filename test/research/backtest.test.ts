import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { map, take } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { backtest, report } from '../../src/backtest.ts';
import { runBacktest } from '../../src/backtest/run.ts';
import { defineStrategy, target, z } from '../../src/index.ts';
import { temporaryFolder } from '../kit/recordings.ts';
import emaCross from '../../strategies/ema-cross.ts';

const SAMPLE = 'config/sample/BTCUSDT.arrow';
const SETTINGS = { recordings: [SAMPLE], balances: { USDT: '10000' } };

describe('backtest', () => {
  test('runs a strategy by its name as the same plan runs elsewhere, with the same hash', async () => {
    const run = await backtest({ ...SETTINGS, strategy: 'ema-cross', parameters: { fast: 4 } });
    const twin = await backtest({ ...SETTINGS, strategy: 'ema-cross', parameters: { fast: 4 } });
    expect(run.hash).toBe(twin.hash);
    expect(run.result.strategy.parameters).toMatchObject({ fast: 4, slow: 10 });
  });

  test('runs a strategy that is given as it is, as runBacktest does', async () => {
    const parameters = { fast: 3, slow: 8 };
    const run = await backtest({ ...SETTINGS, strategy: emaCross, parameters });
    const plan = { ...SETTINGS, strategy: emaCross, parameters };
    expect(run.hash).toBe((await runBacktest(plan)).hash);
  });

  test('gives every sample, fill and order as typed arrays that agree with the exact rows', async () => {
    const { result, series } = await backtest({ ...SETTINGS, strategy: 'ema-cross' });
    const { equity, fills, orders } = series;
    expect(fills.length).toBe(result.fills.total);
    expect(orders.length).toBe(result.orderHistory.total);
    expect(fills.length).toBeGreaterThan(2);
    expect(equity.equity.at(-1)).toBe(Number(result.metrics.equity.end));
    const [first] = result.fills.rows;
    expect(fills.price[0]).toBe(Number(first.price));
    expect(fills.at[0] / 1_000).toBe(Date.parse(first.at));
    expect(fills.side[0]).toBe(first.side === 'buy' ? 1 : -1);
    expect(orders.order[0]).toBe(result.orderHistory.rows[0].order);
    expect(series.fills).toBe(fills);
  });

  test('runs what is asked for at once one after the other, each as if it were alone', async () => {
    const alone = await backtest({ ...SETTINGS, strategy: 'ema-cross' });
    const [one, other] = await Promise.all([
      backtest({ ...SETTINGS, strategy: 'ema-cross' }),
      backtest({ ...SETTINGS, strategy: 'market-maker' }),
    ]);
    expect(one.hash).toBe(alone.hash);
    expect(other.hash).not.toBe(alone.hash);
  });

  test('ends with the reason of its signal, and the next run is not harmed', async () => {
    const controller = new AbortController();
    controller.abort(new Error('enough'));
    const { signal } = controller;
    await expect(backtest({ ...SETTINGS, strategy: 'ema-cross', signal })).rejects.toThrow(
      'enough',
    );
    expect((await backtest({ ...SETTINGS, strategy: 'ema-cross' })).failure).toBeUndefined();
  });

  test('reports a strategy that throws as a failure of the run', async () => {
    const strategy = defineStrategy({
      name: 'thrower',
      summary: 'Throws at the first trade.',
      parameters: z.object({ symbol: z.string().default('BTCUSDT') }),
      run: ({ market, parameters: p }) =>
        market.trades(p.symbol).pipe(
          take(1),
          map(() => {
            if (p.symbol !== '') throw new Error('no idea');
            return target(p.symbol, 0);
          }),
        ),
    });
    expect((await backtest({ ...SETTINGS, strategy })).failure?.message).toContain('no idea');
  });

  test.each<[string, object, string, string]>([
    ['an unknown key', { sed: 5 }, 'config-invalid', 'Did you mean "seed"'],
    ['a balance that is no number', { balances: { USDT: 'much' } }, 'config-invalid', 'decimal'],
    ['a parameter outside its range', { parameters: { fast: 1 } }, 'parameter-invalid', 'fast'],
    ['a recording that is not there', { recordings: ['none.arrow'] }, 'file-missing', 'none'],
    ['a strategy that is none', { strategy: 'ema-cros' }, 'strategy-unknown', 'ema-cross'],
    ['an object that is no strategy', { strategy: {} }, 'strategy-invalid', 'name'],
  ])('names %s', async (_, change, code, words) => {
    const given = { ...SETTINGS, strategy: 'ema-cross', ...change };
    await expect(backtest(given)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(words) as string,
    });
  });
});

describe('report', () => {
  test('writes the page of a run, and says so when it cannot', async () => {
    const run = await backtest({ ...SETTINGS, strategy: 'ema-cross' });
    const folder = temporaryFolder();
    const path = report(run, join(folder, 'page.html'));
    expect(readFileSync(path, 'utf8')).toContain(run.hash);
    const nowhere = join(folder, 'none', 'page.html');
    expect(() => report(run, nowhere)).toThrow(
      expect.objectContaining({ code: 'file-unwritable' }),
    );
    expect(existsSync(nowhere)).toBe(false);
  });
});
