import { z } from 'zod';
import { choice, flag, id, numeric, optional, record, text, time, whole } from '../../fields.ts';
import { balance } from './trading.ts';

/** A deposit address. */
export const address = record('AddressV2', {
  address: text,
  paymentId: optional(text),
  /** Needed for the deposit if present. */
  publicKey: optional(text),
});

export const usedAddress = record('UsedAddressV2', { address: text, paymentId: optional(text) });

export const TRANSACTION_STATUSES = ['created', 'pending', 'failed', 'success'] as const;
export const TRANSACTION_TYPES = [
  'payout',
  'payin',
  'deposit',
  'withdraw',
  'bankToExchange',
  'exchangeToBank',
] as const;

/** A transaction of the account. */
export const transaction = record('TransactionV2', {
  id: text,
  index: whole(),
  currency: text,
  amount: numeric,
  fee: optional(numeric),
  address: optional(text),
  paymentId: optional(text),
  hash: optional(text),
  status: choice(TRANSACTION_STATUSES),
  type: choice(TRANSACTION_TYPES),
  /** `swap`, `offchain`; servers may send others. */
  subType: optional(text),
  senders: optional(z.array(text)),
  offchainId: optional(z.array(text)),
  confirmations: optional(whole()),
  publicComment: optional(text),
  /** `INVALID_ADDRESS`, `INVALID_PAYMENT_ID`, `BAD_PRECISION`. */
  errorCode: optional(text),
  createdAt: time,
  updatedAt: time,
});

export const subAccount = record('SubAccountV2', {
  id,
  email: text,
  status: choice(['new', 'active', 'disable', 'disabled']),
});

export const subAccountRights = record('SubAccountRightsV2', {
  subAccountId: id,
  isPayoutEnabled: flag,
  description: optional(text),
});

export const subAccountBalances = record('SubAccountBalancesV2', {
  main: z.array(balance),
  trading: z.array(balance),
});
