import bookImbalance from '../../strategies/book-imbalance.ts';
import breakoutBracket from '../../strategies/breakout-bracket.ts';
import emaCross from '../../strategies/ema-cross.ts';
import marketMaker from '../../strategies/market-maker.ts';
import type { BacktestPlan } from '../../src/backtest/plan.ts';
import { SAMPLE } from '../../src/feeds/synthetic/sample.ts';
import { micros, US_PER_MINUTE } from '../../src/platform/time.ts';
import { aon } from '../../src/strategy/lists.ts';
import { limitsOf } from '../risk/view.ts';
import * as markets from './markets.ts';
import { script } from './script.ts';
import { failing, lists, managed, plainOrders, protection } from './scripts.ts';
import { trader } from './trader.ts';

export const S = 'BTCUSDT';
export const FUNDS = { USDT: '20000', BTC: '0.1' };

export type Case = Partial<BacktestPlan> &
  Pick<BacktestPlan, 'strategy'> & {
    readonly recordings: readonly string[];
    readonly symbols?: readonly string[];
    /** True where nobody but the strategy itself looks at the account. */
    readonly unwatched?: boolean;
  };

const minute = (count: number) => micros(SAMPLE.startAt + count * US_PER_MINUTE);

const depth10 = (folder: string): readonly string[] => [markets.depth(folder, 10)];
const three = (folder: string): readonly string[] => [
  markets.depth(folder, 6, { seed: 2 }),
  markets.depth(folder, 6, { seed: 3, terms: markets.ETHUSDT, startPrice: '3400' }),
  markets.depth(folder, 6, { seed: 4, terms: markets.ETHBTC, startPrice: '0.05' }),
];
const MANY_SYMBOLS = { symbols: [S, 'ETHUSDT', 'ETHBTC'], balances: { ...FUNDS, ETH: '5' } };
const RISK = limitsOf({
  maxQuantity: { [S]: '0.008' },
  maxNotional: { USDT: '480' },
  maxPosition: { [S]: '0.104' },
  maxExposure: { USDT: '6400' },
  priceCollar: '0.00006',
  maxOpenOrders: 6,
  maxOrdersPerSecond: 2,
  preventOwnCross: true,
});

