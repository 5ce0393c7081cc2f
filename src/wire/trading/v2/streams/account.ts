import { z } from 'zod';
import { code, flag, id, optional, withDefault } from '../../fields.ts';
import { limit, offset, sort, timeBounds } from '../../paging.ts';
import { method } from '../../rpc.ts';
import { transaction } from '../records/account.ts';
import { balance } from '../records/trading.ts';

const done = z.literal(true);
const transactions = z.array(transaction);

const page = {
  currency: optional(code),
  limit: limit(100, 0),
  offset,
  showSenders: withDefault(flag, false),
} as const;

const follow = (summary: string) => method({ access: 'payment', summary, result: done });

/** Every method of the account socket of version 2, `login` apart. */
export const ACCOUNT_METHODS = {
  getBalance: method({
    access: 'payment',
    summary: 'Balances of the account',
    result: z.array(balance),
  }),
  /** By time, the latest first. */
  findTransactions: method({
    access: 'payment',
    summary: 'Transactions between two times',
    params: z.object({ ...page, sort: sort('DESC'), ...timeBounds }),
    result: transactions,
  }),
  /** By index, the first first. */
  loadTransactions: method({
    access: 'payment',
    summary: 'Transactions between two indexes',
    params: z.object({ ...page, sort: sort('ASC'), from: optional(id), till: optional(id) }),
    result: transactions,
  }),
  subscribeTransactions: follow('Follow transactions of the account'),
  unsubscribeTransactions: follow('Stop to follow transactions'),
  subscribeBalance: follow('Follow balances of the account'),
  unsubscribeBalance: follow('Stop to follow balances'),
} as const;

/** Notifications of the account socket of version 2, by method. */
export const ACCOUNT_NOTIFICATIONS = {
  updateTransaction: transaction,
  /** Those that are not zero. */
  balance: z.array(balance),
} as const;
