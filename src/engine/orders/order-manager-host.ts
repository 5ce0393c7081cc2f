import type { Instrument } from '../../model/instrument.ts';
import type { OrderMargin } from '../../model/margin-terms.ts';
import type { NewOrder, Order, OrderList, Side } from '../../model/order.ts';
import type { OrderRequest } from '../../model/order-request.ts';
import type { Rejection } from '../../model/rejections.ts';
import type { Ticks } from '../../model/units.ts';
import type { Micros } from '../../platform/time.ts';
import type { Trail } from '../../rules/trailing.ts';
import type { StrategyOrders } from './strategy-orders.ts';

/** Dependencies of the order managers. */
export interface OrderManagerHost {
  readonly orders: StrategyOrders;
  /** The next generated client order id. */
  nextId(): string;
  /** True for an id that was or may be generated. */
  isMadeId(clientOrderId: string): boolean;
  now(): Micros;
  instrument(symbol: string): Instrument | undefined;
  /** Why an order with these margin terms cannot be traded, whatever its other fields. */
  placeRejection(
    instrument: Instrument,
    margin: OrderMargin | undefined,
    side?: Side,
  ): Rejection | undefined;
  /** Last known price; NaN before the first. */
  lastTicks(symbol: string): Ticks;
  send(request: OrderRequest, managed: boolean): void;
  /** Trails the stop price of an order that was just sent. */
  trail(order: NewOrder, trail: Trail): void;
  /** Logs a message. */
  note(message: string, fields: Readonly<Record<string, unknown>>): void;
  /** Emits an order to the strategy. */
  show(order: Order): void;
  /** Emits an order list to the strategy, after its orders. */
  showList(list: OrderList): void;
}
