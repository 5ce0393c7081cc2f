import { brief, type Decimal, ZERO } from '../../model/decimal.ts';
import { isRefusal, type Refusal } from '../../model/refusals.ts';
import { type Micros, US_PER_DAY } from '../../platform/time.ts';
import { coverRefusal, stepRefusal } from '../../rules/movement.ts';
import { commentRefusal } from '../../rules/withdrawal.ts';
import type { Bank } from './bank.ts';
import type { Found } from './currencies.ts';
import type { Transaction } from './transaction.ts';

/** Money that an account sends to another, which it names by its email or user name. */
export interface InternalRequest {
  readonly currency: string;
  readonly amount: Decimal;
  readonly by: 'email' | 'username';
  readonly identifier: string;
  readonly publicComment?: string;
}

/** Sends money to the account of that name, at once and for free, and gives the sender's transaction id. */
export function sendInternally(
  bank: Bank,
  account: number,
  request: InternalRequest,
  at: Micros,
): string | Refusal {
  const { currencies, members, vaults, transactions } = bank;
  const found = currencies.find(request.currency);
  if (isRefusal(found)) return found;
  const { currency, index } = found;
  if (!currency.terms.payoutEnabled) return withdrawalUnavailable(currency.code);
  const { amount, by, identifier, publicComment } = request;
  const receiver = members.find(by, identifier);
  if (receiver === undefined) return userUnknown(by, identifier);
  if (receiver === account) return toOneself();
  const refusal =
    stepRefusal(amount, currency.precisionTransfer) ??
    commentRefusal(publicComment) ??
    allowanceRefusal(bank, account, found, amount, at) ??
    coverRefusal(amount, vaults.available('wallet', account, index), currency.code);
  if (refusal !== undefined) return refusal;
  vaults.hold(account, index, amount);
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

/** Gives what a withdrawal holds to another account here, and ends it. */
export function passOn(
  { vaults, members, transactions }: Bank,
  withdrawal: Transaction,
  receiver: number,
  currency: number,
  at: Micros,
): void {
  const { account, amount, address, paymentId, publicComment } = withdrawal;
  vaults.take(account, currency, amount);
  vaults.add('wallet', receiver, currency, amount);
  members.welcome(receiver);
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

const userUnknown = (by: string, identifier: string): Refusal => ({
  code: 'user-unknown',
  field: 'identifier',
  message: `No account has the ${by} "${identifier}".`,
});

const toOneself = (): Refusal => ({
  code: 'route-invalid',
  field: 'identifier',
  message: 'The account that is named is the one that sends.',
});

/** Refuses a withdrawal that its account may not make: a sub-account, or too much within 24 hours. */
export function allowanceRefusal(
  bank: Bank,
  account: number,
  { currency }: Found,
  sent: Decimal,
  at: Micros,
): Refusal | undefined {
  const refusal = bank.permissions.refusal(account, 'withdrawEnabled');
  const { payoutDayLimit: limit } = currency;
  if (refusal !== undefined || limit === undefined) return refusal;
  const before = sentSince(bank, account, currency.code, at - US_PER_DAY);
  if (before.plus(sent).lessThanOrEqualTo(limit)) return undefined;
  return {
    code: 'withdrawal-limit-reached',
    field: 'amount',
    message: `${brief(before)} ${currency.code} left within 24 hours, ${brief(sent)} more would pass ${limit.toFixed()}.`,
    limit: limit.toFixed(),
  };
}

/** What an account has sent, or is about to send, of a currency after a time. */
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

export const withdrawalUnavailable = (currency: string, network?: string): Refusal => ({
  code: 'withdrawal-unavailable',
  field: network === undefined ? 'currency' : 'network',
  message: `Withdrawals of ${currency}${network === undefined ? '' : ` on ${network}`} are switched off.`,
});
