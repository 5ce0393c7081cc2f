import type { Micros } from '../platform/time.ts';
import type { NewOrder } from './intake.ts';
import type { OrderOpening } from './orders.ts';
import { sideCode } from './side.ts';
import { dayEnd } from './trading-day.ts';

/** The record that a new order begins with. */
export function opening(
  account: number,
  instrument: number,
  order: NewOrder,
  at: Micros,
): OrderOpening {
  const { timeInForce, expireAt } = order;
  return {
    account,
    instrument,
    side: sideCode(order.side),
    type: order.type,
    timeInForce,
    postOnly: order.postOnly,
    lots: order.lots,
    ticks: order.ticks ?? 0,
    expireAt: expireAt ?? (timeInForce === 'Day' ? dayEnd(at) : Number.POSITIVE_INFINITY),
    clientOrderId: order.clientOrderId,
    originalClientOrderId: undefined,
    executed: 0,
    createdAt: at,
    at,
  };
}
