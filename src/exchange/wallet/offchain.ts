import { brief, type Decimal, ZERO } from '../../model/decimal.ts';
import { isRejection, type Rejection } from '../../model/rejections.ts';
import { type Micros, US_PER_DAY } from '../../platform/time.ts';
import { coverRejection, stepRejection } from '../../rules/movement.ts';
import { commentRejection } from '../../rules/withdrawal.ts';
import type { Bank } from './bank.ts';
import type { Found } from './currencies.ts';
import type { Transaction } from './transaction.ts';

/** A transfer to another account by its email or user name. */
export interface InternalRequest {
  readonly currency: string;
  readonly amount: Decimal;
  readonly by: 'email' | 'username';
  readonly identifier: string;
  readonly publicComment?: string;
}

/**
 * Sends money to an account by its name, at once and for free, and returns the sender's transaction
 * id.
 */
export function sendInternally(
  bank: Bank,
  account: number,
  request: InternalRequest,
  at: Micros,
): string | Rejection {
  const { currencies, members, accountLedgers, transactions } = bank;
  const found = currencies.find(request.currency);
  if (isRejection(found)) return found;
  const { currency, index } = found;
  if (!currency.terms.payoutEnabled) return withdrawalUnavailable(currency.code);
  const { amount, by, identifier, publicComment } = request;
  const receiver = members.find(by, identifier);
  if (receiver === undefined) return userUnknown(by, identifier);
  if (receiver === account) return toOneself();
  const rejection =
    stepRejection(amount, currency.precisionTransfer) ??
    commentRejection(publicComment) ??
    allowanceRejection(bank, account, found, amount, at) ??
    coverRejection(amount, accountLedgers.available('wallet', account, index), currency.code);
  if (rejection !== undefined) return rejection;
  accountLedgers.hold(account, index, amount);
  const withdrawal = transactions.begin(
    {
      account,
      type: 'WITHDRAW',
      subtype: 'OFFCHAIN',
      direction: 'out',
      currency: currency.code,
      amount,
      publicComment,
      status: 'CREATED',
    },
    at,
  );
  passOn(bank, withdrawal, receiver, index, at);
  return withdrawal.txId;
}

/** Pays a withdrawal's amount to another account here and ends the withdrawal. */
export function passOn(
  { accountLedgers, members, transactions }: Bank,
  withdrawal: Transaction,
  receiver: number,
  currency: number,
  at: Micros,
): void {
  const { account, amount, address, paymentId, publicComment } = withdrawal;
  accountLedgers.take(account, currency, amount);
  accountLedgers.add('wallet', receiver, currency, amount);
  members.activateNew(receiver);
  const deposit = transactions.begin(
    {
      account: receiver,
      type: 'DEPOSIT',
      subtype: 'OFFCHAIN',
      direction: 'in',
      currency: withdrawal.currency,
      amount,
      address,
      paymentId,
      publicComment,
      offchainId: withdrawal.txId,
      operationId: withdrawal.operationId,
      status: 'SUCCESS',
    },
    at,
  );
  transactions.change(withdrawal.id, { status: 'SUCCESS', offchainId: deposit.txId }, at);
}

const userUnknown = (by: string, identifier: string): Rejection => ({
  code: 'user-unknown',
  field: 'identifier',
  message: `No account has the ${by} "${identifier}".`,
});

const toOneself = (): Rejection => ({
  code: 'route-invalid',
  field: 'identifier',
  message: 'The account that is named is the one that sends.',
});

/**
 * Rejects a withdrawal that its account may not make: of a sub-account without permission, or above
 * the limit of 24 hours.
 */
export function allowanceRejection(
  bank: Bank,
  account: number,
  { currency }: Found,
  sent: Decimal,
  at: Micros,
): Rejection | undefined {
  const rejection = bank.permissions.rejection(account, 'withdrawEnabled');
  const { payoutDayLimit: limit } = currency;
  if (rejection !== undefined || limit === undefined) return rejection;
  const before = sentSince(bank, account, currency.code, at - US_PER_DAY);
  if (before.plus(sent).lessThanOrEqualTo(limit)) return undefined;
  return {
    code: 'withdrawal-limit-reached',
    field: 'amount',
    message: `${brief(before)} ${currency.code} left within 24 hours, ${brief(sent)} more would pass ${limit.toFixed()}.`,
    limit: limit.toFixed(),
  };
}

/** Amount of a currency that an account has sent, or is about to send, after a time. */
function sentSince(bank: Bank, account: number, currency: string, time: number): Decimal {
  let sum = ZERO;
  for (const each of bank.transactions.newestFirst(account)) {
    if (each.createdAt <= time) break;
    const { type, subtype, status } = each;
    const leaves = type === 'WITHDRAW' && subtype !== 'SUB_ACCOUNT' && each.currency === currency;
    if (leaves && status !== 'FAILED' && status !== 'ROLLED_BACK') sum = sum.plus(each.amount);
  }
  return sum;
}

export const withdrawalUnavailable = (currency: string, network?: string): Rejection => ({
  code: 'withdrawal-unavailable',
  field: network === undefined ? 'currency' : 'network',
  message: `Withdrawals of ${currency}${network === undefined ? '' : ` on ${network}`} are switched off.`,
});
