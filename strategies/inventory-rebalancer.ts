import { auditTime, filter, map, merge, withLatestFrom } from 'rxjs';
import { defineStrategy, quote, rebalance, seconds, z, type Holding } from 'millrace';

const share = z.number().min(0).max(1);

/**
 * How far a holding is from its share of all of the asset that it and another holding hold; 0 to 1.
 */
function distance(
  holdings: readonly Holding[],
  asset: string,
  [location, other]: readonly [string, string],
  weight: number,
) {
  const at = (name: string): number =>
    holdings.find((one) => one.asset === asset && one.location === name)?.amount.toNumber() ?? 0;
  const [here, total] = [at(location), at(location) + at(other)];
  return total === 0 ? 0 : Math.abs(here / total - weight);
}

/**
 * Money that a market maker has elsewhere earns nothing here, and what is all here cannot be used
 * elsewhere: quote both sides around the best prices, and keep a share of the money on a chain.
 * Weak where the price runs, as every market maker is, and where transfers cost more than idle
 * money would.
 */
export default defineStrategy({
  name: 'inventory-rebalancer',
  summary: 'Quotes both sides, and keeps its money in bands across account and chain.',
  parameters: z.object({
    symbol: z.string().default('BTCUSDT'),
    quantity: z.string().default('0.01').describe('base currency on each side'),
    most: z.string().default('0.04').describe('base currency held at most'),
    edge: z.string().default('15').describe('distance of a quote behind the best price'),
    refreshSeconds: z.int().min(1).default(1).describe('seconds between quotes'),
    account: z.string().default('trading').describe('location of the account that it trades on'),
    chain: z.string().default('ethereum').describe('location of the other part of the money'),
    weight: share.default(0.6).describe('share of the money on the account'),
    band: share.default(0.1).describe('how far the share may be off'),
    reserve: z.string().default('0').describe('amount that never leaves the account'),
    minimumValue: z.string().default('25').describe('value below which nothing is moved'),
    maximumCost: share.default(0.01).describe('most that transfers may cost, as a share of them'),
    calmSeconds: z.int().min(1).default(60).describe('seconds between looks at the shares'),
  }),
  run: ({ market, account, portfolio, instrument, parameters: p }) => {
    const terms = instrument(p.symbol);
    const money = terms.quoteCurrency;
    const [quoted, most, edge] = [terms.lots(p.quantity), terms.lots(p.most), terms.ticks(p.edge)];
    const text = (value: number): string => value.toFixed(6);
    const managedOrder = rebalance(
      {
        [`${money}@${p.account}`]: {
          weight: text(p.weight),
          band: text(p.band),
          reserve: p.reserve,
        },
        [`${money}@${p.chain}`]: { weight: text(1 - p.weight), band: text(p.band) },
      },
      { minimumValue: p.minimumValue, maximumCost: text(p.maximumCost) },
    );
    const quotes$ = market.bbo(p.symbol).pipe(
      auditTime(seconds(p.refreshSeconds)),
      withLatestFrom(account.position(p.symbol)),
      map(([top, { lots }]) => {
        if (top.stale || top.bidLots === 0 || top.askLots === 0) return quote(p.symbol, {});
        return quote(p.symbol, {
          bid: {
            ticks: top.bidTicks - edge,
            lots: Math.max(0, Math.min(quoted, most - lots)),
          },
          ask: { ticks: top.askTicks + edge, lots: Math.min(quoted, lots) },
        });
      }),
    );
    const moves$ = portfolio.holdings().pipe(
      auditTime(seconds(p.calmSeconds)), // money on its way is in no holding: let it arrive
      filter((held) => distance(held, money, [p.account, p.chain], p.weight) > p.band),
      map(() => managedOrder),
    );
    return merge(quotes$, moves$);
  },
});
