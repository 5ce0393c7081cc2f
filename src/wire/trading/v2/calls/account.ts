import { z } from 'zod';
import { del, get, post, put } from '../../call.ts';
import {
  choice,
  code,
  flag,
  id,
  nonEmptyList,
  numeric,
  optional,
  withDefault,
  text,
  textUpTo,
} from '../../fields.ts';
import { limit, offset, paged, sort } from '../../paging.ts';
import * as account from '../records/account.ts';
import { balance } from '../records/trading.ts';

const COMMENT_MAX = 255;
const done = z.object({ result: flag });
const made = z.object({ id: text });
const moved = z.object({ result: text });

const walletCalls = {
  getAccountBalances: get('/account/balance', {
    access: 'payment',
    summary: 'Balances of the account',
    response: z.array(balance),
  }),
  getAddress: get('/account/crypto/address/{currency}', {
    access: 'payment',
    summary: 'The deposit address of a currency',
    response: account.address,
  }),
  createAddress: post('/account/crypto/address/{currency}', {
    access: 'payment',
    summary: 'Make a new deposit address',
    response: account.address,
  }),
  getAddresses: get('/account/crypto/addresses/{currency}', {
    access: 'payment',
    summary: 'The last ten deposit addresses of a currency',
    response: z.array(account.address),
  }),
  getUsedAddresses: get('/account/crypto/used-addresses/{currency}', {
    access: 'payment',
    summary: 'The last ten addresses that a currency was withdrawn to',
    response: z.array(account.usedAddress),
  }),
  isMine: get('/account/crypto/is-mine/{address}', {
    access: 'payment',
    summary: 'Whether an address belongs to the account',
    response: done,
  }),
  getTransactions: get('/account/transactions', {
    access: 'payment',
    summary: 'Transactions of the account',
    params: paged(['timestamp', 'index'], 'timestamp', {
      currency: optional(code),
      sort: sort('DESC'),
      limit: limit(100, 0),
      offset,
      showSenders: withDefault(flag, false),
    }),
    response: z.array(account.transaction),
  }),
  getTransaction: get('/account/transactions/{id}', {
    access: 'payment',
    summary: 'A transaction of the account',
    params: z.object({ showSenders: withDefault(flag, false) }),
    response: account.transaction,
  }),
} as const;

const transferCalls = {
  withdraw: post('/account/crypto/withdraw', {
    access: 'withdraw',
    summary: 'Withdraw to an address',
    params: z.object({
      currency: code,
      amount: numeric,
      address: text,
      paymentId: optional(text),
      includeFee: withDefault(flag, false),
      /** False waits an hour for a commit or a rollback. */
      autoCommit: withDefault(flag, true),
      publicComment: optional(textUpTo(COMMENT_MAX)),
    }),
    response: made,
  }),
  commitWithdrawal: put('/account/crypto/withdraw/{id}', {
    access: 'withdraw',
    summary: 'Commit a withdrawal that waits',
    response: done,
  }),
  rollBackWithdrawal: del('/account/crypto/withdraw/{id}', {
    access: 'withdraw',
    summary: 'Roll back a withdrawal that waits',
    response: done,
  }),
  convert: post('/account/crypto/transfer-convert', {
    access: 'payment',
    summary: 'Exchange one currency of the account for another',
    params: z.object({ fromCurrency: code, toCurrency: code, amount: numeric }),
    response: z.object({ result: z.array(text) }),
  }),
  estimateFee: get('/account/crypto/estimate-withdraw-levels', {
    access: 'payment',
    summary: 'What a withdrawal costs',
    params: z.object({ currency: code, amount: numeric }),
    response: z.object({ fee: numeric }),
  }),
  transfer: post('/account/transfer', {
    access: 'payment',
    summary: 'Move funds between account and trading',
    params: z.object({
      currency: code,
      amount: numeric,
      type: choice(['bankToExchange', 'exchangeToBank']),
    }),
    response: made,
  }),
  transferInternally: post('/account/transfer/internal', {
    access: 'withdraw',
    summary: 'Send funds to another user of the service',
    params: z.object({
      currency: code,
      amount: numeric,
      by: choice(['email', 'username']),
      identifier: text,
    }),
    response: moved,
  }),
} as const;

const listOf = <S extends z.ZodType>(schema: S) => z.object({ result: z.array(schema) });

const subAccountCalls = {
  getSubAccounts: get('/sub-acc', {
    access: 'key',
    summary: 'Sub-accounts',
    response: listOf(account.subAccount),
  }),
  freezeSubAccounts: post('/sub-acc/freeze', {
    access: 'key',
    summary: 'Freeze sub-accounts: their orders are canceled and their keys refused',
    params: z.object({ ids: nonEmptyList }),
    response: done,
  }),
  activateSubAccounts: post('/sub-acc/activate', {
    access: 'key',
    summary: 'Activate frozen sub-accounts',
    params: z.object({ ids: nonEmptyList }),
    response: done,
  }),
  transferWithSubAccount: post('/sub-acc/transfer', {
    access: 'withdraw',
    summary: 'Move funds to or from a sub-account',
    params: z.object({
      subAccountId: id,
      amount: numeric,
      currency: code,
      type: choice(['deposit', 'withdraw']),
    }),
    response: moved,
  }),
  getSubAccountRights: get('/sub-acc/acl', {
    access: 'payment',
    summary: 'What sub-accounts may do',
    params: z.object({ subAccountIds: nonEmptyList }),
    response: listOf(account.subAccountRights),
  }),
  setSubAccountRights: put('/sub-acc/acl/{subAccountUserId}', {
    access: 'payment',
    summary: 'Set what a sub-account may do',
    params: z.object({ isPayoutEnabled: optional(flag), description: optional(text) }),
    response: listOf(account.subAccountRights),
  }),
  getSubAccountBalances: get('/sub-acc/balance/{subAccountUserID}', {
    access: 'payment',
    summary: 'Balances of a sub-account',
    response: z.object({ result: account.subAccountBalances }),
  }),
  getSubAccountAddress: get('/sub-acc/deposit-address/{subAccountUserID}/{currency}', {
    access: 'payment',
    summary: 'The deposit address of a sub-account',
    response: z.object({ result: account.address }),
  }),
} as const;

/** Balances, addresses, transactions and sub-accounts. */
export const accountCalls = { ...walletCalls, ...transferCalls, ...subAccountCalls } as const;
