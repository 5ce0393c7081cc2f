import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { from, map, merge, mergeMap, take, timer } from 'rxjs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import inventoryRebalancer from '../../../strategies/inventory-rebalancer.ts';
import type { BacktestPlan } from '../../../src/backtest/plan.ts';
import type { BacktestResult } from '../../../src/backtest/result.ts';
import { runBacktest } from '../../../src/backtest/run.ts';
import { generateRecording } from '../../../src/feeds/generator.ts';
import { SAMPLE } from '../../../src/feeds/synthetic/sample.ts';
import { decimal } from '../../../src/model/decimal.ts';
import { US_PER_MINUTE } from '../../../src/platform/time.ts';
import { defineStrategy } from '../../../src/strategy/define.ts';
import { rebalance } from '../../../src/strategy/portfolio.ts';
import { model, network, service } from './rig.ts';

const folder = mkdtempSync(join(tmpdir(), 'millrace-portfolio-'));
const path = join(folder, 'BTCUSDT.arrow');

beforeAll(() => {
  generateRecording(path, { ...SAMPLE, durationUs: 20 * US_PER_MINUTE });
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

const QUOTING = { symbol: 'BTCUSDT', quantity: '0.0001', edge: '5', band: 0.05, calmSeconds: 30 };

const portfolio = model({
  wallets: new Map([['ethereum', new Map([['USDT', decimal('1000')]])]]),
  networks: new Map([
    ['ethereum', network({ takes: { kind: 'uniform', fromUs: 1_000_000, toUs: 60_000_000 } })],
  ]),
});

const planOf = (changes: Partial<BacktestPlan> = {}): BacktestPlan => ({
  strategy: inventoryRebalancer,
  parameters: QUOTING,
  recordings: [path],
  balances: { USDT: '9000', BTC: '0.05' },
  portfolio,
  ...changes,
});

/** Wishes all of its money to be half here and half there after so many seconds. */
const wisher = (after: number, every = 0) =>
  defineStrategy({
    name: 'wisher',
    summary: 'For tests.',
    parameters: z.object({ symbol: z.string().default('BTCUSDT') }),
    run: ({ market, parameters, portfolio: { rebalances }, log }) => {
      const managedOrder = rebalance({
        'USDT@trading': { weight: '0.5', band: '0.02' },
        'USDT@ethereum': { weight: '0.5', band: '0.02' },
      });
      const told$ = rebalances().pipe(
        map(({ state }) => log.info(`rebalance ${state}`)),
        mergeMap(() => []),
      );
      const wishes$ = every === 0 ? timer(after * 1_000) : timer(after * 1_000, every * 1_000);
      return merge(
        market.bbo(parameters.symbol).pipe(
          take(1),
          mergeMap(() => wishes$),
          map(() => managedOrder),
        ),
        told$,
      );
    },
  });

const sumOf = ({ portfolio: record, balances }: BacktestResult, asset: string): string => {
  const holdings = record?.holdings.filter(({ holding }) => holding.startsWith(`${asset}@`)) ?? [];
  const outside = holdings
    .filter(({ holding }) => holding !== `${asset}@trading`)
    .map(({ end }) => end);
  const rows = [...(record?.inFlight ?? []), ...(record?.services ?? [])];
  const rest = rows.filter((row) => row.asset === asset).map(({ amount }) => amount);
  const account = balances.find(({ currency }) => currency === asset)?.end ?? '0';
  return [...outside, ...rest, account].reduce((sum, one) => sum.plus(one), decimal('0')).toFixed();
};

test('the strategy that runs live keeps its money in bands in a backtest, by the same file', async () => {
  const result = await runBacktest(planOf());
  expect(result.failure).toBeUndefined();
  expect(result.portfolio?.rebalances).toMatchObject({ begun: 1, done: 1, incomplete: 0 });
  const [first] = result.portfolio?.transfers.rows ?? [];
  expect(first).toMatchObject({
    route: 'trading',
    state: 'fulfilled',
    from: 'USDT@trading',
    to: 'USDT@ethereum',
  });
  expect(result.fills.total).toBeGreaterThan(0);
});

test('two runs agree to the byte, however often they give way, and any other model is another run', async () => {
  const first = await runBacktest(planOf());
  const second = await runBacktest(planOf(), { rowsPerTurn: 1_000 });
  expect(JSON.stringify(second)).toBe(JSON.stringify(first));
  const others: Partial<BacktestPlan>[] = [
    { seed: 2 },
    { portfolio: { ...portfolio, planning: 2_000_000 } },
    { portfolio: { ...portfolio, networks: new Map([['ethereum', network()]]) } },
    { portfolio: { ...portfolio, prices: new Map([...portfolio.prices, ['USDC', decimal('1')]]) } },
  ];
  const hashes = [first.hash];
  for (const other of others) hashes.push((await runBacktest(planOf(other))).hash);
  expect(new Set(hashes).size).toBe(5);
});

test('moving money is neither profit nor loss but for its costs, and the result lists each holding', async () => {
  const result = await runBacktest(
    planOf({ strategy: wisher(5), parameters: {}, balances: { USDT: '9000' } }),
  );
  expect(result.metrics.equity.start).toBe('10000');
  expect(result.metrics.profit).toBe('-2');
  expect(result.portfolio?.cost).toBe('2');
  expect(result.portfolio?.services).toEqual([{ asset: 'USDT', amount: '2' }]);
  expect(sumOf(result, 'USDT')).toBe('10000');
  expect(result.logs.rows.map(({ message }) => message)).toContain('rebalance done');
});

test('money in transfer at the end of the run is reported as such, and counts', async () => {
  const slow = {
    ...portfolio,
    networks: new Map([['ethereum', network({ takes: 10 ** 11 })]]),
  };
  const result = await runBacktest(
    planOf({
      strategy: wisher(5),
      parameters: {},
      balances: { USDT: '9000' },
      portfolio: slow,
    }),
  );
  expect(result.metrics.profit).toBe('0');
  expect(result.portfolio?.rebalances).toMatchObject({ begun: 1, underWay: 1 });
  expect(result.portfolio?.inFlight).toHaveLength(1);
  expect(sumOf(result, 'USDT')).toBe('10000');
});

test('a managed order that nothing can be moved for is counted with its reason', async () => {
  const alone = { ...portfolio, networks: new Map() };
  const result = await runBacktest(
    planOf({ strategy: wisher(5, 60), parameters: {}, portfolio: alone }),
  );
  expect(result.portfolio?.rebalances.begun).toBe(0);
  expect(result.portfolio?.requests.rejections).toEqual({ 'plan-impossible': 20 });
  // USDT is above its band too, but could be spared: it is this holding that nothing reaches.
  expect(result.portfolio?.requests.firstRejections['plan-impossible']).toBe(
    'USDT@ethereum at 10 % is below its band, which begins at 48 %, and no transfers bring every holding into its band: no route of 1 transfers anything into it.',
  );
  expect(result.warnings.join('\n')).toContain('20 rebalances were refused: 20 plan-impossible');
});

test('without a portfolio the managed order is refused, and the result has none', async () => {
  const { portfolio: _, ...without } = planOf({ strategy: wisher(5), parameters: {} });
  const result = await runBacktest(without);
  expect(result.portfolio).toBeUndefined();
  expect(result.orders.firstRejections['portfolio-missing']).toContain('`portfolio`');
});

test('a command by a promise of the strategy is at no time of the run, and stops it', async () => {
  const late = defineStrategy({
    name: 'late',
    summary: 'For tests.',
    parameters: z.object({ symbol: z.string().default('BTCUSDT') }),
    run: ({ market, parameters }) =>
      market.bbo(parameters.symbol).pipe(
        take(1),
        mergeMap(() => from(Promise.resolve())),
        map(() => rebalance({ 'USDT@trading': { weight: '1', band: '0.1' } })),
      ),
  });
  const { failure } = await runBacktest(planOf({ strategy: late, parameters: {} }));
  expect(failure?.message).toContain('outside event time');
});

test.each([
  [
    'the price of a symbol that is not recorded',
    { prices: new Map([...portfolio.prices, ['SOL', { symbol: 'SOLUSDT' }]]) },
    'SOLUSDT, of which there is no recording',
  ],
  [
    'a service between locations that have no wallet',
    { services: new Map([['swaps', service()]]) },
    'BTC@bitcoin is no wallet',
  ],
  [
    'a network without wallets',
    { networks: new Map([['tron', network()]]) },
    'The network tron has no wallets',
  ],
])('a model that names %s is refused with what to do', async (_, changes, sentence) => {
  const run = runBacktest(planOf({ portfolio: { ...portfolio, ...changes } }));
  await expect(run).rejects.toThrow(sentence);
});
