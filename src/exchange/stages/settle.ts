import type { Clearing } from '../clearing/positions.ts';
import type { Orders } from '../orders/orders.ts';
import { BUY as BUY_SIDE } from '../orders/side.ts';
import type { StopPrices } from '../orders/stop-prices.ts';
import { HOUSE, TAPE } from '../ledger/ledger.ts';
import { AVAILABLE as AVAILABLE_POCKET, RESERVED as RESERVED_POCKET } from '../ledger/balances.ts';
import type { FeeSchedule } from '../ledger/fee-schedule.ts';
import type { DirtyBalances } from '../ledger/dirty-balances.ts';

/** Constants of this file become part of the code that V8 makes; those of others are read each time. */
const AVAILABLE = AVAILABLE_POCKET;
const RESERVED = RESERVED_POCKET;
const BUY = BUY_SIDE;

/** Moves the money: what orders hold, what trades cost and bring, what fees the house gets. */
export class Settlement {
  declare private readonly orders: Orders;
  declare private readonly tariffs: readonly FeeSchedule[];
  declare private readonly touched: DirtyBalances;
  declare private readonly stops: StopPrices;
  declare private readonly clearing: Clearing;
  /** Of the incoming order: what it has traded and is not settled, in ticks times lots and in lots. */
  #takenValue = 0;
  #takenLots = 0;

  constructor(
    orders: Orders,
    stops: StopPrices,
    tariffs: readonly FeeSchedule[],
    touched: DirtyBalances,
    clearing: Clearing,
  ) {
    this.clearing = clearing;
    this.orders = orders;
    this.stops = stops;
    this.tariffs = tariffs;
    this.touched = touched;
  }

  /** Holds the means for the remainder of an order that waits. */
  hold(order: number): void {
    this.#move(order, AVAILABLE, RESERVED);
  }

  /** Gives back what is held for the remainder of an order that waits. */
  release(order: number): void {
    this.#move(order, RESERVED, AVAILABLE);
  }

