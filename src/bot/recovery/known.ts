import { cancelOf } from '../../model/order-request.ts';
import { isActive, isOpen, isUnanswered, type Order, type VenueOrder } from '../../model/order.ts';
import type { Fill, OrderReport } from '../../model/report.ts';
import type { Lots } from '../../model/units.ts';
import { US_PER_MINUTE, type Micros } from '../../platform/time.ts';
import {
  discrepancy,
  type ComparedOrder,
  type Discrepancy,
  type DiscrepancyKind,
} from './finding.ts';

/** No list of active orders is so old that an order could still be in it that has ended. */
const STANDING_US = 2 * US_PER_MINUTE;

interface Healed {
  readonly discrepancy?: Discrepancy | undefined;
  readonly needsSince?: Micros | undefined;
}

/** Repair of a journaled order that the snapshot names; nothing if it does not differ. */
export function repairedOrder(
  one: ComparedOrder,
  all: ReadonlyMap<string, ComparedOrder>,
  at: Micros,
): Healed {
  const { order, missed } = one;
  if (isStanding(one, at)) return { discrepancy: standing(one) };
  const reported = reportedNews(one, all);
  const base = reported ?? one.reported ?? order.venueOrder;
  // A fill of an otherwise unknown order proves that it arrived; the rest follows.
  if (base === undefined) return {};
  const behind = reported === undefined ? 0 : reported.filledLots - knownLots(one, all);
  const needsSince = behind > 0 ? earlier(order.requestedAt, base.createdAt) : undefined;
  if (reported === undefined && missed.length === 0) return { needsSince: stillBehind(one, all) };
  const executed = Math.max(base.filledLots, order.filledLots, knownLots(one, all));
  const trades = tradesOf(missed, base, executed);
  const reports: OrderReport[] = [...trades];
  if (reported !== undefined)
    reports.push({ kind: 'status', at: earliest(at, reported), order: reported });
  const kind = kindOf(one, reported, behind);
  const { clientOrderId, symbol } = order;
  const message = messageOf(kind, one, reported);
  return {
    discrepancy: discrepancy(kind, message, { clientOrderId, symbol, reports }),
    needsSince,
  };
}

/** The snapshot's view of an order if it differs from the journal's and is not older. */
function reportedNews(
  { order, reported }: ComparedOrder,
  all: ReadonlyMap<string, ComparedOrder>,
): VenueOrder | undefined {
  if (reported === undefined || isOlder(order, reported)) return undefined;
  // The replacing order reports its end, so that it does not look like a cancel.
  if (order.replacedBy !== undefined || isReplacedUnacknowledged(order, all)) return undefined;
  const known = order.venueOrder;
  const isSame =
    known !== undefined &&
    order.status === reported.status &&
    order.filledLots === reported.filledLots &&
    order.lots === reported.lots &&
    order.ticks === reported.ticks &&
    order.stopTicks === reported.stopTicks &&
    known.inactive === reported.inactive;
  return isSame ? undefined : reported;
}

/**
 * True if the venue contradicts itself: it reported the end of an order and still has it active, as after a
 * rollback of its own. Nobody would manage such an order.
 */
function isStanding({ order, reported, missed }: ComparedOrder, at: Micros): boolean {
  const { venueOrder: known, replacedBy, rejection } = order;
  if (known === undefined || reported === undefined || missed.length > 0) return false;
  if (replacedBy !== undefined || rejection?.code === 'order-lost') return false;
  if (isActive(known.status) || !isActive(reported.status)) return false;
  return reported.updatedAt <= known.updatedAt && at - known.updatedAt >= STANDING_US;
}

function standing({ order }: ComparedOrder): Discrepancy {
  const { clientOrderId, strategy, symbol, status } = order;
  const message = `The order ${clientOrderId} of ${strategy} was reported ${status}, and the venue has it active all the same; it is canceled there.`;
  const requests = [cancelOf(order)];
  return discrepancy('order-standing', message, { clientOrderId, symbol, requests });
}

/** True if the journal knows more of an order than the snapshot. */
function isOlder(order: Order, reported: VenueOrder): boolean {
  const { venueOrder: known, filledLots } = order;
  if (order.rejection?.code === 'order-lost') return false;
  if (known === undefined) return false;
  if (reported.updatedAt !== known.updatedAt) return reported.updatedAt < known.updatedAt;
  if (!isActive(reported.status)) return false;
  return !isActive(known.status) || reported.filledLots < filledLots;
}

