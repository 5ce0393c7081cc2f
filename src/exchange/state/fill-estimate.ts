import type { OrderList } from '../orders/lists.ts';
import type { Position } from '../positions/account.ts';

/** How much an incoming order could execute now, as it was estimated last. */
export class FillEstimate {
  /** Lots that it could execute, its own quantity at most. */
  lots = 0;
  /** Sum of ticks × lots over them. */
  value: number | bigint = 0;
  /** Lots that are still to be estimated. */
  remaining = 0;
  /** Sets of which a leg was counted: no other leg of them can be had. */
  readonly spent = new Set<OrderList>();
  /** Lots of positions that were counted as closed by the margin orders estimated so far. */
  readonly closed = new Map<Position, number>();
}
