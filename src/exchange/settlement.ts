import type { RoleTariff, Tariff } from './tariff.ts';
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
    const orders = this.#orders;
    // What margin orders hold is reckoned from the orders that there are, not kept.
    if (orders.margin(order) !== 0) return;
    const tariff = this.#tariffs[orders.tariff(order)];
    const row = orders.account(order);
    if (orders.side(order) === BUY) {
      const ticks = this.#stops.reserveTicks(order);
      tariff.quote.move(row, AVAILABLE, RESERVED, ticks, lots, tariff.buyReserve);
      this.#touched.note(row, tariff.quoteIndex);
    } else {
      tariff.base.move(row, AVAILABLE, RESERVED, 1, lots, tariff.sellReserve);
      this.#touched.note(row, tariff.baseIndex);
    }
  }

  /** Gives back what is held for so many lots of an order that waits. */
  release(order: number, lots: number): void {
    const orders = this.#orders;
    if (orders.margin(order) !== 0) return;
    const tariff = this.#tariffs[orders.tariff(order)];
    const row = orders.account(order);
    if (orders.side(order) === BUY) {
      const ticks = this.#stops.reserveTicks(order);
      tariff.quote.move(row, RESERVED, AVAILABLE, ticks, lots, tariff.buyReserve);
      this.#touched.note(row, tariff.quoteIndex);
    } else {
      tariff.base.move(row, RESERVED, AVAILABLE, 1, lots, tariff.sellReserve);
      this.#touched.note(row, tariff.baseIndex);
    }
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
    const { base, quote, baseIndex, quoteIndex } = tariff;
    if (orders.side(order) === BUY) {
      if (limit === 0) quote.subtract(row, AVAILABLE, ticks, lots, role.buyerPays);
      else {
        quote.pay(row, limit, lots, tariff.buyReserve, ticks, lots, role.buyerPays);
        this.#touched.note(row, quoteIndex);
      }
      base.add(row, AVAILABLE, 1, lots, role.buyerGets);
    } else {
      if (limit === 0) base.subtract(row, AVAILABLE, 1, lots, role.sellerPays);
      else base.pay(row, 1, lots, tariff.sellReserve, 1, lots, role.sellerPays);
      quote.add(row, AVAILABLE, ticks, lots, role.sellerGets);
    }
    collect(tariff, role, ticks, lots);
    this.#touched.note(row, baseIndex);
    this.#touched.note(row, quoteIndex);
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

function collect(tariff: Tariff, role: RoleTariff, ticks: number, lots: number): void {
  if (tariff.feeInQuote) tariff.quote.add(HOUSE, AVAILABLE, ticks, lots, role.fee);
  else tariff.base.add(HOUSE, AVAILABLE, 1, lots, role.fee);
}
