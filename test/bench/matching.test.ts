import { execFileSync, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { runBook } from '../../bench/matching/book-run.ts';
import { ExchangeRun } from '../../bench/matching/exchange-run.ts';
import {
  ADD,
  CANCEL,
  drawOperations,
  namesOf,
  TAKE,
  type Operations,
} from '../../bench/matching/operations.ts';
import { runReference } from '../../bench/matching/reference-run.ts';
import { sizeOf } from '../kit/size.ts';

const MAIN = fileURLToPath(new URL('../../bench/main.ts', import.meta.url));
const NODE = ['--conditions=millrace-source', MAIN];

/** Enough for every figure; the ones that say something take a million. */
const OPERATIONS = sizeOf('MILLRACE_BENCH_OPERATIONS', 3_000, 20_000);

/** Of each way in which the bench lets something grow, what an operation costs. */
interface Scalings {
  readonly scaling: Readonly<
    Record<string, readonly Record<'resting' | 'accounts' | 'nsPerOperation', number>[]>
  >;
}

const share = ({ kind, length, filling }: Operations, wanted: number): number =>
  kind.subarray(filling).filter((k) => k === wanted).length / (length - filling);

test('the file has 60% orders that rest, 35% cancellations of alive orders, 5% that take', () => {
  const operations = drawOperations(50_000, 1);
  expect(share(operations, ADD)).toBeCloseTo(0.6, 2);
  expect(share(operations, CANCEL)).toBeCloseTo(0.35, 2);
  expect(share(operations, TAKE)).toBeCloseTo(0.05, 2);
  expect(drawOperations(50_000, 1)).toEqual(operations);
});

test('what rests beside the operations changes none of them', () => {
  const [few, many] = [10, 3_000].map((orders) =>
    drawOperations(20_000, 3, { orders, isCanceled: false }),
  );
  const measured = ({ filling, kind, side, ticks, lots, order }: Operations): unknown => ({
    kind: kind.subarray(filling),
    side: side.subarray(filling),
    ticks: ticks.subarray(filling),
    lots: lots.subarray(filling),
    order: order.subarray(filling).map((number) => number - filling),
  });
  expect(measured(many)).toEqual(measured(few));
});

test('orders that rest before are canceled as any other where they may be', () => {
  const { kind, order, filling } = drawOperations(20_000, 3, { orders: 3_000, isCanceled: true });
  const canceled = order.filter((_, row) => kind[row] === CANCEL);
  expect(canceled.filter((number) => number < filling).length).toBeGreaterThan(1_000);
  expect(new Set(canceled).size).toBe(canceled.length);
});

test('the book alone, the exchange and the other book come to the same trades', () => {
  for (const filling of [
    { orders: 0, isCanceled: false },
    { orders: 500, isCanceled: true },
    { orders: 500, isCanceled: false },
  ]) {
    const operations = drawOperations(5_000, 3, filling);
    const names = namesOf(operations);
    const reference = runReference(operations, names);
    expect(reference.trades).toBeGreaterThan(500);
    const { trades, tradedLots } = reference;
    expect(runBook(operations)).toMatchObject({ trades, tradedLots });
    for (const accounts of [1, 7]) {
      const run = new ExchangeRun(operations, names, accounts);
      expect(run.run()).toMatchObject({ trades, tradedLots });
      expect(new ExchangeRun(operations, names, accounts).time().length).toBe(5_000);
    }
  }
});

test('the matching bench compares, times and ends with one JSON line', { timeout: 240_000 }, () => {
  const reported = execFileSync(
    process.execPath,
    [...NODE, 'matching', '--operations', String(OPERATIONS), '--json'],
    { stdio: ['ignore', 'pipe', 'ignore'], encoding: 'utf8' },
  );
  const last = JSON.parse(reported.trimEnd().split('\n').at(-1) ?? '') as Record<string, number>;
  expect(last['bench']).toBe('matching');
  expect(last['operations']).toBe(OPERATIONS);
  // A short file says how fast nothing is: what it takes is compiling.
  const isLong = OPERATIONS >= 20_000;
  expect(last['bookRatio']).toBeGreaterThan(isLong ? 0.5 : 0);
  expect(last['exchangeRatio']).toBeGreaterThan(isLong ? 0.1 : 0);
  expect(last['trades']).toBeGreaterThan(100);
  expect(last['peakBytes']).toBeGreaterThan(20 * 2 ** 20);
  expect(last['p50Ns']).toBeLessThanOrEqual(last['p99Ns']);
  expect(last['p99Ns']).toBeLessThanOrEqual(last['longestNs']);
  const { scaling } = last as unknown as Scalings;
  const resting = [0.01 * OPERATIONS, 0.1 * OPERATIONS, OPERATIONS];
  for (const [name, numberOf, numbers] of [
    ['resting', 'resting', resting],
    ['beside', 'resting', resting],
    ['bookResting', 'resting', resting],
    ['bookBeside', 'resting', resting],
    ['accounts', 'accounts', [1, 10_000]],
  ] as const) {
    expect(scaling[name].map((one) => one[numberOf])).toEqual(numbers);
    const costs = scaling[name].map((one) => one.nsPerOperation / scaling[name][0].nsPerOperation);
    expect(last[`${name}Growth`]).toBe(Math.max(...costs));
  }
});

test('a number of operations that is none ends with what it takes', () => {
  const few = spawnSync(process.execPath, [...NODE, 'matching', '--operations', 'many'], {
    encoding: 'utf8',
  });
  expect(few.status).toBe(2);
  expect(few.stderr).toContain('--operations is many');
});
