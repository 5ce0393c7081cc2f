import type { AccountType } from '../../model/non-spot-balance.ts';
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
import { AccountLedgers } from './account-ledgers.ts';

export interface BankOptions {
  /** Terms of currencies, traded or not; other currencies have default ones. */
  readonly currencies?: readonly CurrencyTerms[];
  /** Rate of conversions; by default the price rate of the market data. */
  readonly priceRate?: PriceRate;
  /** Makes deposit addresses, if they must be valid on a chain. */
  readonly depositAddress?: AddressMaker;
}

/** Value of one currency in another, `undefined` if unknown. */
export type PriceRate = (from: string, to: string) => Decimal | undefined;

/** A deposit that is neither credited nor failed. */
export interface OpenDeposit {
  /** The transaction, its currency index, and the confirmations that it needs. */
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
  /** Receiver of a withdrawal within the exchange. */
  readonly receiver: number | undefined;
  /** Timer ticket of the rollback, while it waits for its commit. */
  readonly ticket: number | undefined;
}

/** An amount of a wallet that is locked until a time. */
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

/**
 * State of wallets and sub-accounts: balances, currencies, owners, open deposits and withdrawals,
 * and history.
 */
export class Bank {
  readonly currencies: Currencies;
  readonly accountLedgers: AccountLedgers;
  readonly members = new Members();
  readonly permissions = new Permissions();
  readonly addresses: Addresses;
  readonly transactions: Transactions;
  readonly timers: TimerQueue;
  readonly rate: PriceRate;
  /** Deposits that are neither credited nor failed, by transaction id. */
  readonly deposits = new Map<string, OpenDeposit>();
  /** Withdrawals that hold money, by transaction number. */
  readonly withdrawals = new Map<number, OpenWithdrawal>();
  readonly locks: AmountLock[] = [];
  /** By index of the lock: its timer ticket, and its currency index. */
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
