import { micros } from '../../platform/time.ts';
import type { NewOrder } from '../../model/order.ts';
import type { OrderChange } from '../../rules/order-change.ts';
import type { Fees } from '../ledger/fees.ts';
import { flagsOf } from '../positions/flags.ts';
import type { OrderOpening } from '../orders/order-opening.ts';
import type { Orders } from '../orders/orders.ts';
import { dayEnd } from '../orders/trading-day.ts';
import { sideCode } from '../orders/side.ts';

/** The record that a new order begins with: one that is filled anew for each order, and not kept. */
export class Opening implements OrderOpening {
  account = 0;
  instrument = 0;
  side = 0;
  type: OrderOpening['type'] = 'limit';
  timeInForce: OrderOpening['timeInForce'] = 'GTC';
  postOnly = false;
  tariff = 0;
  margin = 0;
  lots = 0;
  ticks = 0;
  expireAt = 0;
  clientOrderId = '';
  readonly originalClientOrderId: undefined;
  readonly executed = 0;
  createdAt = 0;
  at = 0;

  fill(account: number, instrument: number, order: NewOrder, now: number, fees: Fees): void {
    const at = micros(now);
    const { timeInForce, expireAt } = order;
    this.account = account;
    this.instrument = instrument;
    this.side = sideCode(order.side);
    this.type = order.type;
    this.timeInForce = timeInForce;
    this.postOnly = order.postOnly;
    this.tariff = fees.enter(account, instrument, order);
    this.margin = order.margin === undefined ? 0 : flagsOf(order.margin);
    this.lots = order.lots;
    this.ticks = order.ticks ?? 0;
    this.expireAt = expireAt ?? (timeInForce === 'Day' ? dayEnd(at) : Number.POSITIVE_INFINITY);
    this.clientOrderId = order.clientOrderId;
    this.createdAt = at;
    this.at = at;
  }
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
