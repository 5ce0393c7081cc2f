import type { Tariff } from './tariff.ts';
import { HOUSE, TAPE } from './ledger.ts';
import type { Orders } from './orders.ts';
import { AVAILABLE, RESERVED } from './purse.ts';
import { BUY } from './side.ts';
import type { Clearing } from './margin/clearing.ts';
import type { Stops } from './stops.ts';
import type { Touched } from './touched.ts';

/** Moves the money: what orders hold, what trades cost and bring, what fees the house gets. */
export class Settlement {
  readonly #orders: Orders;
  readonly #tariffs: readonly Tariff[];
  readonly #touched: Touched;
  readonly #stops: Stops;
  readonly #clearing: Clearing;

  constructor(
    orders: Orders,
    stops: Stops,
    tariffs: readonly Tariff[],
    touched: Touched,
    clearing: Clearing,
  ) {
    this.#clearing = clearing;
    this.#orders = orders;
    this.#stops = stops;
    this.#tariffs = tariffs;
    this.#touched = touched;
  }

  /** Holds the means for so many lots of an order that waits. */
  hold(order: number, lots: number): void {
    this.#move(order, AVAILABLE, RESERVED, lots);
  }

  /** Gives back what is held for so many lots of an order that waits. */
  release(order: number, lots: number): void {
    this.#move(order, RESERVED, AVAILABLE, lots);
  }

  #move(order: number, from: number, to: number, lots: number): void {
    const orders = this.#orders;
    // What margin orders hold is reckoned from the orders that there are, not kept.
    if (orders.margin(order) !== 0) {
      this.#clearing.enter(order);
      return;
    }
    const tariff = this.#tariffs[orders.tariff(order)];
    const isBuy = orders.side(order) === BUY;
    const row = orders.account(order);
    const ticks = isBuy ? this.#stops.reserveTicks(order) : 1;
    const purse = isBuy ? tariff.quote : tariff.base;
    purse.move(row, from, to, ticks, lots, isBuy ? tariff.buyReserve : tariff.sellReserve);
    this.#touched.note(row, isBuy ? tariff.quoteIndex : tariff.baseIndex);
  }

  /** Settles one order's side of a trade, its fee included; the surplus of what it held is free again. */
  fill(order: number, ticks: number, lots: number, taker: boolean): void {
    const orders = this.#orders;
    if (orders.margin(order) !== 0) {
      this.#clearing.fill(order, ticks, lots, taker);
      return;
    }
    const tariff = this.#tariffs[orders.tariff(order)];
    const role = taker ? tariff.taker : tariff.maker;
    const row = orders.account(order);
    const limit = orders.ticks(order);
    const isBuy = orders.side(order) === BUY;
    // What is paid and what is got, each per tick and lot in quote, per lot in base.
    const paying = isBuy ? tariff.quote : tariff.base;
    const getting = isBuy ? tariff.base : tariff.quote;
    const price = isBuy ? ticks : 1;
    const pays = isBuy ? role.buyerPays : role.sellerPays;
    if (limit === 0) {
      paying.subtract(row, AVAILABLE, price, lots, pays);
    } else {
      const reserve = isBuy ? tariff.buyReserve : tariff.sellReserve;
      paying.pay(row, isBuy ? limit : 1, lots, reserve, price, lots, pays);
      if (isBuy) this.#touched.note(row, tariff.quoteIndex);
    }
    getting.add(row, AVAILABLE, isBuy ? 1 : ticks, lots, isBuy ? role.buyerGets : role.sellerGets);
    const collecting = tariff.feeInQuote ? tariff.quote : tariff.base;
    collecting.add(HOUSE, AVAILABLE, tariff.feeInQuote ? ticks : 1, lots, role.fee);
    this.#touched.note(row, tariff.baseIndex);
    this.#touched.note(row, tariff.quoteIndex);
  }

  /** Settles the side of the tape, which was the counterparty of an order of `side`. */
  tape(instrument: number, side: number, ticks: number, lots: number): void {
    const tariff = this.#tariffs[instrument];
    if (side === BUY) {
      tariff.base.subtract(TAPE, AVAILABLE, 1, lots, tariff.lot);
      tariff.quote.add(TAPE, AVAILABLE, ticks, lots, tariff.value);
    } else {
      tariff.base.add(TAPE, AVAILABLE, 1, lots, tariff.lot);
      tariff.quote.subtract(TAPE, AVAILABLE, ticks, lots, tariff.value);
    }
  }
}
