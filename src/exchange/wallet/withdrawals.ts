import type { Network } from '../../model/currency.ts';
import { type Decimal, ZERO } from '../../model/decimal.ts';
import { isRejection, type Rejection } from '../../model/rejections.ts';
import { type Micros, US_PER_HOUR } from '../../platform/time.ts';
import { amountRejection, coverRejection } from '../../rules/movement.ts';
import {
  commentRejection,
  type Payout,
  type PayoutError,
  payoutError,
  payoutOf,
} from '../../rules/withdrawal.ts';
import { HOUSE } from '../ledger/ledger.ts';
import { TIMER } from '../queues/timers.ts';
import type { DepositAddress } from './addresses.ts';
import type { Bank, OpenWithdrawal } from './bank.ts';
import type { Found } from './currencies.ts';
import { allowanceRejection, passOn, withdrawalUnavailable } from './offchain.ts';
import type { Transaction } from './transaction.ts';

/** Time for the commit of a withdrawal, after which it is rolled back. */
const COMMIT_US = US_PER_HOUR;

/** A withdrawal to an address. */
export interface WithdrawalRequest {
  readonly currency: string;
  readonly amount: Decimal;
  readonly address: string;
  readonly paymentId?: string | undefined;
  /** The default network of the currency if absent. */
  readonly network?: string | undefined;
  /** The amount includes the fee; false if absent, and the fee comes on top. */
  readonly includeFee?: boolean;
  /** False for a withdrawal that waits to be committed; true if absent. */
  readonly autoCommit?: boolean;
  /** Whether it may, or must, go to the owner of the address without a chain; `never` if absent. */
  readonly offchain?: 'never' | 'optionally' | 'required';
  readonly publicComment?: string;
  /** Id of a fee level of the network; its default fee if absent. */
  readonly feeLevel?: string;
}

/** Result of a withdrawal on its network. */
export type Settlement =
  | { readonly kind: 'sent'; readonly hash: string }
  | { readonly kind: 'failed'; readonly error?: PayoutError };

/**
 * Withdrawals. A withdrawal is CREATED, which holds the amount and the fee, then committed: at
 * once, or by a separate call within an hour, or else ROLLED_BACK. A committed withdrawal is
 * checked and FAILED, or is PENDING until its network answers: SUCCESS removes the money from the
 * ledger and pays the fee to the exchange, FAILED refunds everything.
 */
/** Starts a withdrawal and returns the id of its transaction. */
export function requestWithdrawal(
  bank: Bank,
  account: number,
  request: WithdrawalRequest,
  at: Micros,
): string | Rejection {
  const { currencies, accountLedgers, transactions } = bank;
  const found = currencies.find(request.currency);
  if (isRejection(found)) return found;
  const { currency, index } = found;
  const network = currencies.network(currency, request.network);
  if (isRejection(network)) return network;
  const receiver = requestedReceiver(bank, account, found, network, request);
  const payout = payoutFor(found, network, request, receiver);
  if (isRejection(payout)) return payout;
  const rejection =
    allowanceRejection(bank, account, found, payout.sent, at) ??
    coverRejection(payout.total, accountLedgers.available('wallet', account, index), currency.code);
  if (rejection !== undefined) return rejection;
  accountLedgers.hold(account, index, payout.total);
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
      paymentId,
      publicComment,
      status: 'CREATED',
    },
    at,
  );
  const ticket = autoCommit ? undefined : bank.timers.add(at + COMMIT_US, TIMER.WITHDRAWAL, id);
  const open = { id, found, network, payout, receiver, ticket };
  bank.withdrawals.set(id, open);
  if (autoCommit) sendOut(bank, open, at);
  return txId;
}

/** Commits a withdrawal; no effect and the same answer if it was committed before. */
export function commitWithdrawal(
  bank: Bank,
  account: number,
  txId: string,
  at: Micros,
): true | Rejection {
  const withdrawal = findWithdrawal(bank, txId, account);
  if (isRejection(withdrawal)) return withdrawal;
  if (withdrawal.status === 'ROLLED_BACK') return rolledBack(txId);
  const open = bank.withdrawals.get(withdrawal.id);
  if (open === undefined || withdrawal.status !== 'CREATED') return true;
  cancelRollback(bank, open);
  sendOut(bank, open, at);
  return true;
}

/**
 * Refunds a withdrawal that is not committed; no effect and the same answer if it was rolled back
 * before.
 */
