import type { Decimal } from '../../model/decimal.ts';
import { reserveOf } from '../../rules/funds.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Settlement } from './settle.ts';
import type { FeeSchedule } from '../ledger/fee-schedule.ts';
import type { Admission } from './margin-check.ts';
import type { Orders } from '../orders/orders.ts';
import { BUY, sideName } from '../orders/side.ts';
import type { Remainders } from '../orders/remainders.ts';
import type { StopPrices } from '../orders/stop-prices.ts';
import { legs, type OrderLists, type OrderList } from '../orders/lists.ts';

/**
 * Who holds means. A plain order holds its own. Of the legs that exclude each other only one can
 * execute, so in each currency one of them, the one that needs most, holds for all. A margin order
 * holds nothing here, as what it needs comes from its margin account, so it holds for no spot leg.
 */
export class Holdings {
  declare private readonly orders: Orders;
  declare private readonly stops: StopPrices;
  declare private readonly lists: OrderLists;
  declare private readonly ledger: Ledger;
  declare private readonly tariffs: readonly FeeSchedule[];
  declare private readonly settlement: Settlement;
  declare private readonly admission: Admission;
  declare private readonly remainders: Remainders;

  constructor(setup: {
    readonly orders: Orders;
    readonly stops: StopPrices;
    readonly lists: OrderLists;
    readonly ledger: Ledger;
    readonly tariffs: readonly FeeSchedule[];
    readonly settlement: Settlement;
    readonly admission: Admission;
    readonly remainders: Remainders;
  }) {
    this.orders = setup.orders;
    this.stops = setup.stops;
    this.lists = setup.lists;
    this.ledger = setup.ledger;
    this.tariffs = setup.tariffs;
    this.settlement = setup.settlement;
    this.admission = setup.admission;
    this.remainders = setup.remainders;
  }

  /** Lets an active order hold what it needs, nothing where it is a market order that executes. */
  hold(order: number): void {
    if (this.#executesAtMarket(order)) return;
    if (this.lists.size > 0) this.#holdInList(order);
    else this.settlement.hold(order);
  }

  #holdInList(order: number): void {
    if (this.lists.isInactive(order)) return;
    const list = this.lists.ofLeg(order);
    if (list === undefined || this.#isOnMargin(order)) {
      this.settlement.hold(order);
    } else if (list.decided) this.#take(list, order);
    else this.regroup(list);
  }

  /** Gives back what an order holds for its remainder. */
  release(order: number): void {
    if (this.#executesAtMarket(order)) return;
    if (this.lists.size > 0) this.#releaseInList(order);
    else this.settlement.release(order);
  }

  #releaseInList(order: number): void {
    if (this.lists.isInactive(order)) return;
    const list = this.lists.ofLeg(order);
    if (list === undefined) this.settlement.release(order);
    else this.#give(list, order);
  }

  /** Sees to it that of a set of legs the one that needs most holds, in each currency. */
  regroup(list: OrderList): void {
    if (list.decided) return;
    const most = new Map<number, number>();
    for (const order of legs(list)) {
      if (this.#executesAtMarket(order) || this.lists.isInactive(order)) continue;
      if (this.#isOnMargin(order)) continue;
      const currency = this.#currency(order);
      const former = most.get(currency);
      if (former === undefined || this.need(order).greaterThan(this.need(former))) {
        most.set(currency, order);
      }
    }
    const holders = new Set(most.values());
    for (const order of legs(list)) if (!holders.has(order)) this.#give(list, order);
    for (const order of holders) this.#take(list, order);
  }

  /** A leg is about to execute: what the set holds in its currency becomes its own. */
  claim(order: number): void {
    const list = this.lists.ofLeg(order);
    if (list === undefined || list.decided) return;
    list.decided = true;
    for (const leg of legs(list)) {
      if (leg !== order && this.#currency(leg) === this.#currency(order)) this.#give(list, leg);
    }
    if (!this.#executesAtMarket(order) && !this.#isOnMargin(order)) this.#take(list, order);
  }

  /** What is there for an order: what is available, and what it or its set of legs holds. */
  means(order: number): Decimal {
    const currency = this.#currency(order);
    const available = this.ledger.available(this.orders.account(order), currency);
    const list = this.lists.ofLeg(order);
    if (list === undefined) return available;
    return legs(list)
      .filter((leg) => list.holds[list.members.indexOf(leg)] && this.#currency(leg) === currency)
      .reduce((sum, leg) => sum.plus(this.need(leg)), available);
  }

  /** What an order needs for its remainder, at its limit or what its stop price leads to. */
  need(order: number): Decimal {
    const orders = this.orders;
    const { instrument, rates } = this.tariffs[orders.tariff(order)];
    const side = sideName(orders.side(order));
    return reserveOf(instrument, side, this.stops.reserveTicks(order), orders.left(order), rates);
  }

  /** True when the means cover what an order needs: more than that for a buy, as much for a sell. */
  covers(order: number): boolean {
    if (this.#isOnMargin(order)) return this.admission.covers(order);
    const means = this.means(order);
    const need = this.need(order);
    return this.orders.side(order) === BUY
      ? means.greaterThan(need)
      : means.greaterThanOrEqualTo(need);
  }

  #take(list: OrderList, order: number): void {
    const index = list.members.indexOf(order);
    if (list.holds[index]) return;
    list.holds[index] = true;
    this.settlement.hold(order);
  }

  #give(list: OrderList, order: number): void {
    const index = list.members.indexOf(order);
    if (!list.holds[index]) return;
    list.holds[index] = false;
    this.settlement.release(order);
  }

  /** The currency that an order pays with. */
  #currency(order: number): number {
    const tariff = this.tariffs[this.orders.instrument(order)];
    return this.orders.side(order) === BUY ? tariff.quoteIndex : tariff.baseIndex;
  }

  #isOnMargin(order: number): boolean {
    return this.orders.margin(order) !== 0;
  }

  #executesAtMarket(order: number): boolean {
    const { orders } = this;
    if (orders.ticks(order) !== 0 || orders.suspended(order)) return false;
    return !this.remainders.has(order);
  }
}
