import type { Amount } from '../../model/amount.ts';
import type { MarginMode } from '../../model/margin-terms.ts';
import { countedLots, isOpen, outstandingLots, type Order } from '../../model/order.ts';
import type { Lots } from '../../model/units.ts';
import type { InstrumentMarket } from '../market/instrument-market.ts';
import type { OrderManager } from '../orders/order-manager.ts';
import type { Holding, Judged } from './holding.ts';
import type { GridTarget } from './on-grid.ts';
import { Pause } from './pause.ts';

/** Dependencies of a target. */
export interface TargetHost {
  readonly market: InstrumentMarket;
  /** Margin mode; undefined for spot. */
  readonly margin: MarginMode | undefined;
  readonly holding: Holding;
  readonly orderManager: OrderManager;
  /** Reports that there may be something to do. */
  readonly touch: () => void;
  met(lots: number): void;
  /** Reduces the target to `to`, as the funds of a margin account do not cover `requested`. */
  cut(to: number, requested: number): void;
}

/** Keeps a holding or a position at a number of lots with market orders, at most one in flight. */
export class TargetKeeper {
  readonly pause = new Pause();
  readonly #host: TargetHost;
  /**
   * Target lots; `undefined` without a managed order, or while a share or value is not converted.
   */
  #goal: number | undefined;
  /** A share of the equity, or a value, that waits for a price. */
  #judged: Judged | undefined;
  /** True if a lack of funds may reduce the goal for good, as for a share or value. */
  #mayReduce = false;
  /** Client order id of the order in flight. */
  #orderId: string | undefined;
  /** True for a managed order that ends once it is met. */
  #endsWhenMet = false;
  /** Orders whose end the managed order waits for. */
  #awaited: readonly string[] = [];
  /** The available balance when it was too small. */
  #lacked: Amount | undefined;
  #isMet = false;

  constructor(host: TargetHost) {
    this.#host = host;
  }

  /** True if no order is in flight. */
  get isIdle(): boolean {
    return this.#orderId === undefined;
  }

  get isWaiting(): boolean {
    return this.pause.isOn && (this.#goal !== undefined || this.#judged !== undefined);
  }

  /**
   * Sets a new target, which waits for the end of the `awaited` orders; orders in flight stay
   * counted.
   */
  start({ hold, clears }: GridTarget, awaited: readonly Order[]): void {
    const before = this.#goal;
    this.#goal = undefined;
    this.#judged = undefined;
    this.#isMet = false;
    this.#endsWhenMet = clears === true;
    this.#awaited = awaited.map(({ clientOrderId }) => clientOrderId);
    this.#lacked = undefined;
    this.#mayReduce = !('lots' in hold);
    if (!('lots' in hold)) {
      this.#judged = hold;
      this.pause.lift();
      return;
    }
    this.#goal = hold.lots;
    if (this.#goal !== before) this.pause.lift();
  }

  end(): void {
    this.#goal = undefined;
    this.#judged = undefined;
  }

  /** Applies the result of the order in flight. */
  settle(now: number): void {
    const id = this.#orderId;
    if (id === undefined || this.#isUnderway(id)) return;
    this.#orderId = undefined;
    const order = this.#host.orderManager.find(id);
    const filled = order === undefined ? 0 : countedLots(order);
    if (order === undefined || filled === 0) this.pause.fail(now);
    else if (filled < order.lots) this.pause.wait();
    else this.pause.lift();
  }

  /** Sends the order to the target, if one is needed and due. */
  maintain(now: number): void {
    this.settle(now);
    if (this.#orderId !== undefined || this.#isAwaitingCancels()) return;
    this.#retryWhenFreed();
    if (this.pause.isOn || !this.#host.holding.isKnown) return;
    const goal = this.#goal ?? this.#judge();
    if (goal === undefined) return;
    const held = this.#host.holding.lots;
    if (goal === held) this.#meet(held);
    else if (goal > held) this.#buy(goal - held, held, now);
    else this.#sell(held - goal, held, now);
  }

  /** True while orders canceled for the managed order have not ended, or have unknown fills. */
  #isAwaitingCancels(): boolean {
    if (this.#awaited.length === 0) return false;
    this.#awaited = this.#awaited.filter((id) => this.#isUnderway(id));
    return this.#awaited.length > 0;
  }

  /** True for an order that is open, or that may still get fills. */
  #isUnderway(clientOrderId: string): boolean {
    const order = this.#host.orderManager.find(clientOrderId);
    return order !== undefined && (isOpen(order) || outstandingLots(order) > 0);
  }

  /**
   * Retries once funds are free: a canceled order's reserve may be reported as free a moment after
   * its end.
   */
  #retryWhenFreed(): void {
    if (this.#lacked?.equals(this.#host.holding.free) !== false) return;
    this.#lacked = undefined;
    this.pause.lift();
  }

  /** Converts a share or value to lots, toward zero, once there is a price. */
  #judge(): number | undefined {
    if (this.#judged === undefined) return undefined;
    const lots = this.#host.holding.lotsOf(this.#judged);
    if (lots === undefined) {
      this.pause.wait();
      return undefined;
    }
    this.#judged = undefined;
    this.#goal = lots;
    return lots;
  }

  #buy(requested: number, held: number, now: number): void {
    const { market, holding } = this.#host;
    const lots = holding.most('buy', requested);
    // A close that comes first is no cut: the funds are free after it.
    if (this.#mayReduce && lots < requested && holding.closing('buy') === 0) this.#cut(held + lots);
    if (lots > 0) this.#send('buy', lots as Lots);
    else if (this.#goal === held) this.#meet(holding.lots);
    else if (Number.isNaN(market.lastTicks)) this.pause.wait();
    else this.pause.fail(now);
  }

  /**
   * A short is reduced to what the funds cover, like a purchase; a holding is always there to sell.
   */
  #sell(requested: number, held: number, now: number): void {
    const { holding } = this.#host;
    const lots = holding.most('sell', requested);
    const isOpening = held - requested < 0 && holding.closing('sell') === 0;
    if (this.#mayReduce && isOpening && lots < requested) this.#cut(held - lots);
    if (lots > 0) this.#send('sell', lots as Lots);
    else if (isOpening && this.#goal === held) this.#meet(holding.lots);
    else {
      if (this.#endsWhenMet) this.#lacked = holding.free;
      this.pause.fail(now);
    }
  }

  #cut(to: number): void {
    const host = this.#host;
    // A spot share of 1 is always reduced, as it does not include the fees.
    const goal = this.#goal;
    if (host.margin !== undefined && goal !== undefined && to !== goal) host.cut(to, goal);
    this.#goal = to;
  }

  #send(side: 'buy' | 'sell', lots: Lots): void {
    const { market, orderManager, holding } = this.#host;
    const margin = holding.margin(side, lots);
    this.#isMet = false;
    this.#orderId = orderManager.placeManaged(market.instrument.symbol, {
      side,
      type: 'market',
      timeInForce: 'IOC',
      lots,
      postOnly: false,
      margin,
    });
  }

  #meet(lots: number): void {
    if (this.#isMet) return;
    this.#isMet = true;
    if (this.#endsWhenMet) this.end();
    this.#host.met(lots);
  }
}
