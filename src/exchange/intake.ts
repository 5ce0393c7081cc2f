import type { Decimal } from '../model/decimal.ts';
import type { Instrument } from '../model/instrument.ts';
import { hasPrice, hasStopPrice, type Side } from '../model/order.ts';
import type { Refusal } from '../model/refusals.ts';
import { lots, product, type Lots, type Ticks } from '../model/units.ts';
import type { Micros } from '../platform/time.ts';
import { clientOrderIdRefusal } from '../rules/client-order-id.ts';
import {
  buyReserve,
  fundsRefusal,
  payingCurrency,
  sellReserve,
  stopReserveTicks,
} from '../rules/funds.ts';
import { orderShapeRefusal, type OrderTerms } from '../rules/order-shape.ts';
import { replacementRefusal } from '../rules/replacement.ts';
import type { Book } from './book.ts';
import type { Holdings } from './holdings.ts';
import type { Ledger } from './ledger.ts';
import type { Lists, OrderList } from './lists.ts';
import { NONE, type Orders } from './orders.ts';
import type { Reach } from './reach.ts';
import type { Register } from './register.ts';
import { BUY, sideCode, sideName } from './side.ts';
import type { Stops } from './stops.ts';
import type { Tariff } from './tariff.ts';

/** A new order as it reaches the exchange. */
export interface NewOrder extends OrderTerms {
  readonly clientOrderId: string;
  readonly symbol: string;
}

/** What a replacement sets; what is absent stays as it is. */
export interface OrderChange {
  /** The order to replace. */
  readonly clientOrderId: string;
  readonly newClientOrderId: string;
  /** The new total, what is executed included. */
  readonly lots?: Lots;
  readonly ticks?: Ticks;
  readonly stopTicks?: Ticks;
}

/** How many active orders an account may have. */
export interface OrderLimits {
  readonly perAccount: number;
  readonly perSymbol: number;
}

/** Decides whether a request is taken on; changes nothing. */
export class Intake {
  readonly #instruments: readonly Instrument[];
  readonly #orders: Orders;
  readonly #stops: Stops;
  readonly #register: Register;
  readonly #books: readonly Book[];
  readonly #ledger: Ledger;
  readonly #tariffs: readonly Tariff[];
  readonly #reach: Reach;
  readonly #lists: Lists;
  readonly #holdings: Holdings;
  readonly #limits: OrderLimits;

  constructor(setup: {
    readonly instruments: readonly Instrument[];
    readonly orders: Orders;
    readonly stops: Stops;
    readonly register: Register;
    readonly books: readonly Book[];
    readonly ledger: Ledger;
    readonly tariffs: readonly Tariff[];
    readonly reach: Reach;
    readonly lists: Lists;
    readonly holdings: Holdings;
    readonly limits: OrderLimits;
  }) {
    this.#instruments = setup.instruments;
    this.#orders = setup.orders;
    this.#stops = setup.stops;
    this.#register = setup.register;
    this.#books = setup.books;
    this.#ledger = setup.ledger;
    this.#tariffs = setup.tariffs;
    this.#reach = setup.reach;
    this.#lists = setup.lists;
    this.#holdings = setup.holdings;
    this.#limits = setup.limits;
  }

  /** Why an order is not taken; the instrument is found already. */
  place(account: number, instrument: number, order: NewOrder, at: Micros): Refusal | undefined {
    return (
      orderShapeRefusal(order, at) ??
      this.#nameRefusal(account, order.clientOrderId, 'clientOrderId') ??
      this.limitRefusal(account, instrument, 1, 1) ??
      this.#roomRefusal(instrument, order) ??
      this.fundsRefusal(account, instrument, order)
    );
  }

  /** Why an order of a list is not taken, whatever the others are and whatever it costs. */
  memberRefusal(
    account: number,
    instrument: number,
    order: NewOrder,
    at: Micros,
  ): Refusal | undefined {
    return (
      orderShapeRefusal(order, at) ??
      this.#nameRefusal(account, order.clientOrderId, 'clientOrderId') ??
      this.#roomRefusal(instrument, order)
    );
  }

  /** Why the means of an account do not do for an order. */
  fundsRefusal(account: number, instrument: number, order: NewOrder): Refusal | undefined {
    const side = sideCode(order.side);
    const ticks = reserveTicksOf(order.ticks ?? 0, order.stopTicks ?? 0);
    const needed = this.#needed(instrument, side, ticks, order.lots);
    return this.#fundsRefusal(account, instrument, side, needed, 0);
  }

