import type { NewOrder, OrderStatus, VenueOrder } from '../../model/order.ts';
import { isActive } from '../../model/order.ts';
import type { Report } from '../../model/report.ts';
import { lots } from '../../model/units.ts';
import type { Micros } from '../../platform/time.ts';
import { numberOf, type OrderView, type TradeView } from './records.ts';

/** The known state of an own order. */
interface Tracked {
  readonly terms: Omit<VenueOrder, 'id' | 'status' | 'filledLots' | 'createdAt' | 'updatedAt'>;
  /** The venue's id; absent until the venue has answered. */
  venueId?: string;
  /** As the venue showed it last. */
  shown?: VenueOrder;
  /** Whether its first report was emitted. */
  isAnnounced: boolean;
  /** Lots that fills account for, and the fills. */
  filledLots: number;
  readonly fills: Set<number>;
  /** How it ended, if the venue has shown that; reported once its fills are there. */
  end?: OrderStatus;
  isOver: boolean;
}

/** An order whose venue shows more filled than its known fills. */
export interface Lacking {
  readonly clientOrderId: string;
  readonly symbol: string;
  readonly createdAt: Micros;
}

/** Ended orders kept for late news. */
const ENDED_MAX = 2_000;
/** Most trades kept of orders that are not known yet. */
const ORPHANS_MAX = 1_000;

/**
 * The own orders of this process at a venue, and the reports that follow from the venue's views of them,
 * from any call or stream and in any order: the first one of an order is `new`, each fill is reported once,
 * and the end after all fills. An order never goes back.
 */
export class TrackedOrders {
  readonly #emit: (report: Report) => void;
  readonly #now: () => Micros;
  readonly #byName = new Map<string, Tracked>();
  readonly #names = new Map<string, string>();
  readonly #ended: string[] = [];
  readonly #orphans: TradeView[] = [];

  constructor(emit: (report: Report) => void, now: () => Micros) {
    this.#emit = emit;
    this.#now = now;
  }

