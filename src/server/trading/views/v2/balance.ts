import type { Ledger } from '../../../../exchange/ledger/ledger.ts';
import type { Written } from '../../../../wire/trading/decoding.ts';
import type { balance } from '../../../../wire/trading/v2/records/trading.ts';

type Balance = Written<typeof balance>;

/** What an account has of every currency, of those that it has nothing of too. */
export const balanceViews = (ledger: Ledger, account: number): readonly Balance[] =>
  ledger.balances.map(({ currency }, index) => ({
    currency,
    available: ledger.available(account, index),
    reserved: ledger.reserved(account, index),
  }));
