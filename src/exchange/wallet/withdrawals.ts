import type { Network } from '../../model/currency.ts';
import { ZERO, type Decimal } from '../../model/decimal.ts';
import { isRefusal, type Refusal } from '../../model/refusals.ts';
import { US_PER_HOUR, type Micros } from '../../platform/time.ts';
import { amountRefusal, coverRefusal } from '../../rules/movement.ts';
import {
  commentRefusal,
  payoutError,
  payoutOf,
  type Payout,
  type PayoutError,
} from '../../rules/withdrawal.ts';
import type { TimerQueue } from '../queues/timers.ts';
import { HOUSE } from '../ledger/ledger.ts';
import type { DepositAddress } from './addresses.ts';
import { allowanceRefusal } from './allowance.ts';
import type { Bank } from './bank.ts';
import type { Found } from './currencies.ts';
import { passOn } from './offchain.ts';
import type { Transaction } from './transaction.ts';
import {
  addressInvalid,
  addressMissing,
  committed,
  feeLevelUnknown,
  notCommitted,
  offchainUnavailable,
  rolledBack,
  withdrawalEnded,
  withdrawalUnavailable,
  withdrawalUnknown,
} from './withdrawal-refusals.ts';

/** How long a withdrawal waits for its commit; at that time it is rolled back. */
const COMMIT_US = US_PER_HOUR;

/** Money that an account sends to an address. */
export interface WithdrawalRequest {
  readonly currency: string;
  readonly amount: Decimal;
  readonly address: string;
  readonly paymentId?: string;
  /** The default network of the currency where absent. */
  readonly network?: string;
  /** The amount includes the fee; false where absent, and the fee comes on top. */
  readonly includeFee?: boolean;
  /** False for a withdrawal that waits to be committed; true where absent. */
  readonly autoCommit?: boolean;
  /** Whether it may, or must, go to the owner of the address without a chain; `never` where absent. */
  readonly offchain?: 'never' | 'optionally' | 'required';
  readonly publicComment?: string;
  /** Id of a fee level of the network; its usual fee where absent. */
  readonly feeLevel?: string;
}

/** What became of a withdrawal that was handed to its network. */
export type Settlement =
  | { readonly kind: 'sent'; readonly hash: string }
  | { readonly kind: 'failed'; readonly error?: PayoutError };

/** A withdrawal that holds money: until it is committed, or until its network has answered. */
interface Open {
  readonly id: number;
  readonly found: Found;
  readonly network: Network;
  readonly payout: Payout;
  /** Who gets it, where it need not leave the exchange. */
  readonly receiver: number | undefined;
  /** What rolls it back, while it waits for its commit. */
  readonly ticket: number | undefined;
}

/**
 * Money that leaves. A withdrawal is CREATED, which holds the amount and the fee, then committed:
 * at once, or by a call of its own within an hour, or else ROLLED_BACK. What is committed is checked
 * and FAILED, or is PENDING until its network answers: SUCCESS takes the money out of the ledger and
 * gives the fee to the house, FAILED gives everything back.
 */
export class Withdrawals {
  readonly #bank: Bank;
  readonly #due: TimerQueue;
  readonly #lapse: number;
  readonly #open = new Map<number, Open>();

