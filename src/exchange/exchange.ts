import type { Decimal } from '../model/decimal.ts';
import { MillraceError } from '../model/errors.ts';
import type { EventColumns } from '../model/events.ts';
import type { Instrument } from '../model/instrument.ts';
import type { OrderStatus } from '../model/order.ts';
import type { Refusal } from '../model/refusals.ts';
import { US_PER_MINUTE, type Micros } from '../platform/time.ts';
import { Book } from './book.ts';
import { Intake, type NewOrder, type OrderChange, type OrderLimits } from './intake.ts';
import { FIRST_ACCOUNT, Ledger } from './ledger.ts';
import type { ExchangeListener } from './listener.ts';
import { MarketRows } from './market-rows.ts';
import { Matching } from './matching.ts';
import { NONE, Orders, type OrderOpening } from './orders.ts';
import { Reach } from './reach.ts';
import { Register } from './register.ts';
import { Settlement } from './settlement.ts';
import { sideCode } from './side.ts';
import { Tape } from './tape.ts';
import { tariff } from './tariff.ts';
import { Touched } from './touched.ts';
import { dayEnd } from './trading-day.ts';

export interface ExchangeOptions {
  /** Active orders that an account may have, in all and on one symbol; 25,000 and 2,000. */
  readonly limits?: OrderLimits;
  /** How long a client order id stays taken after its order has ended; one minute. */
  readonly nameHoldUs?: number;
  /** Active orders for which there is room from the start; it grows by itself. */
  readonly orderCapacity?: number;
}

/**
 * The simulated exchange: a state machine of requests, market events and time. Nothing in it
 * waits, reads a clock or draws by chance; the same calls give the same reports.
 *
 * A request is either refused, which leaves no trace, or done at once, which the listener is told
 * step by step: the order, its trades (maker before taker), its end, then the balances.
 */
export class Exchange {
  readonly instruments: readonly Instrument[];
  readonly orders: Orders;
  readonly ledger: Ledger;
  readonly books: readonly Book[];
  readonly tapes: readonly Tape[];
  readonly #listener: ExchangeListener;
  readonly #symbols: ReadonlyMap<string, number>;
  readonly #register: Register;
  readonly #touched: Touched;
  readonly #settlement: Settlement;
  readonly #matching: Matching;
  readonly #reach: Reach;
  readonly #intake: Intake;
  readonly #rows: MarketRows;
  #now = 0;

