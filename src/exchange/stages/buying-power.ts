import { Decimal } from '../../model/decimal.ts';
import type { Refusal } from '../../model/refusals.ts';
import { product } from '../../model/units.ts';
import {
  buyReserve,
  fundsRefusal,
  holdsFee,
  payingCurrency,
  reserveOf,
  stopReserveTicks,
} from '../../rules/funds.ts';
import type { NewOrder } from '../../model/order.ts';
import type { Reach } from './fill-estimate.ts';
import type { Fees } from '../ledger/fees.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Holdings } from './reserve.ts';
import type { OrderLists } from '../orders/lists.ts';
import type { Admission } from './margin-check.ts';
import type { Orders } from '../orders/orders.ts';
import { BUY, sideCode, sideName } from '../orders/side.ts';
import type { StopPrices } from '../orders/stop-prices.ts';
import type { Passed } from './guard.ts';

const ONE = new Decimal(1);

/** Decides whether what an account has does for an order; changes nothing. */
export class Means {
  declare private readonly orders: Orders;
  declare private readonly stops: StopPrices;
  declare private readonly ledger: Ledger;
  declare private readonly fees: Fees;
  declare private readonly reach: Reach;
  declare private readonly lists: OrderLists;
  declare private readonly holdings: Holdings;
  declare private readonly factor: Decimal;
  declare private readonly isPlain: boolean;
  declare private readonly admission: Admission;

  /** A market buy must be able to pay `marketBuyFactor` times the levels that it would take. */
  constructor(setup: {
    readonly orders: Orders;
    readonly stops: StopPrices;
    readonly ledger: Ledger;
    readonly fees: Fees;
    readonly reach: Reach;
    readonly lists: OrderLists;
    readonly holdings: Holdings;
    readonly admission: Admission;
    readonly marketBuyFactor: Decimal | undefined;
  }) {
    this.orders = setup.orders;
    this.stops = setup.stops;
    this.ledger = setup.ledger;
    this.fees = setup.fees;
    this.reach = setup.reach;
    this.lists = setup.lists;
    this.holdings = setup.holdings;
    this.admission = setup.admission;
    this.factor = setup.marketBuyFactor ?? ONE;
    this.isPlain = this.factor.equals(1);
  }

  /** Why the means of an account do not do for a new order. */
  refusal(
    account: number,
    instrument: number,
    order: NewOrder,
    passed?: Passed,
  ): Refusal | undefined {
    if (order.margin !== undefined) {
      return this.admission.fundsRefusal(account, instrument, order, order.margin, passed);
    }
    const side = sideCode(order.side);
    const ticks = reserveTicksOf(order.ticks ?? 0, order.stopTicks ?? 0);
    const isMarket = ticks === 0 && side === BUY;
    if (this.fees.isUsual(account, instrument, order) && (this.isPlain || !isMarket)) {
      const needed = this.#count(account, instrument, side, ticks, order.lots);
      return this.#countRefusal(account, instrument, side, needed, 0);
    }
    const need = this.need(account, instrument, order);
    const { baseIndex, quoteIndex, instrument: terms } = this.fees.tariffs[instrument];
    const available = this.ledger.available(account, side === BUY ? quoteIndex : baseIndex);
    const currency = payingCurrency(terms, order.side);
    return fundsRefusal(order.side, currency, need, available, holdsFee(terms, order.side));
  }

  /** What a new order needs; of a market buy by the levels that it would take. */
  need(account: number, instrument: number, order: NewOrder): Decimal {
    const ticks = reserveTicksOf(order.ticks ?? 0, order.stopTicks ?? 0);
    const rates = this.fees.rates(account, instrument, order);
    const { instrument: terms } = this.fees.tariffs[instrument];
    if (ticks !== 0 || order.side !== 'buy') {
      return reserveOf(terms, order.side, ticks, order.lots, rates);
    }
    this.reach.measure(account, instrument, BUY, 0, order.lots);
    return this.#cost(instrument, rates);
  }

  /** What a market buy needs whose levels `reach` has measured just now. */
  measuredNeed(account: number, instrument: number, order: NewOrder): Decimal {
    return this.#cost(instrument, this.fees.rates(account, instrument, order));
  }

