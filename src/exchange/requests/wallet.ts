import type { AccountType } from '../../model/non-spot-balance.ts';
import type { Currency, FeeLevel, Network } from '../../model/currency.ts';
import type { Decimal } from '../../model/decimal.ts';
import { isRejection, type Rejection } from '../../model/rejections.ts';
import type { Micros } from '../../platform/time.ts';
import { amountRejection } from '../../rules/movement.ts';
import type { State } from '../state/state.ts';
import type { DepositAddress, TrustedAddress, UsedAddress } from '../wallet/addresses.ts';
import type { AmountLock, Bank } from '../wallet/bank.ts';
import {
  type ConversionRequest,
  convert,
  leastConversion,
  quoteConversion,
} from '../wallet/conversion.ts';
import {
  depositAddress,
  type Arrival,
  confirmDeposit,
  type Credit,
  creditWallet,
  failDeposit,
  receiveDeposit,
} from '../wallet/deposits.ts';
import {
  cancelLock,
  listLocks,
  lockAmount,
  type LockQuery,
  type LockRequest,
} from '../wallet/locks.ts';
import type { MemberIdentity } from '../wallet/members.ts';
import { type InternalRequest, sendInternally } from '../wallet/offchain.ts';
import { pageRejection, type TransactionQuery } from '../wallet/query.ts';
import type { Transaction } from '../wallet/transaction.ts';
import { transfer, type TransferRequest } from '../wallet/transfers.ts';
import type { Balance } from '../wallet/account-ledgers.ts';
import {
  feeLevelUnknown,
  attemptWithdrawal,
  commitWithdrawal,
  receiverOf,
  requestWithdrawal,
  rollBackWithdrawal,
  type Settlement,
  settleWithdrawal,
  withdrawalFee,
  type WithdrawalRequest,
} from '../wallet/withdrawals.ts';
import { runRequest, runEvent } from './pipeline.ts';

/** Withdrawal whose fee is requested. */
export interface FeeQuery {
  readonly currency: string;
  readonly amount: Decimal;
  readonly network?: string | undefined;
  readonly feeLevel?: string;
}

/** Destination of a withdrawal. */
export interface PayoutTarget {
  readonly currency: string;
  readonly address: string;
  readonly paymentId?: string | undefined;
  readonly network?: string | undefined;
}

/**
 * Wallet requests: deposits, transfers and withdrawals. A request of an account is rejected, which
 * changes nothing, or done at once; its transactions are reported one by one, then the balances.
 * Events of the chains (`receive`, `confirm`, `settleWithdrawal` and so on) have their own calls.
 */
export class WalletRequests {
  readonly #state: State;
  readonly #bank: Bank;

  constructor(state: State) {
    this.#state = state;
    this.#bank = state.bank;
  }

  /** Currencies, in the order of every ledger. */
  get currencies(): readonly Currency[] {
    return this.#bank.currencies.all;
  }

  /** Currency of a code. */
  currency(code: string): Currency | Rejection {
    const found = this.#bank.currencies.find(code);
    return isRejection(found) ? found : found.currency;
  }

  /** A network of a currency, the default one if `code` is absent. */
  network(currency: string, code?: string): Network | Rejection {
    const found = this.currency(currency);
    return isRejection(found) ? found : this.#bank.currencies.network(found, code);
  }

  /** Balances of an account that are not empty. */
  balances(account: number, accountType: AccountType = 'wallet'): Balance[] {
    return this.#bank.accountLedgers.balances(accountType, account);
  }

  /** Balance of an account in a currency. */
  balance(account: number, code: string, accountType: AccountType = 'wallet'): Balance | Rejection {
    const found = this.#bank.currencies.find(code);
    if (isRejection(found)) return found;
    const { accountLedgers } = this.#bank;
    return {
      currency: code,
      available: accountLedgers.available(accountType, account, found.index),
      reserved: accountLedgers.reserved(accountType, account, found.index),
    };
  }