  #move(order: number, from: number, to: number): void {
    const orders = this.orders;
    // What margin orders hold is reckoned from the orders that there are, not kept.
    if (orders.margin(order) !== 0) {
      this.clearing.enter(order);
      return;
    }
    const tariff = this.tariffs[orders.tariff(order)];
    const row = orders.account(order);
    const isBuy = orders.side(order) === BUY;
    const purse = isBuy ? tariff.quote : tariff.base;
    const reserve = isBuy ? tariff.buyReserve : tariff.sellReserve;
    // A market order has no limit, and holds by its stop price.
    const ticks = isBuy ? orders.ticks(order) || this.stops.reserveTicks(order) : 1;
    purse.move(row, from, to, ticks, orders.left(order), reserve);
    this.touched.note(row, isBuy ? tariff.quoteIndex : tariff.baseIndex);
  }

  /** Settles a resting order's side of a trade, its fee included; the surplus of what it held is free again. */
  fillMaker(order: number, ticks: number, lots: number): void {
    const orders = this.orders;
    if (orders.margin(order) !== 0) {
      this.clearing.fill(order, ticks, lots, false);
      return;
    }
    const tariff = this.tariffs[orders.tariff(order)];
    if (orders.side(order) === BUY) this.makerBuys(orders.account(order), tariff, ticks, lots);
    else this.makerSells(orders.account(order), tariff, ticks, lots);
    this.makersOwe(tariff, ticks, lots, lots);
  }

  /** The same where it is known that a spot order of an account buys at its own price, but for the fee to the house. */
  makerBuys(account: number, tariff: FeeSchedule, ticks: number, lots: number): void {
    const { quote, base, maker } = tariff;
    quote.pay(account, ticks, lots, tariff.buyReserve, ticks, lots, maker.buyerPays);
    base.add(account, AVAILABLE, 1, lots, maker.buyerGets);
    this.touched.noteBoth(account, tariff.quoteIndex, tariff.baseIndex);
  }

  /** The same where it sells. */
  makerSells(account: number, tariff: FeeSchedule, ticks: number, lots: number): void {
    const { quote, base, maker } = tariff;
    base.pay(account, 1, lots, tariff.sellReserve, 1, lots, maker.sellerPays);
    quote.add(account, AVAILABLE, ticks, lots, maker.sellerGets);
    this.touched.noteBoth(account, tariff.baseIndex, tariff.quoteIndex);
  }

  /** Gives the house the fee of makers of a tariff for so many lots, a × b being their price in ticks times lots. */
  makersOwe(tariff: FeeSchedule, a: number, b: number, lots: number): void {
    const { fee } = tariff.maker;
    if (tariff.feeInQuote) tariff.quote.add(HOUSE, AVAILABLE, a, b, fee);
    else tariff.base.add(HOUSE, AVAILABLE, 1, lots, fee);
  }

  /** The same for an incoming order: what it trades adds up until `settle`. */
  fillTaker(order: number, ticks: number, lots: number): void {
    const orders = this.orders;
    if (orders.margin(order) !== 0) {
      this.clearing.fill(order, ticks, lots, true);
      return;
    }
    // It is noted with the first trade, which its balances change with; the others add to that.
    if (this.#takenLots === 0) this.noteTaker(order);
    const value = this.#takenValue + ticks * lots;
    if (value <= Number.MAX_SAFE_INTEGER) {
      this.#takenValue = value;
      this.#takenLots += lots;
    } else {
      this.settle(order);
      this.#payTaker(order, ticks, lots, lots);
    }
  }

  /** Notes the balances that an incoming order changes, first the one that was held for it. */
  noteTaker(order: number): void {
    const orders = this.orders;
    const tariff = this.tariffs[orders.tariff(order)];
    const row = orders.account(order);
    const isHeldInQuote = orders.side(order) === BUY && orders.ticks(order) !== 0;
    const { quoteIndex, baseIndex } = tariff;
    if (isHeldInQuote) this.touched.noteBoth(row, quoteIndex, baseIndex);
    else this.touched.noteBoth(row, baseIndex, quoteIndex);
  }

  /** Settles what an incoming order has traded: one payment for all, as exact as one for each. */
  settle(order: number): void {
    if (this.#takenLots === 0) return;
    this.payTaker(order, this.#takenValue, this.#takenLots);
    this.#takenValue = 0;
    this.#takenLots = 0;
  }

  /** The same for lots that came to `value` ticks times lots together, which is an exact number. */
  payTaker(order: number, value: number, lots: number): void {
    this.#payTaker(order, value, 1, lots);
  }

  /** Pays for so many lots, a × b being their price in ticks times lots. */
  #payTaker(order: number, a: number, b: number, lots: number): void {
    const orders = this.orders;
    const tariff = this.tariffs[orders.tariff(order)];
    const role = tariff.taker;
    const row = orders.account(order);
    const limit = orders.ticks(order);
    const { quote, base } = tariff;
    const isBuy = orders.side(order) === BUY;
    // Of quote a × b moves, of base 1 × lots; a buy gives the first for the second.
    const giving = isBuy ? quote : base;
    const getting = isBuy ? base : quote;
    const pays = isBuy ? role.buyerPays : role.sellerPays;
    const gets = isBuy ? role.buyerGets : role.sellerGets;
    const c = isBuy ? a : 1;
    const d = isBuy ? b : lots;
    if (limit === 0) giving.subtract(row, AVAILABLE, c, d, pays);
    else {
      const reserve = isBuy ? tariff.buyReserve : tariff.sellReserve;
      giving.pay(row, isBuy ? limit : 1, lots, reserve, c, d, pays);
    }
    getting.add(row, AVAILABLE, isBuy ? 1 : a, isBuy ? lots : b, gets);
    if (tariff.feeInQuote) quote.add(HOUSE, AVAILABLE, a, b, role.fee);
    else base.add(HOUSE, AVAILABLE, 1, lots, role.fee);
  }

  /** Settles the side of the tape, which was the counterparty of an order of `side`. */
  tape(instrument: number, side: number, ticks: number, lots: number): void {
    const tariff = this.tariffs[instrument];
    if (side === BUY) {
      tariff.base.subtract(TAPE, AVAILABLE, 1, lots, tariff.lot);
      tariff.quote.add(TAPE, AVAILABLE, ticks, lots, tariff.value);
    } else {
      tariff.base.add(TAPE, AVAILABLE, 1, lots, tariff.lot);
      tariff.quote.subtract(TAPE, AVAILABLE, ticks, lots, tariff.value);
    }
  }
}
