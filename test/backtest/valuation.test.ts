import { join } from 'node:path';
import { ignoreElements, tap } from 'rxjs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { runBacktest } from '../../src/backtest/run.ts';
import { LAST, LEVEL, QUOTE, RESET, SELL, TRADE } from '../../src/model/events.ts';
import { defineStrategy } from '../../src/strategy/define.ts';
import { instrumentOf } from '../kit/instruments.ts';
import { eventsMeta } from '../kit/metas.ts';
import { temporaryFolder, writeRecording, type Row } from '../kit/recordings.ts';

/** The equity that the strategy saw last, and that of the report, of 1 BTC and no money. */
async function equities(...rows: readonly Row[]): Promise<readonly [string, string]> {
  let seen = '';
  const strategy = defineStrategy({
    name: 'watcher',
    summary: 'For tests.',
    parameters: z.object({}),
    run: ({ account }) =>
      account.equity('BTCUSDT').pipe(
        tap((equity) => {
          seen = equity.toFixed();
        }),
        ignoreElements(),
      ),
  });
  const { terms } = instrumentOf({ tickSize: '1', quantityIncrement: '1' });
  const path = writeRecording(
    join(temporaryFolder(), 'a.arrow'),
    rows,
    eventsMeta({ instrument: terms }),
  );
  const plan = { strategy, parameters: {}, recordings: [path], balances: { BTC: '1' } };
  const { metrics } = await runBacktest(plan);
  return [seen, metrics.equity.end];
}

const quote = (at: number, bid: number, ask: number, askSize = 1): Row => [
  ...([at, at, QUOTE, LAST, 0] as const),
  ...([bid, 1, ask, askSize, 0] as const),
];
const level = (at: number, flags: number, price: number): Row => [
  ...([at, at, LEVEL, flags, 0] as const),
  ...([price, 1, 0, 0, 0] as const),
];
const book = (at: number): readonly Row[] => [
  [at, at, RESET, 0, 0, 0, 0, 0, 0, 0],
  level(at, 0, 80),
  level(at, SELL | LAST, 101),
];
const trade = (at: number, price: number): Row => [at, at, TRADE, LAST, 1, price, 1, 0, 0, 0];

test.each<[string, readonly Row[], string]>([
  ['a quote and no trade', [quote(1, 90, 111)], '100.5'],
  ['a quote with an empty side', [quote(1, 90, 111), quote(2, 95, 0, 0)], '100.5'],
  ['a book and no trade', [...book(1), level(2, LAST, 100)], '100.5'],
  ['a book and then a quote', [...book(1), quote(2, 90, 111), level(3, LAST, 99)], '100.5'],
  ['a book and then a trade', [...book(1), trade(2, 95), level(3, LAST, 100)], '95'],
  ['a quote and then a trade', [quote(1, 90, 111), trade(2, 95), quote(3, 80, 81)], '95'],
])('strategy and report value by one rule: %s', async (_, rows, expected) => {
  expect(await equities(...rows)).toEqual([expected, expected]);
});
