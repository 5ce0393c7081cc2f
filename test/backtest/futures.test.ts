import { join } from 'node:path';
import { EMPTY, merge, NEVER, of, type Observable } from 'rxjs';
import { map, mergeMap, take, tap } from 'rxjs/operators';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { BacktestPlan } from '../../src/backtest/plan.ts';
import { runBacktest } from '../../src/backtest/run.ts';
import type { RecordingMeta } from '../../src/feeds/recording.ts';
import { decimal } from '../../src/model/decimal.ts';
import { FUNDING, INDEX, LAST, MARK, QUOTE } from '../../src/model/events.ts';
import type { InstrumentTerms } from '../../src/model/instrument.ts';
import { US_PER_HOUR, US_PER_MINUTE } from '../../src/platform/time.ts';
import type { Command } from '../../src/strategy/commands.ts';
import type { Context } from '../../src/strategy/context.ts';
import { defineStrategy } from '../../src/strategy/define.ts';
import { setMargin } from '../../src/strategy/margin.ts';
import type { MarginEvent, MarginPosition } from '../../src/strategy/positions.ts';
import { isolated } from '../../src/strategy/where.ts';
import { target } from '../../src/strategy/managed-orders.ts';
import { onMargin } from '../exchange/margin/kit.ts';
import { instrumentOf } from '../kit/instruments.ts';
import { derivativesMeta, eventsMeta } from '../kit/metas.ts';
import { temporaryFolder, writeRecording, type Row } from '../kit/recordings.ts';

const START = Date.UTC(2026, 0, 1, 7, 30) * 1_000;
const EIGHT = Date.UTC(2026, 0, 1, 8) * 1_000;
const PERP = isolated('BTCUSDT');

/** Ticks of 1 and contracts of 0.01 BTC; a quote each minute at 99 / 101 for two hours. */
const TERMS = instrumentOf({
  type: 'futures',
  contractType: 'perpetual',
  contractSize: '0.01',
  tickSize: '1',
  quantityIncrement: '1',
  takeRate: '0',
  makeRate: '0',
}).terms;

const quoted = (minute: number): Row => {
  const at = START + minute * US_PER_MINUTE;
  return [at, at, QUOTE, LAST, 0, 99, 5_000, 101, 5_000, 0];
};
const QUOTES = Array.from({ length: 121 }, (_, minute) => quoted(minute));

const said = (at: number, kind: number, ...numbers: readonly number[]): Row => {
  const [price = 0, size = 0, askPrice = 0, askSize = 0] = numbers;
  return [at, at, kind, LAST, 0, price, size, askPrice, askSize, 0];
};

const byTime = (rows: readonly Row[]): Row[] => [...rows].sort((a, b) => a[0] - b[0]);

function recorded(rows: readonly Row[], change: Partial<RecordingMeta> = {}): string {
  const meta = derivativesMeta({ instrument: TERMS, ...change });
  return writeRecording(join(temporaryFolder(), 'perp.arrow'), byTime(rows), meta);
}

const strategyOf = (run: (context: Context<object>) => Observable<Command>) =>
  defineStrategy({ name: 'hand', summary: 'For tests.', parameters: z.object({}), run });

const planOf = (
  path: string,
  run: (context: Context<object>) => Observable<Command>,
  change: Partial<BacktestPlan> = {},
): BacktestPlan => ({
  strategy: strategyOf(run),
  parameters: {},
  recordings: [path],
  balances: { USDT: '1000' },
  latency: { orderUs: 1, reportUs: 1 },
  ...change,
});

/** Opens a margin account with the first quote and buys 2 BTC with the next one; keeps what happens. */
function holder(lots = 200, leverage = 5) {
  const events: MarginEvent[] = [];
  const positions: MarginPosition[] = [];
  const run = ({ account, market }: Context<object>): Observable<Command> =>
    merge(
      account.marginEvents().pipe(
        tap((event) => events.push(event)),
        mergeMap(() => EMPTY),
      ),
      account.position(PERP).pipe(
        tap((position) => positions.push(position)),
        mergeMap(() => EMPTY),
      ),
      market.bbo('BTCUSDT').pipe(
        take(1),
        map(() => setMargin(PERP, { balance: decimal('500'), leverage })),
      ),
      account.margin(PERP).pipe(
        mergeMap(({ state }) => (state === 'normal' ? of(target(PERP, { lots })) : EMPTY)),
        take(1),
      ),
      NEVER,
    );
  return { run, events, positions };
}

const fundings = (events: readonly MarginEvent[]) =>
  events.flatMap((event) =>
    event.kind === 'funding'
      ? [[event.at - EIGHT, event.amount.toFixed(), event.price?.toFixed(), event.rate?.toFixed()]]
      : [],
  );

