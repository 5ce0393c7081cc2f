import type { Instrument } from '../../model/instrument.ts';
import type { OrderMargin } from '../../model/margin-terms.ts';
import type { NewOrder, Order, OrderList, Side } from '../../model/order.ts';
import type { OrderRequest } from '../../model/order-request.ts';
import type { Rejection } from '../../model/rejections.ts';
import type { Ticks } from '../../model/units.ts';
import type { Micros } from '../../platform/time.ts';
import type { Trail } from '../../rules/trailing.ts';
import type { StrategyOrders } from './strategy-orders.ts';

/** What the desks need of their surroundings. */
export interface OrderManagerHost {
  readonly orders: StrategyOrders;
  /** The next client order id of the engine's own making. */
  nextId(): string;
  /** True for an id that is, was or may be one of those. */
  isMadeId(clientOrderId: string): boolean;
  now(): Micros;
  instrument(symbol: string): Instrument | undefined;
  /** Why an order of such margin terms cannot be traded, whatever else it says. */
  placeRejection(
    instrument: Instrument,
    margin: OrderMargin | undefined,
    side?: Side,
  ): Rejection | undefined;
  /** The last known price; NaN before the first. */
  lastTicks(symbol: string): Ticks;
  send(request: OrderRequest, managed: boolean): void;
  /** Lets the stop price of an order that is on its way follow the market. */
  trail(order: NewOrder, trail: Trail): void;
  /** Logs for people. */
  note(message: string, fields: Readonly<Record<string, unknown>>): void;
  /** Shows an order to the strategy. */
  show(order: Order): void;
  /** Shows an order list to the strategy, after its orders. */
  showList(list: OrderList): void;
}
