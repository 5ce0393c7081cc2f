import { brief, ZERO, type Decimal } from '../../model/decimal.ts';
import type { Refusal } from '../../model/refusals.ts';
import { US_PER_DAY, type Micros } from '../../platform/time.ts';
import type { Bank } from './bank.ts';
import type { Found } from './currencies.ts';

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
