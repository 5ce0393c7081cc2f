import { z } from 'zod';
import { code } from '../../fields.ts';
import { method } from '../../rpc.ts';
import { transactionFilters } from '../calls/wallet.ts';
import { walletBalance, walletBalanceOfCurrency } from '../records/balance.ts';
import { transaction } from '../records/wallet.ts';

const done = z.literal(true);

const getTransactions = method({
  access: 'payment',
  summary: 'Transactions of the wallet',
  params: transactionFilters,
  result: z.array(transaction),
});

/** Every method of the wallet socket, `login` apart. */
export const WALLET_METHODS = {
  subscribe_transactions: method({
    access: 'payment',
    summary: 'Follow transactions of the wallet',
    result: done,
  }),
  unsubscribe_transactions: method({
    access: 'payment',
    summary: 'Stop to follow transactions',
    result: done,
  }),
  subscribe_wallet_balances: method({
    access: 'payment',
    summary: 'Follow balances of the wallet',
    result: done,
  }),
  unsubscribe_wallet_balances: method({
    access: 'payment',
    summary: 'Stop to follow balances',
    result: done,
  }),
  wallet_balances: method({
    access: 'payment',
    summary: 'Balances of the wallet',
    result: z.array(walletBalance),
  }),
  wallet_balance: method({
    access: 'payment',
    summary: 'The balance of a currency in the wallet',
    params: z.object({ currency: code }),
    result: walletBalanceOfCurrency,
  }),
  /** Both names are in use. */
  transactions: getTransactions,
  get_transactions: getTransactions,
} as const;

/** Changed balances: one as it is, more as a list; either is read as a list. */
const balanceUpdate = z.codec(
  z.union([walletBalance, z.array(walletBalance)]),
  z.custom<readonly z.output<typeof walletBalance>[]>((value) => Array.isArray(value)),
  {
    decode: (given) => (Array.isArray(given) ? given : [given]),
    encode: (balances) => {
      const [only, ...others] = balances;
      return only !== undefined && others.length === 0 ? only : [...balances];
    },
  },
);

/** Notifications of the wallet socket, by method. */
export const WALLET_NOTIFICATIONS = {
  transaction_update: transaction,
  /** All that are not zero, once after the subscription. */
  wallet_balances: z.array(walletBalance),
  wallet_balance_update: balanceUpdate,
} as const;