/** True if the snapshot has the replacing order, and the replacement was not reported. */
function isReplacedUnacknowledged(
  { clientOrderId }: Order,
  all: ReadonlyMap<string, ComparedOrder>,
): boolean {
  for (const { order, reported } of all.values()) {
    if (order.replaces !== clientOrderId || order.replacedBy !== undefined) continue;
    if (reported?.originalClientOrderId === clientOrderId) return true;
  }
  return false;
}

/** Lots of an order with known fills once the missed ones are included, inherited ones too. */
function knownLots(
  { order, missed }: ComparedOrder,
  all: ReadonlyMap<string, ComparedOrder>,
): number {
  return order.receivedLots + lotsOf(missed) + inherited(order, all);
}

/** Lots that an order inherits beyond those that it has inherited by now. */
function inherited(order: Order, all: ReadonlyMap<string, ComparedOrder>): number {
  const replaced = order.replaces === undefined ? undefined : all.get(order.replaces);
  if (replaced === undefined) return 0;
  const more = lotsOf(replaced.missed) + inherited(replaced.order, all);
  const hasInherited = replaced.order.replacedBy === order.clientOrderId;
  return hasInherited ? more : replaced.order.receivedLots + more;
}

/** Time since which fills of an order are missing although all else of it is known; undefined if none are. */
function stillBehind(
  one: ComparedOrder,
  all: ReadonlyMap<string, ComparedOrder>,
): Micros | undefined {
  const { order } = one;
  const { venueOrder: known } = order;
  if (known === undefined || order.filledLots <= knownLots(one, all)) return undefined;
  return earlier(order.requestedAt, known.createdAt);
}

/** The reports of fills, the order as it stood after each; after the last `executed` are executed. */
function tradesOf(
  missed: readonly Fill[],
  order: VenueOrder,
  executed: number,
): readonly OrderReport[] {
  let after = executed - lotsOf(missed);
  return missed.map((fill) => {
    after += fill.lots;
    const isFilled = after >= order.lots;
    return {
      kind: 'trade',
      at: fill.at,
      order: {
        ...order,
        status: isFilled ? 'filled' : 'partiallyFilled',
        filledLots: Math.max(0, after) as Lots,
        updatedAt: fill.at,
      },
      fill,
    };
  });
}

function kindOf(
  { order, missed }: ComparedOrder,
  reported: VenueOrder | undefined,
  behind: number,
): DiscrepancyKind {
  if (reported === undefined) return 'fills-missed';
  if (!isOpen(order) && isActive(reported.status)) return 'order-revived';
  if (isUnanswered(order) && order.venueOrder === undefined) {
    return order.replaces === undefined ? 'order-answered' : 'order-replaced';
  }
  if (behind > 0) return 'fills-behind';
  return missed.length > 0 ? 'fills-missed' : 'order-changed';
}

function messageOf(
  kind: DiscrepancyKind,
  { order, missed }: ComparedOrder,
  reported: VenueOrder | undefined,
): string {
  const { clientOrderId, strategy, replaces } = order;
  const what = `The order ${clientOrderId} of ${strategy}`;
  const now = reported === undefined ? order.status : reported.status;
  const fills = missed.length === 1 ? '1 fill' : `${missed.length} fills`;
  const stands = `${now} with ${reported?.filledLots ?? order.filledLots} of ${reported?.lots ?? order.lots} lots executed`;
  switch (kind) {
    case 'order-answered':
      return `${what} arrived though no answer came: it is ${stands}.`;
    case 'order-replaced':
      return `${what} took the place of ${replaces ?? 'another'} though no answer came: it is ${stands}.`;
    case 'order-revived':
      return `${what} was taken for ${order.status} and is ${stands}; it is taken back.`;
    case 'fills-missed':
      return `${fills} of ${clientOrderId} of ${strategy} were missed; it is ${stands}.`;
    case 'fills-behind':
      return `${what} is ${stands}, and the history shows fewer fills than that; it is asked for again from the time of the order.`;
    default:
      return `${what} was taken for ${order.status} and is ${stands}.`;
  }
}

const lotsOf = (fills: readonly Fill[]): number => fills.reduce((sum, { lots }) => sum + lots, 0);

const earlier = (one: Micros, other: Micros): Micros => (one < other ? one : other);

const earliest = (at: Micros, { updatedAt }: VenueOrder): Micros => earlier(at, updatedAt);
