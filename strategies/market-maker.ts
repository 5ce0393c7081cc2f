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
    lots: z.int().min(1).default(1_000).describe('lots on each side'),
    maxLots: z.int().min(1).default(4_000).describe('lots held at most'),
    edgeTicks: z.int().min(0).default(1_500).describe('ticks behind the best price'),
    skewTicks: z
      .int()
      .min(0)
      .default(1_500)
      .describe('ticks that a full inventory lowers quotes by'),
    refreshMs: z.int().min(1).default(1_000).describe('milliseconds between quotes'),
  }),
  run: ({ market, account, parameters: p }) =>
    market.bbo(p.symbol).pipe(
      auditTime(p.refreshMs), // event time in a backtest, wall time live
      withLatestFrom(account.position(p.symbol)),
      map(([top, position]) => {
        const blind = top.stale || top.bidLots === 0 || top.askLots === 0;
        if (blind) return quote(p.symbol, {}); // withdraws both sides
        const lean = Math.round((position.lots / p.maxLots) * p.skewTicks);
        const bid = top.bidTicks - p.edgeTicks - lean;
        const ask = top.askTicks + p.edgeTicks - lean;
        return quote(p.symbol, {
          bid: { ticks: bid, lots: Math.max(0, Math.min(p.lots, p.maxLots - position.lots)) },
          ask: { ticks: Math.max(ask, top.bidTicks + 1), lots: Math.min(p.lots, position.lots) },
        });
      }),
    ),
});
