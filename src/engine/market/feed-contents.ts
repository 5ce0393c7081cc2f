import { MillraceError } from '../../model/errors.ts';
import type { Instrument } from '../../model/instrument.ts';
import { FUNDED, INDEXED, MARKED, OPENED } from '../../model/derivative-state.ts';
import { divides, type CandlePeriod, type Period } from '../../model/period.ts';
import type { Micros } from '../../platform/time.ts';

/** Contents of an instrument's feed, so that a subscription to missing data is rejected at once. */
export interface FeedContents {
  readonly trades: boolean;
  readonly levels: boolean;
  readonly quotes: boolean;
  /** Period of its CANDLE rows, if it has any. */
  readonly candlePeriod?: Period | undefined;
  /** Derivative data, as bits of `DerivativeState`; all for futures and none for spot if absent. */
  readonly derivatives?: number | undefined;
  /** When its first row was received, if known beforehand. */
  readonly firstAt?: Micros | undefined;
}

/** Assumed contents of an undescribed feed. */
export const ANY_EVENTS: FeedContents = { trades: true, levels: true, quotes: true };

/** Source of candles of a period: the feed, its shorter candles, or its trades. */
export type CandleSource = 'feed' | 'candles' | 'trades';

/** Throws `feed-lacks` if the feed cannot give candles of this period. */
export function candleSource(
  symbol: string,
  contents: FeedContents,
  period: CandlePeriod,
): CandleSource {
  const { candlePeriod } = contents;
  if (candlePeriod === period) return 'feed';
  if (candlePeriod !== undefined && divides(candlePeriod, period)) return 'candles';
  if (contents.trades) return 'trades';
  throw lacks(
    symbol,
    candlePeriod === undefined
      ? `no trades to build ${period} candles from`
      : `candles of ${candlePeriod} only, from which ${period} cannot be built`,
  );
}

export function needTrades(symbol: string, contents: FeedContents): void {
  if (!contents.trades) throw lacks(symbol, 'no trades');
}

export function needBook(symbol: string, contents: FeedContents): void {
  if (!contents.levels) throw lacks(symbol, 'no book');
}

export function needTop(symbol: string, contents: FeedContents): void {
  if (!contents.levels && !contents.quotes) throw lacks(symbol, 'neither quotes nor a book');
}

/** Derivative data of an instrument's feed, as bits. */
export function derivativesOf({ terms }: Instrument, { derivatives }: FeedContents): number {
  return derivatives ?? (terms.type === 'futures' ? MARKED | INDEXED | FUNDED | OPENED : 0);
}

const DERIVATIVES = new Map([
  [MARKED, 'no mark prices'],
  [INDEXED, 'no index prices'],
  [FUNDED, 'no funding rates'],
  [OPENED, 'no open interest'],
]);

/** A venue in this process models all of it but the open interest. */
export function needDerivative(
  symbol: string,
  reported: number,
  isModelled: boolean,
  which: number,
): void {
  if ((reported & which) !== 0 || (isModelled && which !== OPENED)) return;
  throw lacks(symbol, DERIVATIVES.get(which) ?? '');
}

const lacks = (symbol: string, what: string): MillraceError =>
  new MillraceError(
    'feed-lacks',
    `The feed of ${symbol} has ${what}; use another recording or change the strategy's parameters.`,
    { field: 'symbol' },
  );
