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
import type { Balance, AccountType } from '../wallet/account-ledgers.ts';
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
import { ask, happen } from './pipeline.ts';

/** What a fee is asked for. */
export interface FeeQuery {
  readonly currency: string;
  readonly amount: Decimal;
  readonly network?: string | undefined;
  readonly feeLevel?: string;
}

/** An address that money may be sent to. */
export interface PayoutTarget {
  readonly currency: string;
  readonly address: string;
  readonly paymentId?: string | undefined;
  readonly network?: string | undefined;
}

/**
 * The wallets: what comes in, moves and leaves. A request of an account is rejected, which leaves no trace,
 * or done at once; its transactions are reported one by one, then the balances. What the world outside does
 * (`receive`, `confirm`, `settle` and the like) comes in by calls of its own.
 */
export class WalletRequests {
  readonly #state: State;
  readonly #bank: Bank;

  constructor(state: State) {
    this.#state = state;
    this.#bank = state.bank;
  }

  /** The currencies, in the order in which every ledger has them. */
  get currencies(): readonly Currency[] {
    return this.#bank.currencies.all;
  }

  /** The currency of that code. */
  currency(code: string): Currency | Rejection {
    const found = this.#bank.currencies.find(code);
    return isRejection(found) ? found : found.currency;
  }

  /** A network of a currency, the default one where none is named. */
  network(currency: string, code?: string): Network | Rejection {
    const found = this.currency(currency);
    return isRejection(found) ? found : this.#bank.currencies.network(found, code);
  }

  /** The balances of an account that are not empty. */
  balances(account: number, accountType: AccountType = 'wallet'): Balance[] {
    return this.#bank.accountLedgers.balances(accountType, account);
  }

  /** What an account has of a currency. */
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

  /** Moves money between wallet, spot and derivatives; gives the ids of its transactions. */
  transfer(account: number, request: TransferRequest, at: Micros): readonly string[] | Rejection {
    return this.#ask(account, at, (bank, now) => transfer(bank, account, request, now));
  }

  /** Takes a withdrawal in; gives the id of its transaction. */
  withdraw(account: number, request: WithdrawalRequest, at: Micros): string | Rejection {
    return this.#ask(account, at, (bank, now) => requestWithdrawal(bank, account, request, now));
  }

  /** Sends a withdrawal that waits. Doing so again gives the same answer and sends nothing. */
  commit(account: number, txId: string, at: Micros): true | Rejection {
    return this.#ask(account, at, (bank, now) => commitWithdrawal(bank, account, txId, now));
  }

  /** Takes a withdrawal that waits back. Doing so again gives the same answer and returns nothing. */
  rollback(account: number, txId: string, at: Micros): true | Rejection {
    return this.#ask(account, at, (bank, now) => rollBackWithdrawal(bank, account, txId, now));
  }

  /** Sends money to another account by its email or user name; gives the id of the transaction. */
  sendInternally(account: number, request: InternalRequest, at: Micros): string | Rejection {
    return this.#ask(account, at, (bank, now) => sendInternally(bank, account, request, now));
  }

  /** Changes money into another currency; gives the ids of what left and what came. */
  convert(
    account: number,
    request: ConversionRequest,
    at: Micros,
  ): readonly [string, string] | Rejection {
    return this.#ask(account, at, (bank, now) => convert(bank, account, request, now));
  }