  /** An order is in flight; one that replaces another inherits its fills. */
  begin({ takeRate: _take, makeRate: _make, ...terms }: NewOrder, replaces?: string): void {
    const before = replaces === undefined ? undefined : this.#byName.get(replaces);
    this.#byName.set(terms.clientOrderId, {
      terms: { ...terms, ...(replaces === undefined ? {} : { originalClientOrderId: replaces }) },
      isAnnounced: false,
      filledLots: before?.filledLots ?? 0,
      fills: new Set<number>(),
      isOver: false,
    });
  }

  /** An order was never created. */
  drop(clientOrderId: string): void {
    if (this.#byName.get(clientOrderId)?.isAnnounced === false) this.#byName.delete(clientOrderId);
  }

  /** The terms of an order, while it is open. */
  termsOf(clientOrderId: string): Tracked['terms'] | undefined {
    const found = this.#byName.get(clientOrderId);
    return found === undefined || found.isOver ? undefined : found.terms;
  }

  venueIdOf(clientOrderId: string): string | undefined {
    return this.#byName.get(clientOrderId)?.venueId;
  }

  /** The client order id of an order of the venue. */
  nameOf(venueId: string): string | undefined {
    return this.#names.get(venueId);
  }

  /** Orders that may still execute, of a symbol. */
  open(symbol: string): readonly { readonly clientOrderId: string; readonly venueId?: string }[] {
    return [...this.#byName.values()].flatMap(
      (one) =>
      one.isOver || one.terms.symbol !== symbol
        ? []
        : [{ clientOrderId: one.terms.clientOrderId, venueId: one.venueId }], // prettier-ignore
    );
  }

  /** Orders with missing fills. */
  lacking(): readonly Lacking[] {
    return [...this.#byName.values()].flatMap((one) =>
      one.shown !== undefined && !one.isOver && one.shown.filledLots > one.filledLots
        ? [{ ...namesOf(one), createdAt: one.shown.createdAt }]
        : [],
    );
  }

  /** Processes the answer to a request: it names the order, whatever else it leaves out. */
  answered(clientOrderId: string, venueId: string): void {
    const tracked = this.#byName.get(clientOrderId);
    if (tracked === undefined) return;
    this.#name(tracked, venueId);
    if (tracked.shown !== undefined || tracked.isAnnounced) return;
    const at = this.#now();
    // An answer may be the id alone; a later view has the times.
    this.#announce(tracked, at, at);
  }

  /** Processes the venue's view of an own order, and reports what is new. */
  show({ venueId, order }: OrderView): void {
    const tracked = this.#byName.get(order.clientOrderId) ?? this.#adopt(order);
    if (tracked.isOver) return;
    this.#name(tracked, venueId);
    this.#take(tracked, order);
    this.#announce(tracked, order.createdAt, order.updatedAt);
    this.#finish(tracked);
  }

  /**
   * Processes a snapshot's view of an own order: news of a tracked one are reported; one of another process
   * is tracked from now on, and its snapshot has reported the rest.
   */
  learn(view: OrderView, trades: readonly TradeView[]): void {
    const { venueId, order } = view;
    const own = trades.filter((trade) => trade.venueId === venueId);
    if (this.#byName.has(order.clientOrderId)) {
      for (const trade of own) this.trade(trade);
      this.show(view);
      return;
    }
    if (!isActive(order.status)) return;
    const tracked = this.#adopt(order);
    for (const { fill } of own) tracked.fills.add(fill.id);
    tracked.isAnnounced = true;
    tracked.shown = order;
    this.#name(tracked, venueId);
  }

  /** Processes a trade, and reports it if it is new and of an own order. */
  trade(trade: TradeView): void {
    const { venueId, fill } = trade;
    const tracked = this.#byName.get(this.#names.get(venueId) ?? fill.clientOrderId);
    if (tracked === undefined) {
      this.#orphans.push(trade);
      if (this.#orphans.length > ORPHANS_MAX) this.#orphans.shift();
      return;
    }
    if (tracked.fills.has(fill.id)) return;
    this.#name(tracked, venueId);
    this.#announce(tracked, fill.at, fill.at);
    tracked.fills.add(fill.id);
    tracked.filledLots += fill.lots;
    const isFilled = tracked.filledLots >= tracked.terms.lots;
    const status = isFilled ? 'filled' : 'partiallyFilled';
    const order = this.#order(tracked, tracked.isOver ? (tracked.end ?? status) : status, fill.at);
    const { clientOrderId } = tracked.terms;
    this.#emit({ kind: 'trade', at: fill.at, order, fill: { ...fill, clientOrderId } });
    if (isFilled) this.#over(tracked);
    else this.#finish(tracked);
  }

  /** Stops waiting for fills that the venue does not report: its filled quantity counts. */
  stopWaiting(clientOrderId: string): void {
    const tracked = this.#byName.get(clientOrderId);
    if (tracked?.shown === undefined || tracked.isOver) return;
    tracked.filledLots = tracked.shown.filledLots;
    const status = tracked.end ?? tracked.shown.status;
    const at = this.#now();
    this.#emit({ kind: 'status', at, order: this.#order(tracked, status, at) });
    if (!isActive(status)) this.#over(tracked);
  }

  /** An order that was there before this process. */
  #adopt(order: VenueOrder): Tracked {
    const { id: _id, status: _status, filledLots, createdAt: _c, updatedAt: _u, ...terms } = order;
    const tracked: Tracked = {
      terms,
      isAnnounced: false,
      filledLots,
      fills: new Set<number>(),
      isOver: false,
    };
    this.#byName.set(order.clientOrderId, tracked);
    return tracked;
  }

  #name(tracked: Tracked, venueId: string): void {
    const isNew = !this.#names.has(venueId);
    tracked.venueId ??= venueId;
    this.#names.set(venueId, tracked.terms.clientOrderId);
    if (!isNew) return;
    const own = this.#orphans.filter((orphan) => orphan.venueId === venueId);
    if (own.length === 0) return;
    const others = this.#orphans.filter((orphan) => orphan.venueId !== venueId);
    this.#orphans.splice(0, this.#orphans.length, ...others);
    for (const orphan of own) this.trade(orphan);
  }

  /** More executed and an end count, whatever the times are: an order never goes back. */
  #take(tracked: Tracked, order: VenueOrder): void {
    const filledLots = lots(Math.max(order.filledLots, tracked.shown?.filledLots ?? 0));
    tracked.shown = { ...order, filledLots };
    if (!isActive(order.status)) tracked.end = order.status;
  }

  #announce(tracked: Tracked, createdAt: Micros, at: Micros): void {
    if (tracked.isAnnounced) return;
    tracked.isAnnounced = true;
    const kind = tracked.terms.originalClientOrderId === undefined ? 'new' : 'replaced';
    const status = tracked.filledLots > 0 ? 'partiallyFilled' : 'new';
    this.#emit({ kind, at, order: { ...this.#order(tracked, status, at), createdAt } });
    const { originalClientOrderId } = tracked.terms;
    const before = originalClientOrderId && this.#byName.get(originalClientOrderId);
    if (before) this.#over(before);
  }

  /** Reports the end of an order once all of its fills were reported. */
  #finish(tracked: Tracked): void {
    const { end, shown, isOver } = tracked;
    if (end === undefined || isOver || shown === undefined) return;
    if (tracked.filledLots < shown.filledLots) return;
    if (end === 'canceled' || end === 'expired') {
      const at = shown.updatedAt;
      this.#emit({ kind: end, at, order: this.#order(tracked, end, at) });
    }
    this.#over(tracked);
  }

  #over(tracked: Tracked): void {
    if (tracked.isOver) return;
    tracked.isOver = true;
    this.#ended.push(tracked.terms.clientOrderId);
    if (this.#ended.length <= ENDED_MAX) return;
    const oldest = this.#byName.get(this.#ended.shift() ?? '');
    if (oldest === undefined) return;
    this.#byName.delete(oldest.terms.clientOrderId);
    this.#names.delete(oldest.venueId ?? '');
  }

  #order(tracked: Tracked, status: OrderStatus, at: Micros): VenueOrder {
    const { shown, terms, filledLots } = tracked;
    return {
      ...terms,
      id: shown?.id ?? numberOf(tracked.venueId ?? terms.clientOrderId),
      status,
      filledLots: lots(Math.min(filledLots, terms.lots)),
      createdAt: shown?.createdAt ?? at,
      updatedAt: shown === undefined || shown.updatedAt < at ? at : shown.updatedAt,
    };
  }
}

const namesOf = ({ terms }: Tracked) => ({
  clientOrderId: terms.clientOrderId,
  symbol: terms.symbol,
});
