import type { Latency } from '../gateways/simulated.ts';
import type { Instrument } from '../model/instrument.ts';
import { US_PER_DAY, US_PER_MS } from '../platform/time.ts';
import { portfolioAssumptions } from './portfolio/assumptions.ts';
import type { RunPortfolio } from './portfolio/settings.ts';
import type { Metrics, OrderStatistics, RecordingRecord } from './result.ts';

/** Shortest run with annualized figures. */
export const YEARLY_MIN_US = 30 * US_PER_DAY;

/** Inputs of the assumptions and warnings. */
export interface Circumstances {
  readonly instruments: readonly Instrument[];
  readonly recordings: readonly RecordingRecord[];
  readonly latency: Latency;
  readonly equityCurrency: string;
  readonly sampleUs: number;
  /** Symbols with a sent stop order. */
  readonly stopSymbols: ReadonlySet<string>;
  /** Symbols with a trailing stop. */
  readonly trailedSymbols?: ReadonlySet<string>;
  readonly portfolio?: RunPortfolio | undefined;
  /** How positions were valued and charged. */
  readonly margin?: readonly string[];
  /** True if something was traded on margin. */
  readonly isOnMargin?: boolean;
}

/** How the run was simulated and measured, for the reader of its figures. */
export function assumptionsOf(run: Circumstances): readonly string[] {
  return [
    ...latency(run.latency),
    ...run.recordings.map(fills),
    'The recorded market does not react: what the strategy trades is not taken out of the recorded book for others, and its orders move no price. What an own order took from a displayed level is not offered again: as the level shrinks what is left counts as taken, and only what it grows by is new.',
    ...stops(run.stopSymbols),
    ...trails(run),
    ...fees(run.instruments),
    ...(run.margin ?? []),
    equity(run.equityCurrency, run.isOnMargin === true),
    `Equity is sampled every ${seconds(run.sampleUs)}; drawdowns between two samples are not seen.`,
    `Returns are those of an account that pays ${run.isOnMargin === true ? 'no tax, and no interest but that of its margin accounts' : 'no interest and no tax'}, with a risk-free return of 0 and a year of 365 days.`,
    ...(run.portfolio === undefined ? [] : portfolioAssumptions(run.portfolio)),
    `Not modelled: outages and rate limits of the venue, suspended trading, changes of fees or instrument terms during the run${run.portfolio === undefined ? ', deposits and withdrawals' : ''}.`,
  ];
}

/** With candles as the only prices, a stop cannot trail inside of them. */
const trails = ({ recordings, trailedSymbols }: Circumstances): readonly string[] =>
  recordings
    .filter(({ symbol, trades }) => trailedSymbols?.has(symbol) === true && trades === 0)
    .map(
      ({ symbol }) =>
        `A trailing stop of ${symbol} stays where it is during a candle and moves after it by its high or low.`,
    );

/** Why these figures may be wrong. */
export function warningsOf(
  run: Circumstances,
  metrics: Metrics,
  orders: OrderStatistics,
  unvalued: readonly string[],
): readonly string[] {
  const warnings: string[] = [];
  for (const { symbol, synthetic, gaps, trades, candles } of run.recordings) {
    if (run.stopSymbols.has(symbol) && trades + candles === 0) {
      warnings.push(
        `The recording of ${symbol} has no trades: only the strategy's own trades trigger its stop orders.`,
      );
    }
    if (synthetic) {
      warnings.push(
        `The market of ${symbol} was made up by a generator: this run says nothing about a real one.`,
      );
    }
    if (gaps > 0) {
      warnings.push(
        `The recording of ${symbol} has ${gaps} ${gaps === 1 ? 'gap' : 'gaps'}: after each of them the book is not known until the next snapshot.`,
      );
    }
  }
  if (metrics.spanUs < YEARLY_MIN_US) {
    warnings.push(
      'The run is shorter than 30 days: figures per year (return, volatility, Sharpe, Sortino, Calmar) would be guesswork and are not shown; result.json has them.',
    );
  }
  if (metrics.trades.count > 0 && metrics.trades.count < 30) {
    warnings.push(
      `Only ${metrics.trades.count} round trips were finished: win rate, profit factor and expectancy may be luck.`,
    );
  }
  warnings.push(...rejections(orders));
  for (const currency of unvalued) {
    warnings.push(
      `No price of the run leads from ${currency} to ${run.equityCurrency}: what is held of it counts nothing.`,
    );
  }
  return warnings;
}

