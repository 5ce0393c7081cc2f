import { isRevived, isUnanswered } from '../../engine/orders/orders.ts';
import { OwnOrder } from '../../engine/orders/own-order.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { VenueOrder } from '../../model/order.ts';
import type { DoubtReport, Fill, OrderReport, RejectReport } from '../../model/report.ts';
import type { Micros } from '../../platform/time.ts';
import type { KeptOrder } from './order.ts';
import { regridded } from './regrid.ts';
import type { OrderRows } from './order-rows.ts';

/** Where and when an order is taken in. */
interface AdoptedIn {
  readonly instrumentId: number;
  readonly instrument: Instrument;
  readonly at: Micros;
}

/**
 * The orders of an account as their reports say, in whatever order these come, by the rules of the
 * engine's own orders. Open orders and those that changed since the last commit are held in
 * memory, the others are read from the file when a report names them.
 *
 * Other than an engine it forgets no fill: what is executed and was not seen stays missing until
 * the fill itself comes, so that none is ever counted twice.
 */
export class KeptOrders {
  readonly #rows: OrderRows;
  readonly #held = new Map<string, KeptOrder>();
  readonly #changed = new Set<KeptOrder>();
  /** Intended and not in the file yet, oldest first. */
  readonly #intended = new Map<string, KeptOrder>();

  constructor(rows: OrderRows) {
    this.#rows = rows;
    for (const id of rows.openIds()) if (this.find(id) === undefined) throw rows.missing(id);
  }

  /** The order of an id. */
  find(clientOrderId: string): KeptOrder | undefined {
    const held = this.#held.get(clientOrderId);
    if (held !== undefined) return held;
    const read = this.#rows.read(clientOrderId);
    if (read === undefined) return undefined;
    const { kept, replacedBy } = read;
    this.#held.set(clientOrderId, kept);
    const { own } = kept;
    if (replacedBy !== undefined) own.replacedBy = this.find(replacedBy)?.own;
    const replaced = kept.replaces === undefined ? undefined : this.find(kept.replaces)?.own;
    const isAnswered = !isUnanswered(own) && !own.isLost;
    if (!isAnswered && replaced?.replacedBy === undefined) own.replaces = replaced;
    return kept;
  }