export function rollBackWithdrawal(
  bank: Bank,
  account: number,
  txId: string,
  at: Micros,
): true | Rejection {
  const withdrawal = findWithdrawal(bank, txId, account);
  if (isRejection(withdrawal)) return withdrawal;
  if (withdrawal.status === 'ROLLED_BACK') return true;
  const open = bank.withdrawals.get(withdrawal.id);
  if (open === undefined || withdrawal.status !== 'CREATED') return committed(txId);
  cancelRollback(bank, open);
  endAndRefund(bank, open, 'ROLLED_BACK', at);
  return true;
}

/** Notes the chain transaction that tries a withdrawal. */
export function attemptWithdrawal(
  bank: Bank,
  txId: string,
  hash: string,
  at: Micros,
): Rejection | undefined {
  const open = pendingWithdrawal(bank, txId);
  if (isRejection(open)) return open;
  const { transactions } = bank;
  const { attemptHashes = [] } = transactions.get(open.id);
  transactions.change(open.id, { hash, attemptHashes: [...attemptHashes, hash] }, at);
  return undefined;
}

/** Ends a withdrawal with the result of its network. */
export function settleWithdrawal(
  bank: Bank,
  txId: string,
  settlement: Settlement,
  at: Micros,
): Rejection | undefined {
  const open = pendingWithdrawal(bank, txId);
  if (isRejection(open)) return open;
  if (settlement.kind === 'failed') {
    endAndRefund(bank, open, 'FAILED', at, settlement.error);
    return undefined;
  }
  const { transactions, accountLedgers } = bank;
  const { account, hash, attemptHashes = [] } = transactions.get(open.id);
  bank.withdrawals.delete(open.id);
  accountLedgers.take(account, open.found.index, open.payout.total);
  accountLedgers.add('wallet', HOUSE, open.found.index, open.payout.fee);
  const tried = hash === settlement.hash ? attemptHashes : [...attemptHashes, settlement.hash];
  transactions.change(
    open.id,
    { status: 'SUCCESS', hash: settlement.hash, attemptHashes: tried },
    at,
  );
  return undefined;
}

/** Fee of a withdrawal on a network, `undefined` for an unknown level. */
export function withdrawalFee(network: Network, level?: string): Decimal | undefined {
  if (level === undefined) return network.payoutFee;
  return network.feeLevels.find((each) => each.id === level)?.fee;
}

/** The account that a withdrawal would reach without a chain; never its sender. */
export function receiverOf(
  bank: Bank,
  account: number,
  target: DepositAddress,
): number | undefined {
  const owner = bank.addresses.owner(target);
  return owner === account ? undefined : owner;
}

function requestedReceiver(
  bank: Bank,
  account: number,
  { currency }: Found,
  network: Network,
  { address, paymentId, offchain = 'never' }: WithdrawalRequest,
): number | undefined {
  if (offchain === 'never') return undefined;
  return receiverOf(bank, account, {
    currency: currency.code,
    network: network.code,
    address,
    paymentId,
  });
}

/** Amount and fee of a request that has passed the checks of its fields. */
function payoutFor(
  { currency }: Found,
  network: Network,
  request: WithdrawalRequest,
  receiver: number | undefined,
): Payout | Rejection {
  const { amount, address, publicComment, offchain, feeLevel, includeFee = false } = request;
  if (!currency.terms.payoutEnabled || !network.terms.payoutEnabled) {
    return withdrawalUnavailable(currency.code, network.code);
  }
  if (address === '') return addressMissing();
  const rejection = amountRejection(amount) ?? commentRejection(publicComment);
  if (rejection !== undefined) return rejection;
  if (!network.takesAddress(address)) return addressInvalid(network.code, address);
  if (offchain === 'required' && receiver === undefined) return offchainUnavailable(address);
  const fee = withdrawalFee(network, feeLevel);
  if (fee === undefined) return feeLevelUnknown(network, feeLevel);
  return payoutOf(amount, receiver === undefined ? fee : ZERO, includeFee);
}

