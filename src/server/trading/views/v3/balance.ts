import type { Ledger } from '../../../../exchange/ledger/ledger.ts';
import { AVAILABLE, CROSS, MARGIN, RESERVED } from '../../../../exchange/ledger/balances.ts';
import type { Writable } from '../../../../wire/trading/decoding.ts';
import { decoded, fault, undecoded, type Decoded } from '../../../../wire/trading/faults.ts';
import type { balance, balanceOfCurrency } from '../../../../wire/trading/v3/records/balance.ts';

export type Balance = Writable<typeof balance>;

/** Balance of an account by the currency's index in the ledger. */
export function balanceView(ledger: Ledger, account: number, currency: number): Balance {
  const budget = ledger.balances[currency];
  return {
    currency: budget.currency,
    available: budget.amount(account, AVAILABLE),
    reserved: budget.amount(account, RESERVED),
    reserved_margin: budget.amount(account, MARGIN),
    cross_margin_reserved: budget.amount(account, CROSS),
  };
}

/** Balances of an account in every currency, also zero ones. */
export const balanceViews = (ledger: Ledger, account: number): readonly Balance[] =>
  ledger.balances.map((_, currency) => balanceView(ledger, account, currency));

/** Balance of an account in a currency that a call names. */
export function balanceOf(
  ledger: Ledger,
  account: number,
  currency: string,
): Decoded<Writable<typeof balanceOfCurrency>> {
  const index = ledger.find(currency);
  if (index === undefined) {
    const known = ledger.balances.map((budget) => budget.currency).join(', ');
    return undecoded(
      fault(2002, `There is no currency ${JSON.stringify(currency)}; known are ${known}`),
    );
  }
  return decoded({ ...balanceView(ledger, account, index), currency: undefined });
}