  /** Those that were held when asked, open ones first to last. */
  open(): readonly KeptOrder[] {
    return [...this.#held.values()]
      .filter(({ own }) => own.isOpen)
      .sort((one, other) => one.intendedAt - other.intendedAt);
  }

  get openCount(): number {
    let count = 0;
    for (const { own } of this.#held.values()) if (own.isOpen) count += 1;
    return count;
  }

  /** Takes an order that is in the file by now. */
  add(kept: KeptOrder): void {
    this.#held.set(kept.own.clientOrderId, kept);
  }

  /** Takes an order that goes to the file with the next commit. */
  intend(kept: KeptOrder): void {
    this.add(kept);
    this.#intended.set(kept.own.clientOrderId, kept);
  }

  /** The orders of a list, those that were replaced too. */
  idsOfList(orderListId: string): readonly string[] {
    return [
      ...this.#rows.idsOfList(orderListId),
      ...this.#intendedIds(({ own }) => own.membership?.orderListId === orderListId),
    ];
  }

  /**
   * The open orders of a strategy and, before them, those of its ended ones that were intended
   * last. What is asked of the file is bounded by `endedMost`, however many are kept.
   */
  idsOfStrategy(strategy: string, endedMost: number): readonly string[] {
    const ended = this.#rows.endedIdsOf(strategy, endedMost);
    const open = this.#rows.openIdsOf(strategy);
    const intended = this.#intendedIds((kept) => kept.strategy === strategy);
    return [...ended, ...open, ...intended];
  }

  /** The order of an id, if it is in memory. */
  held(clientOrderId: string): KeptOrder | undefined {
    return this.#held.get(clientOrderId);
  }

  /** An order that nobody journaled before it was sent; `add` follows. */
  adopted(
    order: VenueOrder,
    strategy: string,
    { instrumentId, instrument, at }: AdoptedIn,
  ): KeptOrder {
    const { clientOrderId, side, type, lots, ticks, stopTicks, timeInForce } = order;
    const own = new OwnOrder({ clientOrderId, instrument, side, type, lots, ticks, stopTicks });
    own.status = 'unknown';
    const wished = false;
    const times = { intendedAt: at, endedAt: undefined };
    const replaces = order.originalClientOrderId;
    const replaced = replaces === undefined ? undefined : this.find(replaces)?.own;
    if (replaced?.replacedBy === undefined) own.replaces = replaced;
    return { own, strategy, instrumentId, timeInForce, wished, replaces, ...times, unwritten: [] };
  }

  /**
   * Brings the open orders of a symbol onto a new grid, quantities and prices to the nearest step:
   * a venue keeps orders only where they fit, so what is rounded is an order that it will end.
   */
  regrid(to: Instrument, instrumentId: number, at: Micros): readonly KeptOrder[] {
    const old = this.open().filter(({ own }) => own.symbol === to.symbol);
    const moved = new Map<OwnOrder, KeptOrder>();
    for (const kept of old) {
      moved.set(kept.own, { ...kept, own: regridded(kept.own, to), instrumentId, unwritten: [] });
    }
    for (const [before, kept] of moved) {
      const { replaces } = before;
      if (replaces !== undefined) kept.own.replaces = moved.get(replaces)?.own ?? replaces;
      this.#held.set(kept.own.clientOrderId, kept);
      this.#touch(kept.own, at);
    }
    return [...moved.values()];
  }

  /** Counts a fill of an order that was foreign when it came. */
  inherit(kept: KeptOrder, fill: Fill, at: Micros): void {
    if (kept.own.fill(fill.id, fill.lots)) kept.unwritten.push(fill);
    this.#touch(kept.own, at);
  }

  /** Of orders that a former process had not heard of nobody knows whether they arrived. */
  doubtAll(at: Micros): void {
    for (const { own } of this.open()) {
      if (own.status !== 'pending') continue;
      own.status = 'unknown';
      this.#touch(own, at);
    }
  }

  /** Takes what happened to an order; gives the fill where it was not seen before. */
  report(kept: KeptOrder, report: OrderReport, at: Micros): Fill | undefined {
    const { own } = kept;
    this.#endReplaced(own, at);
    if (isRevived(own, report)) own.revive();
    own.update(report.order);
    const isNew = report.kind === 'trade' && own.fill(report.fill.id, report.fill.lots);
    if (isNew) kept.unwritten.push(report.fill);
    this.#touch(own, at);
    return isNew ? report.fill : undefined;
  }

  /** Takes the refusal of a request. */
  rejected(kept: KeptOrder, { request, refusal }: RejectReport, at: Micros): void {
    const { own } = kept;
    if (request === 'cancel') {
      this.#doubt(own, refusal.code, at);
      return;
    }
    const isLost = refusal.code === 'order-lost';
    const refused = request === 'placeList' ? this.#unansweredWith(own) : [own];
    for (const one of refused) {
      if (isLost && one.isOpen) one.lose(refusal);
      else if (isUnanswered(one)) {
        one.status = 'rejected';
        one.refusal = refusal;
      } else continue;
      this.#touch(one, at);
      const { replaces } = one;
      if (replaces === undefined) continue;
      if (!isLost) one.replaces = undefined;
      this.#doubt(replaces, refusal.code, at);
    }
  }

  /** Takes that nothing was heard of a request. */
  doubted(kept: KeptOrder, { request }: DoubtReport, at: Micros): void {
    const { own } = kept;
    if (request === 'cancel') return;
    const doubted = request === 'placeList' ? this.#unansweredWith(own) : [own];
    for (const one of doubted.filter(isUnanswered)) {
      one.status = 'unknown';
      this.#touch(one, at);
    }
  }

  /** Writes what is not in the file as it is now; within a transaction. */
  write(): void {
    for (const kept of this.#intended.values()) this.#rows.insert(kept);
    for (const kept of this.#changed) this.#rows.update(kept);
  }

  /** Everything that changed is in the file; what has ended is let go. */
  written(): void {
    for (const kept of this.#changed) kept.unwritten = [];
    this.#changed.clear();
    this.#intended.clear();
    for (const [id, { own }] of this.#held) if (!own.isOpen) this.#held.delete(id);
  }

  /** Ends what an order has replaced: that it is there proves that this was too, and what that replaced. */
  #endReplaced(own: OwnOrder, at: Micros): void {
    const { replaces } = own;
    if (replaces === undefined) return;
    own.replaces = undefined;
    this.#endReplaced(replaces, at);
    replaces.endFor(own);
    this.#touch(replaces, at);
  }

  /** Marks an order as changed, and those that took its place, which inherit its fills. */
  #touch(own: OwnOrder, at: Micros): void {
    for (let one: OwnOrder | undefined = own; one !== undefined; one = one.replacedBy) {
      const kept = this.find(one.clientOrderId);
      if (kept === undefined) return;
      if (kept.own.isOpen) kept.endedAt = undefined;
      else kept.endedAt ??= at;
      this.#changed.add(kept);
    }
  }

  /** The orders of the same request; one that is to replace one of them is of a request of its own. */
  #unansweredWith({ membership, clientOrderId }: OwnOrder): readonly OwnOrder[] {
    const ids = membership === undefined ? [clientOrderId] : this.idsOfList(membership.orderListId);
    return ids
      .flatMap((id) => this.find(id)?.own ?? [])
      .filter((one) => isUnanswered(one) && one.replaces === undefined);
  }

  #intendedIds(isMeant: (kept: KeptOrder) => boolean): readonly string[] {
    const meant = [...this.#intended.values()].filter(isMeant);
    return meant.map(({ own }) => own.clientOrderId);
  }

  /** A venue that does not know an order which we think is open: its fate is not known. */
  #doubt(own: OwnOrder, code: string, at: Micros): void {
    if (code !== 'order-unknown' || !own.isOpen) return;
    own.status = 'unknown';
    this.#touch(own, at);
  }
}
