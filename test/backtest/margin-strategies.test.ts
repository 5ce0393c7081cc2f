import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runBacktest } from '../../src/backtest/run.ts';
import { FUNDING, LAST, QUOTE, TRADE } from '../../src/model/events.ts';
import type { InstrumentTerms } from '../../src/model/instrument.ts';
import { US_PER_HOUR, US_PER_MINUTE, US_PER_SECOND } from '../../src/platform/time.ts';
import fundingCarry from '../../strategies/funding-carry.ts';
import pairs from '../../strategies/pairs.ts';
import { onMargin } from '../exchange/margin/kit.ts';
import { instrumentOf } from '../kit/instruments.ts';
import { derivativesMeta, eventsMeta } from '../kit/metas.ts';
import { temporaryFolder, writeRecording, type Row } from '../kit/recordings.ts';

const START = Date.UTC(2026, 0, 1) * 1_000;
const FREE = { tickSize: '1', quantityIncrement: '0.01', takeRate: '0', makeRate: '0' };
const SPOT = instrumentOf(FREE).terms;
const PERPETUAL = instrumentOf({
  ...{ ...FREE, symbol: 'BTCUSDT_PERP', type: 'futures', contractType: 'perpetual' },
}).terms;

const quote = (at: number, price: number): Row => [
  ...([at, at, QUOTE, LAST, 0, price - 1, 9_999, price + 1, 9_999, 0] as const),
];

function recorded(instrument: InstrumentTerms, rows: readonly Row[]): string {
  const meta = (instrument.type === 'spot' ? eventsMeta : derivativesMeta)({ instrument });
  const path = join(temporaryFolder(), `${instrument.symbol}.arrow`);
  return writeRecording(
    path,
    [...rows].sort((a, b) => a[0] - b[0]),
    meta,
  );
}

describe('funding-carry', () => {
  /** A rate told at the start of each hour, paid at its end; in 1e-9. */
  const run = (rates: readonly number[]) => {
    const hours = rates.map((_, hour) => START + hour * US_PER_HOUR);
    const quotes = hours.flatMap((hour) =>
      Array.from({ length: 60 }, (_, minute) => quote(hour + minute * US_PER_MINUTE, 1_000)),
    );
    const told = hours.map((hour, index): Row => {
      const next = hour + US_PER_HOUR;
      const at = hour + US_PER_SECOND;
      return [at, at, FUNDING, LAST, 0, rates[index], 0, next, next + US_PER_HOUR, 0];
    });
    return runBacktest({
      ...{ strategy: fundingCarry, parameters: { share: 0.5, funds: '5000' } },
      recordings: [recorded(SPOT, quotes), recorded(PERPETUAL, [...quotes, ...told])],
      balances: { USDT: '10000' },
    });
  };

  test('holds spot against as much short while the rate pays, and collects the funding', async () => {
    const { failure, margin, fills, metrics } = await run([300_000, 300_000, 300_000, 300_000]);
    expect(failure).toBeUndefined();
    // Half of the 5,000 that are left in spot, at 1,000 in the middle: 2.5.
    expect(fills.rows.map(({ symbol, side, size }) => `${symbol} ${side} ${size}`)).toEqual([
      'BTCUSDT buy 2.5',
      'BTCUSDT_PERP sell 2.5',
    ]);
    // At 01:00, 02:00 and 03:00: 2.5 × 1,000 × 0.0003 each.
    expect(margin).toMatchObject({ funding: '2.25', liquidations: 0 });
    // Both legs were opened 1 from the middle.
    expect(metrics.profit).toBe('-2.75');
  });

  test('leaves both legs when the rate is gone', async () => {
    const { fills, margin } = await run([300_000, 0, 0, 0]);
    expect(fills.rows.map(({ symbol, side, size }) => `${symbol} ${side} ${size}`)).toEqual([
      'BTCUSDT buy 2.5',
      'BTCUSDT_PERP sell 2.5',
      'BTCUSDT sell 2.5',
      'BTCUSDT_PERP buy 2.5',
    ]);
    expect(margin?.accounts[0]?.positions).toEqual([]);
  });

  test('stays out while the rate is small', async () => {
    const { fills } = await run([100_000, 100_000]);
    expect(fills.total).toBe(0);
  });
});

describe('pairs', () => {
  test('sells the one that ran ahead, buys the other, and closes both when they are back', async () => {
    const prices = [
      ...Array.from({ length: 30 }, (_, n) => 1_000 + (n % 2)),
      1_050,
      1_050,
      1_001,
      1_000,
      1_000,
    ];
    const rows = (price: (minute: number) => number): Row[] =>
      prices.flatMap((_, minute) => {
        const at = START + minute * US_PER_MINUTE + US_PER_SECOND;
        const trade: Row = [at, at, TRADE, LAST, minute + 1, price(minute), 1, 0, 0, 0];
        return [trade, quote(at + US_PER_SECOND, price(minute))];
      });
    const terms = (symbol: string, baseCurrency: string) =>
      instrumentOf({ ...FREE, symbol, baseCurrency, margin: onMargin() }).terms;
    const { failure, fills, margin } = await runBacktest({
      strategy: pairs,
      parameters: { length: 20, share: 0.5, funds: '4000', exit: 0.6 },
      recordings: [
        recorded(
          terms('BTCUSDT', 'BTC'),
          rows((minute) => prices[minute]),
        ),
        recorded(
          terms('ETHUSDT', 'ETH'),
          rows(() => 1_000),
        ),
      ],
      balances: { USDT: '10000' },
    });
    expect(failure).toBeUndefined();
    const [first, second, ...closing] = fills.rows.map(({ symbol, side }) => `${symbol} ${side}`);
    expect([first, second]).toEqual(['BTCUSDT sell', 'ETHUSDT buy']);
    expect(closing.slice(0, 2)).toEqual(['BTCUSDT buy', 'ETHUSDT sell']);
    expect(margin).toMatchObject({ short: { count: 1, wins: 1 }, long: { count: 1 } });
    expect(margin?.accounts[0]).toMatchObject({ mode: 'cross', symbol: null, positions: [] });
  });
});
