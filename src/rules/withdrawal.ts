import { brief, type Decimal } from '../model/decimal.ts';
import type { Network } from '../model/currency.ts';
import type { Rejection } from '../model/rejections.ts';
import { isStepped } from './movement.ts';

/** The longest public comment of a withdrawal, in characters. */
export const COMMENT_MAX = 255;

/** Why an accepted withdrawal could not be sent, as the service names it. */
export type PayoutError = 'INVALID_ADDRESS' | 'INVALID_PAYMENT_ID' | 'BAD_PRECISION';

/** Amount and fee of a withdrawal, and their total from the wallet. */
export interface Payout {
  readonly sent: Decimal;
  readonly fee: Decimal;
  readonly total: Decimal;
}

/**
 * Splits the amount of a withdrawal. Without `includeFee` the amount is sent and the fee is added;
 * with it the amount is the total, and must exceed the fee.
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

/** Rejects a public comment of more than 255 characters. */
export const commentRejection = (comment: string | undefined): Rejection | undefined =>
  comment === undefined || [...comment].length <= COMMENT_MAX
    ? undefined
    : {
        code: 'comment-too-long',
        field: 'publicComment',
        message: `The public comment has ${[...comment].length} characters and may have ${COMMENT_MAX}.`,
        limit: String(COMMENT_MAX),
      };

/** Why a withdrawal cannot be sent to an address of a network, `undefined` if it can. */
export function payoutError(
  network: Network,
  sent: Decimal,
  paymentId: string | undefined,
): PayoutError | undefined {
  if (!network.takesPaymentId(paymentId)) return 'INVALID_PAYMENT_ID';
  return isStepped(sent, network.precisionPayout) ? undefined : 'BAD_PRECISION';
}