  constructor(bank: Bank, due: TimerQueue) {
    this.#bank = bank;
    this.#due = due;
    this.#lapse = due.kind((id, at) => {
      const open = this.#open.get(id);
      if (open !== undefined) this.#return(open, 'ROLLED_BACK', at as Micros);
    });
  }

  /** Takes a withdrawal in and gives the id of its transaction. */
  request(account: number, request: WithdrawalRequest, at: Micros): string | Refusal {
    const { currencies, vaults, transactions } = this.#bank;
    const found = currencies.find(request.currency);
    if (isRefusal(found)) return found;
    const { currency, index } = found;
    const network = currencies.network(currency, request.network);
    if (isRefusal(network)) return network;
    const receiver = this.#receiver(account, found, network, request);
    const payout = this.#payout(found, network, request, receiver);
    if (isRefusal(payout)) return payout;
    const refusal =
      allowanceRefusal(this.#bank, account, found, payout.sent, at) ??
      coverRefusal(payout.total, vaults.available('wallet', account, index), currency.code);
    if (refusal !== undefined) return refusal;
    vaults.hold(account, index, payout.total);
    const { address, paymentId, publicComment, autoCommit = true } = request;
    const { id, txId } = transactions.begin(
      {
        account,
        type: 'WITHDRAW',
        subtype: receiver === undefined ? 'BLOCKCHAIN' : 'OFFCHAIN',
        direction: 'out',
        currency: currency.code,
        amount: payout.sent,
        fee: payout.fee,
        network: network.code,
        address,
        ...(paymentId === undefined ? {} : { paymentId }),
        ...(publicComment === undefined ? {} : { publicComment }),
        status: 'CREATED',
      },
      at,
    );
    const ticket = autoCommit ? undefined : this.#due.add(at + COMMIT_US, this.#lapse, id);
    const open = { id, found, network, payout, receiver, ticket };
    this.#open.set(id, open);
    if (autoCommit) this.#send(open, at);
    return txId;
  }

  /** Sends a withdrawal that waits; of one that was sent before it says so again and does nothing. */
  commit(account: number, txId: string, at: Micros): true | Refusal {
    const withdrawal = this.#find(txId, account);
    if (isRefusal(withdrawal)) return withdrawal;
    if (withdrawal.status === 'ROLLED_BACK') return rolledBack(txId);
    const open = this.#open.get(withdrawal.id);
    if (open === undefined || withdrawal.status !== 'CREATED') return true;
    this.#callOff(open);
    this.#send(open, at);
    return true;
  }

  /** Gives back what a withdrawal that waits holds; of one that was rolled back before it says so again. */
  rollback(account: number, txId: string, at: Micros): true | Refusal {
    const withdrawal = this.#find(txId, account);
    if (isRefusal(withdrawal)) return withdrawal;
    if (withdrawal.status === 'ROLLED_BACK') return true;
    const open = this.#open.get(withdrawal.id);
    if (open === undefined || withdrawal.status !== 'CREATED') return committed(txId);
    this.#callOff(open);
    this.#return(open, 'ROLLED_BACK', at);
    return true;
  }

  /** Notes the hash of a chain transaction by which a withdrawal is tried. */
  attempt(txId: string, hash: string, at: Micros): Refusal | undefined {
    const open = this.#pending(txId);
    if (isRefusal(open)) return open;
    const { transactions } = this.#bank;
    const { attemptHashes = [] } = transactions.get(open.id);
    transactions.change(open.id, { hash, attemptHashes: [...attemptHashes, hash] }, at);
    return undefined;
  }

  /** Says what became of a withdrawal on its network. */
  settle(txId: string, settlement: Settlement, at: Micros): Refusal | undefined {
    const open = this.#pending(txId);
    if (isRefusal(open)) return open;
    if (settlement.kind === 'failed') {
      this.#return(open, 'FAILED', at, settlement.error);
      return undefined;
    }
    const { transactions, vaults } = this.#bank;
    const { account, hash, attemptHashes = [] } = transactions.get(open.id);
    this.#open.delete(open.id);
    vaults.take(account, open.found.index, open.payout.total);
    vaults.add('wallet', HOUSE, open.found.index, open.payout.fee);
    const tried = hash === settlement.hash ? attemptHashes : [...attemptHashes, settlement.hash];
    transactions.change(
      open.id,
      { status: 'SUCCESS', hash: settlement.hash, attemptHashes: tried },
      at,
    );
    return undefined;
  }

  /** What it costs to withdraw on a network, `undefined` for a level that the network does not have. */
  fee(network: Network, level?: string): Decimal | undefined {
    if (level === undefined) return network.payoutFee;
    return network.feeLevels.find((each) => each.id === level)?.fee;
  }

  /** The account that a withdrawal would reach without a chain; never the one that sends it. */
  receiver(account: number, target: DepositAddress): number | undefined {
    const owner = this.#bank.addresses.owner(target);
    return owner === account ? undefined : owner;
  }

  #receiver(
    account: number,
    { currency }: Found,
    network: Network,
    { address, paymentId, offchain = 'never' }: WithdrawalRequest,
  ): number | undefined {
    if (offchain === 'never') return undefined;
    return this.receiver(account, {
      currency: currency.code,
      network: network.code,
      address,
      ...(paymentId === undefined ? {} : { paymentId }),
    });
  }

  /** What is sent and what it costs, once the request has passed the checks of its own fields. */
  #payout(
    { currency }: Found,
    network: Network,
    request: WithdrawalRequest,
    receiver: number | undefined,
  ): Payout | Refusal {
    const { amount, address, publicComment, offchain, feeLevel, includeFee = false } = request;
    if (!currency.terms.payoutEnabled || !network.terms.payoutEnabled) {
      return withdrawalUnavailable(currency.code, network.code);
    }
    if (address === '') return addressMissing();
    const refusal = amountRefusal(amount) ?? commentRefusal(publicComment);
    if (refusal !== undefined) return refusal;
    if (!network.takesAddress(address)) return addressInvalid(network.code, address);
    if (offchain === 'required' && receiver === undefined) return offchainUnavailable(address);
    const fee = this.fee(network, feeLevel);
    if (fee === undefined) return feeLevelUnknown(network, feeLevel);
    return payoutOf(amount, receiver === undefined ? fee : ZERO, includeFee);
  }

  /** Hands a withdrawal on: to its network, or to the account that it is for. */
  #send(open: Open, at: Micros): void {
    const { transactions } = this.#bank;
    const { account, address = '', paymentId } = transactions.get(open.id);
    const { network, payout, found, receiver } = open;
    const errorCode = payoutError(network, payout.sent, paymentId);
    if (errorCode !== undefined) {
      this.#return(open, 'FAILED', at, errorCode);
      return;
    }
    this.#bank.addresses.use(account, found.currency.code, {
      address,
      ...(paymentId === undefined ? {} : { paymentId }),
      network: network.code,
    });
    if (receiver === undefined) {
      this.#open.set(open.id, { ...open, ticket: undefined });
      transactions.change(open.id, { status: 'PENDING' }, at);
      return;
    }
    this.#open.delete(open.id);
    passOn(this.#bank, transactions.get(open.id), receiver, found.index, at);
  }

  /** Ends a withdrawal that was not sent and gives back what it holds. */
  #return(open: Open, status: 'FAILED' | 'ROLLED_BACK', at: Micros, errorCode?: PayoutError): void {
    const { transactions, vaults } = this.#bank;
    this.#open.delete(open.id);
    vaults.release(transactions.get(open.id).account, open.found.index, open.payout.total);
    const reason = errorCode === undefined ? {} : { errorCode };
    transactions.change(open.id, { status, ...reason }, at);
  }

  #callOff({ ticket }: Open): void {
    if (ticket !== undefined) this.#due.remove(ticket);
  }

  /** The withdrawal of that id; a gift between accounts of one owner is none. */
  #find(txId: string, account?: number): Transaction | Refusal {
    const found = this.#bank.transactions.find(txId, account);
    const isWithdrawal = found?.type === 'WITHDRAW' && found.subtype !== 'SUB_ACCOUNT';
    return isWithdrawal ? found : withdrawalUnknown(txId);
  }

  /** A withdrawal that its network has not answered yet. */
  #pending(txId: string): Open | Refusal {
    const withdrawal = this.#find(txId);
    if (isRefusal(withdrawal)) return withdrawal;
    const open = this.#open.get(withdrawal.id);
    if (open === undefined) return withdrawalEnded(txId, withdrawal.status);
    return withdrawal.status === 'PENDING' ? open : notCommitted(txId);
  }
}
