import { concatMap, map, startWith, withLatestFrom } from 'rxjs';
import { atr, defineStrategy, derive, highest, oto, rate, sizeByRisk, z } from 'millrace';

/**
 * A break of the recent range goes on for as long as nobody knows, so the exit follows the price instead of
 * waiting at one. Each entry risks the same share of the equity between its price and its stop loss, and the
 * stop trails from the fill on. Loses a little often: most breaks turn back, and each pays two fees, the
 * spread and the distance to its stop.
 */
export default defineStrategy({
  name: 'trend-trail',
  summary: 'Buys the break of a range, sized by risk, and leaves by a trailing stop.',
  parameters: z.object({
    symbol: z.string().default('BTCUSDT'),
    period: z.enum(['M1', 'M5', 'M15', 'H1']).default('M5'),
    length: z.int().min(1).max(500).default(12).describe('candles whose prices are the range'),
    atrLength: z.int().min(1).max(500).default(14).describe('candles of the average true range'),
    risk: z.string().default('0.005').describe('share of the equity lost at the stop loss'),
    most: z.string().default('0.8').describe('largest value of an entry, as a share of the equity'),
    distance: z.number().gt(0).default(2).describe('average ranges between the price and its stop'),
  }),
  run: ({ market, account, instrument, log, parameters: p }) =>
    market.candles(p.symbol, p.period).pipe(
      derive({ high: highest(p.length), range: atr(p.atrLength) }),
      withLatestFrom(
        account.equity(p.symbol),
        account.position(p.symbol),
        account.lists(p.symbol).pipe(startWith(undefined)),
      ),
      map(([{ high, range }, equity, held, list]) => {
        const distance = Math.max(1, Math.round(range * p.distance));
        const isBusy = held.lots > 0 || list?.active === true;
        return { entryTicks: high + 1, distance, equity, isBusy };
      }),
      concatMap(({ entryTicks, distance, equity, isBusy }) => {
        const stopTicks = entryTicks - distance;
        if (isBusy || stopTicks < 1) return [];
        const { lots, rejection } = sizeByRisk(instrument(p.symbol), {
          equity,
          risk: rate(p.risk),
          entryTicks,
          stopTicks,
          // A stop order to buy holds a tenth more than its stop price.
          leverage: rate(p.most),
        });
        if (rejection !== undefined) {
          log.info(rejection.message);
          return [];
        }
        return [
          oto(p.symbol, [
            { type: 'stopMarket', side: 'buy', stopTicks: entryTicks, lots, timeInForce: 'GTC' },
            {
              type: 'stopMarket',
              side: 'sell',
              stopTicks,
              lots,
              timeInForce: 'GTC',
              trail: { ticks: distance },
            },
          ]),
        ];
      }),
    ),
});
