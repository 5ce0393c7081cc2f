import type { Decimal } from '../../model/decimal.ts';
import { MillraceError } from '../../model/errors.ts';
import { isRejection, type Rejection } from '../../model/rejections.ts';
import type { Micros } from '../../platform/time.ts';
import { amountRejection } from '../../rules/movement.ts';
import type { Bank, OpenDeposit } from './bank.ts';
import type { CommitRisk, CreditSubtype, TransactionStatus } from './transaction.ts';
import type { DepositAddress } from './addresses.ts';

/** A chain transaction seen to a deposit address. */
export interface Arrival {
  readonly currency: string;
  /** The default network of the currency if absent. */
  readonly network?: string | undefined;
  readonly address: string;
  readonly paymentId?: string | undefined;
  readonly amount: Decimal;
  readonly hash: string;
  /** Confirmations so far; 0 if absent. */
  readonly confirmations?: number;
  readonly senders?: readonly string[] | undefined;
  readonly commitRisk?: CommitRisk | undefined;
}

/** Money that comes in without a chain. */
export interface Credit {
  readonly currency: string;
  readonly amount: Decimal;
  readonly subtype: CreditSubtype;
}

/**
 * Deposits. A deposit is CREATED when it is seen, PENDING once it is confirmed, and SUCCESS, which
 * credits the wallet, with the confirmations of its network.
 */
/** Records a chain transaction and returns the id of its deposit. */
export function receiveDeposit(bank: Bank, arrival: Arrival, at: Micros): string | Rejection {
  const { currencies, addresses, transactions } = bank;
  const found = currencies.find(arrival.currency);
  if (isRejection(found)) return found;
  const { currency } = found;
  const network = currencies.network(currency, arrival.network);
  if (isRejection(network)) return network;
  if (!currency.terms.payinEnabled || !network.terms.payinEnabled) {
    return depositUnavailable(currency.code, network.code);
  }
  const rejection = amountRejection(arrival.amount);
  if (rejection !== undefined) return rejection;
  const { address, paymentId, amount, hash, confirmations = 0, senders, commitRisk } = arrival;
  checkCount(confirmations);
  const account = addresses.owner({
    currency: currency.code,
    network: network.code,
    address,
    paymentId,
  });
  if (account === undefined) return addressUnknown(currency.code, network.code, address);
  const { id, txId } = transactions.begin(
    {
      account,
      type: 'DEPOSIT',
      subtype: 'BLOCKCHAIN',
      direction: 'in',
      currency: currency.code,
      amount,
      network: network.code,
      address,
      paymentId,
      senders,
      commitRisk,
      hash,
      confirmations: 0,
      status: 'CREATED',
    },
    at,
  );
  const { payinConfirmations: needed } = network.terms;
  bank.deposits.set(txId, { id, currency: found.index, needed });
  progressDeposit(bank, { id, currency: found.index, needed }, confirmations, at);
  return txId;
}

/** Sets the confirmations of a deposit; enough credit it. */
export function confirmDeposit(
  bank: Bank,
  txId: string,
  confirmations: number,
  at: Micros,
): Rejection | undefined {
  checkCount(confirmations);
  const deposit = openDeposit(bank, txId);
  if (isRejection(deposit)) return deposit;
  progressDeposit(bank, deposit, confirmations, at);
  return undefined;
}

/** Fails a deposit that will never be confirmed. */
export function failDeposit(bank: Bank, txId: string, at: Micros): Rejection | undefined {
  const deposit = openDeposit(bank, txId);
  if (isRejection(deposit)) return deposit;
  bank.deposits.delete(txId);
  bank.transactions.change(deposit.id, { status: 'FAILED' }, at);
  return undefined;
}

/** Credits money without a chain, at once, and returns the id of its transaction. */
export function creditWallet(
  bank: Bank,
  account: number,
  credit: Credit,
  at: Micros,
): string | Rejection {
  const found = bank.currencies.find(credit.currency);
  if (isRejection(found)) return found;
  const rejection = amountRejection(credit.amount);
  if (rejection !== undefined) return rejection;
  payIn(bank, account, found.index, credit.amount);
  const { txId } = bank.transactions.begin(
    { ...credit, account, type: 'DEPOSIT', direction: 'in', status: 'SUCCESS' },
    at,
  );
  return txId;
}

function progressDeposit(
  bank: Bank,
  { id, currency, needed }: OpenDeposit,
  confirmations: number,
  at: Micros,
): void {
  const { transactions } = bank;
  const deposit = transactions.get(id);
  let status: TransactionStatus = deposit.status;
  if (confirmations >= needed) status = 'SUCCESS';
  else if (confirmations > 0) status = 'PENDING';
  if (status === deposit.status && confirmations === deposit.confirmations) return;
  if (status === 'SUCCESS') {
    bank.deposits.delete(deposit.txId);
    payIn(bank, deposit.account, currency, deposit.amount);
  }
  transactions.change(id, { status, confirmations }, at);
}

function payIn(bank: Bank, account: number, currency: number, amount: Decimal): void {
  bank.accountLedgers.add('wallet', account, currency, amount);
  bank.members.activateNew(account);
}

/** The deposit of that id, if it is neither credited nor failed. */
function openDeposit(bank: Bank, txId: string): OpenDeposit | Rejection {
  const open = bank.deposits.get(txId);
  if (open !== undefined) return open;
  const known = bank.transactions.find(txId);
  if (known?.type === 'DEPOSIT') {
    return {
      code: 'transaction-ended',
      field: 'txId',
      message: `The deposit "${txId}" has ended already: ${known.status}.`,
    };
  }
  return {
    code: 'transaction-unknown',
    field: 'txId',
    message: `There is no deposit "${txId}".`,
  };
}

const addressUnknown = (currency: string, network: string, address: string): Rejection => ({
  code: 'address-unknown',
  field: 'address',
  message: `No account has the deposit address "${address}" for ${currency} on ${network}.`,
});

function checkCount(confirmations: number): void {
  if (Number.isSafeInteger(confirmations) && confirmations >= 0) return;
  throw new MillraceError('out-of-range', `A deposit has no ${confirmations} confirmations.`, {
    field: 'confirmations',
  });
}

/** A request for a deposit address. */
export interface AddressRequest {
  readonly account: number;
  readonly currency: string;
  /** The default network of the currency if absent. */
  readonly network?: string | undefined;
  /** Returns the latest one; makes a new one only if there is none. */
  readonly reuse: boolean;
  /** A sub-account needs no permission if its super account asks. */
  readonly bySuper?: boolean;
}

/** Returns or makes a deposit address. */
export function depositAddress(bank: Bank, request: AddressRequest): DepositAddress | Rejection {
  const { currencies, permissions, addresses } = bank;
  const { account, reuse, bySuper = false } = request;
  const found = currencies.find(request.currency);
  if (isRejection(found)) return found;
  const { currency } = found;
  const network = currencies.network(currency, request.network);
  if (isRejection(network)) return network;
  const current = addresses.current(account, currency, network);
  if (reuse && current !== undefined) return current;
  if (!currency.terms.payinEnabled || !network.terms.payinEnabled) {
    return depositUnavailable(currency.code, network.code);
  }
  const rejection = bySuper
    ? undefined
    : permissions.rejection(account, 'depositAddressGenerationEnabled');
  return rejection ?? addresses.make(account, currency, network);
}

export const depositUnavailable = (currency: string, network: string): Rejection => ({
  code: 'deposit-unavailable',
  field: 'network',
  message: `Deposits of ${currency} on ${network} are switched off.`,
});
