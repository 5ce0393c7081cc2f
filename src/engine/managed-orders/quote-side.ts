import { countedLots, isOpen, outstandingLots, type Order, type Side } from '../../model/order.ts';
import type { Lots } from '../../model/units.ts';
import type { OrderMarket } from '../../strategy/commands.ts';
import type { OrderManager } from '../orders/order-manager.ts';
import type { GridSide } from './on-grid.ts';
import { Pause } from './pause.ts';

/**
 * One side of a quote: at most one post-only order, and at most one request about it in flight.
 * `#requested` is the managed order and `#rest` the part of it that should still rest. Every fill since
 * it was set reduces `#rest`, so filled lots are not placed again, whichever order filled them.
 */
export class QuoteSideKeeper {
  readonly side: Side;
  readonly pause = new Pause();
  readonly #where: OrderMarket;
  readonly #orderManager: OrderManager;
  #requested: GridSide | undefined;
  /** The managed order of the last request. */
  #sent: GridSide | undefined;
  #rest = 0;
  /** Client order id of the order. */
  #orderId: string | undefined;
  /** Client order id of the replacement in flight. */
  #successorId: string | undefined;
  #canceling = false;
  /**
   * False once the venue has reported that it replaces no orders: they are canceled and placed
   * again.
   */
  #canReplace = true;
  /** True from placing an order until it rests. */
  #arriving = false;
  /** Filled lots of the order and its successor at the last check. */
  #countedLots = 0;
  #rejectedRequests = 0;

  constructor(side: Side, market: OrderMarket, orderManager: OrderManager) {
    this.side = side;
    this.#where = market;
    this.#orderManager = orderManager;
  }

  /** True if no order of this side is or may become active. */
  get isIdle(): boolean {
    return this.#orderId === undefined;
  }

  /** True while it waits for the market. */
  get isWaiting(): boolean {
    return this.pause.isOn && (this.#requested !== undefined || this.#orderId !== undefined);
  }

  /** True if the managed order's price is nearer to the other side than the active order's. */
  get isAdvancing(): boolean {
    const ticks = this.#order?.ticks;
    if (this.#requested === undefined || ticks === undefined) return this.#requested !== undefined;
    return this.side === 'buy' ? this.#requested.ticks > ticks : this.#requested.ticks < ticks;
  }

  /** Sets a new managed order; an unchanged side stays paused. */
  start(requested: GridSide | undefined, now: number): void {
    this.#settle(now);
    const before = this.#requested;
    if (before?.ticks !== requested?.ticks || before?.lots !== requested?.lots) {
      this.pause.lift();
      this.#requested = requested;
    }
    this.#rest = requested?.lots ?? 0;
  }

  /** Forgets the orders without canceling them. */
  abandon(): void {
    this.#requested = undefined;
    this.#rest = 0;
    this.#orderId = undefined;
    this.#successorId = undefined;
  }

  /** Sends the next request toward the managed order, if there is one. */
  maintain(rival: QuoteSideKeeper, now: number): void {
    this.#settle(now);
    if (this.#isInFlight() || this.pause.isOn) return;
    const requested = this.#rest > 0 ? this.#requested : undefined;
    const order = this.#order;
    if (order === undefined) {
      if (requested !== undefined && !rival.mayMeet(requested.ticks)) this.#place(requested);
    } else if (requested === undefined) {
      this.#cancel(order);
    } else if (order.ticks !== requested.ticks || order.lots - countedLots(order) !== this.#rest) {
      if (!this.#canReplace) this.#cancel(order);
      else if (!rival.mayMeet(requested.ticks)) this.#replace(order, requested);
    }
  }

  /**
   * True if an order of this side, active or in flight, would meet one of the other side at
   * `ticks`.
   */
  mayMeet(ticks: number): boolean {
    return this.#meets(this.#order, ticks) || this.#meets(this.#successor, ticks);
  }

  #meets(order: Order | undefined, ticks: number): boolean {
    if (order?.ticks === undefined || !isOpen(order)) return false;
    return this.side === 'buy' ? order.ticks >= ticks : order.ticks <= ticks;
  }

  get #order(): Order | undefined {
    return this.#orderId === undefined ? undefined : this.#orderManager.find(this.#orderId);
  }

  get #successor(): Order | undefined {
    return this.#successorId === undefined ? undefined : this.#orderManager.find(this.#successorId);
  }

  #isInFlight(): boolean {
    const status = this.#order?.status;
    return (
      status === 'pending' ||
      status === 'unknown' ||
      this.#successorId !== undefined ||
      this.#canceling
    );
  }

  /** Applies the reports since the last check. */
  #settle(now: number): void {
    this.#countFills();
    const successor = this.#successor;
    if (successor !== undefined && successor.status !== 'pending') {
      this.#successorId = undefined;
      if (successor.status !== 'rejected') this.#take(successor);
      else if (successor.rejection.code === 'replace-unavailable') this.#canReplace = false;
      else this.#fail(now);
    }
    const order = this.#order;
    if (order === undefined) {
      this.#orderId = undefined;
      return;
    }
    if (this.#canceling && order.rejectedRequests > this.#rejectedRequests) {
      this.#canceling = false;
      if (isOpen(order)) this.#fail(now);
    }
    if (isOpen(order)) {
      if (this.#arriving && order.status !== 'pending') this.#arrive();
      return;
    }
    // A replacement is unanswered; the answer says which of the two exists.
    if (this.#successorId !== undefined || outstandingLots(order) > 0) return;
    this.#end(order, now);
  }

  #arrive(): void {
    this.#arriving = false;
    this.pause.lift();
  }

  /** Pauses the managed order that failed, not a newer one. */
  #fail(now: number): void {
    if (this.#sent === this.#requested) this.pause.fail(now);
  }

  #take(successor: Order): void {
    this.#orderId = successor.clientOrderId;
    this.#countedLots = countedLots(successor);
    this.pause.lift();
  }

  #end(order: Order, now: number): void {
    const failed = order.status !== 'filled' && !this.#canceling;
    this.#orderId = undefined;
    this.#canceling = false;
    this.#arriving = false;
    if (failed) this.#fail(now);
  }

  #countFills(): void {
    const order = this.#order;
    if (order === undefined) return;
    const successor = this.#successor;
    const counted = Math.max(
      countedLots(order),
      successor === undefined ? 0 : countedLots(successor),
    );
    const filled = counted - this.#countedLots;
    if (filled <= 0) return;
    this.#countedLots = counted;
    this.#rest = Math.max(0, this.#rest - filled);
  }

  #place(requested: GridSide): void {
    this.#sent = requested;
    this.#arriving = true;
    this.#countedLots = 0;
    const { symbol, margin } = this.#where;
    this.#orderId = this.#orderManager.placeManaged(symbol, {
      side: this.side,
      type: 'limit',
      timeInForce: 'GTC',
      lots: this.#rest as Lots,
      ticks: requested.ticks,
      postOnly: true,
      ...(margin === undefined ? {} : { margin: { mode: margin } }),
    });
  }

  #replace(order: Order, requested: GridSide): void {
    this.#sent = requested;
    const total = Math.min(countedLots(order) + this.#rest, Number.MAX_SAFE_INTEGER) as Lots;
    this.#successorId = this.#orderManager.replaceManaged(order, total, requested.ticks);
  }

  #cancel(order: Order): void {
    this.#sent = this.#requested;
    this.#canceling = true;
    this.#rejectedRequests = order.rejectedRequests;
    this.#orderManager.cancelOrder(order);
  }
}
