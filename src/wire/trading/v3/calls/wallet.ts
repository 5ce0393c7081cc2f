import { z } from 'zod';
import { del, get, post, put } from '../../call.ts';
import {
  choice,
  code,
  codes,
  flag,
  id,
  list,
  numeric,
  optional,
  withDefault,
  text,
  textUpTo,
} from '../../fields.ts';
import { limit, offset, sort, timeBounds } from '../../paging.ts';
import { walletBalance, walletBalanceOfCurrency } from '../records/balance.ts';
import * as wallet from '../records/wallet.ts';

const COMMENT_MAX = 255;

const comment = optional(textUpTo(COMMENT_MAX));
const result = z.object({ result: flag });
const ofCurrency = z.object({ currency: code });
const currencyFilter = z.object({ currency: optional(code), network_code: optional(text) });

const addressCalls = {
  getAddresses: get('/wallet/crypto/address', {
    access: 'payment',
    summary: 'Deposit addresses',
    params: currencyFilter,
    response: z.array(wallet.address),
  }),
  createAddress: post('/wallet/crypto/address', {
    access: 'payment',
    summary: 'Make a new deposit address',
    params: z.object({ currency: code, network_code: optional(text) }),
    response: wallet.address,
  }),
  getRecentDepositAddresses: get('/wallet/crypto/address/recent-deposit', {
    access: 'payment',
    summary: 'The last ten deposit addresses of a currency',
    params: ofCurrency.extend({ network_code: optional(text) }),
    response: z.array(wallet.address),
  }),
  getRecentWithdrawAddresses: get('/wallet/crypto/address/recent-withdraw', {
    access: 'payment',
    summary: 'The last ten addresses that a currency was withdrawn to',
    params: ofCurrency.extend({ network_code: optional(text) }),
    response: z.array(wallet.address),
  }),
  checkMine: get('/wallet/crypto/address/check-mine', {
    access: 'payment',
    summary: 'Whether an address belongs to the account',
    params: z.object({ address: text, network_code: optional(text) }),
    response: result,
  }),
  getWhiteList: get('/wallet/crypto/address/white-list', {
    access: 'payment',
    summary: 'Addresses that withdrawals may go to',
    response: z.array(wallet.whiteAddress),
  }),
  checkOffchain: post('/wallet/crypto/check-offchain-available', {
    access: 'payment',
    summary: 'Whether a withdrawal would stay inside the service',
    params: z.object({
      currency: code,
      address: text,
      payment_id: optional(text),
      network_code: optional(text),
    }),
    response: result,
  }),
} as const;

/** Balances of an account. */
export const WALLETS = ['wallet', 'spot', 'derivatives'] as const;

/** A withdrawal; one client writes `paymentId`. */
const withdrawal = z.object({
  currency: code,
  amount: numeric,
  address: text,
  payment_id: optional(text),
  paymentId: optional(text),
  network_code: optional(text),
  fee_level_id: optional(text),
  include_fee: withDefault(flag, false),
  /** False waits an hour for a commit or a rollback. */
  auto_commit: withDefault(flag, true),
  use_offchain: withDefault(choice(['never', 'optionally', 'required']), 'never'),
  public_comment: comment,
});

const transferCalls = {
  withdraw: post('/wallet/crypto/withdraw', {
    access: 'withdraw',
    summary: 'Withdraw to an address',
    params: withdrawal,
    response: z.object({ id: text }),
  }),
  commitWithdrawal: put('/wallet/crypto/withdraw/{id}', {
    access: 'withdraw',
    summary: 'Commit a withdrawal that waits',
    response: result,
  }),
  rollBackWithdrawal: del('/wallet/crypto/withdraw/{id}', {
    access: 'withdraw',
    summary: 'Roll back a withdrawal that waits',
    response: result,
  }),
  convert: post('/wallet/convert', {
    access: 'payment',
    summary: 'Exchange one currency of the wallet for another',
    params: z.object({ from_currency: code, to_currency: code, amount: numeric }),
    response: z.object({ result: z.array(text) }),
  }),
  transfer: post('/wallet/transfer', {
    access: 'payment',
    summary: 'Move funds between wallet, spot and derivatives',
    params: z.object({
      currency: code,
      amount: numeric,
      source: choice(WALLETS),
      destination: choice(WALLETS),
    }),
    response: z.array(text),
  }),
  withdrawInternally: post('/wallet/internal/withdraw', {
    access: 'withdraw',
    summary: 'Send funds to another user of the service',
    params: z.object({
      currency: code,
      amount: numeric,
      by: choice(['email', 'username']),
      identifier: text,
      public_comment: comment,
    }),
    response: z.object({ result: text }),
  }),
  getConvertConfig: get('/transfer-convert/config', {
    access: 'payment',
    summary: 'Which currencies can be exchanged for which',
    response: wallet.convertConfig,
  }),
} as const;

/** The keys by which transactions are ordered. */
export const TRANSACTION_ORDERS = ['created_at', 'updated_at', 'last_activity_at', 'id'] as const;

/** Filters of transactions, by REST and by socket; some clients send one value, some many. */
export const transactionFilters = z.object({
  tx_ids: optional(list),
  type: optional(list),
  types: optional(list),
  subtype: optional(list),
  subtypes: optional(list),
  statuses: optional(list),
  currencies: optional(codes),
  networks: optional(list),
  id_from: optional(id),
  id_till: optional(id),
  order_by: withDefault(choice(TRANSACTION_ORDERS), 'created_at'),
  sort: sort('DESC'),
  ...timeBounds,
  limit: limit(100),
  offset,
  group_transactions: withDefault(flag, false),
});

const recordCalls = {
  getWalletBalances: get('/wallet/balance', {
    access: 'payment',
    summary: 'Balances of the wallet',
    response: z.array(walletBalance),
  }),
  getWalletBalance: get('/wallet/balance/{currency}', {
    access: 'payment',
    summary: 'The balance of a currency in the wallet',
    response: walletBalanceOfCurrency,
  }),
  getTransactions: get('/wallet/transactions', {
    access: 'payment',
    summary: 'Transactions of the wallet',
    params: transactionFilters,
    response: z.array(wallet.transaction),
  }),
  getTransaction: get('/wallet/transactions/{tx_id}', {
    access: 'payment',
    summary: 'A transaction of the wallet',
    response: wallet.transaction,
  }),
  getAmountLocks: get('/wallet/amount-locks', {
    access: 'payment',
    summary: 'Amounts that are not to be used until a date',
    params: z.object({
      currency: optional(code),
      active: optional(flag),
      limit: limit(100),
      offset,
      ...timeBounds,
    }),
    response: z.array(wallet.amountLock),
  }),
  getAirdrops: get('/wallet/airdrops', {
    access: 'payment',
    summary: 'Airdrops that the account can claim',
    response: z.array(wallet.airdrop),
  }),
  claimAirdrop: post('/wallet/airdrops/{id}/claim', {
    access: 'payment',
    summary: 'Claim an airdrop',
    response: result,
  }),
} as const;

/** Balances, addresses and transactions of the wallet. */
export const walletCalls = { ...recordCalls, ...addressCalls, ...transferCalls } as const;
