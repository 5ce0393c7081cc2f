import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EMPTY, filter, map, merge, mergeMap, take } from 'rxjs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { runBacktest } from '../../src/backtest/run.ts';
import { generateRecording } from '../../src/feeds/generator.ts';
import { SAMPLE } from '../../src/feeds/synthetic/sample.ts';
import { US_PER_MINUTE, US_PER_SECOND } from '../../src/platform/time.ts';
import { defineStrategy, type Strategy } from '../../src/strategy/define.ts';
import { cancel } from '../../src/strategy/orders.ts';
import { target } from '../../src/strategy/managed-orders.ts';

const folder = mkdtempSync(join(tmpdir(), 'millrace-idle-'));
const path = join(folder, 'BTCUSDT.arrow');

beforeAll(() => {
  generateRecording(path, { ...SAMPLE, durationUs: 10 * US_PER_MINUTE + 51 * US_PER_SECOND });
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

async function firstWarning(run: Strategy['run']): Promise<string> {
  const strategy = defineStrategy({
    name: 'idle-one',
    summary: 'Hardly ever trades.',
    parameters: z.object({}),
    run,
  });
  const plan = { strategy, parameters: {}, recordings: [path], balances: { USDT: '100000' } };
  return (await runBacktest(plan)).warnings[0] ?? '';
}

test('a run without an order says so, and how few candles came', async () => {
  const waits: Strategy['run'] = ({ market }) =>
    merge(
      market.candles('BTCUSDT', 'M5').pipe(
        filter((_, index) => index >= 20),
        map(() => target('BTCUSDT', 0.5)),
      ),
      market.candles('BTCUSDT', 'H1').pipe(mergeMap(() => EMPTY)),
    );
  expect(await firstWarning(waits)).toMatch(
    /^No order was ever sent\. The replay covers 10 min 5\d s, and the strategy asked for M5 candles of BTCUSDT, of which 2 came, and for H1 candles of BTCUSDT, of which none came\.$/,
  );
});

test('a run without an order says that its commands were refused, or that the strategy failed', async () => {
  const lost: Strategy['run'] = ({ market }) =>
    market.trades('BTCUSDT').pipe(
      take(3),
      map(() => cancel('nobodys-order')),
    );
  expect(await firstWarning(lost)).toBe(
    'No order was ever sent. What it asked for was refused: 3 order-unknown.',
  );
  const fails: Strategy['run'] = () => {
    throw new Error('no');
  };
  expect(await firstWarning(fails)).toBe(
    'No order was ever sent. The strategy failed and was stopped.',
  );
});

test('a run with an order says nothing of the kind', async () => {
  const trades: Strategy['run'] = ({ market }) =>
    market.trades('BTCUSDT').pipe(
      take(1),
      map(() => target('BTCUSDT', 0.5)),
    );
  expect(await firstWarning(trades)).not.toContain('No order');
});
