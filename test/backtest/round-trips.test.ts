import { join } from 'node:path';
import { concatMap, EMPTY, merge, of } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { reportPage } from '../../src/backtest/report.ts';
import type { BacktestResult } from '../../src/backtest/result.ts';
import { runBacktest } from '../../src/backtest/run.ts';
import { CANDLE, LAST } from '../../src/model/events.ts';
import { lots, ticks } from '../../src/model/units.ts';
import { US_PER_MINUTE } from '../../src/platform/time.ts';
import type { Command } from '../../src/strategy/commands.ts';
import { defineStrategy } from '../../src/strategy/define.ts';
import { place } from '../../src/strategy/orders.ts';
import { instrumentOf } from '../kit/instruments.ts';
import { candlesMeta } from '../kit/metas.ts';
import { temporaryFolder, writeRecording, type Row } from '../kit/recordings.ts';

const START = Date.UTC(2024, 0, 1) * 1_000;
const at = (minute: number): number => START + minute * US_PER_MINUTE;

/** The candle of a minute: open, high, low, close. */
const candle = (minute: number, prices: readonly [number, number, number, number]): Row => {
  const [open, high, low, close] = prices;
  return [at(minute + 1), at(minute), CANDLE, LAST, 0, close, 1_000, high, low, open];
};
const flat = (minute: number, price: number): Row => candle(minute, [price, price, price, price]);

type Commands = Readonly<Record<number, Command>>;

/** Runs candles of each symbol; after the candle of a minute the strategy sends its command. */
async function run(
  rows: Readonly<Record<string, readonly Row[]>>,
  commands: Readonly<Record<string, Commands>>,
): Promise<BacktestResult> {
  const folder = temporaryFolder();
  const symbols = Object.keys(rows);
  const recordings = symbols.map((symbol) => {
    const { terms } = instrumentOf({
      symbol,
      baseCurrency: symbol.replace('USDT', ''),
      tickSize: '1',
      quantityIncrement: '1',
      takeRate: '0',
      makeRate: '0',
    });
    const meta = { ...candlesMeta(), instrument: terms };
    return writeRecording(join(folder, `${symbol}.arrow`), rows[symbol], meta);
  });
  const strategy = defineStrategy({
    name: 'scripted',
    summary: 'For tests.',
    parameters: z.object({}),
    run: ({ market }) =>
      merge(
        ...symbols.map((symbol) =>
          market.candles(symbol, 'M1').pipe(
            concatMap(({ openedAt }) => {
              const command = commands[symbol]?.[(openedAt - START) / US_PER_MINUTE];
              return command === undefined ? EMPTY : of(command);
            }),
          ),
        ),
      ),
  });
  return runBacktest({
    strategy,
    parameters: {},
    recordings,
    balances: { USDT: '100000' },
    latency: { orderUs: 0, reportUs: 0 },
  });
}

const market = (symbol: string, side: 'buy' | 'sell'): Command =>
  place(symbol, { type: 'market', side, lots: lots(10) });

describe('round trips of two symbols', () => {
  const prices = [0, 1, 2, 3, 4, 5, 6].map((minute) => flat(minute, 100 + minute));
  const rows = { AUSDT: prices, BUSDT: prices };

  test('stand in the order of their ends, whichever symbol ends its next one first', async () => {
    const trip = (symbol: string, ...minutes: readonly number[]): Commands =>
      Object.fromEntries(
        minutes.map((minute, index) => [minute, market(symbol, index % 2 === 0 ? 'buy' : 'sell')]),
      );
    // Of A one trip ends early and no other follows; of B two end later.
    const result = await run(rows, {
      AUSDT: trip('AUSDT', 0, 1),
      BUSDT: trip('BUSDT', 1, 2, 3, 4),
    });
    expect(result.trades.rows.map(({ symbol, closedAt }) => [symbol, closedAt])).toEqual([
      ['AUSDT', '2024-01-01T00:02:00.000Z'],
      ['BUSDT', '2024-01-01T00:03:00.000Z'],
      ['BUSDT', '2024-01-01T00:05:00.000Z'],
    ]);
  });

  test('the headline names the move of each symbol', async () => {
    const page = reportPage(await run(rows, {}));
    expect(page).toContain('The price of AUSDT moved +6.00%, that of BUSDT moved +6.00%.');
  });
});

describe('the excursion of a trip that a candle opens or closes', () => {
  const buy = place('AUSDT', { type: 'limit', side: 'buy', lots: lots(10), ticks: ticks(95) });
  const stop = place('AUSDT', {
    type: 'stopMarket',
    side: 'sell',
    lots: lots(10),
    stopTicks: ticks(90),
  });

  test('has nothing of what the market did after a stop that a gap went beyond', async () => {
    const result = await run(
      {
        AUSDT: [
          flat(0, 100),
          flat(1, 100),
          // Opens at 80, under the stop at 90, and falls to 60 when nothing is held any more.
          candle(2, [80, 110, 60, 70]),
          flat(3, 70),
        ],
      },
      { AUSDT: { 0: market('AUSDT', 'buy'), 1: stop } },
    );
    expect(result.trades.rows).toMatchObject([
      { entryPrice: '100', exitPrice: '80', mae: '-200', mfe: '0' },
    ]);
  });

  test('has what the same candle did after the entry, and not what it did before', async () => {
    const result = await run(
      {
        AUSDT: [
          flat(0, 100),
          // Rising: first to 93, through the bid at 95, then to 120.
          candle(1, [100, 120, 93, 110]),
          flat(2, 110),
        ],
      },
      { AUSDT: { 0: buy, 1: market('AUSDT', 'sell') } },
    );
    expect(result.trades.rows).toMatchObject([
      { entryPrice: '95', exitPrice: '110', mae: '-20', mfe: '250' },
    ]);
  });
});
