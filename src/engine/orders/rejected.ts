import {
  ORDER_TYPES,
  type ListMembership,
  type Order,
  type OrderType,
  type Side,
} from '../../model/order.ts';
import { applyOrderEvent, pendingOrder } from '../../model/order-reducer.ts';
import type { Rejection } from '../../model/rejections.ts';
import type { Lots } from '../../model/units.ts';
import { defaultTimeInForce } from '../../rules/order-shape.ts';
import type { OrderManagerHost } from './order-manager-host.ts';

/** Terms of a rejected order that are emitted. */
export interface RequestedTerms {
  readonly symbol: string;
  readonly side: Side;
  readonly type?: OrderType | undefined;
  readonly lots?: Lots | undefined;
}

/** An order that was never sent, as a strategy sees it. */
export function rejectedOrder(
  host: OrderManagerHost,
  { symbol, side, type = 'limit', lots = 0 as Lots }: RequestedTerms,
  clientOrderId: string,
  rejection: Rejection,
  list?: ListMembership,
): Order {
  const at = host.now();
  const timeInForce = defaultTimeInForce(type);
  const terms = { clientOrderId, symbol, side, type, timeInForce, lots, postOnly: false };
  const requester = { strategy: host.orders.strategy, managed: false, requestedAt: at };
  const order = pendingOrder(terms, requester, list);
  return applyOrderEvent(order, { kind: 'rejected', rejection }, at);
}

/** Emits a rejected order, so that the strategy finds it among its orders. */
export function showRejected(
  host: OrderManagerHost,
  terms: RequestedTerms,
  clientOrderId: string,
  rejection: Rejection,
): Rejection {
  host.show(rejectedOrder(host, terms, clientOrderId, rejection));
  return rejection;
}

/** Emits the readable part of an invalid order. */
export function showUnreadable(
  host: OrderManagerHost,
  order: object,
  rejection: Rejection,
): Rejection {
  const { id, terms } = readableOrder(host, order);
  return showRejected(host, terms, id, rejection);
}

/** The readable part of an order with fields of any type. */
export function readableOrder(
  host: OrderManagerHost,
  order: object,
): { readonly id: string; readonly terms: RequestedTerms } {
  const given: Readonly<Record<string, unknown>> = { ...order };
  const { clientOrderId, symbol, side, lots } = given;
  return {
    id: typeof clientOrderId === 'string' ? clientOrderId : host.nextId(),
    terms: {
      symbol: typeof symbol === 'string' ? symbol : '',
      side: side === 'sell' ? 'sell' : 'buy',
      type: ORDER_TYPES.find((type) => type === given.type),
      lots: (Number.isSafeInteger(lots) ? lots : 0) as Lots,
    },
  };
}
