import type { Decimal } from '../model/decimal.ts';
import { isMarket, type EventColumns } from '../model/events.ts';
import type { Instrument } from '../model/instrument.ts';
import { isRefusal, type Refusal } from '../model/refusals.ts';
import type { Micros } from '../platform/time.ts';
import { generatedClientOrderId } from '../rules/client-order-id.ts';
import type { NewOrder } from '../model/order.ts';
import type { OrderChange } from '../rules/order-change.ts';
import { listFormRefusal, orderFormRefusal } from '../rules/order-list.ts';
import type { Book } from './book/book.ts';
import { Matching } from './stages/match.ts';
import { Reach } from './stages/fill-estimate.ts';
import type { SelfMatch } from './state/self-match.ts';
import { consequencesOf } from './consequences.ts';
import type { TimerQueue } from './queues/timers.ts';
import { Express } from './stages/fast-path.ts';
import type { Fees } from './ledger/fees.ts';
import type { Herald } from './state/herald.ts';
import type { Ledger } from './ledger/ledger.ts';
import { Settlement } from './stages/settle.ts';
import { Life } from './stages/lifecycle.ts';
import type { ExchangeListener } from './state/listener.ts';
import { Holdings } from './stages/reserve.ts';
import type { OrderLists, OrderList } from './orders/lists.ts';
import { MarginBooks } from './margin/books.ts';
import { marketOf, type OrderMarket } from './positions/flags.ts';
import { Margin, type MarginDoor } from './requests/margin.ts';
import type { MarketData } from './market-data/market-data.ts';
import type { ExchangeOptions } from './state/options.ts';
import type { FollowUps } from './queues/follow-ups.ts';
import { NONE, type Orders } from './orders/orders.ts';
import type { OrderIndex } from './orders/order-index.ts';
import { Entry } from './stages/open.ts';
import { Forms } from './requests/forms.ts';
import type { Passed } from './stages/guard.ts';
import { Intake, ORDER_LIMITS } from './stages/validate.ts';
import { ListIntake, type NewList } from './stages/validate-list.ts';
import { Means } from './stages/buying-power.ts';
import type { SymbolStatuses } from './state/symbol-status.ts';
import { instrumentsOf, unknownOrder, unknownSymbol } from './state/unknown.ts';
import { State } from './state/state.ts';
import { Symbols } from './state/symbols.ts';
import { endsMessage, MarketRows } from './requests/row.ts';
import type { RecordedMarket } from './recorded/recorded-market.ts';
import type { StopPrices } from './orders/stop-prices.ts';
import { Accounts, type AccountsOptions } from './requests/accounts.ts';
import type { PriceRate } from './wallet/conversion.ts';
import type { Door } from './requests/door.ts';
import type { SubAccounts } from './requests/sub-accounts.ts';
import type { Wallet } from './requests/wallet.ts';

export type { ExchangeOptions } from './state/options.ts';

/**
 * The simulated exchange: a state machine of requests, market events and time. Nothing in it
 * waits, reads a clock or draws by chance; the same calls give the same reports.
 *
 * A request is either refused, which leaves no trace, or done at once, which the listener is told
 * step by step: the order, its trades (maker before taker), its end, then the balances.
 */
export class Exchange {
  declare readonly instruments: readonly Instrument[];
  declare readonly orders: Orders;
  /** Stop prices, of the orders that have one. */
  declare readonly stops: StopPrices;
  /** Order lists with active orders. */
  declare readonly lists: OrderLists;
  /** Spot balances. */
  declare readonly ledger: Ledger;
  /** Balances of the wallets, which deposits come into and withdrawals leave from. */
  declare readonly wallets: Ledger;
  /** Balances that futures are traded with. */
  declare readonly derivatives: Ledger;
  /** What happens by time, the expiry of orders aside. */
  declare readonly due: TimerQueue;
  declare readonly books: readonly Book[];
  declare readonly tapes: readonly RecordedMarket[];
  /** What everybody may know, where that is wanted. */
  declare readonly marketData: MarketData | undefined;
  /** What comes into wallets, moves and leaves. */
  declare readonly wallet: Wallet;
  /** Accounts that belong to another, which may freeze them. */
  declare readonly subAccounts: SubAccounts;
  /** Margin accounts, positions and futures contracts. */
  declare readonly margin: Margin;
  declare private readonly accounts: Accounts;
  /** What accounts pay. */
  declare readonly fees: Fees;
  /** Which symbols take orders. */
  declare readonly statuses: SymbolStatuses;
  /** Which accounts may trade with themselves. */
  declare readonly selfMatch: SelfMatch;
  /** The door for requests in decimals, as the services take them. */
  declare readonly forms: Forms;
  declare private readonly cancelsUnaffordable: boolean;
  declare private readonly symbols: Symbols;
  declare private readonly register: OrderIndex;
  declare private readonly herald: Herald;
  declare private readonly matching: Matching;
  declare private readonly agenda: FollowUps<number | OrderList>;
  declare private readonly intake: Intake;
  declare private readonly listIntake: ListIntake;
  declare private readonly life: Life;
  declare private readonly entry: Entry;
  declare private readonly express: Express;
  declare private readonly rows: MarketRows;

