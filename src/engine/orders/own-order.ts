import type { Instrument } from '../../model/instrument.ts';
import {
  isActive,
  type ContingencyType,
  type OrderType,
  type Side,
  type VenueOrder,
} from '../../model/order.ts';
import type { Refusal } from '../../model/refusals.ts';
import type { Decimal } from '../../model/decimal.ts';
import type { Lots, Ticks } from '../../model/units.ts';
import type { FeeRates } from '../../rules/funds.ts';
import { ownRates, raisedRates, type OwnRates } from '../../rules/own-rates.ts';
import type { TrackedOrder } from '../../strategy/context.ts';

/** Which list an order belongs to, and where it stands in it. */
export interface Membership {
  readonly orderListId: string;
  readonly contingencyType: ContingencyType;
  /** 0 for the first order. */
  readonly listIndex: number;
}

/** What an own order starts from. */
export interface OwnOrderTerms extends OwnRates {
  readonly clientOrderId: string;
  readonly instrument: Instrument;
  readonly side: Side;
  readonly type: OrderType;
  readonly lots: Lots;
  readonly ticks?: Ticks | undefined;
  readonly stopTicks?: Ticks | undefined;
  readonly membership?: Membership | undefined;
  /** The order that this one replaces, once the venue says so. */
  readonly replaces?: OwnOrder | undefined;
  /** Told after every report on the order; a wish that owns it gives this. */
  readonly owner?: (() => void) | undefined;
}

/** An order of ours as far as we know it. */
export class OwnOrder {
  readonly clientOrderId: string;
  readonly instrument: Instrument;
  readonly side: Side;
  readonly type: OrderType;
  /** For orders of a list. */
  readonly membership: Membership | undefined;
  /** Fee rates that it asked for itself; a replacement keeps them, as it does at the venue. */
  readonly takeRate: Decimal | undefined;
  readonly makeRate: Decimal | undefined;
  /** Let go once the replacement is answered, so that no chain of orders builds up. */
  replaces: OwnOrder | undefined;
  readonly owner: (() => void) | undefined;
  lots: Lots;
  ticks: Ticks | undefined;
  stopTicks: Ticks | undefined;
  status: TrackedOrder['status'] = 'pending';
  /** As the venue says, or the fills seen where they are ahead of that. */
  executedLots = 0 as Lots;
  /** Sum of the fills seen, those of the orders it replaced included. */
  seenLots = 0 as Lots;
  refusal: Refusal | undefined;
  venueOrder: VenueOrder | undefined;
  /** The order that took its place. */
  replacedBy: OwnOrder | undefined;
  /** Requests to replace or cancel it that were refused. */
  refusedRequests = 0;
  /** True once its cancel was sent. */
  cancelAsked = false;
  /** True for an order of a list that ended while it waited for the first one. */
  endedInactive = false;
  /** Numbers of the fills that were seen. */
  readonly fillIds = new Set<number>();
  /** Lots that the venue counts and whose fills were not seen when it gave its whole account. */
  #missedLots = 0;

  constructor(terms: OwnOrderTerms) {
    this.clientOrderId = terms.clientOrderId;
    this.instrument = terms.instrument;
    this.side = terms.side;
    this.type = terms.type;
    this.lots = terms.lots;
    this.ticks = terms.ticks;
    this.stopTicks = terms.stopTicks;
    this.membership = terms.membership;
    this.takeRate = terms.takeRate;
    this.makeRate = terms.makeRate;
    this.replaces = terms.replaces;
    this.owner = terms.owner;
  }

  get symbol(): string {
    return this.instrument.symbol;
  }

  /** What it pays: the rates of its instrument, raised by its own. */
  get rates(): FeeRates {
    return raisedRates(this.instrument, this);
  }

  /** True while it can still execute, as far as we know. */
  get isOpen(): boolean {
    const { status } = this;
    return (
      status === 'pending' || status === 'unknown' || (status !== 'rejected' && isActive(status))
    );
  }

