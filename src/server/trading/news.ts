import type { AccountType } from '../../model/non-spot-balance.ts';
import type { MarginReport } from '../../exchange/positions/report.ts';
import type { Transaction } from '../../exchange/wallet/transaction.ts';
import type { Cancel } from '../../platform/scheduler.ts';
import type { Fault } from '../../wire/trading/faults.ts';
import type { OrderReport } from './orders/order-record.ts';

/** Listener of an account. Everything is reported at once, in order. */
export interface AccountListener {
  report?(report: OrderReport): void;
  /** `currency` is the index among the balances of every ledger. */
  balance?(accountType: AccountType, currency: number): void;
  transaction?(transaction: Transaction): void;
  marginAccount?(report: MarginReport): void;
  /** The account, or only the given key, may no longer be used, and why. */
  ended?(why: Fault, key?: string): void;
}

/** A listener of the market. */
export interface MarketListener {
  trade?(
    instrument: number,
    id: number,
    ticks: number,
    lots: number,
    side: number,
    at: number,
  ): void;
  /** The book of an instrument has a new update. */
  book?(instrument: number): void;
  /** An operation is over; its trades and book changes have been reported. */
  over?(): void;
}

/** Passes the events of the exchange to its subscribers. */
export class News {
  readonly #accounts = new Map<number, Set<AccountListener>>();
  readonly market = new Set<MarketListener>();
  readonly #transactions = new Set<(transaction: Transaction) => void>();
  readonly #marginAccounts = new Set<(report: MarginReport) => void>();

  /** Follows an account until it is canceled. */
  follow(account: number, listener: AccountListener): Cancel {
    const listeners = this.#accounts.get(account) ?? new Set();
    this.#accounts.set(account, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#accounts.get(account) === listeners) {
        this.#accounts.delete(account);
      }
    };
  }

  /** Follows the market until it is canceled. */
  followMarket(listener: MarketListener): Cancel {
    this.market.add(listener);
    return () => this.market.delete(listener);
  }

  /** Follows the transactions of all accounts until it is canceled. */
  followTransactions(listener: (transaction: Transaction) => void): Cancel {
    this.#transactions.add(listener);
    return () => this.#transactions.delete(listener);
  }

  /** Adds a listener of all accounts' margin accounts, called before the listeners of a single account. */
  followMarginAccounts(listener: (report: MarginReport) => void): Cancel {
    this.#marginAccounts.add(listener);
    return () => this.#marginAccounts.delete(listener);
  }

  report(report: OrderReport): void {
    for (const one of this.#of(report.order.account)) one.report?.(report);
  }

  balance(account: number, accountType: AccountType, currency: number): void {
    for (const one of this.#of(account)) one.balance?.(accountType, currency);
  }

  transaction(transaction: Transaction): void {
    for (const one of this.#of(transaction.account)) one.transaction?.(transaction);
    for (const one of this.#transactions) one(transaction);
  }

  marginAccount(report: MarginReport): void {
    for (const one of this.#marginAccounts) one(report);
    for (const one of this.#of(report.trader)) one.marginAccount?.(report);
  }

  ended(account: number, why: Fault, key?: string): void {
    for (const one of [...this.#of(account)]) one.ended?.(why, key);
  }

  #of(account: number): Iterable<AccountListener> {
    return this.#accounts.get(account) ?? NOBODY;
  }
}

const NOBODY: readonly AccountListener[] = [];