export const CASES: Readonly<Record<string, (folder: string) => Case>> = {
  'plain-orders': (folder) => ({ strategy: plainOrders, recordings: depth10(folder) }),
  'plain-orders-without-latency': (folder) => ({
    strategy: plainOrders,
    recordings: depth10(folder),
    latency: { orderUs: 0, reportUs: 0 },
  }),
  lists: (folder) => ({ strategy: lists, recordings: depth10(folder) }),
  'lists-with-fees-in-base': (folder) => ({
    strategy: lists,
    recordings: depth10(folder),
    fees: { [S]: { feeCurrency: 'BTC', makeRate: '-0.0001' } },
  }),
  'protection-ended': (folder) => ({
    strategy: protection,
    recordings: depth10(folder),
    latency: { orderUs: 1_000, reportUs: 700_000 },
  }),
  managed: (folder) => ({ strategy: managed, recordings: depth10(folder) }),
  'managed-short-of-funds': (folder) => ({
    strategy: managed,
    recordings: depth10(folder),
    balances: { USDT: '120', BTC: '0.001' },
  }),
  chance: (folder) => ({ strategy: trader({ seed: 1 }), recordings: depth10(folder) }),
  'chance-often-with-slow-reports': (folder) => ({
    strategy: trader({ seed: 2, everyMs: 37, reach: 60 }),
    recordings: [markets.depth(folder, 2)],
    latency: { orderUs: 3_000, reportUs: 900_000 },
  }),
  'chance-with-fees-in-base': (folder) => ({
    strategy: trader({ seed: 3, reach: 100 }),
    recordings: depth10(folder),
    fees: { [S]: { feeCurrency: 'BTC' } },
  }),
  'chance-short-of-funds': (folder) => ({
    strategy: trader({ seed: 4, everyMs: 300 }),
    recordings: [markets.depth(folder, 3)],
    balances: { USDT: '400', BTC: '0.004' },
  }),
  'chance-under-limits': (folder) => ({
    strategy: trader({ seed: 5, everyMs: 200, reach: 80 }),
    recordings: [markets.depth(folder, 3)],
    risk: RISK,
  }),
  'chance-until-a-loss-halts': (folder) => ({
    strategy: trader({ seed: 6, lotsMax: 9_000 }),
    recordings: depth10(folder),
    risk: limitsOf({ maxDailyLoss: { USDT: '20' }, onBreach: 'reducing' }),
  }),
  'chance-on-several-symbols': (folder) => ({
    ...MANY_SYMBOLS,
    strategy: trader({ seed: 7, symbols: MANY_SYMBOLS.symbols, everyMs: 400, reach: 120 }),
    recordings: three(folder),
  }),
  'all-or-none': (folder) => ({
    ...MANY_SYMBOLS,
    recordings: three(folder),
    strategy: script([
      [
        1,
        () => [
          aon([
            { symbol: S, type: 'market', side: 'sell', lots: 10 },
            { symbol: 'ETHBTC', type: 'market', side: 'buy', lots: 100 },
            { symbol: 'ETHUSDT', type: 'market', side: 'sell', lots: 100 },
          ]),
        ],
      ],
      [
        2,
        (bid) => [
          aon([
            { symbol: S, type: 'limit', side: 'buy', ticks: bid - 3_000, lots: 10 },
            { symbol: 'ETHUSDT', type: 'market', side: 'sell', lots: 100 },
          ]),
        ],
      ],
    ]),
  }),
  'chance-on-trades-alone': (folder) => ({
    strategy: trader({ seed: 8, prices: 'trades', reach: 900 }),
    recordings: [markets.trades(folder, 400)],
  }),
  'chance-on-quotes-alone': (folder) => ({
    strategy: trader({ seed: 9, everyMs: 700 }),
    recordings: [markets.quotes(folder, 400)],
  }),
  'chance-on-candles-alone': (folder) => ({
    strategy: trader({ seed: 10, prices: 'candles', everyMs: 45_000, reach: 2_000 }),
    recordings: [markets.candles(folder, 600)],
  }),
  'chance-on-a-broken-book': (folder) => ({
    strategy: trader({ seed: 11, everyMs: 500, reach: 150 }),
    recordings: [markets.broken(folder, 300)],
  }),
  'ema-cross-on-candles': (folder) => ({
    strategy: emaCross,
    parameters: { period: 'M1', fast: 3, slow: 8 },
    recordings: [markets.candles(folder, 500, 900)],
  }),
  'breakout-bracket-on-candles': (folder) => ({
    strategy: breakoutBracket,
    parameters: { period: 'M1', length: 3, atrLength: 3 },
    recordings: [markets.candles(folder, 400)],
  }),
  'market-maker-on-the-sample': () => ({
    strategy: marketMaker,
    recordings: [markets.SAMPLE_PATH],
    from: minute(60),
    till: minute(90),
  }),
  'market-maker-unwatched': () => ({
    strategy: marketMaker,
    recordings: [markets.SAMPLE_PATH],
    unwatched: true,
    from: minute(100),
    till: minute(160),
  }),
  'book-imbalance-on-the-sample': () => ({
    strategy: bookImbalance,
    parameters: { threshold: 0.5 },
    recordings: [markets.SAMPLE_PATH],
    from: minute(60),
    till: minute(80),
    warmUpUs: 2 * US_PER_MINUTE,
  }),
  'chance-unwatched': (folder) => ({
    strategy: trader({ seed: 12, everyMs: 150, reach: 80 }),
    recordings: [markets.depth(folder, 4)],
    unwatched: true,
  }),
  'a-strategy-that-throws': (folder) => ({ strategy: failing, recordings: depth10(folder) }),
};
