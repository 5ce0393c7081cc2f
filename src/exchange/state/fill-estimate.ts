import type { OrderList } from '../orders/lists.ts';
import type { Position } from '../positions/account.ts';

/** Latest estimate of how much an incoming order could execute. */
export class FillEstimate {
  /** Lots that could execute, up to the order's quantity. */
  lots = 0;
  /** Sum of ticks × lots of these lots. */
  value: number | bigint = 0;
  /** Lots still to be estimated. */
  remaining = 0;
  /** Sets of which one leg was counted, so that no other one counts. */
  readonly spent = new Set<OrderList>();
  /** Lots of positions counted as closed by the margin orders estimated so far. */
  readonly closed = new Map<Position, number>();
}
