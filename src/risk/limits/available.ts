import type { OrderRequest } from '../../model/order-request.ts';
import { ZERO, type Decimal } from '../../model/decimal.ts';
import type { Order } from '../../model/order.ts';
import { isRejection, type Rejection } from '../../model/rejections.ts';
import {
  buyReserve,
  fundsRejection,
  holdsFee,
  payingCurrency,
  sellReserve,
} from '../../rules/funds.ts';
import { raisedRates } from '../../rules/own-rates.ts';
import { most } from '../counting.ts';
import { freshMarket } from '../price.ts';
import { ordersOf } from '../requested-orders.ts';
import type { RiskSettings } from '../settings.ts';
import { waitsForList, type RiskView } from '../view.ts';
import { remainingLots } from './measures.ts';

/**
 * Rejects what the account cannot pay for, by the balance rule of the venue: for a buy the
 * available balance must exceed price × quantity × (1 + the higher fee rate), for a sell it must
 * reach the quantity. All of it is exact, nothing is rounded.
 *
 * `available` returns the available balance of a currency, or `undefined` if it may be out of date;
 * the venue decides then. An order counts with the least that it can need:
 *
 * - with a limit price: that price
 * - a stop market buy: its stop price
 * - a market buy that fills whole (FOK): the best ask; not checked without a known market
 * - a market buy that may fill in part (IOC): not checked
 * - a replacement: its need beyond that of the replaced order
 * - an order of a list that waits for the first one: nothing yet
 *
 * Margin orders are not paid from the available balance: see `marginFundsRejection`. Cancels pass,
 * and so do replacements that need no more than before.
 */
export function availableRejection(
  request: OrderRequest,
  view: RiskView,
  available: (currency: string) => Decimal | undefined,
  limits: RiskSettings,
): Rejection | undefined {
  const found = ordersOf(request, view);
  if (isRejection(found)) return undefined;
  const requested = found.filter(({ margin }) => margin === undefined);
  const partial = partialTakers(request);
  const replaced = view.orders.filter(
    ({ clientOrderId }) => request.kind === 'replace' && clientOrderId === request.clientOrderId,
  );
  const payers = (currency: string): readonly Order[] =>
    requested.filter(
      ({ symbol, side }) => payingCurrency(view.instrument(symbol), side) === currency,
    );
  const currencies = requested.map(({ symbol, side }) =>
    payingCurrency(view.instrument(symbol), side),
  );
  for (const currency of new Set(currencies)) {
    const left = available(currency);
    if (left === undefined) continue;
    const orders = payers(currency);
    const measure = (order: Order): Decimal =>
      partial.has(order.clientOrderId) ? ZERO : leastReserve(order, view, limits);
    const more = most(orders, measure).minus(most(replaced, measure));
    if (!more.greaterThan(0)) continue;
    const side = orders.every((order) => order.side === 'buy') ? 'buy' : 'sell';
    const hasFee = orders.some((order) => holdsFee(view.instrument(order.symbol), order.side));
    const rejection = fundsRejection(side, currency, more, left, hasFee);
    if (rejection === undefined) continue;
    const message = `Of the account ${rejection.message}`;
    return { ...rejection, code: 'budget-exceeded', message };
  }
  return undefined;
}

/** Market orders of a request that may fill in part. */
const partialTakers = (request: OrderRequest): ReadonlySet<string> =>
  new Set(
    (request.kind === 'placeList' ? request.orders : request.kind === 'place' ? [request] : [])
      .filter(({ type, timeInForce }) => type === 'market' && timeInForce === 'IOC')
      .map(({ clientOrderId }) => clientOrderId),
  );

function leastReserve(order: Order, view: RiskView, limits: RiskSettings): Decimal {
  if (waitsForList(order)) return ZERO;
  const instrument = view.instrument(order.symbol);
  const lots = remainingLots(order);
  const rates = raisedRates(instrument, order);
  if (order.side === 'sell') return sellReserve(instrument, lots, rates);
  const ticks =
    order.ticks ??
    order.stopTicks ??
    (freshMarket(order.symbol, view, limits)?.prices.touch('buy') ?? Number.NaN) / 2;
  if (Number.isNaN(ticks)) return ZERO;
  return buyReserve(instrument, instrument.tickValue.times(ticks).times(lots), rates);
}
