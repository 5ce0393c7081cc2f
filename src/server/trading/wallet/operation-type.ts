import type { Transaction } from '../../../exchange/wallet/transaction.ts';

/** What an operation does with money, seen from all its transactions alike. */
export const OPERATION_TYPES = [
  'DEPOSIT',
  'WITHDRAW',
  'TRANSFER',
  'INTERNAL',
  'CONVERSION',
] as const;
export type OperationType = (typeof OPERATION_TYPES)[number];

/**
 * The kind of operation that a transaction is a part of: money comes in or leaves, stays with its
 * account (a transfer), goes from one account here to another (internal), or becomes another
 * currency (a conversion).
 */
export function operationType({ type, subtype }: Transaction): OperationType {
  if (subtype === 'OFFCHAIN' || subtype === 'SUB_ACCOUNT') return 'INTERNAL';
  return type === 'SWAP' ? 'CONVERSION' : type;
}
