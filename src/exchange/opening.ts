import type { Micros } from '../platform/time.ts';
import type { Fees } from './fees.ts';
import type { NewOrder, OrderChange } from './intake.ts';
import { flagsOf } from './margin/flags.ts';
import type { OrderOpening, Orders } from './orders.ts';
import { sideCode } from './side.ts';
import { dayEnd } from './trading-day.ts';

/** The record that a new order begins with. */
export function opening(
  account: number,
  instrument: number,
  order: NewOrder,
  at: Micros,
  fees: Fees,
): OrderOpening {
  const { timeInForce, expireAt } = order;
  return {
    account,
    instrument,
    side: sideCode(order.side),
    type: order.type,
    timeInForce,
    postOnly: order.postOnly,
    tariff: fees.enter(account, instrument, order),
    margin: order.margin === undefined ? 0 : flagsOf(order.margin),
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

/** The record of an order that takes the place of another. */
export function succession(
  orders: Orders,
  old: number,
  change: OrderChange,
  at: number,
  fees: Fees,
): OrderOpening {
  return {
    account: orders.account(old),
    instrument: orders.instrument(old),
    side: orders.side(old),
    type: orders.type(old),
    timeInForce: orders.timeInForce(old),
    postOnly: orders.postOnly(old),
    tariff: fees.keep(orders.tariff(old)),
    margin: orders.margin(old),
    lots: change.lots ?? orders.lots(old),
    ticks: change.ticks ?? orders.ticks(old),
    expireAt: orders.expireAt(old),
    clientOrderId: change.newClientOrderId,
    originalClientOrderId: change.clientOrderId,
    executed: orders.executed(old),
    createdAt: orders.createdAt(old),
    at,
  };
}