  constructor(setup: {
    readonly instruments: readonly Instrument[];
    readonly listener: ExchangeListener;
    readonly options?: ExchangeOptions;
  }) {
    const { instruments, listener, options = {} } = setup;
    // 1. What there is: orders, their queues, what the tape shows, who owns what.
    const state = new State(instruments, listener, options);
    const { orders, stops, lists, books, tapes, ledger, fees, register, herald } = state;
    this.instruments = instruments;
    this.orders = orders;
    this.stops = stops;
    this.lists = lists;
    this.books = books;
    this.tapes = tapes;
    this.ledger = ledger;
    this.wallets = state.wallets;
    this.derivatives = state.derivatives;
    this.fees = fees;
    this.statuses = state.statuses;
    this.selfMatch = state.selfMatch;
    this.marketData = state.marketData;
    this.due = state.due;
    this.register = register;
    this.herald = herald;
    this.agenda = state.agenda;
    this.cancelsUnaffordable = options.unaffordable === 'cancel';
    this.symbols = new Symbols(instruments);
    // 2. What a request must pass.
    const reach = new Reach(books, tapes, orders, lists, state.selfMatch, state.positions);
    const parts = { ...state, reach };
    const time = { now: () => this.matching.now, tradeId: () => this.matching.trades.count };
    const { toldFunding } = options.margin ?? {};
    const marginBooks = new MarginBooks(state.positions, { ...parts, ...time, toldFunding });
    const { admission, clearing } = marginBooks;
    const settlement = new Settlement(orders, stops, fees.tariffs, herald.spot, clearing);
    const holdings = new Holdings({ ...parts, settlement, admission });
    const means = new Means({
      ...parts,
      holdings,
      admission,
      marketBuyFactor: options.marketBuyFactor,
    });
    const { limits = ORDER_LIMITS, stopReached = 'wait' } = options;
    const intake = new Intake({ ...parts, means, limits, stopReached });
    this.intake = intake;
    this.listIntake = new ListIntake({ ...parts, intake, means });
    // 3. What brings orders together and moves the money.
    const consequences = consequencesOf({
      holdings,
      life: () => this.life,
      margin: () => this.margin,
    });
    const matching = new Matching({ ...parts, listener, settlement, clearing, consequences });
    this.matching = matching;
    this.life = new Life({
      ...parts,
      listener,
      intake,
      holdings,
      matching,
      cancelsOnTrigger: options.ocoCancel === 'trigger',
    });
    this.entry = new Entry({ ...parts, holdings, matching, life: this.life });
    this.express = new Express({ ...parts, listener, limits, matching, life: this.life });
    // 4. What comes from the recorded market.
    this.rows = new MarketRows({ ...parts, listener, matching, life: this.life });
    // 5. What accounts do with their money beside trading.
    this.accounts = this.#openAccounts(listener, options);
    this.wallet = this.accounts.wallet;
    this.subAccounts = this.accounts.subAccounts;
    // 6. What is traded on margin.
    const kept = { ...parts, life: this.life, listener };
    this.margin = new Margin(marginBooks, { ...kept, door: this.#door(), options: options.margin });
    // 7. The door for requests in decimals.
    this.forms = new Forms(this, options.clientOrderIds ?? generatedClientOrderId, register);
  }

  /** When the next thing happens by time (an order expires, or what `due` holds), else +Infinity. */
  get nextExpiryAt(): number {
    return Math.min(this.register.expiries.nextAt, this.due.nextAt);
  }

  /** Time of the latest call. */
  get now(): Micros {
    return this.matching.now as Micros;
  }

  /** Index of a symbol among the instruments, -1 when it is not traded here. */
  instrument(symbol: string): number {
    return this.symbols.index(symbol);
  }

  /** Opens an account with empty balances and gives its number. */
  openAccount(): number {
    const account = this.ledger.open();
    this.wallets.open();
    this.derivatives.open();
    this.register.grow(this.ledger.accounts);
    return account;
  }

  /**
   * Adds a positive amount to what an account has. Throws `currency-unknown` for a currency of no
   * instrument and `out-of-range` for an amount that is not positive.
   */
  deposit(account: number, currency: string, amount: Decimal): void {
    const index = this.ledger.deposit(account, currency, amount);
    this.herald.spot.note(account, index);
    this.#finish();
  }

  /** What an account has of a currency. Throws `currency-unknown`. */
  balance(account: number, currency: string): { available: Decimal; reserved: Decimal } {
    this.ledger.know(account);
    const index = this.ledger.currency(currency);
    return {
      available: this.ledger.available(account, index),
      reserved: this.ledger.reserved(account, index),
    };
  }

  /** The active order of an account with that client order id, NONE when there is none. */
  activeOrder(account: number, clientOrderId: string): number {
    return this.register.active(account, clientOrderId);
  }

  /** Takes a new order in and executes what can be executed now; one that has `passed` is trusted. */
  place(account: number, order: NewOrder, at: Micros, passed?: Passed): Refusal | undefined {
    const stopped = this.#enter(account, at) ?? orderFormRefusal(order);
    if (stopped !== undefined) return this.#finish(stopped);
    const instrument = this.instrument(order.symbol);
    if (instrument === NONE) return this.#finish(unknownSymbol(order.symbol, this.instruments));
    if (!this.express.place(account, instrument, order)) {
      const refusal = this.intake.place(account, instrument, order, this.now, passed);
      if (refusal !== undefined) return this.#finish(refusal);
      this.life.begin(this.entry.order(account, instrument, order));
    }
    if (this.agenda.length > 0) this.life.settle();
    return this.#finish();
  }

  /** Takes an order list in, whole or not at all, and executes what can be executed now. */
  placeList(account: number, list: NewList, at: Micros, passed?: Passed): Refusal | undefined {
    const stopped = this.#enter(account, at) ?? listFormRefusal(list);
    if (stopped !== undefined) return this.#finish(stopped);
    const instruments = instrumentsOf(list.orders, this.symbols, this.instruments);
    if (isRefusal(instruments)) return this.#finish(instruments);
    const refusal = this.listIntake.refusal(account, instruments, list, this.now, passed);
    if (refusal !== undefined) return this.#finish(refusal);
    this.life.beginList(this.entry.list(account, instruments, list), passed === 'renewed');
    this.life.settle();
    return this.#finish();
  }

  /**
   * Cancels an order and enters another in its stead, as one: it has a new id, the executed
   * quantity and the creation time of the old one, and the last place in the queue of its price.
   */
  replace(account: number, change: OrderChange, at: Micros, passed?: Passed): Refusal | undefined {
    const stopped = this.#enter(account, at) ?? orderFormRefusal(change);
    if (stopped !== undefined) return this.#finish(stopped);
    const old = this.register.active(account, change.clientOrderId);
    if (old === NONE) return this.#finish(unknownOrder(change.clientOrderId));
    const refusal = this.intake.replace(account, old, change, passed);
    if (refusal?.code === 'funds-insufficient' && this.cancelsUnaffordable) {
      this.life.withdraw(old, 'canceled', true);
      return this.#finish();
    }
    if (refusal !== undefined) return this.#finish(refusal);
    this.life.succeed(this.entry.successor(old, change));
    this.life.settle();
    return this.#finish();
  }

  /** Cancels an active order. */
  cancel(account: number, clientOrderId: string, at: Micros): Refusal | undefined {
    this.#begin(account, at);
    const order = this.register.active(account, clientOrderId);
    if (order === NONE) return this.#finish(unknownOrder(clientOrderId));
    if (!this.express.cancel(order)) this.life.withdraw(order, 'canceled', true);
    return this.#finish();
  }

  /** Cancels an account's active orders, those of a symbol or a market alone where named, oldest first; gives their number. */
  cancelAll(account: number, at: Micros, symbol?: string, market?: OrderMarket): number {
    this.#begin(account, at);
    const instrument = symbol === undefined ? undefined : this.instrument(symbol);
    const before = this.register.activeCount(account);
    for (const order of this.register.listed(account, instrument)) {
      if (!this.orders.active(order)) continue; // It ended with another of its list.
      if (market === undefined || market === marketOf(order, this.orders, this.instruments)) {
        this.life.withdraw(order, 'canceled', true);
      }
    }
    this.#finish();
    return before - this.register.activeCount(account);
  }

  /** Takes one row of a recorded feed in. */
  market(instrument: number, columns: EventColumns, row: number, at: Micros): void {
    this.#come(at);
    if (isMarket(columns.kind[row])) this.rows.apply(instrument, columns, row);
    else this.margin.take(instrument, columns, row);
    if (this.agenda.length > 0) this.life.settle();
    if (!this.margin.isIdle) this.margin.moved(instrument);
    if (this.herald.spot.count > 0 || this.margin.hasNews) this.#tell();
    else if (this.marketData !== undefined && endsMessage(columns, row)) {
      this.marketData.publish(this.matching.now);
    }
  }

  /**
   * Lets time come to `at`: what is due by then happens, before anything else does. At equal times
   * orders expire first, then comes what `due` holds.
   */
  advance(at: Micros): void {
    const { expiries } = this.register;
    this.margin.start(at);
    for (let next = this.nextExpiryAt; next <= at; next = this.nextExpiryAt) {
      this.#arrive(next);
      if (expiries.nextAt === next) this.life.withdraw(expiries.next(), 'expired');
      else this.due.run();
    }
    this.#arrive(at);
    this.#finish();
  }

  /** Begins a request that a frozen account cannot make. */
  #enter(account: number, at: Micros): Refusal | undefined {
    this.#begin(account, at);
    return this.accounts.members.refusal(account);
  }

  #begin(account: number, at: Micros): void {
    this.ledger.know(account);
    this.#come(at);
    this.register.sweep(this.matching.now);
  }

