import type { CurrencyTerms, Network } from '../../model/currency.ts';
import type { Decimal } from '../../model/decimal.ts';
import type { Micros } from '../../platform/time.ts';
import type { Payout } from '../../rules/withdrawal.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { TimerQueue } from '../queues/timers.ts';
import { Addresses, type AddressMaker } from './addresses.ts';
import { Currencies, type Found } from './currencies.ts';
import { Members, Permissions } from './members.ts';
import type { TransactionListener } from './transaction.ts';
import { Transactions } from './transactions.ts';
import { type AccountType, AccountLedgers } from './account-ledgers.ts';

export interface BankOptions {
  /** Terms of currencies, those of instruments among them or not; the others have plain ones. */
  readonly currencies?: readonly CurrencyTerms[];
  /** At what rate wallets change one currency into another; the price rate of the market data. */
  readonly priceRate?: PriceRate;
  /** Makes deposit addresses, where they must be more than text that looks like one. */
  readonly depositAddress?: AddressMaker;
}

/** How much of one currency another is worth, `undefined` where nobody knows. */
export type PriceRate = (from: string, to: string) => Decimal | undefined;

/** A deposit that is neither credited nor given up. */
export interface OpenDeposit {
  /** The transaction, the currency among the balances, and the confirmations that it needs. */
  readonly id: number;
  readonly currency: number;
  readonly needed: number;
}

/** A withdrawal that holds money: until it is committed, or until its network has answered. */
export interface OpenWithdrawal {
  readonly id: number;
  readonly found: Found;
  readonly network: Network;
  readonly payout: Payout;
  /** Who gets it, where it need not leave the exchange. */
  readonly receiver: number | undefined;
  /** What rolls it back, while it waits for its commit. */
  readonly ticket: number | undefined;
}

/** An amount of a wallet that nobody may touch until a time. */
export interface AmountLock {
  /** Rising in the order of creation, from 1. */
  readonly id: number;
  readonly account: number;
  readonly currency: string;
  readonly amount: Decimal;
  readonly endsAt: Micros;
  readonly description: string;
  readonly cancelled: boolean;
  readonly cancelledAt?: Micros;
  readonly cancelDescription?: string;
  readonly createdAt: Micros;
}

/** What wallets and sub-accounts have: the money, what it is, whose it is, what is under way, and the record. */
export class Bank {
  readonly currencies: Currencies;
  readonly accountLedgers: AccountLedgers;
  readonly members = new Members();
  readonly permissions = new Permissions();
  readonly addresses: Addresses;
  readonly transactions: Transactions;
  readonly timers: TimerQueue;
  readonly rate: PriceRate;
  /** Deposits that are neither credited nor given up, by transaction id. */
  readonly deposits = new Map<string, OpenDeposit>();
  /** Withdrawals that hold money, by number of the transaction. */
  readonly withdrawals = new Map<number, OpenWithdrawal>();
  readonly locks: AmountLock[] = [];
  /** By place of the lock: what ends it by time, and its currency among the balances. */
  readonly activeLocks = new Map<number, { readonly ticket: number; readonly currency: number }>();

  constructor(setup: {
    readonly ledgers: Readonly<Record<AccountType, Ledger>>;
    readonly rate: PriceRate;
    readonly listener: TransactionListener;
    readonly timers: TimerQueue;
    readonly options: BankOptions;
  }) {
    const { ledgers, rate, listener, timers, options } = setup;
    const codes = ledgers.wallet.balances.map(({ currency }) => currency);
    this.currencies = new Currencies(codes, options.currencies ?? []);
    this.accountLedgers = new AccountLedgers(ledgers);
    this.addresses = new Addresses(options.depositAddress);
    this.transactions = new Transactions(listener);
    this.timers = timers;
    this.rate = rate;
  }
}
