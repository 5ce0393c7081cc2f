import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { BacktestResult } from '../../src/backtest/result.ts';
import { runBacktest } from '../../src/backtest/run.ts';
import { ZERO } from '../../src/model/decimal.ts';
import { FUNDING, LAST, QUOTE, TRADE } from '../../src/model/events.ts';
import type { InstrumentTerms } from '../../src/model/instrument.ts';
import { micros, US_PER_HOUR, US_PER_MINUTE, US_PER_SECOND } from '../../src/platform/time.ts';
import fundingCarry from '../../strategies/funding-carry.ts';
import breakoutBracket from '../../strategies/breakout-bracket.ts';
import pairs from '../../strategies/pairs.ts';
import { Companion } from '../cli/companion.ts';
import { onMargin } from '../exchange/margin/kit.ts';
import { instrumentOf } from '../kit/instruments.ts';
import { derivativesMeta, eventsMeta } from '../kit/metas.ts';
import { temporaryFolder, writeRecording, type Row } from '../kit/recordings.ts';

const START = Date.UTC(2026, 0, 1) * 1_000;
const FREE = { tickSize: '1', quantityIncrement: '0.01', takeRate: '0', makeRate: '0' };
const SPOT = instrumentOf(FREE).terms;
const PERPETUAL = instrumentOf({
  ...FREE,
  symbol: 'BTCUSDT_PERP',
  type: 'futures',
  contractType: 'perpetual',
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
    const reported = hours.map((hour, index): Row => {
      const next = hour + US_PER_HOUR;
      const at = hour + US_PER_SECOND;
      return [at, at, FUNDING, LAST, 0, rates[index], 0, next, next + US_PER_HOUR, 0];
    });
    return runBacktest({
      strategy: fundingCarry,
      parameters: { share: 0.5, funds: '5000' },
      recordings: [recorded(SPOT, quotes), recorded(PERPETUAL, [...quotes, ...reported])],
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

describe('breakout-bracket on margin', () => {
  const MARGIN = instrumentOf({ ...FREE, margin: onMargin() }).terms;
  /** A trade and a quote for each price, ten seconds apart. */
  const pathOf = (prices: readonly number[]): Row[] =>
    prices.flatMap((price, index) => {
      const at = START + index * 10 * US_PER_SECOND + US_PER_SECOND;
      const trade: Row = [at, at, TRADE, LAST, index + 1, price, 9_999, 0, 0, 0];
      return [quote(at - 1, price), trade];
    });
  const run = (prices: readonly number[], market: 'isolated' | 'cross') =>
    runBacktest({
      strategy: breakoutBracket,
      parameters: {
        market,
        period: 'M1',
        length: 2,
        atrLength: 2,
        chase: 2,
        profit: 2,
        loss: 1,
        quantity: '0.1',
        funds: '4000',
        leverage: 5,
        patience: 60,
      },
      recordings: [recorded(MARGIN, pathOf(prices))],
      balances: { USDT: '10000' },
    });
  /** Four minutes between 990 and 1,010 that end near one edge. */
  const range = (end: number): number[] =>
    Array.from({ length: 4 }, () => [1_000, 1_010, 990, 1_000, 1_000, end]).flat();
  const flat = (price: number): number[] => Array.from({ length: 3 }, () => price);

  test.each(['isolated', 'cross'] as const)(
    'sells below the range, and its profit is taken by an order that only reduces (%s)',
    async (market) => {
      const { fills, margin, orders, failure, trades, orderHistory } = await run(
        [...range(992), 985, 985, 980, 960, 940, ...flat(935)],
        market,
      );
      expect(failure).toBeUndefined();
      expect(orders).toMatchObject({ rejected: 0, refused: 0 });
      expect(fills.rows[0]).toMatchObject({ side: 'sell', margin: market });
      expect(trades.rows[0]).toMatchObject({ side: 'short', margin: market });
      expect(Number(trades.rows[0].net)).toBeGreaterThan(0);
      const exit = orderHistory.rows.find(({ order }) => order === fills.rows[1].order);
      expect(exit).toMatchObject({ type: 'limit', contingencyType: 'oneTriggerOneCancelOther' });
      expect(margin).toMatchObject({ short: { count: 1, wins: 1 }, long: { count: 0 } });
    },
  );

  test('buys above the range, and gives up at the stop loss', async () => {
    const { fills, trades, orders, orderHistory } = await run(
      [...range(1_008), 1_015, 1_015, 1_010, 990, 980, ...flat(975)],
      'isolated',
    );
    expect(orders).toMatchObject({ rejected: 0, refused: 0 });
    expect(fills.rows[0]).toMatchObject({ side: 'buy', margin: 'isolated' });
    const exit = orderHistory.rows.find(({ order }) => order === fills.rows[1].order);
    expect(exit).toMatchObject({ type: 'stopMarket', side: 'sell' });
    expect(trades.rows[0]).toMatchObject({ side: 'long', margin: 'isolated' });
    expect(Number(trades.rows[0].net)).toBeLessThan(0);
  });
});

const bars = resolve('../shared/data/btc-perp-20211231-20220201_1m.csv.gz');
const isThere = existsSync(bars);
if (!isThere) process.stdout.write(`skipped: no margin on real data, there is no ${bars}\n`);

describe.skipIf(!isThere)('on a week of the perpetual of BTC', () => {
  const till = micros(Date.UTC(2022, 0, 8) * 1_000);

  const imported = async (symbol: string, type: 'spot' | 'futures'): Promise<string> => {
    const folder = temporaryFolder();
    const companion = new Companion(process.cwd());
    const ended = await companion.run([
      ...['feed', 'import', 'ohlcv-csv', bars, '--symbol', symbol, '--type', type],
      ...['--base-currency', 'BTC', '--quote-currency', 'USDT', '--candle-time', 'close'],
      ...['--tick-size', '0.5', '--quantity-increment', '0.001', '--period', 'M1'],
      ...['--take-rate', '0.0005', '--make-rate', '0.0002', '--out', folder, '--json'],
      ...(type === 'futures' ? ['--settlement', 'linear'] : []),
    ]);
    await companion.close();
    expect(ended.code).toBe(0);
    return join(folder, `${symbol}.arrow`);
  };
  const sumOf = ({ margin, metrics }: BacktestResult): boolean => {
    if (margin === undefined) return false;
    const { long, short, unrealized, funding, interest, insurance } = margin;
    const parts = [long.net, short.net, unrealized, funding, interest, insurance];
    return parts.reduce((sum, one) => sum.plus(one), ZERO).equals(metrics.profit);
  };

  test('breakout-bracket trades both ways without a rejection, and its figures add up', async () => {
    const result = await runBacktest({
      strategy: breakoutBracket,
      parameters: {
        symbol: 'BTCUSDT_PERP',
        market: 'isolated',
        period: 'M15',
        quantity: '0.1',
        leverage: 3,
      },
      recordings: [await imported('BTCUSDT_PERP', 'futures')],
      balances: { USDT: '10000' },
      till,
    });
    expect(result.failure).toBeUndefined();
    expect(result.orders).toMatchObject({ rejected: 0, refused: 0 });
    expect(result.margin?.long.count).toBeGreaterThan(10);
    expect(result.margin?.short.count).toBeGreaterThan(10);
    expect(sumOf(result)).toBe(true);
  }, 60_000);

  test('funding-carry holds both legs, and what is left is the funding less the fees', async () => {
    const { margin, metrics, failure, orders } = await runBacktest({
      strategy: fundingCarry,
      parameters: { enterRate: '0.00005', exitRate: '0.00001' },
      recordings: [await imported('BTCUSDT', 'spot'), await imported('BTCUSDT_PERP', 'futures')],
      balances: { USDT: '10000' },
      till,
    });
    expect(failure).toBeUndefined();
    expect(orders).toMatchObject({ sent: 2, touched: 2, rejected: 0 });
    expect(margin).toMatchObject({ liquidations: 0, marginCalls: 0 });
    expect(Number(margin?.funding)).toBeGreaterThan(5);
    // The week took a tenth of the price, of which neither leg together saw anything.
    const rest = Number(metrics.profit) - Number(margin?.funding) + Number(metrics.fees.value);
    expect(Math.abs(rest)).toBeLessThan(1);
  }, 60_000);
});
