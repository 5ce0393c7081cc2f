import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { concat, concatMap, EMPTY, of, scan, type Observable } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { writeRun } from '../../src/backtest/output.ts';
import { reportPage } from '../../src/backtest/report.ts';
import type { BacktestPlan } from '../../src/backtest/plan.ts';
import type { BacktestResult } from '../../src/backtest/result.ts';
import { runBacktest } from '../../src/backtest/run.ts';
import { Decimal, decimal, ZERO } from '../../src/model/decimal.ts';
import { FUNDING, LAST, MARK, QUOTE } from '../../src/model/events.ts';
import { US_PER_HOUR, US_PER_MINUTE } from '../../src/platform/time.ts';
import type { Command } from '../../src/strategy/commands.ts';
import { defineStrategy } from '../../src/strategy/define.ts';
import { setMargin } from '../../src/strategy/margin.ts';
import { cross, isolated } from '../../src/strategy/where.ts';
import { target } from '../../src/strategy/managed-orders.ts';
import { onMargin } from '../exchange/margin/kit.ts';
import { instrumentOf } from '../kit/instruments.ts';
import { derivativesMeta, eventsMeta } from '../kit/metas.ts';
import { temporaryFolder, writeRecording, type Row } from '../kit/recordings.ts';
import { runs } from '../kit/size.ts';

const START = Date.UTC(2026, 0, 1) * 1_000;
const TICKS = { tickSize: '0.5', quantityIncrement: '0.1', takeRate: '0.001', makeRate: '0' };
const SPOT = instrumentOf({ ...TICKS, margin: onMargin() }).terms;
const PERPETUAL = instrumentOf({
  ...TICKS,
  symbol: 'BTCUSDT_PERP',
  type: 'futures',
  contractType: 'perpetual',
  margin: onMargin(),
}).terms;

/** A minute of the market: where its middle is, how many lots the strategy wants, on what. */
interface Minute {
  readonly price: number;
  readonly lots: number;
  readonly place: 'isolated' | 'cross' | 'contract';
}

const recorded = (minutes: readonly Minute[], folder: string): readonly string[] => {
  const rows = (offset: number): Row[] =>
    minutes.map(({ price }, minute) => {
      const at = START + minute * US_PER_MINUTE + offset;
      return [at, at, QUOTE, LAST, 0, price - 1, 900, price + 1, 900, 0];
    });
  const reported = minutes.flatMap(({ price }, minute): Row[] => {
    const at = START + minute * US_PER_MINUTE + 2;
    const next = at - 2 + US_PER_MINUTE;
    return [
      [at, at, MARK, LAST, 0, price, 300_000_000_000_000, 0, 0, 0],
      [at, at, FUNDING, LAST, 0, 1_234_567, 0, next, next + US_PER_HOUR, 0],
    ];
  });
  const contract = [...rows(1), ...reported].sort((a, b) => a[0] - b[0]);
  return [
    writeRecording(join(folder, 'spot.arrow'), rows(0), eventsMeta({ instrument: SPOT })),
    writeRecording(
      join(folder, 'perp.arrow'),
      contract,
      derivativesMeta({ instrument: PERPETUAL }),
    ),
  ];
};

const PLACES = {
  isolated: isolated('BTCUSDT'),
  cross: cross('BTCUSDT'),
  contract: isolated('BTCUSDT_PERP'),
};

/** Wants the next number of lots with each quote, in accounts that a jump of the price can empty. */
const strategyOf = (minutes: readonly Minute[]) =>
  defineStrategy({
    name: 'random',
    summary: 'For tests.',
    parameters: z.object({}),
    run: ({ market }): Observable<Command> =>
      concat(
        of(
          ...Object.values(PLACES).map((where) =>
            setMargin(where, { balance: decimal('500'), leverage: 10 }),
          ),
        ),
        market.bbo('BTCUSDT').pipe(
          scan((count) => count + 1, 0),
          concatMap((count) => {
            const minute = minutes.at(count);
            if (minute === undefined) return EMPTY;
            return of(target(PLACES[minute.place], { lots: minute.lots }));
          }),
        ),
      ),
  });

