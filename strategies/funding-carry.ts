import { concat, distinctUntilChanged, filter, first, ignoreElements, map, merge, of } from 'rxjs';
import { amount, cross, defineStrategy, setMargin, target, z } from 'millrace';

/**
 * While longs pay for their leverage, whoever is short collects: it holds the spot symbol and is short as
 * much of the perpetual, so that the price moves neither up nor down, and the funding is what is left.
 * Loses when the rate turns and it pays until it is out, by the fees of going in and out of both legs, and
 * in a jump of the mark price that liquidates the short before the spot leg has been sold.
 */
export default defineStrategy({
  name: 'funding-carry',
  summary: 'Holds spot against a short perpetual while its funding rate pays.',
  parameters: z.object({
    spot: z.string().default('BTCUSDT'),
    perpetual: z.string().default('BTCUSDT_PERP'),
    funds: z.string().default('5000').describe('money that bears the short'),
    share: z.number().gt(0).max(1).default(0.9).describe('share of the spot equity that is bought'),
    enterRate: z.string().default('0.0002').describe('funding rate at which it goes in'),
    exitRate: z.string().default('0.00005').describe('funding rate below which it goes out'),
  }),
  run: ({ market, account, instrument, parameters: p }) => {
    const short = cross(p.perpetual);
    const [enter, exit] = [amount(p.enterRate), amount(p.exitRate)];

    const carry$ = market.funding(p.perpetual).pipe(
      map(({ rate }) => {
        if (rate.greaterThanOrEqualTo(enter)) return p.share;
        return rate.lessThan(exit) ? 0 : undefined; // between the two nothing changes
      }),
      filter((share) => share !== undefined),
      distinctUntilChanged(),
      map((share) => target(p.spot, share)),
    );
    // The short follows what the spot leg really holds, in lots of its own grid.
    const hedge$ = account.position(p.spot).pipe(
      map(({ size }) => instrument(p.perpetual).lots(size.negated(), 'up')),
      distinctUntilChanged(),
      map((lots) => target(short, { lots })),
    );
    const ready$ = account.margin(short).pipe(first(({ state }) => state === 'normal'));
    return concat(
      of(setMargin(short, { balance: p.funds })),
      ready$.pipe(ignoreElements()),
      merge(carry$, hedge$),
    );
  },
});
