import { concatMap, distinctUntilChanged, filter, map, withLatestFrom } from 'rxjs';
import { cancelAll, defineStrategy, place, z } from 'millrace';

/**
 * When far more is bid than offered near the best prices, the next move tends to be up. Joins the
 * heavier side and waits to be filled there. Weak against orders that were never meant to fill,
 * and because a resting buy fills first when the weight was wrong.
 */
export default defineStrategy({
  name: 'book-imbalance',
  summary: 'Bids while the book leans up and offers what it holds while it leans down.',
  parameters: z.object({
    symbol: z.string().default('BTCUSDT'),
    levels: z.int().min(1).max(100).default(20).describe('levels weighed on each side'),
    threshold: z.number().gt(0).lt(1).default(0.5).describe('lean that counts, of -1 to 1'),
    quantity: z.string().default('0.01').describe('held while the book leans up'),
  }),
  run: ({ market, account, instrument, parameters: p }) => {
    const wanted = instrument(p.symbol).lots(p.quantity);
    return market.book(p.symbol).pipe(
      filter((book) => !book.stale && book.depth('buy') > 0 && book.depth('sell') > 0),
      map((book) => {
        const bids = book.depthLots('buy', p.levels);
        const asks = book.depthLots('sell', p.levels);
        const lean = (bids - asks) / (bids + asks);
        return { lean, bestBid: book.ticksAt('buy', 0), bestAsk: book.ticksAt('sell', 0) };
      }),
      filter(({ lean }) => Math.abs(lean) >= p.threshold),
      distinctUntilChanged((before, now) => before.lean > 0 === now.lean > 0),
      withLatestFrom(account.position(p.symbol)),
      concatMap(([{ lean, bestBid, bestAsk }, { lots: held }]) => {
        const side = lean > 0 ? 'buy' : 'sell';
        const ticks = lean > 0 ? bestBid : bestAsk;
        const lots = lean > 0 ? wanted - held : held;
        const rest = { type: 'limit', side, ticks, lots, postOnly: true } as const;
        return lots > 0 ? [cancelAll(p.symbol), place(p.symbol, rest)] : [cancelAll(p.symbol)];
      }),
    );
  },
});
