import { MillraceError } from '../../model/errors.ts';
import type { NewOrder } from '../../model/order.ts';
import type { Rejection } from '../../model/rejections.ts';
import type { Micros } from '../../platform/time.ts';
import { postOnlyRejection } from '../../rules/order-form.ts';
import { orderListRejection, type ListTerms } from '../../rules/order-list.ts';
import { expiredRejection, isSound, orderShapeRejection } from '../../rules/order-shape.ts';
import { ownRatesRejection } from '../../rules/own-rates.ts';
import {
  replacementRejection,
  replacementStateRejection,
  type Replaced,
  type Replacement,
} from '../../rules/replacement.ts';

/**
 * How far a request has been checked. `passed`: the rules of orders were checked at an entry point,
 * by the engine or by forms. The exchange then checks only what has happened since and what it
 * alone knows. A request that no entry point lets pass is a bug and throws `internal`. `restored`:
 * the order was active in a previous run of the account and continues; its margin is not checked
 * again. For it, as for every other request, the exchange checks these rules itself.
 */
export type Passed = 'passed' | 'restored';

/** An order of an account with the index of its instrument. */
export interface Placement {
  readonly account: number;
  readonly instrument: number;
  readonly order: NewOrder;
  readonly passed: Passed | undefined;
}

/** An order list as the exchange gets it. */
export interface NewList extends ListTerms {
  readonly orders: readonly NewOrder[];
}

/** Why an order is invalid, whatever the state of the exchange. */
export function orderRejection(
  order: NewOrder,
  at: Micros,
  passed?: Passed,
): Rejection | undefined {
  if (passed !== 'passed') {
    return postOnlyRejection(order) ?? orderShapeRejection(order, at) ?? ownRatesRejection(order);
  }
  if (!isSound(order)) throw unchecked(`The order ${order.clientOrderId}`);
  return expiredRejection(order.expireAt, at);
}

/** Why orders are not a valid list. */
export const listRejection = (list: ListTerms, passed?: Passed): Rejection | undefined =>
  passed !== 'passed' ? orderListRejection(list) : undefined;

/** Why a change of an active order is invalid. */
export function changeRejection(
  order: Replaced,
  change: Replacement,
  passed?: Passed,
): Rejection | undefined {
  if (passed !== 'passed') return replacementRejection(order, change);
  const { lots = order.lots, ticks = order.ticks, stopTicks = order.stopTicks } = change;
  if (!isSound({ type: order.type, lots, ticks, stopTicks })) {
    throw unchecked(`A replacement of a ${order.type} order`);
  }
  return replacementStateRejection(order, change);
}

const unchecked = (what: string): MillraceError =>
  new MillraceError('internal', `${what} came to the exchange though no rule lets it pass.`);
