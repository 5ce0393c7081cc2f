/** Used data of an instrument's market, by which a source subscribes. */
export interface MarketUse {
  readonly trades: boolean;
  /** The whole book by levels, only best bid and ask, or nothing. */
  readonly book: 'full' | 'top' | 'none';
  readonly candles: boolean;
  /** Derivative data; not used if absent. */
  readonly derivatives?: boolean | undefined;
}

/** A channel whose data ended, so that what was built from it has a hole. */
export type EndedChannel = 'trades' | 'candles';

/** No use. */
export const UNUSED: MarketUse = { trades: false, book: 'none', candles: false };

const BOOKS = ['none', 'top', 'full'] as const;

/** The combined use of several users. */
export function combinedUse(uses: readonly MarketUse[]): MarketUse {
  const book = Math.max(0, ...uses.map((one) => BOOKS.indexOf(one.book)));
  return {
    trades: uses.some((one) => one.trades),
    book: BOOKS[book] ?? 'none',
    candles: uses.some((one) => one.candles),
    ...(uses.some((one) => one.derivatives === true) ? { derivatives: true } : {}),
  };
}

/** True if `have` covers the use `need` of the book. */
export const coversBook = (have: MarketUse['book'], need: MarketUse['book']): boolean =>
  BOOKS.indexOf(have) >= BOOKS.indexOf(need);
