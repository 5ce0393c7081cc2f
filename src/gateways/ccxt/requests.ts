import { parseDecimal } from '../../model/decimal.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { OrderRequest } from '../../model/order-request.ts';
import type { NewOrder, OrderType } from '../../model/order.ts';
import type { Rejection, RejectionCode } from '../../model/rejections.ts';
import type { Lots, Ticks } from '../../model/units.ts';
import { minimumRejection } from '../../rules/minimum.ts';
import type { ClientOrderIdForm } from './client-order-ids.ts';
import { contractRules } from './contracts.ts';
import type { CcxtExchange, Given } from './exchange.ts';
import type { VenueRules } from './venues.ts';

/** Inputs for checking and writing requests. */
export interface RequestSetup {
  readonly exchange: CcxtExchange;
  readonly rules: VenueRules;
  readonly form: ClientOrderIdForm;
  readonly instrument: (symbol: string) => Instrument | undefined;
}

const refused = (code: RejectionCode, message: string): Rejection => ({ code, message });

/** Why a request is refused before it is sent, as its venue or ccxt cannot do it; nothing if it can. */
export function requestRejection(
  setup: RequestSetup,
  request: OrderRequest,
): Rejection | undefined {
  const { exchange, rules } = setup;
  switch (request.kind) {
    case 'placeList':
      return refused('contingency-type-invalid', `ccxt sends no order lists to ${exchange.id}.`);
    case 'replace':
      if (rules.replaces !== true) {
        const sentence = `ccxt replaces no order of ${exchange.id} as one step; cancel it and place another.`;
        return refused('replace-unavailable', sentence);
      }
      return idRejection(setup, request.newClientOrderId);
    case 'cancel':
      return undefined;
    case 'place':
      return (
        placeRejection(setup, request) ??
        idRejection(setup, request.clientOrderId) ??
        sizeRejection(setup, request)
      );
  }
}

function idRejection({ exchange, form }: RequestSetup, id: string): Rejection | undefined {
  if (form.write(id) !== undefined) return undefined;
  const sentence = `${exchange.id} takes no client order id as long as ${id}; use a shorter one, or a shorter name of the strategy.`;
  return refused('client-order-id-invalid', sentence);
}

function placeRejection(setup: RequestSetup, order: NewOrder): Rejection | undefined {
  const { exchange, rules, instrument } = setup;
  const { symbol, side, type, timeInForce, postOnly } = order;
  const traded = instrument(symbol);
  if (traded === undefined) return refused('symbol-unknown', `${symbol} is not configured.`);
  const margin = marginRejection(traded, order, exchange.id);
  if (margin !== undefined) return margin;
  if (type !== 'limit' && type !== 'market') {
    return refused('type-invalid', `Through ccxt ${type} orders are not sent: limit and market are.`); // prettier-ignore
  }
  if (order.takeRate !== undefined || order.makeRate !== undefined) {
    return refused('rate-invalid', `${exchange.id} takes no fee rates with an order.`);
  }
  const feature = (name: string): unknown => exchange.featureValue(symbol, 'createOrder', name);
  if (type === 'market') {
    if (rules.marketNeedsPrice === true) {
      return refused('type-invalid', `${exchange.id} has no market orders; use a limit order with IOC.`); // prettier-ignore
    }
    const isByCost = feature('marketBuyRequiresPrice') === true;
    if (side === 'sell' || !isByCost || rules.marketParams !== undefined) return undefined;
    return refused('type-invalid', `${exchange.id} takes what a market buy may spend instead of its quantity; use a limit order with IOC.`); // prettier-ignore
  }
  const times = feature('timeInForce') as Given | undefined;
  if (timeInForce !== 'GTC' && (times?.[timeInForce] !== true || timeInForce === 'GTD')) {
    const sentence = `ccxt does not send ${timeInForce} to ${exchange.id}.`;
    return refused('time-in-force-invalid', sentence);
  }
  if (!postOnly || times?.PO === true) return undefined;
  return refused('type-invalid', `ccxt sends no post-only orders to ${exchange.id}.`);
}

/** Spot goes without margin, perpetuals on cross margin; a close without a quantity is not sent. */
function marginRejection(
  { symbol, isContract }: Instrument,
  { margin }: NewOrder,
  id: string,
): Rejection | undefined {
  if (!isContract) {
    if (margin === undefined) return undefined;
    return refused('margin-forbidden', `Through ccxt spot is traded without margin; take the perpetual of ${symbol}.`); // prettier-ignore
  }
  if (margin?.mode !== 'cross') {
    return refused('margin-mode-invalid', `Through ccxt perpetuals are traded on cross margin; give the market as cross('${symbol}').`); // prettier-ignore
  }
  if (margin.closePosition !== true) return undefined;
  return refused('type-invalid', `ccxt sends no closePosition to ${id}; give a quantity with reduceOnly.`); // prettier-ignore
}

/** The minimums of the venue, and that ccxt sends the digits as they are. */
function sizeRejection(setup: RequestSetup, order: NewOrder): Rejection | undefined {
  const { exchange, instrument } = setup;
  const traded = instrument(order.symbol);
  if (traded === undefined) return undefined;
  const least = minimumRejection(traded, order);
  if (least !== undefined) return least;
  const amount = sizeText(traded, order.lots);
  if (!isSame(exchange.amountToPrecision(order.symbol, amount), amount)) {
    return refused('quantity-off-increment', `${exchange.id} does not take the quantity ${amount} in so many digits.`); // prettier-ignore
  }
  const price = priceText(traded, order.ticks);
  if (price === undefined || isSame(exchange.priceToPrecision(order.symbol, price), price)) {
    return undefined;
  }
  return refused('price-off-tick', `${exchange.id} does not take the price ${price} in so many digits.`); // prettier-ignore
}

/** Some venues limit a price's digits whatever its tick: ccxt would round it silently. */
const isSame = (text: string, other: string): boolean => parseDecimal(text)?.equals(other) === true;

export const sizeText = (instrument: Instrument, lots: Lots): string =>
  instrument.size(lots).toFixed();

export const priceText = (instrument: Instrument, ticks: Ticks | undefined): string | undefined =>
  ticks === undefined ? undefined : instrument.price(ticks).toFixed();

/** The parameters of an order besides its type, side, amount and price. */
export function orderParams(
  { rules, form, exchange }: RequestSetup,
  clientOrderId: string,
  order: { readonly type: OrderType } & Pick<NewOrder, 'timeInForce' | 'postOnly' | 'margin'>,
): Record<string, unknown> {
  const { type, timeInForce, postOnly, margin } = order;
  const isTimed = type === 'market' ? rules.marketTimeInForce === true : timeInForce !== 'GTC';
  return {
    [rules.clientOrderIdParam]: form.write(clientOrderId),
    ...(isTimed ? { timeInForce } : {}),
    ...(postOnly ? { postOnly: true } : {}),
    ...(type === 'market' && margin === undefined ? rules.marketParams : {}),
    ...(margin === undefined ? {} : contractRules(exchange.id)?.orderParams),
    ...(margin?.reduceOnly === true ? { reduceOnly: true } : {}),
  };
}