  /** Makes `at` the present, once everything due by then has happened. */
  #come(at: Micros): void {
    if (at >= this.register.expiries.nextAt || at >= this.due.nextAt) this.advance(at);
    this.#arrive(at);
  }

  /** It is `at` now, or later where it was already. */
  #arrive(at: number): void {
    this.matching.come(at);
    if (at > this.rows.closesEndAt) this.rows.endCloses(at);
    if (this.marketData !== undefined) this.marketData.advance(this.matching.now);
  }

  /** Ends a request: margin accounts are seen after where it was not refused, then all is told. */
  #finish(refusal?: Refusal): Refusal | undefined {
    if (refusal === undefined && this.margin.isUsed) this.margin.tend();
    this.#tell();
    return refusal;
  }

  /** Tells the balances that changed, and publishes what everybody may know. */
  #tell(): void {
    if (this.margin.isUsed && this.margin.hasNews) this.margin.tell();
    this.herald.tell();
    if (this.marketData !== undefined) this.marketData.publish(this.matching.now);
  }

  /** The way by which other parts take requests of their own in. */
  #door(): Door & MarginDoor {
    return {
      now: () => this.now,
      begin: (account, at) => {
        this.#begin(account, at);
      },
      enter: (account, at) => this.#enter(account, at),
      come: (at) => {
        this.#come(at);
      },
      finish: (refusal?: Refusal) => this.#finish(refusal),
      open: () => this.openAccount(),
      cancelAll: (account, at) => this.cancelAll(account, at),
    };
  }

  #openAccounts(listener: ExchangeListener, options: AccountsOptions): Accounts {
    const ledgers = { spot: this.ledger, wallet: this.wallets, derivatives: this.derivatives };
    const rate: PriceRate = (from, to) => this.marketData?.rate(from, to);
    const parts = { ledgers, rate, herald: this.herald, listener, due: this.due };
    return new Accounts({ ...parts, door: this.#door(), ...options });
  }
}
