import type { Instrument } from '../../model/instrument.ts';
import type { Book } from '../book/book.ts';
import { BUY, SELL } from '../orders/side.ts';
import type { RecordedMarket } from '../recorded/recorded-market.ts';
import { BookSource } from './book-source.ts';
import { MarketData, type MarketDataOptions } from './market-data.ts';

/** Market data of books and tapes, which say from now on what changes; none without options. */
export function published(
  instruments: readonly Instrument[],
  books: readonly Book[],
  tapes: readonly RecordedMarket[],
  options: MarketDataOptions | undefined,
): MarketData | undefined {
  if (options === undefined) return undefined;
  const sources = books.map((book, index) => new BookSource(book, tapes[index]));
  const data = new MarketData(instruments, sources, options);
  data.books.forEach(({ changed }, instrument) => {
    for (const side of [BUY, SELL]) {
      books[instrument].sides[side].changed = changed[side];
      tapes[instrument].sides[side].changed = changed[side];
    }
  });
  return data;
}
