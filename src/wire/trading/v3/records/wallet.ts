import { z } from 'zod';
import {
  choice,
  flag,
  id,
  json,
  numeric,
  optional,
  record,
  text,
  time,
  whole,
} from '../../fields.ts';

/** A deposit address. */
export const address = record('Address', {
  currency: optional(text),
  address: text,
  payment_id: optional(text),
  /** Needed for the deposit if present. */
  public_key: optional(text),
  network_code: optional(text),
});

export const whiteAddress = record('WhiteAddress', {
  address: text,
  currency: text,
  name: text,
  network: text,
});

export const TRANSACTION_STATUSES = [
  'CREATED',
  'PENDING',
  'FAILED',
  'SUCCESS',
  'ROLLED_BACK',
] as const;
export const TRANSACTION_TYPES = ['DEPOSIT', 'WITHDRAW', 'TRANSFER', 'SWAP'] as const;
/** The published subtypes; a server may send others. */
export const TRANSACTION_SUBTYPES = [
  'UNCLASSIFIED',
  'BLOCKCHAIN',
  'AIRDROP',
  'AFFILIATE',
  'STAKING',
  'BUY_CRYPTO',
  'OFFCHAIN',
  'FIAT',
  'SUB_ACCOUNT',
  'WALLET_TO_SPOT',
  'SPOT_TO_WALLET',
  'WALLET_TO_DERIVATIVES',
  'DERIVATIVES_TO_WALLET',
  'CHAIN_SWITCH_FROM',
  'CHAIN_SWITCH_TO',
  'INSTANT_EXCHANGE',
] as const;

const native = record('NativeTransaction', {
  tx_id: text,
  index: whole(),
  currency: text,
  amount: numeric,
  fee: optional(numeric),
  address: optional(text),
  payment_id: optional(text),
  hash: optional(text),
  offchain_id: optional(text),
  confirmations: optional(whole()),
  public_comment: optional(text),
  /** `INVALID_ADDRESS`, `INVALID_PAYMENT_ID`, `BAD_PRECISION`. */
  error_code: optional(text),
  senders: optional(z.array(text)),
  network_code: optional(text),
});

/** How likely a deposit is to be undone. */
const commitRisk = record('CommitRisk', {
  score: optional(whole()),
  rbf: optional(flag),
  low_fee: optional(flag),
});

/** A transaction of the wallet. */
export const transaction = record('Transaction', {
  id,
  status: choice(TRANSACTION_STATUSES),
  type: choice(TRANSACTION_TYPES),
  subtype: optional(text),
  created_at: time,
  updated_at: time,
  last_activity_at: optional(time),
  native: optional(native),
  operation_id: optional(text),
  operation_type: optional(text),
  attempt_hashes: optional(z.array(text)),
  commit_risk: optional(commitRisk),
  meta: z.record(z.string(), json).optional(),
});

export const feeEstimate = record('FeeEstimate', { fee: numeric });

/** A row of a bulk estimate; `networkFee` is spelt so on the wire. */
export const feeEstimateRow = record('FeeEstimateRow', {
  fee: numeric,
  networkFee: optional(numeric),
  amount: numeric,
  currency: text,
});

/** Fee of a withdrawal at each level of urgency. */
export const feeLevel = record('FeeLevel', {
  fee_level_id: text,
  name: text,
  fee: numeric,
  currency: text,
});

export const hash = record('Hash', { hash: text });

/** An amount that is not to be used until a date. */
export const amountLock = record('AmountLock', {
  id,
  currency: text,
  amount: numeric,
  date_end: optional(time),
  description: optional(text),
  cancelled: flag,
  cancelled_at: optional(time),
  cancel_description: optional(text),
  created_at: time,
});

export const airdrop = record('Airdrop', {
  id,
  currency: text,
  amount: numeric,
  status: choice(['available', 'claimed']),
  created_at: time,
});

/** Between which currencies the wallet exchanges. */
export const convertConfig = record('ConvertConfig', {
  pairs: z.array(
    z.object({
      from_currency: text,
      to_currency: text,
      min_amount: numeric,
      fee_rate: numeric,
    }),
  ),
});
