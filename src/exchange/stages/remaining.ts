import { hasStopPrice } from '../../model/order.ts';
import type { Holdings } from './reserve.ts';
import type { Orders } from '../orders/orders.ts';
import type { RecordedMarket } from '../recorded/recorded-market.ts';
import type { Remainders } from '../orders/remainders.ts';

/** Lets triggered orders go on that found too little, with what they need for the rest. */
export class Remaining {
  /** Those that go on. */
  declare readonly orders: Remainders;
  declare private readonly records: Orders;
  declare private readonly tapes: readonly RecordedMarket[];
  declare private readonly holdings: Holdings;

  constructor(setup: {
    readonly orders: Orders;
    readonly tapes: readonly RecordedMarket[];
    readonly remainders: Remainders;
    readonly holdings: Holdings;
  }) {
    this.orders = setup.remainders;
    this.records = setup.orders;
    this.tapes = setup.tapes;
    this.holdings = setup.holdings;
  }

  /**
   * True for a triggered order of a market type whose rest is not known to find nothing: without a
   * book the tape tells of one trade or candle, and not what else stood there.
   */
  canGoOn(order: number): boolean {
    const orders = this.records;
    const tape = this.tapes[orders.instrument(order)];
    if (tape.isBlank || tape.hasBook || !orders.active(order)) return false;
    if (orders.ticks(order) !== 0 || orders.margin(order) !== 0) return false;
    return hasStopPrice(orders.type(order)) && this.holdings.covers(order);
  }

  /** Lets an order go on at the next print, as one that was there since `since`. */
  goOn(order: number, since: number): void {
    this.orders.add(order, since);
    this.holdings.hold(order);
  }

  /** Takes an order back that was to go on; gives since when it was there, undefined for another. */
  callBack(order: number): number | undefined {
    if (!this.orders.has(order)) return undefined;
    this.holdings.release(order);
    return this.orders.remove(order);
  }
}