/** Passes a withdrawal to its network, or to the receiving account. */
function sendOut(bank: Bank, open: OpenWithdrawal, at: Micros): void {
  const { transactions } = bank;
  const { account, address = '', paymentId } = transactions.get(open.id);
  const { network, payout, found, receiver } = open;
  const errorCode = payoutError(network, payout.sent, paymentId);
  if (errorCode !== undefined) {
    endAndRefund(bank, open, 'FAILED', at, errorCode);
    return;
  }
  bank.addresses.use(account, found.currency.code, {
    address,
    paymentId,
    network: network.code,
  });
  if (receiver === undefined) {
    bank.withdrawals.set(open.id, { ...open, ticket: undefined });
    transactions.change(open.id, { status: 'PENDING' }, at);
    return;
  }
  bank.withdrawals.delete(open.id);
  passOn(bank, transactions.get(open.id), receiver, found.index, at);
}

/** Fails a withdrawal and refunds what it holds. */
function endAndRefund(
  bank: Bank,
  open: OpenWithdrawal,
  status: 'FAILED' | 'ROLLED_BACK',
  at: Micros,
  errorCode?: PayoutError,
): void {
  const { transactions, accountLedgers } = bank;
  bank.withdrawals.delete(open.id);
  accountLedgers.release(transactions.get(open.id).account, open.found.index, open.payout.total);
  transactions.change(open.id, { status, errorCode }, at);
}

function cancelRollback(bank: Bank, { ticket }: OpenWithdrawal): void {
  if (ticket !== undefined) bank.timers.remove(ticket);
}

/** The withdrawal of that id; a transfer between accounts of one owner is not one. */
function findWithdrawal(bank: Bank, txId: string, account?: number): Transaction | Rejection {
  const found = bank.transactions.find(txId, account);
  const isWithdrawal = found?.type === 'WITHDRAW' && found.subtype !== 'SUB_ACCOUNT';
  return isWithdrawal ? found : withdrawalUnknown(txId);
}

/** A withdrawal without an answer of its network. */
function pendingWithdrawal(bank: Bank, txId: string): OpenWithdrawal | Rejection {
  const withdrawal = findWithdrawal(bank, txId);
  if (isRejection(withdrawal)) return withdrawal;
  const open = bank.withdrawals.get(withdrawal.id);
  if (open === undefined) return withdrawalEnded(txId, withdrawal.status);
  return withdrawal.status === 'PENDING' ? open : notCommitted(txId);
}

/** Rolls back a withdrawal whose commit is overdue. */
export function lapseWithdrawal(bank: Bank, id: number, at: Micros): void {
  const open = bank.withdrawals.get(id);
  if (open !== undefined) endAndRefund(bank, open, 'ROLLED_BACK', at);
}

const addressInvalid = (network: string, address: string): Rejection => ({
  code: 'address-invalid',
  field: 'address',
  message: `${JSON.stringify(address)} is not an address on ${network}; nothing was withdrawn.`,
});

const addressMissing = (): Rejection => ({
  code: 'address-missing',
  field: 'address',
  message: 'A withdrawal names the address that it goes to.',
});

const offchainUnavailable = (address: string): Rejection => ({
  code: 'offchain-unavailable',
  field: 'address',
  message: `"${address}" is not a deposit address of another account here.`,
});

export const feeLevelUnknown = (network: Network, level = ''): Rejection => ({
  code: 'fee-level-unknown',
  field: 'feeLevel',
  message: `The network ${network.code} has no fee level "${level}"; it has ${listOf(network)}.`,
});

const withdrawalUnknown = (txId: string): Rejection => ({
  code: 'withdrawal-unknown',
  field: 'txId',
  message: `There is no withdrawal "${txId}".`,
});

const committed = (txId: string): Rejection => ({
  code: 'withdrawal-committed',
  field: 'txId',
  message: `The withdrawal "${txId}" is committed already and cannot be rolled back.`,
});

const rolledBack = (txId: string): Rejection => ({
  code: 'withdrawal-rolled-back',
  field: 'txId',
  message: `The withdrawal "${txId}" is rolled back already and cannot be committed.`,
});

const notCommitted = (txId: string): Rejection => ({
  code: 'withdrawal-not-committed',
  field: 'txId',
  message: `The withdrawal "${txId}" is not committed yet.`,
});

const withdrawalEnded = (txId: string, status: string): Rejection => ({
  code: 'transaction-ended',
  field: 'txId',
  message: `The withdrawal "${txId}" has ended already: ${status}.`,
});

const listOf = ({ feeLevels }: Network): string =>
  feeLevels.length === 0 ? 'none' : feeLevels.map(({ id }) => id).join(', ');