const run = (
  minutes: readonly Minute[],
  change: Partial<BacktestPlan> = {},
): Promise<BacktestResult> =>
  runBacktest({
    ...change,
    strategy: strategyOf(minutes),
    parameters: {},
    balances: { USDT: '2000' },
    recordings: recorded(minutes, temporaryFolder()),
  });

const sum = (amounts: Iterable<string>): Decimal =>
  [...amounts].reduce((all, one) => all.plus(one), ZERO);

/** A naive reckoning of what a run came to: what its rows say, added up. */
function cameTo({ trades, payments, margin }: BacktestResult): string {
  const unrealized = margin?.unrealized ?? '0';
  return sum([
    ...trades.rows.map(({ net }) => net),
    ...(payments?.rows ?? []).map(({ amount }) => amount),
    unrealized,
  ]).toFixed();
}

const minute = fc.record({
  price: fc.integer({ min: 60, max: 190 }),
  lots: fc.integer({ min: -800, max: 800 }),
  place: fc.constantFrom('isolated', 'cross', 'contract'),
});

describe('what a run on margin came to', () => {
  test('is the sum of its round trips, open positions and payments, to the last decimal', async () => {
    let insured = 0;
    let forced = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(minute, { minLength: 5, maxLength: 40 }), async (minutes) => {
        const result = await run(minutes);
        expect(result.failure).toBeUndefined();
        expect(cameTo(result)).toBe(result.metrics.profit);
        const { margin, metrics } = result;
        if (margin === undefined) return;
        const { long, short, unrealized, funding, interest, insurance } = margin;
        const all = [long.net, short.net, unrealized, funding, interest, insurance];
        expect(sum(all).toFixed()).toBe(metrics.profit);
        if (Number(insurance) > 0) insured += 1;
        forced += margin.forcedFills;
        expect(result.fills.rows.filter((row) => row.forced !== undefined).length).toBe(
          margin.forcedFills,
        );
        expect(result.orders.fills).toBe(result.fills.total);
        expect(sum(result.fills.rows.map(({ fee }) => fee)).toFixed()).toBe(metrics.fees.value);
        const values = result.fills.rows.map(({ price, size }) =>
          new Decimal(price).times(size).toFixed(),
        );
        expect(sum(values).toFixed()).toBe(metrics.turnover.amount);
      }),
      { numRuns: runs(60) },
    );
    // The histories are such that accounts are emptied, and more.
    expect(insured).toBeGreaterThan(0);
    expect(forced).toBeGreaterThan(insured);
  });
});

test('a loss beyond the funds stands in numbers, page and file as what the exchange paid', async () => {
  const at = (price: number) => ({ price, lots: 900, place: 'isolated' }) as const;
  // Bought 900 lots of 0.1 at 51, and sold at 29.5.
  const ruined = await run([at(100), at(101), at(102), at(60), at(60)]);
  expect(ruined.trades.total).toBe(1);
  expect(ruined.metrics.profit).toBe(cameTo(ruined));
  const insurance = ruined.margin?.insurance ?? '';
  expect(Number(insurance)).toBeGreaterThan(0);
  // The account had 500 and has nothing.
  expect(ruined.metrics.profit).toBe('-500');
  expect(ruined.margin?.accounts).toMatchObject([{ balance: '0' }, {}, {}]);
  expect(ruined.payments?.rows).toMatchObject([
    {
      kind: 'insurance',
      amount: insurance,
      mode: 'isolated',
      symbol: 'BTCUSDT',
      currency: 'USDT',
      price: null,
      rate: null,
    },
  ]);
  const { tables } = writeRun(ruined, temporaryFolder());
  expect(readFileSync(tables.payments ?? '', 'utf8')).toContain(
    `,insurance,isolated,BTCUSDT,USDT,${insurance},,`,
  );
  expect(readFileSync(tables.fills, 'utf8')).toMatch(/,isolated,liquidated$/m);
  expect(readFileSync(tables.trades, 'utf8')).toMatch(/,isolated,liquidated$/m);
  const page = reportPage(ruined);
  expect(page).toContain('Losses beyond the funds were');
  expect(page).toContain('together −500.00 USDT');
  expect(page).toContain('forced by the venue');
  expect(page).toContain('>liquidated</td>');
});

