import type { Decimal } from '../model/decimal.ts';
import type { EventColumns } from '../model/events.ts';
import type { Instrument } from '../model/instrument.ts';
import type { NewOrder } from '../model/order.ts';
import type { Rejection } from '../model/rejections.ts';
import type { Micros } from '../platform/time.ts';
import { generatedClientOrderId } from '../rules/client-order-id.ts';
import type { OrderChange } from '../rules/order-change.ts';
import type { Book } from './book/book.ts';
import type { Fees } from './ledger/fees.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { MarketData } from './market-data/market-data.ts';
import type { OrderLists } from './orders/lists.ts';
import type { Orders } from './orders/orders.ts';
import type { StopPrices } from './orders/stop-prices.ts';
import type { OrderMarket } from './positions/flags.ts';
import type { RecordedMarket } from './recorded/recorded-market.ts';
import { Forms } from './requests/forms.ts';
import { Margin } from './requests/margin.ts';
import { cancel, cancelAll, place, placeList, replace } from './requests/orders.ts';
import { advance, finish, nextDueAt, openAccount } from './requests/pipeline.ts';
import { takeRow } from './requests/row.ts';
import { SubAccounts } from './requests/sub-accounts.ts';
import { WalletRequests } from './requests/wallet.ts';
import type { NewList, Passed } from './stages/guard.ts';
import type { ExchangeListener } from './state/listener.ts';
import type { ExchangeOptions } from './state/options.ts';
import type { SelfMatch } from './state/self-match.ts';
import { State } from './state/state.ts';
import type { SymbolStatuses } from './state/symbol-status.ts';

export type { ExchangeOptions } from './state/options.ts';

/**
 * The simulated exchange: a state machine of requests, market events and time. Nothing in it waits,
 * reads a clock or draws random numbers; the same calls give the same reports.
 *
 * A request is either rejected, which changes nothing, or done at once. The listener receives each
 * step: the order, its trades (maker before taker), its end, then the balances.
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
  /** Wallet balances, for deposits and withdrawals. */
  declare readonly wallets: Ledger;
  /** Balances for trading futures. */
  declare readonly derivatives: Ledger;
  declare readonly books: readonly Book[];
  declare readonly recorded: readonly RecordedMarket[];
  /** Public market data, if it is published. */
  declare readonly marketData: MarketData | undefined;
  /** Requests for deposits, transfers and withdrawals. */
  declare readonly wallet: WalletRequests;
  /** Accounts owned by another account, which may freeze them. */
  declare readonly subAccounts: SubAccounts;
  /** Margin accounts, positions and futures contracts. */
  declare readonly margin: Margin;
  /** Fee rates of accounts. */
  declare readonly fees: Fees;
  /** Which symbols take orders. */
  declare readonly statuses: SymbolStatuses;
  /** Which accounts may trade with themselves. */
  declare readonly selfMatch: SelfMatch;
  /** Entry point for requests in decimals, as the services take them. */
  declare readonly forms: Forms;
  declare private readonly state: State;

  constructor(setup: {
    readonly instruments: readonly Instrument[];
    readonly listener: ExchangeListener;
    readonly options?: ExchangeOptions;
  }) {
    const { instruments, listener, options = {} } = setup;
    const state = new State(instruments, listener, options);
    this.state = state;
    this.instruments = instruments;
    this.orders = state.orders;
    this.stops = state.stops;
    this.lists = state.lists;
    this.books = state.books;
    this.recorded = state.recorded;
    this.ledger = state.ledger;
    this.wallets = state.wallets;
    this.derivatives = state.derivatives;
    this.fees = state.fees;
    this.statuses = state.statuses;
    this.selfMatch = state.selfMatch;
    this.marketData = state.marketData;
    this.margin = new Margin(state);
    this.wallet = new WalletRequests(state);
    this.subAccounts = new SubAccounts(state);
    this.forms = new Forms(state, options.clientOrderIds ?? generatedClientOrderId);
  }

  /**
   * Time of the next scheduled event (an order expires, or a timer is due), +Infinity if there is
   * none.
   */
  get nextExpiryAt(): number {
    return nextDueAt(this.state);
  }

  /** Time of the latest call. */
  get now(): Micros {
    return this.state.now as Micros;
  }

  /** Index of a symbol among the instruments, -1 if it is not traded here. */
  instrument(symbol: string): number {
    return this.state.symbols.index(symbol);
  }

  /** Opens an account with empty balances and returns its number. */
  openAccount(): number {
    return openAccount(this.state);
  }

  /**
   * Deposits a positive amount. Throws `currency-unknown` for a currency of no instrument and
   * `out-of-range` for an amount that is not positive.
   */
  deposit(account: number, currency: string, amount: Decimal): void {
    this.ledger.deposit(account, currency, amount);
    finish(this.state);
  }

  /** Balance of an account in a currency. Throws `currency-unknown`. */
  balance(account: number, currency: string): { available: Decimal; reserved: Decimal } {
    this.ledger.know(account);
    const index = this.ledger.currency(currency);
    return {
      available: this.ledger.available(account, index),
      reserved: this.ledger.reserved(account, index),
    };
  }

  /** The active order of an account with that client order id, NONE if there is none. */
  activeOrder(account: number, clientOrderId: string): number {
    return this.state.index.active(account, clientOrderId);
  }

  /**
   * Accepts a new order and executes what it can now. An order marked `passed` is not checked
   * again.
   */
  place(account: number, order: NewOrder, at: Micros, passed?: Passed): Rejection | undefined {
    return place(this.state, account, order, at, passed);
  }

  /** Accepts an order list, whole or not at all, and executes what it can now. */
  placeList(account: number, list: NewList, at: Micros, passed?: Passed): Rejection | undefined {
    return placeList(this.state, account, list, at, passed);
  }

  /**
   * Cancels an order and places its replacement, as one step. The replacement has a new id, the
   * filled quantity and creation time of the old order, and the last position in the queue of its
   * price.
   */
  replace(
    account: number,
    change: OrderChange,
    at: Micros,
    passed?: Passed,
  ): Rejection | undefined {
    return replace(this.state, account, change, at, passed);
  }

  /** Cancels an active order. */
  cancel(account: number, clientOrderId: string, at: Micros): Rejection | undefined {
    return cancel(this.state, account, clientOrderId, at);
  }

  /**
   * Cancels an account's active orders, of one symbol or market if given, oldest first, and returns
   * their number.
   */
  cancelAll(account: number, at: Micros, symbol?: string, market?: OrderMarket): number {
    return cancelAll(this.state, account, at, symbol, market);
  }

  /** Applies one row of a recorded feed. */
  market(instrument: number, columns: EventColumns, row: number, at: Micros): void {
    takeRow(this.state, instrument, columns, row, at);
  }

  /**
   * Advances time to `at` and does what is due by then. At equal times orders expire first, then
   * timers run.
   */
  advance(at: Micros): void {
    advance(this.state, at);
  }
}
