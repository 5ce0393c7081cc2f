import type { Ledger } from '../../../../exchange/ledger/ledger.ts';
import type { Writable } from '../../../../wire/trading/decoding.ts';
import type { balance } from '../../../../wire/trading/v2/records/trading.ts';

type Balance = Writable<typeof balance>;

/** Balances of an account in every currency, also zero ones. */
export const balanceViews = (ledger: Ledger, account: number): readonly Balance[] =>
  ledger.balances.map(({ currency }, index) => ({
    currency,
    available: ledger.available(account, index),
    reserved: ledger.reserved(account, index),
  }));