  /** What a conversion would bring now. */
  conversion(request: ConversionRequest): Decimal | Rejection {
    return quoteConversion(this.#bank, request);
  }

  /** The least amount that a conversion takes now, `undefined` where there is no rate. */
  leastConversion(from: string, to: string): Decimal | undefined | Rejection {
    return leastConversion(this.#bank, from, to);
  }

  /** The deposit address that an account was given last; the first is made when it is asked for. */
  address(
    account: number,
    currency: string,
    at: Micros,
    network?: string,
  ): DepositAddress | Rejection {
    const request = { account, currency, network, reuse: true };
    return this.#ask(account, at, (bank) => depositAddress(bank, request));
  }

  /** Makes a new deposit address; those before it stay good. */
  newAddress(
    account: number,
    currency: string,
    at: Micros,
    network?: string,
  ): DepositAddress | Rejection {
    const request = { account, currency, network, reuse: false };
    return this.#ask(account, at, (bank) => depositAddress(bank, request));
  }

  /** The latest deposit address of every currency and network where an account has one. */
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

  /** True when a deposit address is the account's own. */
  isMine(account: number, address: string, network?: string): boolean {
    return this.#bank.addresses.isMine(account, address, network);
  }

  /** The addresses that an account trusts. */
  whiteList(account: number): TrustedAddress[] {
    return this.#bank.addresses.whiteList(account);
  }

  /** Adds an address to those that an account trusts. */
  trust(account: number, trusted: TrustedAddress): void {
    this.#bank.addresses.trust(account, trusted);
  }

  /**
   * True when a withdrawal to an address could go to another account here without a chain; the
   * default network of the currency where none is named.
   */
  offchainAvailable(account: number, target: PayoutTarget): boolean | Rejection {
    const network = this.network(target.currency, target.network);
    if (isRejection(network)) return network;
    return receiverOf(this.#bank, account, { ...target, network: network.code }) !== undefined;
  }

  /** The fee of a withdrawal: that of its network, whatever the amount. */
  fee({ currency, amount, network: code, feeLevel }: FeeQuery): Decimal | Rejection {
    const network = this.network(currency, code);
    if (isRejection(network)) return network;
    const rejection = amountRejection(amount);
    if (rejection !== undefined) return rejection;
    return withdrawalFee(network, feeLevel) ?? feeLevelUnknown(network, feeLevel);
  }

  /** The levels of fees beside the usual one. */
  feeLevels(currency: string, code?: string): readonly FeeLevel[] | Rejection {
    const network = this.network(currency, code);
    return isRejection(network) ? network : network.feeLevels;
  }

  /** The transactions of an account that a query asks for. */
  transactions(account: number, query: TransactionQuery = {}): Transaction[] | Rejection {
    return pageRejection(query) ?? this.#bank.transactions.list(account, query);
  }

  /** One transaction of an account. */
  transaction(account: number, txId: string): Transaction | Rejection {
    return (
      this.#bank.transactions.find(txId, account) ?? {
        code: 'transaction-unknown',
        field: 'txId',
        message: `The account has no transaction "${txId}".`,
      }
    );
  }

  /** The amount locks of an account. */
  locks(account: number, query: LockQuery = {}): AmountLock[] | Rejection {
    return listLocks(this.#bank, account, query);
  }

  /** Gives an account the names by which others can send money to it. */
  name(account: number, identity: MemberIdentity): void {
    this.#bank.members.name(account, identity);
  }

  /** Money was seen on a chain on its way to a deposit address; gives the id of its transaction. */
  receive(arrival: Arrival, at: Micros): string | Rejection {
    return this.#happen(at, (bank, now) => receiveDeposit(bank, arrival, now));
  }

  /** A deposit is confirmed so many times by now. */
  confirm(txId: string, confirmations: number, at: Micros): Rejection | undefined {
    return this.#happen(at, (bank, now) => confirmDeposit(bank, txId, confirmations, now));
  }

  /** A deposit will never be confirmed. */
  dismiss(txId: string, at: Micros): Rejection | undefined {
    return this.#happen(at, (bank, now) => failDeposit(bank, txId, now));
  }

  /** Money came in by another way than a chain; gives the id of its transaction. */
  credit(account: number, credit: Credit, at: Micros): string | Rejection {
    return this.#happen(at, (bank, now) => creditWallet(bank, account, credit, now), account);
  }

  /** A committed withdrawal is tried by a chain transaction of that hash. */
  attempt(txId: string, hash: string, at: Micros): Rejection | undefined {
    return this.#happen(at, (bank, now) => attemptWithdrawal(bank, txId, hash, now));
  }

  /** A committed withdrawal was sent, or was not. */
  settleWithdrawal(txId: string, settlement: Settlement, at: Micros): Rejection | undefined {
    return this.#happen(at, (bank, now) => settleWithdrawal(bank, txId, settlement, now));
  }

  /** Holds an amount of a wallet back until a time; gives the id of the lock. */
  lock(account: number, request: LockRequest, at: Micros): number | Rejection {
    return this.#happen(at, (bank, now) => lockAmount(bank, account, request, now), account);
  }

  /** Ends a lock before its time. */
  unlock(id: number, description: string, at: Micros): Rejection | undefined {
    return this.#happen(at, (bank, now) => cancelLock(bank, id, description, now));
  }

  /** A request of an account, which a frozen one cannot make. */
  #ask<T>(account: number, at: Micros, work: Work<T | Rejection>): T | Rejection {
    return ask(this.#state, account, at, (now) => work(this.#bank, now));
  }

  /** What happens to an account, or to nobody in particular, without being asked for. */
  #happen<T>(at: Micros, work: Work<T>, account?: number): T {
    return happen(this.#state, at, (now) => work(this.#bank, now), account);
  }
}

type Work<T> = (bank: Bank, now: Micros) => T;
