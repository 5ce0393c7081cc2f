import type { OrderType, Side, VenueOrder } from '../../model/order.ts';
import type { Refusal } from '../../model/refusals.ts';
import type { Lots, Ticks } from '../../model/units.ts';
import type { OwnRates } from '../../rules/own-rates.ts';
import type { TrackedOrder } from '../../strategy/context.ts';
import type { Membership } from './own-order.ts';

/**
 * An order that a strategy placed in a former life of the process, as the journal has it after
 * recovery. Of a list all orders are given, those that have ended too.
 */
export interface RestoredOrder extends OwnRates {
  readonly clientOrderId: string;
  readonly symbol: string;
  readonly side: Side;
  readonly type: OrderType;
  readonly status: TrackedOrder['status'];
  readonly lots: Lots;
  readonly executedLots: Lots;
  /** Lots of the fills that were seen, all that is executed where absent. */
  readonly seenLots?: Lots | undefined;
  /** Numbers of these fills; who sees one of them again knows it. */
  readonly fillIds?: ReadonlySet<number> | undefined;
  readonly ticks?: Ticks | undefined;
  readonly stopTicks?: Ticks | undefined;
  readonly membership?: Membership | undefined;
  /** The order that it was to replace, or replaced. */
  readonly replaces?: string | undefined;
  /** The order that took its place. */
  readonly replacedBy?: string | undefined;
  readonly refusal?: Refusal | undefined;
  /** As last reported; absent while nothing was heard of it. */
  readonly venueOrder?: VenueOrder | undefined;
}