  #roomRefusal(instrument: number, order: NewOrder): Refusal | undefined {
    const { ticks = 0, stopTicks = 0, lots, side } = order;
    return (
      reserveRefusal(side, ticks, stopTicks) ??
      this.#levelRefusal(instrument, sideCode(side), ticks, lots)
    );
  }

  /** Why an active order is not replaced. */
  replace(account: number, order: number, change: OrderChange): Refusal | undefined {
    const orders = this.#orders;
    const instrument = orders.instrument(order);
    const side = orders.side(order);
    const type = orders.type(order);
    const ticks = change.ticks ?? orders.ticks(order);
    const stopTicks = change.stopTicks ?? this.#stops.ticks(order);
    const total = change.lots ?? (orders.lots(order) as Lots);
    const replaced = {
      type,
      lots: orders.lots(order) as Lots,
      executedLots: orders.executed(order) as Lots,
      ...(hasPrice(type) ? { ticks: orders.ticks(order) as Ticks } : {}),
      ...(hasStopPrice(type) ? { stopTicks: this.#stops.ticks(order) as Ticks } : {}),
    };
    const left = (total - orders.executed(order)) as Lots;
    return (
      replacementRefusal(replaced, change) ??
      this.#triggeredRefusal(order, stopTicks) ??
      this.#nameRefusal(account, change.newClientOrderId, 'newClientOrderId') ??
      reserveRefusal(sideName(side), ticks, stopTicks) ??
      this.#levelRefusal(instrument, side, ticks, left) ??
      this.#replacedFundsRefusal(order, reserveTicksOf(ticks, stopTicks), left)
    );
  }

  /** What an order or its set of legs holds already counts; an inactive order needs nothing yet. */
  #replacedFundsRefusal(order: number, ticks: number, left: number): Refusal | undefined {
    const orders = this.#orders;
    const instrument = orders.instrument(order);
    const side = orders.side(order);
    if (this.#lists.isInactive(order)) return undefined;
    if (this.#lists.ofLeg(order) !== undefined) {
      const terms = this.#instruments[instrument];
      return fundsRefusal(
        sideName(side),
        payingCurrency(terms, sideName(side)),
        this.#holdings.amount(instrument, side, ticks, left),
        this.#holdings.means(order),
      );
    }
    const needed = this.#needed(instrument, side, ticks, left);
    const held = this.#needed(
      instrument,
      side,
      this.#stops.reserveTicks(order),
      orders.left(order),
    );
    return this.#fundsRefusal(orders.account(order), instrument, side, needed, held);
  }

  /** True when a triggered order has its means and there is room for its lots at its price. */
  canEnter(order: number): boolean {
    const orders = this.#orders;
    const instrument = orders.instrument(order);
    const side = orders.side(order);
    const ticks = orders.ticks(order);
    const left = orders.left(order);
    if (ticks !== 0) return this.#levelRefusal(instrument, side, ticks, left) === undefined;
    const need = this.marketNeed(instrument, side, left, this.#lists.ofLeg(order));
    const means = this.#holdings.means(order);
    return side === BUY ? means.greaterThan(need) : means.greaterThanOrEqualTo(need);
  }

  /** What a market order needs: its quantity, or what the levels cost that it would take. */
  marketNeed(instrument: number, side: number, count: number, set?: OrderList): Decimal {
    if (side !== BUY) return this.#holdings.amount(instrument, side, 0, count);
    this.#reach.measure(instrument, side, 0, count, set);
    return this.#reserve(instrument, side, this.#reach.value);
  }

  /** Once its stop price was reached, an order has none any more that could change. */
  #triggeredRefusal(order: number, stopTicks: number): Refusal | undefined {
    if (this.#orders.status(order) === 'suspended') return undefined;
    if (stopTicks === this.#stops.ticks(order)) return undefined;
    return {
      code: 'type-invalid',
      field: 'stopPrice',
      message:
        'The stop price of the order was reached already; only price and quantity can change.',
    };
  }

  #nameRefusal(account: number, name: string, field: string): Refusal | undefined {
    const refusal = clientOrderIdRefusal(name, field);
    if (refusal !== undefined) return refusal;
    if (this.#register.find(account, name) === NONE) return undefined;
    return {
      code: 'client-order-id-taken',
      field,
      message: `${field} is "${name}", which an order has or had until lately; choose another.`,
    };
  }

  /** Why an account cannot have so many orders more, of which so many on an instrument. */
  limitRefusal(
    account: number,
    instrument: number,
    count: number,
    countOn: number,
  ): Refusal | undefined {
    const { perAccount, perSymbol } = this.#limits;
    if (this.#register.activeCount(account) + count > perAccount) {
      return limitReached(perAccount, 'all symbols together');
    }
    if (this.#register.activeCountOn(account, instrument) + countOn > perSymbol) {
      return limitReached(perSymbol, this.#instruments[instrument].symbol);
    }
    return undefined;
  }

  /** The lots of a price level are one exact number, and must remain one. */
  #levelRefusal(
    instrument: number,
    side: number,
    ticks: number,
    lots: number,
  ): Refusal | undefined {
    if (ticks === 0) return undefined;
    const book = this.#books[instrument].sides[side];
    const level = book.at(ticks);
    if (level === NONE || book.lots[level] + lots <= Number.MAX_SAFE_INTEGER) return undefined;
    return {
      code: 'number-out-of-range',
      field: 'quantity',
      message: `With ${lots} lots more, the orders at that price would be beyond 2^53 - 1 lots together.`,
      limit: String(Number.MAX_SAFE_INTEGER - book.lots[level]),
    };
  }

  /** What an order would hold, as a count: ticks × lots for a buy, lots for a sell. */
  #needed(instrument: number, side: number, ticks: number, lots: number): number | bigint {
    if (side !== BUY) return lots;
    if (ticks !== 0) return product(ticks, lots);
    // A market buy needs what the levels cost that it would take.
    this.#reach.measure(instrument, side, 0, lots);
    return this.#reach.value;
  }

  /** Refuses when what is available and what is `held` already do not cover what is needed. */
  #fundsRefusal(
    account: number,
    instrument: number,
    side: number,
    needed: number | bigint,
    held: number | bigint,
  ): Refusal | undefined {
    const tariff = this.#tariffs[instrument];
    const more = difference(needed, held);
    if (more < 0) return undefined;
    const rest =
      side === BUY
        ? tariff.quote.compareCount(account, more, tariff.buyReserve)
        : tariff.base.compareCount(account, more, tariff.sellReserve);
    if (side === BUY ? rest > 0 : rest >= 0) return undefined;
    return this.#insufficient(account, instrument, side, needed, held);
  }

  #insufficient(
    account: number,
    instrument: number,
    side: number,
    needed: number | bigint,
    held: number | bigint,
  ): Refusal | undefined {
    const terms = this.#instruments[instrument];
    const { baseIndex, quoteIndex } = this.#tariffs[instrument];
    return fundsRefusal(
      sideName(side),
      payingCurrency(terms, sideName(side)),
      this.#reserve(instrument, side, needed),
      this.#ledger
        .available(account, side === BUY ? quoteIndex : baseIndex)
        .plus(this.#reserve(instrument, side, held)),
    );
  }

  /** The amount that a count comes to: ticks × lots for a buy, lots for a sell. */
  #reserve(instrument: number, side: number, count: number | bigint): Decimal {
    const terms = this.#instruments[instrument];
    const { rates } = this.#tariffs[instrument];
    return side === BUY
      ? buyReserve(terms.quantum.times(count.toString()), rates)
      : sellReserve(terms, lots(Number(count)), rates);
  }
}

function difference(a: number | bigint, b: number | bigint): number | bigint {
  return typeof a === 'number' && typeof b === 'number' ? a - b : BigInt(a) - BigInt(b);
}

const limitReached = (limit: number, where: string): Refusal => ({
  code: 'order-limit-reached',
  message: `The account has ${limit} active orders on ${where}, which is the limit; cancel some first.`,
  limit: String(limit),
});

/** The price at which a buy holds its means; 0 for a market order, whose levels tell. */
const reserveTicksOf = (ticks: number, stopTicks: number): number =>
  ticks !== 0 || stopTicks === 0 ? ticks : stopReserveTicks(stopTicks);

/** What is held for a stop market order must be counted exactly. */
function reserveRefusal(side: Side, ticks: number, stopTicks: number): Refusal | undefined {
  if (side === 'sell') return undefined;
  if (reserveTicksOf(ticks, stopTicks) <= Number.MAX_SAFE_INTEGER) return undefined;
  return {
    code: 'number-out-of-range',
    field: 'stopPrice',
    message: `stopPrice is ${stopTicks} ticks, and a tenth more would be beyond 2^53 - 1.`,
    limit: String((10n * BigInt(Number.MAX_SAFE_INTEGER)) / 11n),
  };
}