/** The names of an object's members, as deep as its own objects go. */
const namesOf = (value: unknown): readonly string[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([name, one]) =>
        // A map by currency or by code has names that no document can have.
        [...(Array.isArray(value) ? [] : [name]), ...(MAPS.has(name) ? [] : namesOf(one))],
      );

const MAPS = new Set(['byCurrency', 'rejections', 'firstRejections']);

test('every figure of a result is in the document of the metrics', async () => {
  const minutes = [100, 101, 102, 60, 61].map(
    (price) => ({ price, lots: 900, place: 'isolated' }) as const,
  );
  const { metrics, orders, margin } = await run(minutes);
  const page = readFileSync(new URL('../../docs/metrics.md', import.meta.url), 'utf8');
  const reported = new Set(
    [...page.matchAll(/`([\w.]+)`/g)].flatMap(([, path]) => path.split('.')),
  );
  const names = new Set([...namesOf(metrics), ...namesOf(orders), ...namesOf(margin)]);
  expect(names.size).toBeGreaterThan(70);
  expect([...names].filter((name) => !reported.has(name))).toEqual([]);
});

test('the most that the accounts had counts, however short it was', async () => {
  const where = PLACES.isolated;
  const strategy = defineStrategy({
    name: 'rich-for-a-moment',
    summary: 'Puts funds in and takes most of them out again.',
    parameters: z.object({}),
    run: () =>
      of(
        setMargin(where, { balance: decimal('1500'), leverage: 10 }),
        setMargin(where, { balance: decimal('200') }),
      ),
  });
  const minutes = [100, 101].map((price) => ({ price, lots: 0, place: 'isolated' }) as const);
  const result = await runBacktest({
    strategy,
    parameters: {},
    balances: { USDT: '2000' },
    recordings: recorded(minutes, temporaryFolder()),
  });
  expect(result.margin).toMatchObject({ maxFunds: '1500', accounts: [{ balance: '200' }] });
  expect(result.assumptions.join(' ')).toContain('results of open positions at the mark price');
});

describe('interest of a run', () => {
  const DAY = Array.from({ length: 500 }, (_, minute) => ({
    price: 100 + (minute % 2),
    lots: minute < 2 ? 0 : -100,
    place: 'isolated' as const,
  }));

  test('is charged by the currency that is borrowed, and stands in plan, hash, page and sentences', async () => {
    const free = await run(DAY);
    const charged = await run(DAY, { dailyRates: { BTC: '0.03' } });
    // Short 100 lots of 0.1 at 08:00, when the middle is 50 or 50.5: a third of 3 % of 500 or 505.
    const [payment] = charged.payments?.rows ?? [];
    expect(payment).toMatchObject({ kind: 'interest', currency: 'USDT', rate: '0.03' });
    expect(['-5', '-5.05']).toContain(payment.amount);
    expect(charged.margin?.interest).toBe(payment.amount);
    expect(cameTo(charged)).toBe(charged.metrics.profit);
    expect(free.margin?.interest).toBe('0');
    expect(charged.hash).not.toBe(free.hash);
    expect(charged.plan.dailyRates).toEqual({ BTC: '0.03' });
    expect(charged.assumptions.join(' ')).toContain('0.03 a day of what is borrowed in BTC');
    expect(free.assumptions.join(' ')).toContain('no interest is charged');
    expect(reportPage(charged)).toContain('BTC interest');
  });

  test.each([
    ['out-of-range', { BTC: '-0.1' }],
    ['currency-unknown', { DOGE: '0.1' }],
    ['decimal-invalid', { BTC: 'much' }],
  ])('is refused with %s where it cannot be', async (code, dailyRates) => {
    await expect(run(DAY.slice(0, 2), { dailyRates })).rejects.toMatchObject({ code });
  });
});