  /** True for an order of a list that waits for the first one to fill, as last reported. */
  get isInactive(): boolean {
    return this.isOpen && this.venueOrder?.inactive === true;
  }

  /** Lots that may still come as fills: what is open, and what the venue executed but was not seen. */
  get outstandingLots(): number {
    return Math.max(0, (this.isOpen ? this.lots : this.executedLots) - this.seenLots);
  }

  /** Counts a fill in; gives false for one that was seen already. */
  fill(id: number, lots: Lots): boolean {
    if (this.fillIds.has(id)) return false;
    this.fillIds.add(id);
    this.#see(lots);
    return true;
  }

  /**
   * Takes over what the venue says of it, unless it is older than what is known: what is executed
   * never shrinks, and what has ended stays ended. Only an end of which the venue never told, as
   * for an order that was taken for lost, yields to an order that is active.
   */
  update(order: VenueOrder): void {
    if (!this.isOpen && isActive(order.status) && !this.isLost) return;
    if (order.executedLots < this.executedLots && isActive(order.status)) return;
    this.endedInactive = this.isInactive && !isActive(order.status);
    this.venueOrder = order;
    if (this.isLost) this.refusal = undefined;
    this.status = order.status;
    this.lots = order.lots;
    this.ticks = order.ticks;
    this.stopTicks = order.stopTicks;
    if (order.executedLots > this.executedLots) this.executedLots = order.executedLots;
  }

  /** True for an order that was ended because the venue did not know it. */
  get isLost(): boolean {
    return this.refusal?.code === 'order-lost';
  }

  /**
   * Ends it for a venue that does not know it: it never was, or it ended and nobody heard of that.
   */
  lose(refusal: Refusal): void {
    this.status = this.venueOrder === undefined ? 'rejected' : 'canceled';
    this.refusal = refusal;
  }

  /**
   * Opens it again, whatever was heard of its end: the venue, asked for the truth, says that it is
   * active. `update` follows.
   */
  revive(): void {
    this.status = 'unknown';
    this.refusal = undefined;
  }

  /** Ends it in favour of the order that replaced it, which inherits its fills. */
  endFor(successor: OwnOrder): void {
    if (this.replacedBy !== undefined) return;
    this.replacedBy = successor;
    if (this.isOpen) this.status = 'canceled';
    successor.#see(this.seenLots);
    successor.#missedLots += this.#missedLots;
  }

  /**
   * The venue's whole account of the order has come: fills that were missed are not waited for,
   * and one that comes late all the same is in that account already.
   */
  settle(): void {
    this.#missedLots += this.executedLots - this.seenLots;
    this.seenLots = this.executedLots;
  }

  snapshot(): TrackedOrder {
    const { clientOrderId, symbol, side, type, status, lots, executedLots } = this;
    return Object.freeze({
      clientOrderId,
      symbol,
      side,
      type,
      status,
      lots,
      executedLots,
      wished: this.owner !== undefined,
      ...(this.ticks === undefined ? {} : { ticks: this.ticks }),
      ...(this.stopTicks === undefined ? {} : { stopTicks: this.stopTicks }),
      ...ownRates(this),
      ...this.membership,
      ...(this.isInactive ? { inactive: true as const } : {}),
      ...(this.refusal === undefined ? {} : { refusal: this.refusal }),
      ...(this.replacedBy === undefined ? {} : { replacedBy: this.replacedBy.clientOrderId }),
      ...(this.venueOrder === undefined ? {} : { venueOrder: this.venueOrder }),
    });
  }

  #see(lots: number): void {
    const missed = Math.min(lots, this.#missedLots);
    this.#missedLots -= missed;
    this.seenLots = (this.seenLots + lots - missed) as Lots;
    if (this.seenLots > this.executedLots) this.executedLots = this.seenLots;
    if (this.replacedBy !== undefined) this.replacedBy.#see(lots);
  }
}
