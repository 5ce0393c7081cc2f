import { Decimal } from '../model/decimal.ts';
import type { Instrument } from '../model/instrument.ts';
import type { Order, Side } from '../model/order.ts';
import { priceOf } from '../model/prices.ts';
import type { Ticks } from '../model/units.ts';
import { stopReserveTicks } from '../rules/funds.ts';
import type { RiskSettings } from './settings.ts';
import { waitsForTrigger, type RiskMarket, type RiskView } from './view.ts';

const ONE = new Decimal(1);

/** Market of a symbol, if it is known and fresh enough for the limits. */
export function freshMarket(
  symbol: string,
  view: RiskView,
  { staleAfterUs }: RiskSettings,
): RiskMarket | undefined {
  const market = view.market(symbol);
  if (market === undefined || market.stale) return undefined;
  const isOld = staleAfterUs !== undefined && view.now - market.receivedAt > staleAfterUs;
  return isOld ? undefined : market;
}

/** Reference price, by `Prices`: exact, so it may be between two ticks; `undefined` if unknown. */
export const referenceOf = (instrument: Instrument, { prices }: RiskMarket): Decimal | undefined =>
  priceOf(instrument, prices.reference);

/** Best price for an order of a side, by `Prices`; `undefined` if unknown. */
export const touchOf = (
  instrument: Instrument,
  market: RiskMarket | undefined,
  side: Side,
): Decimal | undefined => market && priceOf(instrument, market.prices.touch(side));

/**
 * Largest value of one unit of an order, `undefined` if it needs an unknown market:
 *
 * - a buy with a price: that price
 * - a sell with a price: that, or the best bid or its stop price if these are higher, since it
 *   executes there
 *
 * - a market buy: the best ask and the collar; a market sell: the best bid; without a book the last
 *   price
 *
 * - a stop market buy: its stop price and a tenth, as the venue reserves for it; such a sell: its
 *   stop price
 */
export function worstPrice(
  order: Order,
  instrument: Instrument,
  market: RiskMarket | undefined,
  collar: Decimal | undefined,
): Decimal | undefined {
  const { side, ticks, stopTicks } = order;
  const price = (of: number | undefined): Decimal | undefined =>
    of === undefined ? undefined : instrument.price(of as Ticks);
  if (side === 'buy') {
    if (ticks !== undefined) return price(ticks);
    if (stopTicks !== undefined) return price(stopReserveTicks(stopTicks));
    return touchOf(instrument, market, 'buy')?.times(ONE.plus(collar ?? 0));
  }
  // An order with a stop price meets a later market.
  const bid = waitsForTrigger(order) ? undefined : touchOf(instrument, market, 'sell');
  return highest([price(ticks), price(stopTicks), bid]);
}

/** The highest of the known prices. */
const highest = (prices: readonly (Decimal | undefined)[]): Decimal | undefined =>
  prices.reduce(
    (best, one) => (one === undefined || best?.greaterThan(one) === true ? best : one),
    undefined,
  );
