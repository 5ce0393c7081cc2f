import type { Decimal } from '../../model/decimal.ts';
import { isRefusal, type Refusal } from '../../model/refusals.ts';
import type { Micros } from '../../platform/time.ts';
import { coverRefusal, stepRefusal } from '../../rules/movement.ts';
import { commentRefusal } from '../../rules/withdrawal.ts';
import { allowanceRefusal } from './allowance.ts';
import type { Bank } from './bank.ts';
import type { Transaction } from './transaction.ts';
import { withdrawalUnavailable } from './withdrawal-refusals.ts';

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
      ...(publicComment === undefined ? {} : { publicComment }),
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
      ...(address === undefined ? {} : { address }),
      ...(paymentId === undefined ? {} : { paymentId }),
      ...(publicComment === undefined ? {} : { publicComment }),
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
