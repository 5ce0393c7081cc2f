import type { Order } from '../model/order.ts';
import { Decimal } from '../model/decimal.ts';
import type { Instrument } from '../model/instrument.ts';
import type { Ticks } from '../model/units.ts';
import { stopReserveTicks } from '../rules/funds.ts';
import type { RiskSettings } from './settings.ts';
import { waitsForTrigger, type RiskMarket, type RiskView } from './view.ts';

const ONE = new Decimal(1);

/** The market of a symbol, where it is known and not older than the limits allow. */
export function freshMarket(
  symbol: string,
  view: RiskView,
  { staleAfterUs }: RiskSettings,
): RiskMarket | undefined {
  const market = view.market(symbol);
  if (market === undefined || market.stale) return undefined;
  const isOld = staleAfterUs !== undefined && view.now - market.heardAt > staleAfterUs;
  return isOld ? undefined : market;
}

/**
 * Where a market is: the middle of best bid and ask, else its last trade; `undefined` where none
 * of them is known. Exact, so it may lie between two ticks.
 */
export function middle(instrument: Instrument, market: RiskMarket): Decimal | undefined {
  const { bidTicks, askTicks, lastTicks } = market;
  const both = bidTicks + askTicks;
  if (!Number.isNaN(both)) return instrument.tickSize.times(both).times(HALF);
  return priceOf(instrument, lastTicks);
}
const HALF = new Decimal('0.5');

/**
 * The most that one unit of an order can come to, or `undefined` where that takes a market that is
 * not known:
 *
 * - a buy with a price: that price
 * - a sell with a price: that, or the best bid or its stop price where these are higher, since it
 *   executes there
 * - a market buy: the best ask and the collar; a market sell: the best bid; without a book the last price
 * - a stop market buy: its stop price and a tenth, as the venue holds for it; such a sell: its
 *   stop price
 */
export function worstPrice(
  order: Order,
  instrument: Instrument,
  market: RiskMarket | undefined,
  collar: Decimal | undefined,
): Decimal | undefined {
  const { side, ticks, stopTicks } = order;
  if (side === 'buy') {
    if (ticks !== undefined) return instrument.price(ticks);
    if (stopTicks !== undefined) return instrument.price(stopReserveTicks(stopTicks) as Ticks);
    return priceOf(instrument, shownPrice(market, 'askTicks'))?.times(ONE.plus(collar ?? 0));
  }
  const own = highest([ticks, stopTicks]);
  // One that waits for its stop price meets another market than that of now.
  const bid = waitsForTrigger(order) ? undefined : shownPrice(market, 'bidTicks');
  return priceOf(instrument, highest([own, bid]));
}

/** A side of a market; where it shows neither, as with trades or candles alone, its last price. */
export function shownPrice(
  market: RiskMarket | undefined,
  side: 'bidTicks' | 'askTicks',
): number | undefined {
  if (market === undefined) return undefined;
  const { bidTicks, askTicks, lastTicks } = market;
  return Number.isNaN(bidTicks) && Number.isNaN(askTicks) ? lastTicks : market[side];
}

/** The highest of the prices that are known, NaN where none is. */
const highest = (prices: readonly (number | undefined)[]): number =>
  prices.reduce<number>(
    (best, price) => (price === undefined || Number.isNaN(price) || price < best ? best : price),
    Number.NaN,
  );

const priceOf = (instrument: Instrument, ticks: number | undefined): Decimal | undefined =>
  ticks === undefined || Number.isNaN(ticks) ? undefined : instrument.price(ticks as Ticks);