  /** Why the means do not do for what replaces an order, with so many lots left at a price. */
  replacedRefusal(order: number, ticks: number, left: number): Refusal | undefined {
    const orders = this.orders;
    // An inactive order needs nothing yet.
    if (this.lists.isInactive(order)) return undefined;
    if (orders.margin(order) !== 0) return this.admission.replacedRefusal(order, ticks, left);
    const side = orders.side(order);
    const tariff = orders.tariff(order);
    // What an order or its set of legs holds already counts.
    if (this.lists.ofLeg(order) !== undefined) {
      const { instrument, rates } = this.fees.tariffs[tariff];
      return fundsRefusal(
        sideName(side),
        payingCurrency(instrument, sideName(side)),
        reserveOf(instrument, sideName(side), ticks, left, rates),
        this.holdings.means(order),
        holdsFee(instrument, sideName(side)),
      );
    }
    const needed = side === BUY ? product(ticks, left) : left;
    const heldTicks = this.stops.reserveTicks(order);
    const held = side === BUY ? product(heldTicks, orders.left(order)) : orders.left(order);
    return this.#countRefusal(orders.account(order), tariff, side, needed, held);
  }

  /** Why a symbol is not traded so by an account, whatever is ordered. */
  termsRefusal(account: number, instrument: number, order: NewOrder): Refusal | undefined {
    return this.admission.termsRefusal(account, instrument, order.margin);
  }

  /** True when a margin order that becomes active, enters or was triggered has its means now. */
  coversMargin(order: number): boolean {
    return this.admission.covers(order);
  }

  /** True when a market order that was triggered or became active can pay. */
  coversMarket(order: number): boolean {
    const orders = this.orders;
    const side = orders.side(order);
    const left = orders.left(order);
    const { instrument, rates } = this.fees.tariffs[orders.tariff(order)];
    const means = this.holdings.means(order);
    if (side !== BUY) {
      return means.greaterThanOrEqualTo(reserveOf(instrument, 'sell', 0, left, rates));
    }
    const number = orders.instrument(order);
    const set = this.lists.ofLeg(order);
    this.reach.measure(orders.account(order), number, side, 0, left, set);
    return means.greaterThan(this.#cost(number, rates));
  }

  /** What the levels cost that were measured, with the fee. */
  #cost(instrument: number, rates: { takeRate: Decimal; makeRate: Decimal }): Decimal {
    const terms = this.fees.tariffs[instrument].instrument;
    const value = terms.quantum.times(this.reach.value.toString());
    return buyReserve(terms, value, rates).times(this.factor);
  }

  /** What an order would hold, as a count: ticks × lots for a buy, lots for a sell. */
  #count(
    account: number,
    instrument: number,
    side: number,
    ticks: number,
    lots: number,
  ): number | bigint {
    if (side !== BUY) return lots;
    if (ticks !== 0) return product(ticks, lots);
    // A market buy needs what the levels cost that it would take.
    this.reach.measure(account, instrument, side, 0, lots);
    return this.reach.value;
  }

  /** Refuses when what is available and what is `held` already do not cover what is needed. */
  #countRefusal(
    account: number,
    number: number,
    side: number,
    needed: number | bigint,
    held: number | bigint,
  ): Refusal | undefined {
    const tariff = this.fees.tariffs[number];
    const more = difference(needed, held);
    if (more < 0) return undefined;
    const rest =
      side === BUY
        ? tariff.quote.compareCount(account, more, tariff.buyReserve)
        : tariff.base.compareCount(account, more, tariff.sellReserve);
    if (isCovered(side, rest)) return undefined;
    return this.#insufficient(account, number, side, needed, held);
  }

  #insufficient(
    account: number,
    number: number,
    side: number,
    needed: number | bigint,
    held: number | bigint,
  ): Refusal | undefined {
    const { baseIndex, quoteIndex, instrument } = this.fees.tariffs[number];
    return fundsRefusal(
      sideName(side),
      payingCurrency(instrument, sideName(side)),
      this.#reserve(number, side, needed),
      this.ledger
        .available(account, side === BUY ? quoteIndex : baseIndex)
        .plus(this.#reserve(number, side, held)),
      holdsFee(instrument, sideName(side)),
    );
  }

  /** The amount that a count comes to: ticks × lots for a buy, lots for a sell. */
  #reserve(number: number, side: number, count: number | bigint): Decimal {
    const { instrument, rates } = this.fees.tariffs[number];
    return side === BUY
      ? buyReserve(instrument, instrument.quantum.times(count.toString()), rates)
      : reserveOf(instrument, 'sell', 0, Number(count), rates);
  }
}

/** A buy must leave something of what is available, a sell may take all of it. */
const isCovered = (side: number, rest: number): boolean => (side === BUY ? rest > 0 : rest >= 0);

function difference(a: number | bigint, b: number | bigint): number | bigint {
  return typeof a === 'number' && typeof b === 'number' ? a - b : BigInt(a) - BigInt(b);
}

/** The price at which a buy holds its means; 0 for a market order, whose levels tell. */
export const reserveTicksOf = (ticks: number, stopTicks: number): number =>
  ticks !== 0 || stopTicks === 0 ? ticks : stopReserveTicks(stopTicks);
