import {
  CONTINGENCY_TYPES,
  type ContingencyType,
  type NewOrder,
  type OrderType,
} from '../model/order.ts';
import type { Rejection } from '../model/rejections.ts';
import { quoted } from './quoted.ts';

/** Orders that are accepted or rejected together. */
export interface ListTerms {
  readonly contingencyType: ContingencyType;
  /** Client order id of the first order, if given. */
  readonly orderListId?: string | undefined;
  readonly orders: readonly NewOrder[];
}

/** Checks that a list is an object with an array of objects. It may come from untyped code. */
export function listFormRejection(list: unknown): Rejection | undefined {
  const orders: unknown = isObject(list) && 'orders' in list ? list.orders : undefined;
  if (!Array.isArray(orders)) {
    return {
      code: 'request-invalid',
      field: 'orders',
      message: 'An order list is an object with an array of orders.',
    };
  }
  // A hole of the array is undefined here; array methods would skip it.
  for (const [index, order] of (orders as unknown[]).entries()) {
    if (!isObject(order)) return noOrder(order, `orders[${index}]`);
  }
  return undefined;
}

/** Checks that an order is an object. */
export const orderFormRejection = (order: unknown): Rejection | undefined =>
  isObject(order) ? undefined : noOrder(order);

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const noOrder = (order: unknown, field?: string): Rejection => ({
  code: 'request-invalid',
  ...(field === undefined ? {} : { field }),
  message: `${field ?? 'The request'} is ${quoted(order)} and must be an object with fields.`,
});

/**
 * Checks the rules of a list for its orders together: number, types and times in force, symbols,
 * ids. Each order's own shape is checked separately.
 */
export function orderListRejection(list: ListTerms): Rejection | undefined {
  const { contingencyType } = list;
  if (!CONTINGENCY_TYPES.includes(contingencyType)) {
    const limit = CONTINGENCY_TYPES.join(', ');
    return {
      code: 'contingency-type-invalid',
      field: 'contingencyType',
      message: `contingencyType is ${quoted(contingencyType)} and must be one of ${limit}.`,
      limit,
    };
  }
  return countRejection(list) ?? idRejection(list) ?? kindRejection(list);
}

function countRejection({ contingencyType, orders }: ListTerms): Rejection | undefined {
  const least = contingencyType === 'oneTriggerOneCancelOther' ? 3 : 2;
  if (orders.length >= least && orders.length <= 3) return undefined;
  const limit = least === 3 ? '3' : '2..3';
  return {
    code: 'order-count-invalid',
    field: 'orders',
    message: `${contingencyType} takes ${least === 3 ? '3' : '2 or 3'} orders, not ${orders.length}.`,
    limit,
  };
}

function idRejection({ orderListId, orders }: ListTerms): Rejection | undefined {
  const ids = orders.map((order) => order.clientOrderId);
  if (orderListId !== undefined && orderListId !== ids[0]) {
    return {
      code: 'order-list-id-invalid',
      field: 'orderListId',
      message: `orderListId is ${quoted(orderListId)} and must be the first client order id, ${quoted(ids[0])}.`,
      limit: ids[0],
    };
  }
  const index = ids.findIndex((id, at) => ids.indexOf(id) !== at);
  if (index < 0) return undefined;
  return {
    code: 'client-order-id-taken',
    field: `orders[${index}].clientOrderId`,
    message: `Two orders of the list have the client order id ${quoted(ids[index])}; choose another.`,
  };
}

function kindRejection({ contingencyType, orders }: ListTerms): Rejection | undefined {
  switch (contingencyType) {
    case 'allOrNone':
      return (
        spotRejection(orders) ??
        fillOrKillRejection(orders) ??
        symbolsRejection(contingencyType, orders, orders.length)
      );
    case 'oneCancelOther':
      return legsRejection(contingencyType, orders, 0);
    case 'oneTriggerOther':
      return undefined;
    case 'oneTriggerOneCancelOther':
      return (
        symbolsRejection(contingencyType, orders, 1) ?? legsRejection(contingencyType, orders, 1)
      );
  }
}

/** allOrNone: only spot orders. */
function spotRejection(orders: readonly NewOrder[]): Rejection | undefined {
  const index = orders.findIndex(({ margin }) => margin !== undefined);
  if (index < 0) return undefined;
  return {
    code: 'contingency-type-invalid',
    field: `orders[${index}].marginMode`,
    message: 'allOrNone takes spot orders alone, and this is a margin order.',
  };
}

/** allOrNone: limit or market, and FOK. */
function fillOrKillRejection(orders: readonly NewOrder[]): Rejection | undefined {
  for (const [index, { type, timeInForce }] of orders.entries()) {
    if (type !== 'limit' && type !== 'market') {
      return typeRejection('allOrNone', index, type, 'limit, market');
    }
    if (timeInForce !== 'FOK') return timeRejection('allOrNone', index, timeInForce, 'FOK');
  }
  return undefined;
}

/**
 * Orders that exclude each other: at most one plain limit order, none that always executes at once.
 */
function legsRejection(
  contingencyType: ContingencyType,
  orders: readonly NewOrder[],
  from: number,
): Rejection | undefined {
  let limits = 0;
  for (const [index, { type, timeInForce }] of orders.entries()) {
    if (index < from) continue;
    if (type === 'market') {
      const allowed = 'limit, stopLimit, stopMarket, takeProfitLimit, takeProfitMarket';
      return typeRejection(contingencyType, index, type, allowed);
    }
    if (type !== 'limit') continue;
    limits += 1;
    if (limits > 1) {
      const allowed = 'stopLimit, stopMarket, takeProfitLimit, takeProfitMarket';
      return typeRejection(contingencyType, index, 'limit', allowed);
    }
    if (timeInForce === 'IOC' || timeInForce === 'FOK') {
      return timeRejection(contingencyType, index, timeInForce, 'GTC, Day, GTD');
    }
  }
  return undefined;
}

function symbolsRejection(
  contingencyType: ContingencyType,
  orders: readonly NewOrder[],
  count: number,
): Rejection | undefined {
  const symbols = new Set(orders.map((order) => order.symbol));
  if (symbols.size === count) return undefined;
  return {
    code: 'list-symbols-invalid',
    field: 'orders',
    message: `${contingencyType} has the symbols ${[...symbols].join(', ')} in ${orders.length} orders and must have ${count === 1 ? 'one' : 'a different one in each'}.`,
    limit: String(count),
  };
}

const typeRejection = (
  contingencyType: ContingencyType,
  index: number,
  type: OrderType,
  limit: string,
): Rejection => ({
  code: 'type-invalid',
  field: `orders[${index}].type`,
  message: `In ${contingencyType} the type of order ${index + 1} is ${quoted(type)} and must be one of ${limit}.`,
  limit,
});

const timeRejection = (
  contingencyType: ContingencyType,
  index: number,
  timeInForce: string,
  limit: string,
): Rejection => ({
  code: 'time-in-force-invalid',
  field: `orders[${index}].timeInForce`,
  message: `In ${contingencyType} the timeInForce of order ${index + 1} is ${quoted(timeInForce)} and must be one of ${limit}.`,
  limit,
});
