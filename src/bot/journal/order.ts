import type { Order } from '../../model/order.ts';
import type { Fill } from '../../model/report.ts';

/** An order to be written to the journal's tables. */
export interface StoredOrder {
  readonly order: Order;
  /** Row of the instrument whose grid its ticks and lots are on. */
  readonly instrumentId: number;
  /** Fills that are not in the file yet. */
  readonly unwritten: readonly Fill[];
}

/** Members that identify an order and never change. */
type Terms = Pick<Order, 'symbol' | 'side' | 'type' | 'margin'>;

/** True if two orders of one client order id cannot be the same order. */
export const isOtherOrder = (one: Terms, other: Terms): boolean =>
  one.symbol !== other.symbol ||
  one.side !== other.side ||
  one.type !== other.type ||
  one.margin?.mode !== other.margin?.mode;
