import type { Instrument } from '../../model/instrument.ts';
import { hasPrice, hasStopPrice, type OrderType, type Side } from '../../model/order.ts';
import type { Refusal } from '../../model/refusals.ts';
import type { Lots, Ticks } from '../../model/units.ts';
import type { Micros } from '../../platform/time.ts';
import { clientOrderIdRefusal } from '../../rules/client-order-id.ts';
import type { NewOrder } from '../../model/order.ts';
import type { OrderChange } from '../../rules/order-change.ts';
import { quoted } from '../../rules/quoted.ts';
import type { Book } from '../book/book.ts';
import { CLOSE_POSITION } from '../positions/flags.ts';
import { MALFORMED } from '../orders/client-order-ids.ts';
import { NONE, type Orders } from '../orders/orders.ts';
import type { OrderIndex } from '../orders/order-index.ts';
import { sideCode, sideName } from '../orders/side.ts';
import type { StopPrices } from '../orders/stop-prices.ts';
import type { StopBook } from '../book/stop-book.ts';
import { changeRefusal, orderRefusal, type Passed } from './guard.ts';
import { reserveTicksOf, type Means } from './buying-power.ts';
import type { SymbolStatuses } from '../state/symbol-status.ts';

/** How many active orders an account may have. */
export interface OrderLimits {
  readonly perAccount: number;
  readonly perSymbol: number;
}

/** What the trading service allows. */
export const ORDER_LIMITS: OrderLimits = { perAccount: 25_000, perSymbol: 2_000 };

/** Decides whether a request is taken on; changes nothing. */
export class Intake {
  declare private readonly instruments: readonly Instrument[];
  declare private readonly orders: Orders;
  declare private readonly stops: StopPrices;
  declare private readonly register: OrderIndex;
  declare private readonly books: readonly Book[];
  declare private readonly means: Means;
  declare private readonly statuses: SymbolStatuses;
  declare private readonly triggers: StopBook;
  declare private readonly refusesReached: boolean;
  declare private readonly limits: OrderLimits;

  constructor(setup: {
    readonly instruments: readonly Instrument[];
    readonly orders: Orders;
    readonly stops: StopPrices;
    readonly register: OrderIndex;
    readonly books: readonly Book[];
    readonly means: Means;
    readonly statuses: SymbolStatuses;
    readonly triggers: StopBook;
    readonly limits: OrderLimits;
    readonly stopReached: 'wait' | 'refuse';
  }) {
    this.instruments = setup.instruments;
    this.orders = setup.orders;
    this.stops = setup.stops;
    this.register = setup.register;
    this.books = setup.books;
    this.means = setup.means;
    this.statuses = setup.statuses;
    this.triggers = setup.triggers;
    this.refusesReached = setup.stopReached === 'refuse';
    this.limits = setup.limits;
  }

  /** Why an order is not taken; the instrument is found already. */
  place(
    account: number,
    instrument: number,
    order: NewOrder,
    at: Micros,
    passed?: Passed,
  ): Refusal | undefined {
    return (
      this.#termsRefusal(account, instrument, order, at, passed) ??
      this.#nameRefusal(account, order.clientOrderId, 'clientOrderId') ??
      this.limitRefusal(account, instrument, 1, 1) ??
      this.#reachedRefusal(instrument, order.type, sideCode(order.side), order.stopTicks) ??
      this.#roomRefusal(instrument, order) ??
      this.means.refusal(account, instrument, order, passed)
    );
  }