  /** Moves money between wallet, spot and derivatives; returns the ids of its transactions. */
  transfer(account: number, request: TransferRequest, at: Micros): readonly string[] | Rejection {
    return this.#runRequest(account, at, (bank, now) => transfer(bank, account, request, now));
  }

  /** Starts a withdrawal; returns the id of its transaction. */
  withdraw(account: number, request: WithdrawalRequest, at: Micros): string | Rejection {
    return this.#runRequest(account, at, (bank, now) =>
      requestWithdrawal(bank, account, request, now),
    );
  }

  /** Commits a withdrawal. Repeated, it returns the same and sends nothing. */
  commit(account: number, txId: string, at: Micros): true | Rejection {
    return this.#runRequest(account, at, (bank, now) => commitWithdrawal(bank, account, txId, now));
  }

  /**
   * Rolls back a withdrawal that is not committed. Repeated, it returns the same and refunds
   * nothing.
   */
  rollback(account: number, txId: string, at: Micros): true | Rejection {
    return this.#runRequest(account, at, (bank, now) =>
      rollBackWithdrawal(bank, account, txId, now),
    );
  }

  /**
   * Sends money to another account by its email or user name; returns the id of the transaction.
   */
  sendInternally(account: number, request: InternalRequest, at: Micros): string | Rejection {
    return this.#runRequest(account, at, (bank, now) =>
      sendInternally(bank, account, request, now),
    );
  }

  /** Converts money to another currency; returns the ids of both transactions. */
  convert(
    account: number,
    request: ConversionRequest,
    at: Micros,
  ): readonly [string, string] | Rejection {
    return this.#runRequest(account, at, (bank, now) => convert(bank, account, request, now));
  }

  /** Current result of a conversion. */
  conversion(request: ConversionRequest): Decimal | Rejection {
    return quoteConversion(this.#bank, request);
  }

  /** Least amount of a conversion now, `undefined` without a rate. */
  leastConversion(from: string, to: string): Decimal | undefined | Rejection {
    return leastConversion(this.#bank, from, to);
  }

  /** Latest deposit address of an account, made if it has none. */
  address(
    account: number,
    currency: string,
    at: Micros,
    network?: string,
  ): DepositAddress | Rejection {
    const request = { account, currency, network, reuse: true };
    return this.#runRequest(account, at, (bank) => depositAddress(bank, request));
  }

  /** Makes a new deposit address; earlier ones stay valid. */
  newAddress(
    account: number,
    currency: string,
    at: Micros,
    network?: string,
  ): DepositAddress | Rejection {
    const request = { account, currency, network, reuse: false };
    return this.#runRequest(account, at, (bank) => depositAddress(bank, request));
  }

  /** Latest deposit address of an account for every currency and network. */
  addresses(account: number): DepositAddress[] {
    return this.#bank.addresses.currentOnes(account);
  }

  /** The last ten deposit addresses of an account for a currency, newest first. */
  recentDeposit(account: number, code: string): DepositAddress[] {
    return this.#bank.addresses.recentDeposit(account, code);
  }

  /** The last ten different addresses that an account sent a currency to, newest first. */
  recentWithdraw(account: number, code: string): UsedAddress[] {
    return this.#bank.addresses.recentWithdraw(account, code);
  }

  /** True if a deposit address belongs to the account. */
  isMine(account: number, address: string, network?: string): boolean {
    return this.#bank.addresses.isMine(account, address, network);
  }

  /** Trusted addresses of an account. */
  whiteList(account: number): TrustedAddress[] {
    return this.#bank.addresses.whiteList(account);
  }

  /** Adds a trusted address. */
  trust(account: number, trusted: TrustedAddress): void {
    this.#bank.addresses.trust(account, trusted);
  }

  /**
   * True if a withdrawal to an address could go to another account here without a chain; on the
   * default network of the currency if none is given.
   */
  offchainAvailable(account: number, target: PayoutTarget): boolean | Rejection {
    const network = this.network(target.currency, target.network);
    if (isRejection(network)) return network;
    return receiverOf(this.#bank, account, { ...target, network: network.code }) !== undefined;
  }

  /** Fee of a withdrawal, which depends on its network only. */
  fee({ currency, amount, network: code, feeLevel }: FeeQuery): Decimal | Rejection {
    const network = this.network(currency, code);
    if (isRejection(network)) return network;
    const rejection = amountRejection(amount);
    if (rejection !== undefined) return rejection;
    return withdrawalFee(network, feeLevel) ?? feeLevelUnknown(network, feeLevel);
  }

  /** Fee levels of a network besides the default one. */
  feeLevels(currency: string, code?: string): readonly FeeLevel[] | Rejection {
    const network = this.network(currency, code);
    return isRejection(network) ? network : network.feeLevels;
  }

  /** Transactions of an account that match a query. */
  transactions(account: number, query: TransactionQuery = {}): Transaction[] | Rejection {
    return pageRejection(query) ?? this.#bank.transactions.list(account, query);
  }

  transaction(account: number, txId: string): Transaction | Rejection {
    return (
      this.#bank.transactions.find(txId, account) ?? {
        code: 'transaction-unknown',
        field: 'txId',
        message: `The account has no transaction "${txId}".`,
      }
    );
  }

  locks(account: number, query: LockQuery = {}): AmountLock[] | Rejection {
    return listLocks(this.#bank, account, query);
  }

  /** Sets the names by which others can send money to an account. */
  name(account: number, identity: MemberIdentity): void {
    this.#bank.members.name(account, identity);
  }

  /** Notes a chain transaction to a deposit address; returns the id of the deposit. */
  receive(arrival: Arrival, at: Micros): string | Rejection {
    return this.#runEvent(at, (bank, now) => receiveDeposit(bank, arrival, now));
  }

  /** Sets a deposit's number of confirmations. */
  confirm(txId: string, confirmations: number, at: Micros): Rejection | undefined {
    return this.#runEvent(at, (bank, now) => confirmDeposit(bank, txId, confirmations, now));
  }

  /** Fails a deposit that will never be confirmed. */
  dismiss(txId: string, at: Micros): Rejection | undefined {
    return this.#runEvent(at, (bank, now) => failDeposit(bank, txId, now));
  }

  /** Credits a wallet without a chain; returns the id of the transaction. */
  credit(account: number, credit: Credit, at: Micros): string | Rejection {
    return this.#runEvent(at, (bank, now) => creditWallet(bank, account, credit, now), account);
  }

  /** Notes the chain transaction that tries a committed withdrawal. */
  attempt(txId: string, hash: string, at: Micros): Rejection | undefined {
    return this.#runEvent(at, (bank, now) => attemptWithdrawal(bank, txId, hash, now));
  }

  /** Ends a committed withdrawal as sent or failed. */
  settleWithdrawal(txId: string, settlement: Settlement, at: Micros): Rejection | undefined {
    return this.#runEvent(at, (bank, now) => settleWithdrawal(bank, txId, settlement, now));
  }

  /** Locks an amount of a wallet until a time; returns the id of the lock. */
  lock(account: number, request: LockRequest, at: Micros): number | Rejection {
    return this.#runEvent(at, (bank, now) => lockAmount(bank, account, request, now), account);
  }

  /** Ends a lock before its time. */
  unlock(id: number, description: string, at: Micros): Rejection | undefined {
    return this.#runEvent(at, (bank, now) => cancelLock(bank, id, description, now));
  }

  /** Runs a request of an account, unless it is frozen. */
  #runRequest<T>(account: number, at: Micros, work: Work<T | Rejection>): T | Rejection {
    return runRequest(this.#state, account, at, (now) => work(this.#bank, now));
  }

  /** Runs an event that no account requested; `account` if it affects one. */
  #runEvent<T>(at: Micros, work: Work<T>, account?: number): T {
    return runEvent(this.#state, at, (now) => work(this.#bank, now), account);
  }
}

type Work<T> = (bank: Bank, now: Micros) => T;
