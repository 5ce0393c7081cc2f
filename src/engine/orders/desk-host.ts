import type { Instrument } from '../../model/instrument.ts';
import type { Ticks } from '../../model/units.ts';
import type { Micros } from '../../platform/time.ts';
import type { TrackedList, TrackedOrder } from '../../strategy/context.ts';
import type { OrderRequest } from '../gateway.ts';
import type { Orders } from './orders.ts';

/** What the desks need of their surroundings. */
export interface DeskHost {
  readonly orders: Orders;
  /** The next client order id of the engine's own making. */
  nextId(): string;
  now(): Micros;
  instrument(symbol: string): Instrument | undefined;
  /** The last known price; NaN before the first. */
  lastTicks(symbol: string): Ticks;
  send(request: OrderRequest, wished: boolean): void;
  /** Tells the reader of the log. */
  note(message: string, fields: Readonly<Record<string, unknown>>): void;
  /** Shows an order to the strategy. */
  show(order: TrackedOrder): void;
  /** Shows an order list to the strategy, after its orders. */
  showList(list: TrackedList): void;
}