describe('a backtest of a contract', () => {
  test('trades it on margin, in lots of its base currency whatever the size of the contract', async () => {
    const { run, positions } = holder();
    const result = await runBacktest(planOf(recorded(QUOTES), run));
    expect(result.failure).toBeUndefined();
    expect(result.instruments[0]).toMatchObject({ quantityIncrement: '0.01' });
    expect(result.instruments[0]).not.toHaveProperty('contractSize');
    const last = positions.at(-1);
    expect(last?.lots).toBe(200);
    expect(last?.size.toFixed()).toBe('2');
    expect(last?.entryPrice?.toFixed()).toBe('101');
  });

  test('pays the recorded funding once, at its rate and the recorded mark of its time', async () => {
    const { run, events, positions } = holder();
    const path = recorded([
      ...QUOTES,
      said(START + 1, MARK, 100, 500_000_000_000_000),
      said(START + 2, INDEX, 100, 0),
      said(START + 3, FUNDING, 1_000_000, 0, EIGHT, EIGHT + US_PER_HOUR),
      said(EIGHT + 5 * US_PER_MINUTE, FUNDING, -2_000_000, 0, EIGHT + US_PER_HOUR),
    ]);
    const result = await runBacktest(planOf(path, run));
    // 2 × 100.5 × 0.001, and an hour later what was told meanwhile.
    expect(fundings(events)).toEqual([
      [0, '-0.201', '100.5', '0.001'],
      [US_PER_HOUR, '0.402', '100.5', '-0.002'],
    ]);
    expect(positions.at(-1)?.markPrice?.toFixed()).toBe('100.5');
    expect(result.warnings.join(' ')).not.toContain('funding');
    expect(result.assumptions).toContain(
      'Positions in BTCUSDT are judged by the recorded mark price; until the first one, by one that the exchange makes.',
    );
    expect(result.assumptions.join(' ')).toContain(
      'Funding of BTCUSDT is paid at the recorded times and rates',
    );
    expect(result.assumptions.join(' ')).not.toContain('No index of BTCUSDT');
  });

  test('pays a funding whose rate is recorded a moment after its time, for what was held then', async () => {
    const { run, events } = holder();
    const path = recorded([
      ...QUOTES,
      said(START + 1, MARK, 100, 0),
      said(EIGHT + 1_000, MARK, 120, 0),
      said(EIGHT + 3_000, FUNDING, 1_000_000, 0, EIGHT, EIGHT + 8 * US_PER_HOUR),
    ]);
    await runBacktest(planOf(path, run));
    // Nobody has said that there would be one, and it is at a full hour.
    expect(fundings(events)).toEqual([[3_000, '-0.2', '100', '0.001']]);
  });

  test('pays the same funding however few quotes there are', async () => {
    const told = [
      said(START + 1, MARK, 100, 0),
      said(START + 3, FUNDING, 1_000_000, 0, EIGHT),
      quoted(120),
    ];
    const amounts: unknown[] = [];
    for (const quotes of [QUOTES.slice(0, 120), QUOTES.slice(0, 2)]) {
      const { run, events } = holder();
      await runBacktest(planOf(recorded([...quotes, ...told]), run));
      amounts.push(fundings(events).map(([, amount]) => amount));
    }
    expect(amounts).toEqual([['-0.2'], ['-0.2']]);
  });

  test('liquidates by the recorded mark, though the market stands still', async () => {
    const { run, events } = holder(2_000);
    const path = recorded([
      ...QUOTES,
      said(START + 1, MARK, 100, 0),
      said(EIGHT + 10, MARK, 80, 0),
    ]);
    await runBacktest(planOf(path, run));
    expect(events.map(({ kind }) => kind)).toContain('liquidated');
  });

  test('says which of it is modelled, and keeps a funding of 0 and one that nobody knows apart', async () => {
    const { run, events } = holder();
    const marks: string[] = [];
    const result = await runBacktest(
      planOf(recorded(QUOTES), (context) => {
        context.market.mark('BTCUSDT').subscribe(({ price }) => marks.push(price.toFixed()));
        return run(context);
      }),
    );
    expect(marks[0]).toBe('100');
    expect(fundings(events)).toEqual([[0, '-0.02', '100', '0.0001']]);
    const text = result.assumptions.join('\n');
    expect(text).toContain(
      'BTCUSDT has no margin terms in its recording: it is traded with a leverage of 10 at most',
    );
    expect(text).toContain('Quantities of BTCUSDT are in BTC; a contract is 0.01 of it.');
    expect(text).toContain('No mark price of BTCUSDT is recorded');
    expect(text).toContain('No index of BTCUSDT is recorded');
    expect(text).toContain('Funding of BTCUSDT is not known, as none is recorded');
    const none = await runBacktest(
      planOf(recorded([...QUOTES, said(START + 3, FUNDING, 0, 0, EIGHT)]), holder().run),
    );
    expect(none.assumptions.join('\n')).not.toContain('is not known');
  });

  test('warns of a funding without a rate in the recording', async () => {
    const { run, events } = holder();
    const path = recorded([
      ...QUOTES,
      said(START + 3, FUNDING, 1_000_000, 0, EIGHT, EIGHT + US_PER_HOUR / 2),
    ]);
    const result = await runBacktest(planOf(path, run));
    expect(fundings(events)).toHaveLength(1);
    expect(result.warnings).toContain(
      'A funding of BTCUSDT was due for which the recording has no rate: nothing was paid for it.',
    );
  });

  test('takes margin terms from the plan, for spot too', async () => {
    const margin = { BTCUSDT: onMargin({ maxInitialLeverage: '3' }) };
    const { run } = holder(200, 3);
    const futures = await runBacktest(planOf(recorded(QUOTES), run, { margin }));
    expect(futures.assumptions).toContain('BTCUSDT is traded on the margin terms of the plan.');
    expect(futures.instruments[0].margin?.[0]?.maxInitialLeverage).toBe('3');
    const { contractSize: _, contractType: __, ...terms } = TERMS;
    const spot = writeRecording(
      join(temporaryFolder(), 'spot.arrow'),
      QUOTES,
      eventsMeta({ instrument: { ...terms, type: 'spot' } }),
    );
    const { run: long, positions } = holder(3, 3);
    const result = await runBacktest(planOf(spot, long, { margin }));
    expect(positions.at(-1)?.lots).toBe(3);
    expect(result.assumptions).toContain(
      'BTCUSDT is traded on the margin terms of the plan; no interest is charged.',
    );
  });

  test('takes what does not say how it ends for a perpetual', async () => {
    const { contractType: _, ...open } = TERMS;
    const result = await runBacktest(planOf(recorded(QUOTES, { instrument: open }), holder().run));
    expect(result.instruments[0].contractType).toBe('perpetual');
    expect(result.assumptions).toContain(
      'The recording of BTCUSDT does not say how the contract ends: it is taken for a perpetual.',
    );
  });
});

