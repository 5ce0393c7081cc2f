import type { OrderType } from '../../model/order.ts';
import type { OrderList } from '../orders/lists.ts';
import type { FollowUps } from '../queues/follow-ups.ts';
import { NONE, type Orders } from '../orders/orders.ts';
import { BUY } from '../orders/side.ts';
import type { StopPrices } from '../orders/stop-prices.ts';
import { StopLevels } from './stop-levels.ts';

/**
 * Suspended stop and take-profit orders by stop price. A trade costs two comparisons and the orders
 * it triggers, however many wait. Triggered orders go to the follow-ups: first those that wait for
 * a rise, from the lowest stop price up, then those that wait for a fall, from the highest down; at
 * one stop price in the order of arrival.
 */
export class StopBook {
  /** Waiting orders of all instruments. */
  count = 0;
  /** Price of each instrument's last trade, 0 before the first. */
  declare readonly last: Float64Array;
  declare private readonly orders: Orders;
  declare private readonly followUps: FollowUps<number | OrderList>;
  declare private readonly rising: readonly StopLevels[];
  declare private readonly falling: readonly StopLevels[];

  constructor(
    orders: Orders,
    stops: StopPrices,
    instruments: number,
    followUps: FollowUps<number | OrderList>,
  ) {
    this.orders = orders;
    this.followUps = followUps;
    const waiting = (sign: 1 | -1): StopLevels[] =>
      Array.from({ length: instruments }, () => new StopLevels(sign, orders, stops));
    this.last = new Float64Array(instruments);
    this.rising = waiting(-1);
    this.falling = waiting(1);
  }

  /** Adds an order that later trades can trigger; it counts as waiting since `at`. */
  wait(order: number, at: number): void {
    this.orders.setRestedAt(order, at);
    this.#waiting(order).append(order);
    this.count += 1;
  }

  /** Removes a waiting order. */
  remove(order: number): void {
    this.#waiting(order).remove(order);
    this.count -= 1;
  }

  /** Applies a trade: orders that waited for its price go to the follow-ups. */
  traded(instrument: number, ticks: number): void {
    this.last[instrument] = ticks;
    if (this.count === 0) return;
    this.#collect(this.rising[instrument], ticks);
    this.#collect(this.falling[instrument], ticks);
  }

  /**
   * Same as `traded`, only for orders that waited at `till` or before: the others did not see the
   * trade.
   */
  tradedEarly(instrument: number, ticks: number, till: number): void {
    if (this.count === 0) return;
    this.#collectEarly(this.rising[instrument], ticks, till);
    this.#collectEarly(this.falling[instrument], ticks, till);
  }

  /** The first stop price on the way from one price to another; `to` if there is none. */
  next(instrument: number, from: number, to: number): number {
    const waiting = to > from ? this.rising[instrument] : this.falling[instrument];
    const key = waiting.below(waiting.sign * from);
    return key >= waiting.sign * to ? waiting.sign * key : to;
  }

  #collect(waiting: StopLevels, ticks: number): void {
    const reached = waiting.sign * ticks;
    while (waiting.key >= reached) this.#call(waiting, waiting.first());
  }

  #collectEarly(waiting: StopLevels, ticks: number, till: number): void {
    const reached = waiting.sign * ticks;
    let key = waiting.key;
    while (key >= reached) {
      const order = waiting.at(key);
      if (order !== NONE && this.orders.restedAt(order) <= till) this.#call(waiting, order);
      else key = waiting.below(key);
    }
  }

  #call(waiting: StopLevels, order: number): void {
    waiting.remove(order);
    this.count -= 1;
    this.followUps.push(order);
  }

  /** True if the last trade is at or beyond a stop price already. */
  isReached(instrument: number, type: OrderType, side: number, stopTicks: number): boolean {
    const last = this.last[instrument];
    return last !== 0 && (waitsForRise(type, side) ? last >= stopTicks : last <= stopTicks);
  }

  #waiting(order: number): StopLevels {
    const orders = this.orders;
    const rises = waitsForRise(orders.type(order), orders.side(order));
    return (rises ? this.rising : this.falling)[orders.instrument(order)];
  }
}

/** A stop buy and a take-profit sell wait for a rise, the others for a fall. */
const waitsForRise = (type: OrderType, side: number): boolean =>
  (type === 'stopLimit' || type === 'stopMarket') === (side === BUY);
