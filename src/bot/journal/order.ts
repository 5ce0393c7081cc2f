import type { Fill } from '../../model/report.ts';
import type { TimeInForce } from '../../model/order.ts';
import type { Micros } from '../../platform/time.ts';
import { ownRates } from '../../rules/own-rates.ts';
import type { OwnOrder } from '../../engine/orders/own-order.ts';
import type { JournaledOrder } from './records.ts';

/** An order of the journal while it is held in memory: the engine's own order and what only a journal knows. */
export interface KeptOrder {
  readonly own: OwnOrder;
  readonly strategy: string;
  /** Row of the instrument whose grid its ticks and lots are on. */
  readonly instrumentId: number;
  readonly timeInForce: TimeInForce;
  readonly wished: boolean;
  /** The client order id of the order that it replaces or replaced. */
  readonly replaces: string | undefined;
  readonly intendedAt: Micros;
  endedAt: Micros | undefined;
  /** Fills that are not in the file yet. */
  unwritten: Fill[];
}

/** How the journal tells of an order. */
export function journaled(kept: KeptOrder): JournaledOrder {
  const { own, strategy, timeInForce, wished, replaces, intendedAt, endedAt } = kept;
  return {
    clientOrderId: own.clientOrderId,
    strategy,
    symbol: own.symbol,
    side: own.side,
    type: own.type,
    timeInForce,
    lots: own.lots,
    executedLots: own.executedLots,
    seenLots: own.seenLots,
    ticks: own.ticks,
    stopTicks: own.stopTicks,
    ...ownRates(own),
    status: own.status,
    wished,
    membership: own.membership,
    replaces,
    replacedBy: own.replacedBy?.clientOrderId,
    refusal: own.refusal,
    intendedAt,
    endedAt,
    venueOrder: own.venueOrder,
    fillIds: new Set(own.fillIds),
  };
}

/** What makes an order the one that the journal has: none of it ever changes. */
type Terms = Pick<JournaledOrder, 'symbol' | 'side' | 'type'>;

/** True where two orders of one client order id cannot be the same order. */
export const isOtherOrder = (one: Terms, other: Terms): boolean =>
  one.symbol !== other.symbol || one.side !== other.side || one.type !== other.type;
