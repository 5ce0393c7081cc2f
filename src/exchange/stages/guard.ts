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
 * What is known of a request. `passed`: it has passed the rules of orders at a door, that of the engine or of
 * forms. Then the exchange trusts what it says, and asks what has happened since and what it alone knows. One
 * that no door would let pass is a defect of ours and throws `internal`. `renewed`: its order stood in a former
 * life of the account, and goes on; on a margin its funds are not asked for again. Of it, and of every other
 * request, the exchange asks these rules itself.
 */
export type Passed = 'passed' | 'renewed';

/** An order as an account places it; its instrument is found already. */
export interface Placement {
  readonly account: number;
  readonly instrument: number;
  readonly order: NewOrder;
  readonly passed: Passed | undefined;
}

/** An order list as it reaches the exchange. */
export interface NewList extends ListTerms {
  readonly orders: readonly NewOrder[];
}

/** Why an order is none, whatever the exchange holds. */
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

/** Why orders are no list together. */
export const listRejection = (list: ListTerms, passed?: Passed): Rejection | undefined =>
  passed !== 'passed' ? orderListRejection(list) : undefined;

/** Why an order as it stands cannot become what a change says. */
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
