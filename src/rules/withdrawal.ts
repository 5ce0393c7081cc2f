import { brief, type Decimal } from '../model/decimal.ts';
import type { Network } from '../model/currency.ts';
import type { Rejection } from '../model/rejections.ts';
import { isStepped } from './movement.ts';

/** The longest public comment of a withdrawal, in characters. */
export const COMMENT_MAX = 255;

/** Why a withdrawal that was taken in could not be sent, in the service's own words. */
export type PayoutError = 'INVALID_ADDRESS' | 'INVALID_PAYMENT_ID' | 'BAD_PRECISION';

/** What a withdrawal sends, what that costs, and what it takes from the wallet: both together. */
export interface Payout {
  readonly sent: Decimal;
  readonly fee: Decimal;
  readonly total: Decimal;
}

/**
 * Splits the amount of a withdrawal. Without `includeFee` the amount is sent and the fee comes on
 * top; with it the amount is what is spent in all, and must be more than the fee.
 */
export function payoutOf(amount: Decimal, fee: Decimal, includeFee: boolean): Payout | Rejection {
  if (!includeFee) return { sent: amount, fee, total: amount.plus(fee) };
  const sent = amount.minus(fee);
  if (sent.greaterThan(0)) return { sent, fee, total: amount };
  return {
    code: 'amount-below-fee',
    field: 'amount',
    message: `The amount of ${brief(amount)} includes the fee of ${brief(fee)} and leaves nothing to send.`,
    limit: brief(fee),
  };
}

/** Refuses a public comment of more than 255 characters. */
export const commentRejection = (comment: string | undefined): Rejection | undefined =>
  comment === undefined || [...comment].length <= COMMENT_MAX
    ? undefined
    : {
        code: 'comment-too-long',
        field: 'publicComment',
        message: `The public comment has ${[...comment].length} characters and may have ${COMMENT_MAX}.`,
        limit: String(COMMENT_MAX),
      };

/** What keeps a withdrawal from being sent to an address of a network, `undefined` when nothing does. */
export function payoutError(
  network: Network,
  sent: Decimal,
  paymentId: string | undefined,
): PayoutError | undefined {
  if (!network.takesPaymentId(paymentId)) return 'INVALID_PAYMENT_ID';
  return isStepped(sent, network.precisionPayout) ? undefined : 'BAD_PRECISION';
}
