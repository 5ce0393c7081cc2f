import { auditTime, map, withLatestFrom } from 'rxjs';
import { defineStrategy, quote, z } from 'millrace';

/**
 * Those in a hurry pay for it: stand a little behind the best prices on both sides and be paid.
 * What it holds leans both quotes down, so that the next to trade takes it off. Weak when the price
 * runs, as the side that fills was the wrong one, and where two maker fees cost more than the edge.
 */
export default defineStrategy({
  name: 'market-maker',
  summary: 'Quotes both sides around the best prices, leaning with its inventory.',
  parameters: z.object({
    symbol: z.string().default('BTCUSDT'),
    quantity: z.string().default('0.01').describe('base currency on each side'),
    most: z.string().default('0.04').describe('base currency held at most'),
    edge: z.string().default('15').describe('distance of a quote behind the best price'),
    skew: z.string().default('15').describe('what a full inventory lowers both quotes by'),
    refreshMs: z.int().min(1).default(1_000).describe('milliseconds between quotes'),
  }),
  run: ({ market, account, instrument, parameters: p }) => {
    const terms = instrument(p.symbol);
    const [lots, maxLots] = [terms.lots(p.quantity), terms.lots(p.most)];
    const [edge, skew] = [terms.ticks(p.edge), terms.ticks(p.skew)];
    return market.bbo(p.symbol).pipe(
      auditTime(p.refreshMs), // event time in a backtest, wall time live
      withLatestFrom(account.position(p.symbol)),
      map(([top, position]) => {
        const isBlind = top.stale || top.bidLots === 0 || top.askLots === 0;
        if (isBlind) return quote(p.symbol, {}); // withdraws both sides
        const lean = Math.round((position.lots / maxLots) * skew);
        const bid = top.bidTicks - edge - lean;
        const ask = top.askTicks + edge - lean;
        return quote(p.symbol, {
          bid: { ticks: bid, lots: Math.max(0, Math.min(lots, maxLots - position.lots)) },
          ask: { ticks: Math.max(ask, top.bidTicks + 1), lots: Math.min(lots, position.lots) },
        });
      }),
    );
  },
});
