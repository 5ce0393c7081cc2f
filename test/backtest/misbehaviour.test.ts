import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { delay, filter, from, map, merge, mergeMap, NEVER, of, type Observable } from 'rxjs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { BacktestPlan } from '../../src/backtest/plan.ts';
import type { BacktestResult, LogRow } from '../../src/backtest/result.ts';
import { runBacktest, type BacktestOptions } from '../../src/backtest/run.ts';
import { generateRecording } from '../../src/feeds/generator.ts';
import { SAMPLE } from '../../src/feeds/synthetic/sample.ts';
import { decimal } from '../../src/model/decimal.ts';
import { MillraceError } from '../../src/model/errors.ts';
import { micros, US_PER_MINUTE, type Micros } from '../../src/platform/time.ts';
import type { Command } from '../../src/strategy/commands.ts';
import { defineStrategy, type Strategy } from '../../src/strategy/define.ts';
import { place } from '../../src/strategy/orders.ts';
import { target } from '../../src/strategy/managed-orders.ts';

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
    warmUpMs,
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

async function rejection(changes: Partial<BacktestPlan>, strategy?: Strategy): Promise<string> {
  const error: unknown = await runBacktest(
    planOf(strategy ?? strategyOf(() => NEVER), changes),
  ).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(MillraceError);
  return error instanceof MillraceError
    ? `${error.code} ${error.field ?? ''}: ${error.message}`
    : '';
}

describe('a strategy that answers itself while no time passes', () => {
  const latency = { orderUs: 0, reportUs: 0 };
  test('is stopped, and what it did is kept', async () => {
    const order = place('BTCUSDT', { type: 'market', side: 'buy', lots: 1e9, timeInForce: 'FOK' });
    const strategy = strategyOf(({ account }) =>
      merge(
        of(order),
        account.orders().pipe(
          filter(({ status }) => status === 'rejected' || status === 'expired'),
          map(() => order),
        ),
      ),
    );
    const { failure, orders, metrics } = await runBacktest(planOf(strategy, { latency }));
    expect(failure?.message).toContain('goes round in a circle');
    expect(orders.sent).toBeGreaterThan(1_000);
    expect(metrics.equity.end).toBe('100000');
  }, 30_000);
});

test('a strategy that answers each rejection with the same order again is stopped by name', async () => {
  const order = place('BTCUSDT', { type: 'limit', side: 'buy', ticks: 6_000_000, lots: 1e9 });
  const { failure, orders } = await backtest(({ account }) =>
    merge(
      of(order),
      account.orders().pipe(
        filter(({ status }) => status === 'rejected'),
        map(() => order),
      ),
    ),
  );
  expect(failure?.message).toContain('Strategy bad-one answers rejections at once');
  expect(failure?.message).toContain('100 in a row');
  expect(failure?.message).toContain('is available');
  expect(orders.sent).toBe(101);
});

test.each([Number.NaN, -5, 0.5, Number.POSITIVE_INFINITY, '5', 1e300])(
  'a warm-up of %o is refused before the run',
  async (ms) => {
    const strategy = strategyOf(
      () => NEVER,
      () => ms as number,
    );
    expect(await rejection({}, strategy)).toMatch(/^strategy-invalid warmUpMs: .*warmUpMs gives/);
  },
);

test('a warm-up that throws is refused before the run', async () => {
  const strategy = strategyOf(
    () => NEVER,
    () => {
      throw new Error('no idea');
    },
  );
  expect(await rejection({}, strategy)).toBe(
    'strategy-invalid warmUpMs: Strategy bad-one: warmUpMs throws: no idea.',
  );
});

describe('a range that leaves nothing is refused with what there is', () => {
  const at = (minutes: number): Micros => micros(SAMPLE.startAt + minutes * US_PER_MINUTE);
  test.each<[Partial<BacktestPlan>, string]>([
    [{ from: at(4) }, 'from'],
    [{ till: at(0) }, 'till'],
    [{ till: at(-60) }, 'till'],
    [{ warmUpUs: 4 * US_PER_MINUTE }, 'warmUpUs'],
    [{ warmUpUs: 2 * US_PER_MINUTE, till: at(1) }, 'warmUpUs'],
  ])('%o', async (changes, field) => {
    const reported = await rejection(changes);
    expect(reported).toMatch(new RegExp(`^out-of-range ${field}: `));
    expect(reported).toContain(new Date(SAMPLE.startAt / 1_000).toISOString().slice(0, 19));
  });

  test.each<Partial<BacktestPlan>>([
    { from: micros(Number.NaN) },
    { till: 1e300 as Micros },
    { from: -1 as Micros },
  ])('%o is no time', async (changes) => {
    expect(await rejection(changes)).toMatch(/^out-of-range (from|till): .*whole microseconds/);
  });
});

test('a balance that cannot be counted in lots is refused with its limit', async () => {
  const { quantityIncrement } = SAMPLE.instrument;
  const limit = decimal(quantityIncrement).times(Number.MAX_SAFE_INTEGER);
  const over = limit.plus(quantityIncrement).toFixed();
  expect(await rejection({ balances: { BTC: over } })).toMatch(
    new RegExp(`^out-of-range balances.BTC: .*${limit.toFixed()} at most`),
  );
  const { balances } = await runBacktest(
    planOf(
      strategyOf(() => NEVER),
      { balances: { BTC: limit.toFixed(), USDT: '1' } },
    ),
  );
  expect(balances[0].end).toBe(limit.toFixed());
});

test('a strategy that comes to hold more than can be counted fails, and what it did is kept', async () => {
  const { quantityIncrement } = SAMPLE.instrument;
  const most = decimal(quantityIncrement).times(Number.MAX_SAFE_INTEGER).toFixed();
  const strategy = strategyOf(() =>
    of(place('BTCUSDT', { type: 'market', side: 'buy', lots: 1 })).pipe(delay(5_000)),
  );
  const { failure, fills, series } = await runBacktest(
    planOf(strategy, { balances: { BTC: most, USDT: '100000' } }),
  );
  expect(failure?.message).toContain('is not within');
  expect(fills.total).toBe(1);
  expect(series.instruments[0].position.at(-1)).toBe(
    decimal(most).plus(quantityIncrement).toFixed(),
  );
});

test('whatever a strategy logs can be written', async () => {
  const circle: Record<string, unknown> = {
    at: Number.NaN,
    when: new Date(0),
    never: new Date(NaN),
  };
  circle.self = circle;
  const throwing = Object.defineProperty({}, 'x', {
    enumerable: true,
    get: () => {
      throw new Error('no');
    },
  });
  const strategy = strategyOf(({ log }) => {
    log.info('all', { circle, big: 5n, list: [Symbol('x'), () => 5], throwing, none: null });
    log.info({ a: 1n } as unknown as string);
    log.info(undefined as unknown as string);
    return of({ kind: 'cancel', clientOrderId: 5n } as unknown as Command);
  });
  const { logs, failure } = await runBacktest(planOf(strategy));
  expect(failure).toBeUndefined();
  const [all, object, nothing, refused] = JSON.parse(JSON.stringify(logs.rows)) as LogRow[];
  expect(all.fields).toMatchObject({
    circle: { at: 'NaN', when: '1970-01-01T00:00:00.000Z', never: null, self: { self: {} } },
    big: '5',
    list: ['Symbol(x)', 'a function'],
    throwing: 'an object that cannot be read',
    none: null,
  });
  expect(object.message).toBe('{"a":"1"}');
  expect(nothing.message).toBe('null');
  expect(refused.fields).toMatchObject({ command: { clientOrderId: '5' } });
});