  #termsRefusal(
    account: number,
    instrument: number,
    order: NewOrder,
    at: Micros,
    passed?: Passed,
  ): Refusal | undefined {
    return (
      this.statuses.refusal(instrument) ??
      orderRefusal(order, at, passed) ??
      this.means.termsRefusal(account, instrument, order)
    );
  }

  /**
   * Why an order of a list is not taken, whatever the others are and whatever it costs; `waits`
   * where it is inactive at first.
   */
  memberRefusal(
    account: number,
    instrument: number,
    order: NewOrder,
    at: Micros,
    waits: boolean,
    passed?: Passed,
  ): Refusal | undefined {
    const stopTicks = waits ? undefined : order.stopTicks;
    return (
      this.#termsRefusal(account, instrument, order, at, passed) ??
      this.#nameRefusal(account, order.clientOrderId, 'clientOrderId') ??
      this.#reachedRefusal(instrument, order.type, sideCode(order.side), stopTicks) ??
      this.#roomRefusal(instrument, order)
    );
  }

  #roomRefusal(instrument: number, order: NewOrder): Refusal | undefined {
    const { ticks = 0, stopTicks = 0, lots, side } = order;
    return (
      reserveRefusal(side, ticks, stopTicks) ??
      this.#levelRefusal(instrument, sideCode(side), ticks, lots)
    );
  }

  /** Why an active order is not replaced. */
  replace(
    account: number,
    order: number,
    change: OrderChange,
    passed?: Passed,
  ): Refusal | undefined {
    const orders = this.orders;
    const instrument = orders.instrument(order);
    const side = orders.side(order);
    const type = orders.type(order);
    const ticks = change.ticks ?? orders.ticks(order);
    const stopTicks = change.stopTicks ?? this.stops.ticks(order);
    const replaced = {
      type,
      lots: orders.lots(order) as Lots,
      executedLots: orders.executed(order) as Lots,
      ...(hasPrice(type) ? { ticks: orders.ticks(order) as Ticks } : {}),
      ...(hasStopPrice(type) ? { stopTicks: this.stops.ticks(order) as Ticks } : {}),
    };
    if ((orders.margin(order) & CLOSE_POSITION) !== 0) return CLOSES_POSITION;
    const refusal = this.statuses.refusal(instrument) ?? changeRefusal(replaced, change, passed);
    if (refusal !== undefined) return refusal;
    const left = (change.lots ?? orders.lots(order)) - orders.executed(order);
    return (
      this.#triggeredRefusal(order, stopTicks) ??
      this.#nameRefusal(account, change.newClientOrderId, 'newClientOrderId') ??
      reserveRefusal(sideName(side), ticks, stopTicks) ??
      this.#levelRefusal(instrument, side, ticks, left) ??
      this.#reachedAnewRefusal(order, change.stopTicks) ??
      this.means.replacedRefusal(order, reserveTicksOf(ticks, stopTicks), left)
    );
  }

  /** True when a triggered order has its means and there is room for its lots at its price. */
  canEnter(order: number): boolean {
    const orders = this.orders;
    const instrument = orders.instrument(order);
    const side = orders.side(order);
    const ticks = orders.ticks(order);
    const left = orders.left(order);
    if (orders.margin(order) !== 0 && !this.means.coversMargin(order)) return false;
    if (ticks !== 0) return this.#levelRefusal(instrument, side, ticks, left) === undefined;
    if (orders.margin(order) !== 0) return true;
    return this.means.coversMarket(order);
  }

  /** A stop price that the last trade has reached already, where that is not to wait for the next. */
  #reachedRefusal(
    instrument: number,
    type: OrderType,
    side: number,
    stopTicks: number | undefined,
  ): Refusal | undefined {
    if (!this.refusesReached || stopTicks === undefined) return undefined;
    if (!this.triggers.isReached(instrument, type, side, stopTicks)) return undefined;
    const last = this.triggers.last[instrument];
    return {
      code: 'stop-price-reached',
      field: 'stopPrice',
      message: `stopPrice is ${stopTicks} ticks, which the last trade at ${last} has reached already.`,
      limit: String(last),
    };
  }

  #reachedAnewRefusal(order: number, stopTicks: number | undefined): Refusal | undefined {
    const orders = this.orders;
    if (orders.status(order) !== 'suspended' || orders.level(order) === NONE) return undefined;
    const [instrument, type, side] = [
      orders.instrument(order),
      orders.type(order),
      orders.side(order),
    ];
    return this.#reachedRefusal(instrument, type, side, stopTicks);
  }

  /** Once its stop price was reached, an order has none any more that could change. */
  #triggeredRefusal(order: number, stopTicks: number): Refusal | undefined {
    if (this.orders.status(order) === 'suspended') return undefined;
    if (stopTicks === this.stops.ticks(order)) return undefined;
    return {
      code: 'type-invalid',
      field: 'stopPrice',
      message:
        'The stop price of the order was reached already; only price and quantity can change.',
    };
  }

  #nameRefusal(account: number, name: string, field: string): Refusal | undefined {
    const found = this.register.claim(account, name);
    return found === NONE ? undefined : nameRefusal(found, name, field);
  }

  /** Why an account cannot have so many orders more, of which so many on an instrument. */
  limitRefusal(
    account: number,
    instrument: number,
    count: number,
    countOn: number,
  ): Refusal | undefined {
    const { perAccount, perSymbol } = this.limits;
    if (this.register.activeCount(account) + count > perAccount) {
      return limitReached(perAccount, 'all symbols together');
    }
    if (this.register.activeCountOn(account, instrument) + countOn > perSymbol) {
      return limitReached(perSymbol, this.instruments[instrument].symbol);
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
    const book = this.books[instrument].sides[side];
    return book.hasRoom(ticks, lots) ? undefined : crowded(lots, book.room(ticks));
  }
}

/** Why an order cannot have a name that leads to something. */
function nameRefusal(found: number, name: string, field: string): Refusal | undefined {
  if (found === MALFORMED) return clientOrderIdRefusal(name, field);
  return {
    code: 'client-order-id-taken',
    field,
    message: `${field} is ${quoted(name)}, which an order has or had until lately; choose another.`,
  };
}

const CLOSES_POSITION: Refusal = {
  code: 'type-invalid',
  field: 'closePosition',
  message: 'An order that closes a position cannot be replaced; cancel it and place another.',
};

const limitReached = (limit: number, where: string): Refusal => ({
  code: 'order-limit-reached',
  message: `The account has ${limit} active orders on ${where}, which is the limit; cancel some first.`,
  limit: String(limit),
});

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

const crowded = (lots: number, room: number): Refusal => ({
  code: 'number-out-of-range',
  field: 'quantity',
  message: `With ${lots} lots more, the orders at that price would be beyond 2^53 - 1 lots together.`,
  limit: String(room),
});
