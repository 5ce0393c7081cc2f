import type { Instrument } from '../../model/instrument.ts';
import type { OrderMargin } from '../../model/margin-terms.ts';
import type { OrderTerms } from '../../model/order.ts';
import { isRejection, type Rejection } from '../../model/rejections.ts';
import { micros, US_PER_MS, type Micros } from '../../platform/time.ts';
import { clientOrderIdRejection } from '../../rules/client-order-id.ts';
import { orderTerms, type OrderDraft } from '../../rules/order-draft.ts';
import { ownRates } from '../../rules/own-rates.ts';
import { trailOf, type Trail } from '../../rules/trailing.ts';
import type { ListOrder } from '../../strategy/commands.ts';
import type { OrderManagerHost } from './order-manager-host.ts';

/** Terms of a requested order; each of its fields is valid by itself. */
export function termsAt(
  instrument: Instrument,
  order: ListOrder,
  now: Micros,
): OrderTerms | Rejection {
  const expiry = expiryOf(order, now);
  if (isRejection(expiry)) return expiry;
  const margin = marginOf(order);
  if (isRejection(margin)) return margin;
  const placed = margin === undefined ? (order as SpotOrder) : onMargin(order, margin);
  const draft = expiry === undefined ? placed : { ...placed, ...expiry };
  const terms = orderTerms(instrument, draft, 'strict', now);
  if (isRejection(terms) || (order.takeRate ?? order.makeRate) === undefined) return terms;
  return { ...terms, ...ownRates(order) };
}

/** Trail of an order's stop price, if it has one. */
export const requestedTrail = (
  instrument: Instrument,
  order: ListOrder,
): Trail | Rejection | undefined =>
  'trail' in order && order.trail !== undefined
    ? (closingTrail(order) ?? trailOf(instrument, order.type, order.trail))
    : undefined;

/** No supported venue replaces an order that closes a position. */
const closingTrail = ({ closePosition }: AnyOrder): Rejection | undefined =>
  closePosition === true
    ? {
        code: 'type-invalid',
        field: 'trail',
        message:
          'An order that closes a position cannot trail, as it cannot be replaced; give it a quantity and reduceOnly.',
      }
    : undefined;

/** Why a client order id cannot be used for a new order; `given` is the strategy's. */
export function idRejection(
  { orders, isMadeId }: Pick<OrderManagerHost, 'orders' | 'isMadeId'>,
  clientOrderId: string,
  given: string | undefined,
): Rejection | undefined {
  const form = clientOrderIdRejection(clientOrderId);
  if (form !== undefined) return form;
  if (!orders.isTaken(clientOrderId)) {
    return given === undefined || !isMadeId(given) ? undefined : madeIdRejection(given);
  }
  const whose = orders.find(clientOrderId) === undefined ? 'account' : 'strategy';
  return {
    code: 'client-order-id-taken',
    field: 'clientOrderId',
    message: `An order "${clientOrderId}" of this ${whose} is active or was until lately; put the time into the id, as in \`entry-\${clock.now()}\`, or leave clientOrderId out.`,
  };
}

const madeIdRejection = (given: string): Rejection => ({
  code: 'client-order-id-invalid',
  field: 'clientOrderId',
  message: `The engine gives ids such as "${given}" to orders without one; name the order otherwise, as in \`entry-\${clock.now()}\`, or leave clientOrderId out.`,
});

export const unknownSymbol = (symbol: string): Rejection => ({
  code: 'symbol-unknown',
  field: 'symbol',
  message: `The venue has no symbol "${symbol}".`,
});

type Lifespan = Pick<OrderDraft, 'timeInForce'> & { readonly within?: number };

/** Converts a duration to its end; `undefined` without one. */
function expiryOf(
  { timeInForce, within }: Lifespan,
  now: Micros,
): Pick<OrderDraft, 'timeInForce' | 'expireAt'> | Rejection | undefined {
  if (within === undefined) return undefined;
  const code = 'expire-time-invalid';
  const field = 'within';
  const spanUs = Math.round(within * US_PER_MS);
  if (!Number.isSafeInteger(now + spanUs) || spanUs < 1) {
    const message = `within is ${within} and must be a positive number of milliseconds, such as hours(4).`;
    return { code, field, message, limit: '0' };
  }
  if ((timeInForce ?? 'GTD') !== 'GTD') {
    const message = `within is given together with timeInForce ${String(timeInForce)}; give one of them.`;
    return { code, field, message };
  }
  return { timeInForce: 'GTD', expireAt: micros(now + spanUs) };
}

type AnyOrder = ListOrder & { readonly closePosition?: boolean };
type SpotOrder = Omit<ListOrder, 'margin'> & { readonly margin?: undefined };

/** An order with its margin terms in the form of the rules. */
function onMargin(order: AnyOrder, margin: OrderMargin): OrderDraft {
  const { margin: _, reduceOnly: __, closePosition: ___, ...plain } = order;
  return { ...plain, margin };
}

/** Margin terms of an order; undefined for spot. */
function marginOf(order: AnyOrder): OrderMargin | undefined | Rejection {
  const { symbol, margin: mode, reduceOnly, closePosition } = order;
  if (mode !== undefined) {
    return {
      mode,
      reduceOnly,
      closePosition,
    };
  }
  const field = reduceOnly === undefined ? 'closePosition' : 'reduceOnly';
  if (order[field] === undefined) return undefined;
  return {
    code: 'request-invalid',
    field,
    message: `${field} is for orders on margin, and this is a spot order; give the market as isolated('${symbol}') or cross('${symbol}').`,
  };
}

/**
 * Why an order cannot be traded, by the known state of its margin account. `waits` says that
 * another order comes first.
 */
export function marginRejection(
  host: OrderManagerHost,
  instrument: Instrument,
  { side, margin }: OrderTerms,
  waits = false,
): Rejection | undefined {
  const { symbol } = instrument;
  // An open order on the other side may increase the position that this one reduces.
  const mayGrow = (): boolean =>
    waits ||
    host.orders
      .open()
      .some(
        (order) =>
          order.symbol === symbol &&
          order.margin?.mode === margin?.mode &&
          order.side !== side &&
          !isReducing(order.margin),
      );
  const plain = margin && { mode: margin.mode };
  return host.placeRejection(instrument, isReducing(margin) && !mayGrow() ? margin : plain, side);
}

/** True for an order that can only reduce a position. */
const isReducing = (margin: OrderMargin | undefined): boolean =>
  margin?.reduceOnly === true || margin?.closePosition === true;
