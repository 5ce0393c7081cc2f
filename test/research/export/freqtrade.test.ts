import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { BacktestResult, TradeRow } from '../../../src/backtest/result.ts';
import { Decimal, ZERO } from '../../../src/model/decimal.ts';
import type { InstrumentTerms } from '../../../src/model/instrument.ts';
import { freqtradeTrade, pairOf } from '../../../src/research/export/freqtrade-trades.ts';
import { writeFreqtrade } from '../../../src/research/export/freqtrade.ts';
import { readJson } from '../../../src/wire/json.ts';
import { walkedResult } from '../../kit/backtest-result.ts';
import { temporaryFolder } from '../../kit/recordings.ts';
import { runs, seed } from '../../kit/size.ts';

const RESULT = walkedResult({ minutes: 6_000 });
const [TERMS] = RESULT.instruments;

interface Written {
  readonly trades: readonly Record<string, unknown>[];
  readonly notes: readonly string[];
  readonly [member: string]: unknown;
}

/** What freqtrade would load; numbers of many digits are text. */
function written(result: BacktestResult, trades: Iterable<TradeRow>): Written {
  const folder = temporaryFolder();
  const { files, notes } = writeFreqtrade(result, trades, folder);
  const text = readFileSync(join(folder, files[0]), 'utf8');
  const { strategy } = readJson(text) as { strategy: Record<string, Written> };
  return { ...Object.values(strategy)[0], notes };
}

const trade = (given: Partial<TradeRow>): TradeRow => ({
  ...RESULT.trades.rows[0],
  ...{ openedAt: '2024-08-08T00:00:00.000Z', closedAt: '2024-08-08T00:02:59.999999Z' },
  ...given,
});

test('days without a trade have a profit of 0, and the days sum to the profit', () => {
  const rows = [
    trade({ closedAt: '2024-08-08T10:00:00.000Z', net: '0.1' }),
    trade({ closedAt: '2024-08-11T10:00:00.000Z', net: '0.2' }),
    trade({ closedAt: '2024-08-11T11:00:00.000Z', net: '-0.5' }),
  ];
  expect(written(RESULT, rows)).toMatchObject({
    daily_profit: [
      ['2024-08-08', 0.1],
      ['2024-08-09', 0],
      ['2024-08-10', 0],
      ['2024-08-11', -0.3],
    ],
    results_per_pair: [
      { key: 'BTC/USDT', trades: 3, profit_total_abs: -0.2, wins: 2, draws: 0, losses: 1 },
      { key: 'TOTAL', trades: 3, profit_total_abs: -0.2 },
    ],
  });
});

test('a run without a trade has the same members', () => {
  const none = written(RESULT, []);
  expect(Object.keys(none)).toEqual(Object.keys(written(RESULT, RESULT.trades.rows)));
  expect(none).toMatchObject({ trades: [], daily_profit: [], total_trades: 0 });
});

test('a short is sold first, its worst price is its highest, and a liquidation is called so', () => {
  const short: Partial<TradeRow> = {
    ...{ side: 'short' as const, size: '2', entryPrice: '100', exitPrice: '90', fees: '0.38' },
    ...{ net: '19.62', return: 0.0981, mae: '-6', mfe: '24' },
  };
  const [one, forced] = written(RESULT, [
    trade(short),
    trade({ ...short, forced: 'liquidated' }),
  ]).trades;
  expect(one).toMatchObject({
    ...{ is_short: true, min_rate: 88, max_rate: 103, exit_reason: 'exit_signal' },
    ...{ fee_open: 0.001, fee_close: 0.001, trade_duration: 2 },
    open_date: '2024-08-08 00:00:00.000000+00:00',
    close_date: '2024-08-08 00:02:59.999999+00:00',
    close_timestamp: 1_723_075_379_999,
    orders: [
      { ft_order_side: 'sell', ft_is_entry: true, cost: 200 },
      { ft_order_side: 'buy', ft_is_entry: false, cost: 180 },
    ],
  });
  expect(forced).toMatchObject({ exit_reason: 'liquidation' });
});

test('a contract is named with the currency that it settles in', () => {
  expect(pairOf(TERMS)).toBe('BTC/USDT');
  expect(pairOf({ ...TERMS, type: 'futures' })).toBe('BTC/USDT:USDT');
  expect(pairOf({ ...TERMS, type: 'futures', settlement: 'inverse' })).toBe('BTC/USDT:BTC');
});

test('trades in two currencies cannot be summed, and are refused', () => {
  const other = { ...TERMS, symbol: 'ETHBTC', baseCurrency: 'ETH', quoteCurrency: 'BTC' };
  const result = { ...RESULT, instruments: [TERMS, other] };
  const rows = [trade({}), trade({ symbol: 'ETHBTC' })];
  expect(() => writeFreqtrade(result, rows, temporaryFolder())).toThrow(
    /equity in USDT and trades of ETHBTC in BTC/,
  );
  // An instrument that nothing was traded in is no currency of trades.
  expect(written(result, rows.slice(0, 1))['stake_currency']).toBe('USDT');
});

test('what is open at the end is in no trade, and is said', () => {
  const trades = { ...RESULT.metrics.trades, unrealized: '-1.5' };
  const result = { ...RESULT, metrics: { ...RESULT.metrics, trades } };
  expect(written(result, []).notes.join(' ')).toContain('in no trade: -1.5 USDT unrealized');
});

test('values of orders are exact again, although mean prices are rounded', () => {
  const fill = fc.tuple(
    fc.integer({ min: 1, max: 10_000_000 }),
    fc.integer({ min: 1, max: 10_000_000 }),
  );
  const terms: InstrumentTerms = { ...TERMS, tickSize: '0.01', quantityIncrement: '0.00001' };
  fc.assert(
    fc.property(fc.array(fill, { minLength: 1, maxLength: 8 }), (fills) => {
      const lots = fills.reduce((sum, [, each]) => sum + each, 0);
      const value = fills.reduce(
        (sum, [ticks, each]) => sum.plus(new Decimal(ticks).times(each)),
        ZERO,
      );
      const exactValue = value.times('0.0000001');
      const size = new Decimal(lots).times('0.00001');
      const price = exactValue.div(size).toSignificantDigits(20).toFixed();
      const row = trade({ size: size.toFixed(), entryPrice: price, exitPrice: price });
      const { record } = freqtradeTrade(row, terms);
      const { stake_amount: stake } = readJson(JSON.stringify(record)) as { stake_amount: string };
      expect(new Decimal(stake).toFixed()).toBe(exactValue.toFixed());
    }),
    { numRuns: runs(1_000), seed: seed(92) },
  );
});