describe('refused', () => {
  const idle = () => NEVER;
  const inverse: InstrumentTerms = { ...TERMS, settlement: 'inverse', contractSize: '100' };

  test('is an inverse contract, by name', async () => {
    const path = recorded(QUOTES, { instrument: inverse });
    await expect(runBacktest(planOf(path, idle))).rejects.toMatchObject({
      code: 'instrument-unsupported',
      where: path,
      message: expect.stringContaining('BTCUSDT is an inverse contract') as string,
    });
  });

  test('are candles of a mark price, at which nobody trades', async () => {
    const at = START;
    const path = writeRecording(
      join(temporaryFolder(), 'mark.arrow'),
      [[at + US_PER_MINUTE, at, 6, LAST, 0, 100, 0, 101, 99, 100]],
      eventsMeta({ instrument: TERMS, layout: 'candles', period: 'M1', prices: 'mark' }),
    );
    await expect(runBacktest(planOf(path, idle))).rejects.toMatchObject({
      code: 'recording-invalid',
      field: 'prices',
    });
  });

  test('are margin terms for what is not recorded', async () => {
    const margin = { ETHUSDT: onMargin() };
    await expect(runBacktest(planOf(recorded(QUOTES), idle, { margin }))).rejects.toMatchObject({
      code: 'symbol-unknown',
      field: 'margin.ETHUSDT',
    });
  });

  test('is a stream of what is neither recorded nor made', async () => {
    const path = recorded(QUOTES);
    const plan = planOf(path, ({ market }) => market.openInterest('BTCUSDT') as Observable<never>);
    await expect(runBacktest(plan)).rejects.toMatchObject({ code: 'feed-lacks' });
  });
});

test('a setting of a margin account that comes to nothing is counted, and a warning says why', async () => {
  const tooMuch = setMargin(PERP, { balance: decimal('1000000'), leverage: 5 });
  const tooHigh = setMargin(PERP, { balance: decimal('100'), leverage: 5_000 });
  const { orders, warnings } = await runBacktest(
    planOf(recorded(QUOTES), () => of(tooMuch, tooHigh)),
  );
  expect(orders).toMatchObject({
    refusedSettings: 2,
    rejections: { 'funds-insufficient': 1, 'leverage-invalid': 1 },
  });
  expect(warnings.join()).toContain('Refused were 2 settings of margin accounts');
});