  constructor(setup: {
    readonly instruments: readonly Instrument[];
    readonly listener: ExchangeListener;
    readonly options?: ExchangeOptions;
  }) {
    const { instruments, listener, options = {} } = setup;
    const { limits = { perAccount: 25_000, perSymbol: 2_000 } } = options;
    const { nameHoldUs = US_PER_MINUTE, orderCapacity = 1_024 } = options;
    this.instruments = instruments;
    this.#listener = listener;
    this.#symbols = new Map(instruments.map((instrument, index) => [instrument.symbol, index]));
    // 1. What there is: orders, their queues, what the tape shows, who owns what.
    const orders = new Orders(orderCapacity);
    this.orders = orders;
    this.#register = new Register(orders, instruments.length, nameHoldUs);
    this.books = instruments.map(() => new Book(orders));
    this.tapes = instruments.map(() => new Tape());
    this.ledger = new Ledger(instruments);
    // 2. What a request must pass.
    const tariffs = instruments.map((instrument) => tariff(instrument, this.ledger));
    this.#reach = new Reach(this.books, this.tapes);
    this.#intake = new Intake(
      instruments,
      orders,
      this.#register,
      this.books,
      this.ledger,
      tariffs,
      this.#reach,
      limits,
    );
    // 3. What brings orders together and moves the money.
    this.#touched = new Touched(this.ledger.purses.length);
    this.#settlement = new Settlement(orders, tariffs, this.#touched);
    this.#matching = new Matching(
      orders,
      this.books,
      this.tapes,
      this.#settlement,
      listener,
      (order) => {
        this.#register.end(order, 'filled', this.#now);
      },
    );
    // 4. What comes from the recorded market.
    this.#rows = new MarketRows(this.books, this.tapes, this.#matching);
  }

  /** When the next order expires by time, +Infinity when none does. */
  get nextExpiryAt(): number {
    return this.#register.expiries.nextAt;
  }

  /** Time of the latest call. */
  get now(): Micros {
    return this.#now as Micros;
  }

  /** Index of a symbol among the instruments, -1 when it is not traded here. */
  instrument(symbol: string): number {
    return this.#symbols.get(symbol) ?? NONE;
  }

  /** Opens an account with empty balances and gives its number. */
  openAccount(): number {
    const account = this.ledger.open();
    this.#register.grow(this.ledger.accounts);
    return account;
  }

  /**
   * Adds a positive amount to what an account has. Throws `currency-unknown` for a currency of no
   * instrument and `out-of-range` for an amount that is not positive.
   */
  deposit(account: number, currency: string, amount: Decimal): void {
    this.#know(account);
    if (!amount.isFinite() || !amount.greaterThan(0)) {
      throw new MillraceError(
        'out-of-range',
        `A deposit is a positive amount, not ${amount.toFixed()} ${currency}.`,
        { field: 'amount' },
      );
    }
    const index = this.ledger.currency(currency);
    this.ledger.purses[index].deposit(account, amount);
    this.#touched.note(account, index);
    this.#finish();
  }

  /** What an account has of a currency. Throws `currency-unknown`. */
  balance(account: number, currency: string): { available: Decimal; reserved: Decimal } {
    this.#know(account);
    const index = this.ledger.currency(currency);
    return {
      available: this.ledger.available(account, index),
      reserved: this.ledger.reserved(account, index),
    };
  }

  /** The active order of an account with that client order id, NONE when there is none. */
  activeOrder(account: number, clientOrderId: string): number {
    return this.#register.active(account, clientOrderId);
  }

  /** Takes a new order in and executes what can be executed now. */
  place(account: number, order: NewOrder, at: Micros): Refusal | undefined {
    this.#begin(account, at);
    const instrument = this.instrument(order.symbol);
    if (instrument === NONE) return this.#finish(unknownSymbol(order.symbol, this.instruments));
    const refusal = this.#intake.place(account, instrument, order, this.now);
    if (refusal !== undefined) return this.#finish(refusal);
    const slot = this.#register.open(opening(account, instrument, order, this.now));
    if (this.#failsAtEntry(slot)) {
      this.#end(slot, 'expired');
    } else {
      if (order.ticks !== undefined) this.#settlement.hold(slot, order.lots);
      this.#listener.order('new', slot);
      this.#execute(slot);
    }
    return this.#finish();
  }

  /**
   * Cancels an order and enters another in its stead, as one: it has a new id, the executed
   * quantity and the creation time of the old one, and the last place in the queue of its price.
   */
  replace(account: number, change: OrderChange, at: Micros): Refusal | undefined {
    this.#begin(account, at);
    const old = this.#register.active(account, change.clientOrderId);
    if (old === NONE) return this.#finish(unknownOrder(change.clientOrderId));
    const refusal = this.#intake.replace(account, old, change);
    if (refusal !== undefined) return this.#finish(refusal);
    const slot = this.#substitute(old, change);
    this.#listener.order('replaced', slot);
    if (this.#failsAtEntry(slot)) {
      this.#settlement.release(slot, this.orders.left(slot));
      this.#end(slot, 'expired');
    } else {
      this.#execute(slot);
    }
    return this.#finish();
  }

  /** Cancels an active order. */
  cancel(account: number, clientOrderId: string, at: Micros): Refusal | undefined {
    this.#begin(account, at);
    const order = this.#register.active(account, clientOrderId);
    if (order === NONE) return this.#finish(unknownOrder(clientOrderId));
    this.#withdraw(order, 'canceled');
    return this.#finish();
  }

  /** Cancels all active orders of an account, or those of one symbol, oldest first; gives their number. */
  cancelAll(account: number, at: Micros, symbol?: string): number {
    this.#begin(account, at);
    const instrument = symbol === undefined ? NONE : this.instrument(symbol);
    let count = 0;
    let order = this.#register.first(account);
    while (order !== NONE) {
      const next = this.orders.accountNext(order);
      if (symbol === undefined || this.orders.instrument(order) === instrument) {
        this.#withdraw(order, 'canceled');
        count += 1;
      }
      order = next;
    }
    this.#finish();
    return count;
  }

  /** Takes one row of a recorded feed in. */
  market(instrument: number, columns: EventColumns, row: number, at: Micros): void {
    if (at >= this.#register.expiries.nextAt) this.advance(at);
    if (at > this.#now) this.#now = at;
    this.#matching.now = this.#now;
    this.#rows.apply(instrument, columns, row);
    if (this.#touched.count > 0) this.#finish();
  }

  /** Lets time come to `at`: orders whose time has come expire, before anything else happens then. */
  advance(at: Micros): void {
    const { expiries } = this.#register;
    while (expiries.nextAt <= at) {
      this.#now = Math.max(this.#now, expiries.nextAt);
      this.#withdraw(expiries.next(), 'expired');
    }
    if (at > this.#now) this.#now = at;
    this.#finish();
  }

  #begin(account: number, at: Micros): void {
    this.#know(account);
    if (at >= this.#register.expiries.nextAt) this.advance(at);
    if (at > this.#now) this.#now = at;
    this.#matching.now = this.#now;
    this.#register.sweep(this.#now);
  }

  /** Tells the balances that changed. */
  #finish(refusal?: Refusal): Refusal | undefined {
    const touched = this.#touched;
    for (let i = 0; i < touched.count; i += 1) {
      this.#listener.balance(touched.account(i), touched.currency(i));
    }
    touched.clear();
    return refusal;
  }

  #know(account: number): void {
    if (account >= FIRST_ACCOUNT && account < this.ledger.accounts) return;
    throw new MillraceError('internal', `There is no account ${account}; open it first.`);
  }

  /** An order that must not take and would, or must fill whole and cannot. */
  #failsAtEntry(order: number): boolean {
    const { orders } = this;
    const instrument = orders.instrument(order);
    const side = orders.side(order);
    const ticks = orders.ticks(order);
    if (orders.postOnly(order)) return this.#reach.blocks(instrument, side, ticks);
    if (orders.timeInForce(order) !== 'FOK') return false;
    const left = orders.left(order);
    this.#reach.measure(instrument, side, ticks, left);
    return this.#reach.lots < left;
  }

  /** Executes an order that was let in; what is left then rests or expires. */
  #execute(order: number): void {
    const orders = this.orders;
    this.#matching.take(order);
    const left = orders.left(order);
    if (left === 0) {
      this.#register.end(order, 'filled', this.#now);
    } else if (orders.timeInForce(order) === 'IOC' || orders.timeInForce(order) === 'FOK') {
      if (orders.ticks(order) !== 0) this.#settlement.release(order, left);
      this.#end(order, 'expired');
    } else {
      const instrument = orders.instrument(order);
      const side = orders.side(order);
      const ticks = orders.ticks(order);
      const tape = this.tapes[instrument].sides[side];
      const pending = tape.joined(ticks, this.#now);
      orders.setRestedAt(order, this.#now);
      this.books[instrument].sides[side].append(order, tape.shown(ticks), pending);
    }
  }

  /** Puts a new order in the place of an active one, with its means held and nothing executed yet. */
  #substitute(old: number, change: OrderChange): number {
    const orders = this.orders;
    const instrument = orders.instrument(old);
    this.books[instrument].sides[orders.side(old)].remove(old);
    this.#settlement.release(old, orders.left(old));
    this.#register.end(old, 'canceled', this.#now);
    const slot = this.#register.open({
      account: orders.account(old),
      instrument,
      side: orders.side(old),
      type: orders.type(old),
      timeInForce: orders.timeInForce(old),
      postOnly: orders.postOnly(old),
      lots: change.lots ?? orders.lots(old),
      ticks: change.ticks ?? orders.ticks(old),
      expireAt: orders.expireAt(old),
      clientOrderId: change.newClientOrderId,
      originalClientOrderId: change.clientOrderId,
      executed: orders.executed(old),
      createdAt: orders.createdAt(old),
      at: this.#now,
    });
    this.#settlement.hold(slot, orders.left(slot));
    return slot;
  }

  /** Takes a resting order out of the book and ends it. */
  #withdraw(order: number, status: 'canceled' | 'expired'): void {
    const orders = this.orders;
    this.books[orders.instrument(order)].sides[orders.side(order)].remove(order);
    this.#settlement.release(order, orders.left(order));
    this.#end(order, status);
  }

  #end(order: number, status: OrderStatus & ('canceled' | 'expired')): void {
    this.#register.end(order, status, this.#now);
    this.#listener.order(status, order);
  }
}

function opening(account: number, instrument: number, order: NewOrder, at: Micros): OrderOpening {
  const { timeInForce, expireAt } = order;
  return {
    account,
    instrument,
    side: sideCode(order.side),
    type: order.type,
    timeInForce,
    postOnly: order.postOnly,
    lots: order.lots,
    ticks: order.ticks ?? 0,
    expireAt: expireAt ?? (timeInForce === 'Day' ? dayEnd(at) : Number.POSITIVE_INFINITY),
    clientOrderId: order.clientOrderId,
    originalClientOrderId: undefined,
    executed: 0,
    createdAt: at,
    at,
  };
}

const unknownSymbol = (symbol: string, instruments: readonly Instrument[]): Refusal => ({
  code: 'symbol-unknown',
  field: 'symbol',
  message: `There is no symbol "${symbol}" here; there are ${instruments.map((i) => i.symbol).join(', ')}.`,
});

const unknownOrder = (clientOrderId: string): Refusal => ({
  code: 'order-unknown',
  field: 'clientOrderId',
  message: `No active order has the client order id "${clientOrderId}".`,
});
