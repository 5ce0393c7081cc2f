import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { concatMap, debounceTime, merge, tap, timer } from 'rxjs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { runBacktest, type BacktestOptions } from '../../src/backtest/run.ts';
import type { BacktestResult } from '../../src/backtest/result.ts';
import { LAST, SELL, TRADE } from '../../src/model/events.ts';
import { lots } from '../../src/model/units.ts';
import { Random } from '../../src/platform/random.ts';
import { SystemScheduler } from '../../src/platform/system-scheduler.ts';
import { micros, US_PER_MS } from '../../src/platform/time.ts';
import { defineStrategy } from '../../src/strategy/define.ts';
import { place } from '../../src/strategy/orders.ts';
import { instrumentOf } from '../kit/instruments.ts';
import { eventsMeta } from '../kit/metas.ts';
import { writeRecording, type Row } from '../kit/recordings.ts';

const START = Date.UTC(2024, 0, 1) * 1_000;

/** Trades in bursts, with silence between them that is sometimes longer than the debounce. */
function trades(): Row[] {
  const random = new Random(11);
  let at = START;
  return Array.from({ length: 400 }, (_, i): Row => {
    at += Math.round(random.exponential(random.chance(0.2) ? 900_000 : 60_000));
    const flags = (random.chance(0.5) ? SELL : 0) | LAST;
    const ticks = 6_000_000 + random.integer(-300, 300);
    return [at, at, TRADE, flags, i + 1, ticks, random.integer(20, 90), 0, 0, 0];
  });
}

/** Buys when trading pauses, sells by the clock. */
const sleeper = defineStrategy({
  name: 'sleeper',
  summary: 'Buys when trading pauses for 300 ms, sells every 750 ms.',
  parameters: z.object({ symbol: z.string().default('BTCUSDT') }),
  run: ({ market, log, clock, parameters: { symbol } }) =>
    merge(
      market.trades(symbol).pipe(
        debounceTime(300),
        tap(() => log.info('pause')),
        concatMap(() => [place(symbol, { type: 'market', side: 'buy', lots: lots(2) })]),
      ),
      timer(1_000, 750).pipe(
        tap((turn) => log.info('turn', { turn, now: clock.now() })),
        concatMap(() => [place(symbol, { type: 'market', side: 'sell', lots: lots(1) })]),
      ),
    ),
});

describe('a strategy with debounceTime and timer', () => {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-time-'));
  const path = join(folder, 'bursts.arrow');
  const rows = trades();
  let plain: BacktestResult;

  const run = (options?: BacktestOptions): Promise<BacktestResult> =>
    runBacktest(
      {
        strategy: sleeper,
        parameters: {},
        recordings: [path],
        balances: { USDT: '1000000', BTC: '1' },
      },
      options,
    );

  beforeAll(async () => {
    writeRecording(path, rows, eventsMeta({ instrument: instrumentOf().terms }));
    plain = await run();
  });

  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  test('acts at the times that the events say', () => {
    const lastAt = rows[rows.length - 1][0];
    const times = (word: string): number[] =>
      plain.logs.rows
        .filter(({ message }) => message === word)
        .map(({ at }) => Date.parse(at) * 1_000 + Number(/\.\d{3}(\d{3})Z$/.exec(at)?.[1] ?? 0));
    const turns = times('turn');
    const firstAt = rows[0][0];
    const expected = Array.from(
      { length: Math.floor((lastAt - firstAt - 1_000_000) / 750_000) + 1 },
      (_, turn) => firstAt + 1_000_000 + 750_000 * turn,
    );
    expect(turns).toEqual(expected);
    // A pause is 300 ms after the last trade of a burst. RxJS counts in whole milliseconds.
    const pauses = rows.flatMap(([at], i) => {
      const next = i + 1 < rows.length ? rows[i + 1][0] : Number.POSITIVE_INFINITY;
      return next - at > 301_000 && at + 300_000 <= lastAt ? [at + 300_000] : [];
    });
    const reported = times('pause');
    expect(reported.length).toBe(pauses.length);
    expect(reported.length).toBeGreaterThan(20);
    reported.forEach((at, i) => {
      expect(Math.abs(at - pauses[i])).toBeLessThanOrEqual(1_000);
    });
    expect(plain.fills.total).toBeGreaterThan(50);
  });

  test('gives the same commands row by row, in odd pieces and at one stroke', async () => {
    for (const rowsPerTurn of [1, 7, 64, 1_000_000]) {
      const result = await run({ rowsPerTurn });
      expect(result, `${rowsPerTurn} rows at a time`).toEqual(plain);
    }
  });

  test('gives the same commands when the replay is slow and other timers run beside it', async () => {
    const wall = new SystemScheduler();
    let beside = 0;
    let stop = wall.at(wall.now(), tick);
    function tick(): void {
      beside += 1;
      stop = wall.at(micros(wall.now() + US_PER_MS), tick);
    }
    let burnt = 0;
    const result = await run({
      rowsPerTurn: 10,
      // Wall time passes here, event time does not.
      onProgress: ({ events }) => {
        const end = wall.now() + (events % 40 === 0 ? 12 : 1) * US_PER_MS;
        while (wall.now() < end) burnt += 1;
      },
    });
    stop();
    expect(burnt).toBeGreaterThan(0);
    expect(beside).toBeGreaterThan(10);
    expect(result).toEqual(plain);
    expect(JSON.stringify(result)).toBe(JSON.stringify(plain));
  });
});
