/** What of the market of an instrument is used, by which a source knows what to subscribe to. */
export interface MarketUse {
  readonly trades: boolean;
  /** The whole book by levels, the best bid and ask alone, or nothing. */
  readonly book: 'full' | 'top' | 'none';
  readonly candles: boolean;
  /** What the venue says of a derivative beside its market; not where absent. */
  readonly derivatives?: boolean | undefined;
}

/** A channel of the market whose data ended, so that what was built from it has a hole. */
export type EndedChannel = 'trades' | 'candles';

/** No use of anything. */
export const UNUSED: MarketUse = { trades: false, book: 'none', candles: false };

const BOOKS = ['none', 'top', 'full'] as const;

/** What satisfies several users together. */
export function combinedUse(uses: readonly MarketUse[]): MarketUse {
  const book = Math.max(0, ...uses.map((one) => BOOKS.indexOf(one.book)));
  return {
    trades: uses.some((one) => one.trades),
    book: BOOKS[book] ?? 'none',
    candles: uses.some((one) => one.candles),
    ...(uses.some((one) => one.derivatives === true) ? { derivatives: true } : {}),
  };
}

/** True where `have` gives all that `need` asks of the book. */
export const coversBook = (have: MarketUse['book'], need: MarketUse['book']): boolean =>
  BOOKS.indexOf(have) >= BOOKS.indexOf(need);
