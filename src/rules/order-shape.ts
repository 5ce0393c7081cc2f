import {
  hasPrice,
  hasStopPrice,
  ORDER_TYPES,
  SIDES,
  TIMES_IN_FORCE,
  type OrderTerms,
  type OrderType,
  type TimeInForce,
} from '../model/order.ts';
import type { Rejection, RejectionCode } from '../model/rejections.ts';
import type { Ticks } from '../model/units.ts';
import { isoTime, type Micros } from '../platform/time.ts';
import { orderMarginRejection } from './margin/order-margin.ts';
import { quoted } from './quoted.ts';

/** FOK for the market types, GTC for the limit types. */
export const defaultTimeInForce = (type: OrderType): TimeInForce =>
  hasPrice(type) ? 'GTC' : 'FOK';

/**
 * Checks that the fields of an order fit each other and the time `now`; allocates nothing if they
 * do. Where the trading service leaves a choice, docs/errors.md has ours: a plain market order
 * cannot rest and so takes only FOK or IOC; post-only needs a type and a time in force that can
 * rest; a price for a type without one is an error, as is an expire time without GTD.
 */
export function orderShapeRejection(order: OrderTerms, now: Micros): Rejection | undefined {
  return (
    orderNamesRejection(order) ??
    orderMarginRejection(order) ??
    (order.margin?.closePosition === true ? undefined : quantityRejection(order.lots)) ??
    priceRejection(order.type, order.ticks, order.stopTicks) ??
    timeInForceRejection(order, now)
  );
}

/**
 * The rules of `orderShapeRejection` for an order whose names and numbers have passed already: that
 * its fields fit each other and the time `now`.
 */
export function orderFitRejection(order: OrderTerms, now: Micros): Rejection | undefined {
  return (
    orderMarginRejection(order) ??
    pricesRejection(order.type, order.ticks, order.stopTicks) ??
    timeInForceRejection(order, now)
  );
}

/**
 * True for a valid plain limit order, as most orders are: a check that is faster than all the
 * rules.
 */
export const isPlainLimit = (order: OrderTerms): boolean =>
  order.type === 'limit' &&
  (order.timeInForce === 'GTC' || order.timeInForce === 'IOC') &&
  (order.side === 'buy' || order.side === 'sell') &&
  typeof order.postOnly === 'boolean' &&
  !order.postOnly &&
  isCount(order.lots) &&
  isCount(order.ticks) &&
  order.stopTicks === undefined &&
  order.expireAt === undefined &&
  order.margin === undefined;

/**
 * True for an order with countable numbers and the prices of its type: a cheap check of an order
 * that has passed all of these rules before.
 */
export const isSound = ({
  type,
  lots,
  ticks,
  stopTicks,
  margin,
}: Pick<OrderTerms, 'type' | 'lots' | 'ticks' | 'stopTicks' | 'margin'>): boolean =>
  (isCount(lots) || margin?.closePosition === true) &&
  isCount(ticks) === hasPrice(type) &&
  isCount(stopTicks) === hasStopPrice(type);

/** True for a whole number from 1 up. */
const isCount = (value: number | undefined): boolean =>
  Number.isSafeInteger(value) && Number(value) >= 1;

/** Checks the names in an order, which may come from untyped code. */
export function orderNamesRejection({
  side,
  type,
  timeInForce,
}: Pick<OrderTerms, 'side' | 'type' | 'timeInForce'>): Rejection | undefined {
  if (!SIDES.includes(side)) return oneOf('side-invalid', 'side', side, SIDES);
  if (!ORDER_TYPES.includes(type)) return oneOf('type-invalid', 'type', type, ORDER_TYPES);
  if (!TIMES_IN_FORCE.includes(timeInForce)) {
    return oneOf('time-in-force-invalid', 'timeInForce', timeInForce, TIMES_IN_FORCE);
  }
  return undefined;
}

/** A quantity is a whole number of lots, at least one. */
export function quantityRejection(lots: number): Rejection | undefined {
  if (!Number.isSafeInteger(lots)) return notWhole('quantity', lots, 'lots');
  if (lots >= 1) return undefined;
  return {
    code: 'quantity-below-minimum',
    field: 'quantity',
    message: `quantity is ${lots} lots and must be at least 1.`,
    limit: '1',
  };
}

/** Prices are present exactly if the type has them, and are whole and positive. */
export function priceRejection(
  type: OrderType,
  ticks: Ticks | undefined,
  stopTicks: Ticks | undefined,
): Rejection | undefined {
  return (
    pricesRejection(type, ticks, stopTicks) ??
    (ticks === undefined ? undefined : ticksRejection(ticks)) ??
    (stopTicks === undefined ? undefined : stopTicksRejection(stopTicks))
  );
}