/** Codes of a run's limits, which no venue uses. */
const LIMITS = /^(?:risk|trading)-/;

/** Counts each rejection once, by what was rejected. */
function rejections(orders: OrderStatistics): readonly string[] {
  const isLimited = Object.keys(orders.rejections).some((code) => LIMITS.test(code));
  const by = isLimited ? 'by the venue or the limits of the run' : 'by the venue';
  const counts: readonly (readonly [number, string, string])[] = [
    [orders.rejected, `order ${by}`, `orders ${by}`],
    [orders.refused, 'order before it was sent', 'orders before they were sent'],
    [orders.refusedReplacements, 'replacement', 'replacements'],
    [orders.refusedCancels, 'cancel', 'cancels'],
    [orders.refusedManagedOrders, 'managed order', 'managed orders'],
    [orders.refusedSettings ?? 0, 'setting of a margin account', 'settings of margin accounts'],
  ];
  const refused = counts.flatMap(([count, one, more]) =>
    count === 0 ? [] : [`${count} ${count === 1 ? one : more}`],
  );
  if (refused.length === 0) return [];
  const reasons = Object.entries(orders.rejections).map(
    ([code, count]) =>
      `${count} ${code} (the first: ${orders.firstRejections[code].replace(/\.$/, '')})`,
  );
  const were = counts.reduce((sum, [count]) => sum + count, 0) === 1 ? 'was' : 'were';
  return [`Refused ${were} ${refused.join(', ')}: ${reasons.join(', ')}.`];
}

function latency({ orderUs, reportUs }: Latency): readonly string[] {
  return [
    `An order reaches the venue ${milliseconds(orderUs)} after the strategy decided, and what the venue did reaches the strategy ${milliseconds(reportUs)} after it happened. The strategy sees the market when the recording received it.`,
  ];
}

function fills({ symbol, layout, levels, quotes, trades }: RecordingRecord): string {
  if (layout === 'candles') {
    return `${symbol} is recorded as candles: a market order fills at the close of the last candle until the next one is due and expires in a hole of the candles, a limit order when a later candle goes through its price (touching is not enough), and both for no more than the candle's volume. A limit order that came when more than 1 % of a candle's period was over is judged by that candle's close only, as its high and low may have been before. Inside a candle prices are taken to go first to the extreme against its direction, then to the other one.`;
  }
  if (levels > 0 || quotes > 0) {
    const queue =
      trades > 0
        ? 'A resting order waits behind the whole size that was displayed at its price when it came, and fills from trades at its price only after that many have traded or are no longer displayed (a trade that the display showed within 100 ms before it was printed counts once), from trades beyond its price at once, and when the other side of the market comes to stand at or beyond its price.'
        : 'A resting order fills when the other side of the market comes to stand at or beyond its price.';
    return `${symbol}: an order that takes liquidity fills from the recorded ${levels > 0 ? 'book, level by level' : 'best quote, for no more than its size'}. ${queue}`;
  }
  return `${symbol} is recorded as trades only: an order that takes liquidity fills at the price of the last trade for no more than its size, so the spread is not paid and results are too good.`;
}

function equity(currency: string, isOnMargin: boolean): string {
  const held = `Equity is everything held at the last price of its instrument, in ${currency}`;
  return isOnMargin
    ? `${held}, and of margin accounts their funds with the results of open positions at the mark price; what is held or open at the end is not closed, and closing it would cost a fee and a spread.`
    : `${held}; what is held at the end is not sold, and its sale would cost a fee and a spread.`;
}

const stops = (symbols: ReadonlySet<string>): readonly string[] =>
  symbols.size === 0
    ? []
    : [
        'A stop or take-profit order is triggered by a trade at or beyond its stop price, inside a candle by the path of its prices, and meets the market as it is then: what it gets can be far from its stop price.',
      ];

function fees(instruments: readonly Instrument[]): readonly string[] {
  return instruments.map(
    ({ terms: { symbol, takeRate, makeRate, feeCurrency } }) =>
      `${symbol} costs ${rate(takeRate)} of the value as taker and ${rate(makeRate)} as maker, in ${feeCurrency}, never rounded.`,
  );
}

const rate = (fraction: string): string => `${Number((Number(fraction) * 100).toPrecision(12))}%`;

const milliseconds = (us: number): string => `${us / US_PER_MS} ms`;

const seconds = (us: number): string => `${us / US_PER_MS / 1_000} s`;
