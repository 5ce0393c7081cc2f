import type { Transaction } from '../../../exchange/wallet/transaction.ts';

/** Kind of an operation, by all its transactions alike. */
export const OPERATION_TYPES = [
  'DEPOSIT',
  'WITHDRAW',
  'TRANSFER',
  'INTERNAL',
  'CONVERSION',
] as const;
export type OperationType = (typeof OPERATION_TYPES)[number];

/**
 * The kind of operation of a transaction: money comes in or leaves, stays with its account (a transfer),
 * moves between accounts here (internal), or becomes another currency (a conversion).
 */
export function operationType({ type, subtype }: Transaction): OperationType {
  if (subtype === 'OFFCHAIN' || subtype === 'SUB_ACCOUNT') return 'INTERNAL';
  return type === 'SWAP' ? 'CONVERSION' : type;
}