/** Prices are present exactly if the type has them. */
export const pricesRejection = (
  type: OrderType,
  ticks: Ticks | undefined,
  stopTicks: Ticks | undefined,
): Rejection | undefined =>
  presenceRejection(type, 'price', ticks, hasPrice(type), 'price-missing') ??
  presenceRejection(type, 'stopPrice', stopTicks, hasStopPrice(type), 'stop-price-missing');

/** A price is a whole number of ticks, at least one. */
export const ticksRejection = (ticks: number): Rejection | undefined =>
  positiveRejection('price', ticks, 'price-invalid');

/** A stop price is a whole number of ticks, at least one. */
export const stopTicksRejection = (stopTicks: number): Rejection | undefined =>
  positiveRejection('stopPrice', stopTicks, 'stop-price-invalid');

function presenceRejection(
  type: OrderType,
  field: 'price' | 'stopPrice',
  ticks: number | undefined,
  needed: boolean,
  missing: RejectionCode,
): Rejection | undefined {
  if ((ticks !== undefined) === needed) return undefined;
  return needed
    ? { code: missing, field, message: `A ${type} order needs a ${field}.` }
    : { code: 'type-invalid', field, message: `A ${type} order takes no ${field}.` };
}

/** Rejects a number of ticks that is not a positive whole number. */
export function positiveRejection(
  field: string,
  ticks: number,
  code: RejectionCode,
): Rejection | undefined {
  if (!Number.isSafeInteger(ticks)) return notWhole(field, ticks, 'ticks');
  if (ticks >= 1) return undefined;
  return { code, field, message: `${field} is ${ticks} ticks and must be at least 1.`, limit: '1' };
}

function timeInForceRejection(order: OrderTerms, now: Micros): Rejection | undefined {
  const { type, timeInForce, expireAt, postOnly } = order;
  const atOnce = timeInForce === 'FOK' || timeInForce === 'IOC';
  if (type === 'market' && !atOnce) {
    return oneOf('time-in-force-invalid', 'timeInForce', timeInForce, ['FOK', 'IOC']);
  }
  if (postOnly && !hasPrice(type)) {
    return {
      code: 'type-invalid',
      field: 'postOnly',
      message: `A ${type} order cannot be post-only, it never rests.`,
    };
  }
  if (postOnly && atOnce) {
    return {
      code: 'time-in-force-invalid',
      field: 'timeInForce',
      message: `timeInForce is ${timeInForce}; a post-only order must be able to rest: GTC, Day or GTD.`,
      limit: 'GTC, Day, GTD',
    };
  }
  return timeInForce === 'GTD'
    ? futureRejection(expireAt, now)
    : noExpiryRejection(timeInForce, expireAt);
}

function futureRejection(expireAt: Micros | undefined, now: Micros): Rejection | undefined {
  const code = 'expire-time-invalid';
  const field = 'expireAt';
  if (expireAt === undefined) return { code, field, message: 'A GTD order needs an expireAt.' };
  if (!Number.isSafeInteger(expireAt)) {
    return {
      code,
      field,
      message: `expireAt is ${quoted(expireAt)} and must be whole microseconds, before June 2255.`,
    };
  }
  return expiredRejection(expireAt, now);
}

/** Rejects a GTD order whose time has passed, which may happen on the way to a venue. */
export function expiredRejection(expireAt: Micros | undefined, now: Micros): Rejection | undefined {
  if (expireAt === undefined || expireAt > now) return undefined;
  const limit = isoTime(now);
  return {
    code: 'expire-time-invalid',
    field: 'expireAt',
    message: `expireAt is ${isoTime(expireAt)} and must be after ${limit}.`,
    limit,
  };
}

const noExpiryRejection = (
  timeInForce: TimeInForce,
  expireAt: Micros | undefined,
): Rejection | undefined =>
  expireAt === undefined
    ? undefined
    : {
        code: 'expire-time-invalid',
        field: 'expireAt',
        message: `A ${timeInForce} order takes no expireAt, only GTD does.`,
      };

const notWhole = (field: string, value: number, unit: 'ticks' | 'lots'): Rejection => ({
  code: 'number-out-of-range',
  field,
  message: `${field} is ${quoted(value)} ${unit} and must be a whole number of at most 2^53 - 1.`,
  limit: String(Number.MAX_SAFE_INTEGER),
});

function oneOf(
  code: RejectionCode,
  field: string,
  given: string,
  allowed: readonly string[],
): Rejection {
  const limit = allowed.join(', ');
  return {
    code,
    field,
    message: `${field} is ${quoted(given)} and must be one of ${limit}.`,
    limit,
  };
}
