import type { AccountType } from '../../model/non-spot-balance.ts';
import type { Decimal } from '../../model/decimal.ts';
import { isRejection, type Rejection } from '../../model/rejections.ts';
import type { Micros } from '../../platform/time.ts';
import { coverRejection, stepRejection } from '../../rules/movement.ts';
import type { Bank } from './bank.ts';
import type { TransferSubtype } from './transaction.ts';

/** A transfer of an account between its own balances. */
export interface TransferRequest {
  readonly currency: string;
  readonly amount: Decimal;
  readonly source: AccountType;
  readonly destination: AccountType;
}

/**
 * Between spot and derivatives an amount passes through the wallet: the service has no direct
 * transfer.
 */
const WAYS: Readonly<Record<string, readonly TransferSubtype[]>> = {
  'wallet spot': ['WALLET_TO_SPOT'],
  'spot wallet': ['SPOT_TO_WALLET'],
  'wallet derivatives': ['WALLET_TO_DERIVATIVES'],
  'derivatives wallet': ['DERIVATIVES_TO_WALLET'],
  'spot derivatives': ['SPOT_TO_WALLET', 'WALLET_TO_DERIVATIVES'],
  'derivatives spot': ['DERIVATIVES_TO_WALLET', 'WALLET_TO_SPOT'],
};

/** Transfers between wallet, spot and derivatives balances of one account, at once and for free. */
/** Transfers an amount and returns the ids of its transactions. */
export function transfer(
  bank: Bank,
  account: number,
  request: TransferRequest,
  at: Micros,
): readonly string[] | Rejection {
  const { currencies, accountLedgers } = bank;
  const { amount, source, destination } = request;
  const found = currencies.find(request.currency);
  if (isRejection(found)) return found;
  const { currency, index } = found;
  const way = WAYS[`${source} ${destination}`] as readonly TransferSubtype[] | undefined;
  if (way === undefined) return routeInvalid(source, destination);
  if (!currency.terms.transferEnabled) return transferUnavailable(currency.code);
  const rejection =
    stepRejection(amount, currency.precisionTransfer) ??
    coverRejection(amount, accountLedgers.available(source, account, index), currency.code);
  if (rejection !== undefined) return rejection;
  accountLedgers.move(index, amount, [source, account], [destination, account]);
  const operationId = bank.transactions.operation();
  return way.map((subtype) => recordTransfer(bank, account, subtype, request, operationId, at));
}

/**
 * Moves all available spot funds of an account to its wallet, with all their decimals. Funds of
 * margin accounts stay with their positions.
 */
export function emptySpot(bank: Bank, account: number, at: Micros): void {
  const { currencies, accountLedgers, transactions } = bank;
  const operationId = transactions.operation();
  currencies.all.forEach(({ code }, index) => {
    const amount = accountLedgers.available('spot', account, index);
    if (!amount.greaterThan(0)) return;
    accountLedgers.move(index, amount, ['spot', account], ['wallet', account]);
    recordTransfer(bank, account, 'SPOT_TO_WALLET', { currency: code, amount }, operationId, at);
  });
}

function recordTransfer(
  bank: Bank,
  account: number,
  subtype: TransferSubtype,
  { currency, amount }: Pick<TransferRequest, 'currency' | 'amount'>,
  operationId: string,
  at: Micros,
): string {
  const { txId } = bank.transactions.begin(
    {
      account,
      type: 'TRANSFER',
      subtype,
      direction: subtype.startsWith('WALLET') ? 'out' : 'in',
      currency,
      amount,
      status: 'SUCCESS',
      operationId,
    },
    at,
  );
  return txId;
}

const routeInvalid = (source: string, destination: string): Rejection => ({
  code: 'route-invalid',
  field: source === destination ? 'destination' : 'source',
  message: `Money moves between two of wallet, spot and derivatives, not from ${source} to ${destination}.`,
});

const transferUnavailable = (currency: string): Rejection => ({
  code: 'transfer-unavailable',
  field: 'currency',
  message: `Transfers of ${currency} between wallet and trading balances are switched off.`,
});
