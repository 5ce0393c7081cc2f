import { brief, type Decimal } from '../model/decimal.ts';
import type { Rejection } from '../model/rejections.ts';

/** No chain has finer units; balances of a currency are as fine as its finest amount. */
const DECIMALS_MAX = 24;

/** Rejects an amount that is not positive, or has too many decimals. */
export function amountRejection(amount: Decimal): Rejection | undefined {
  if (!amount.isFinite() || !amount.greaterThan(0)) {
    return {
      code: 'amount-invalid',
      field: 'amount',
      message: `The amount is ${brief(amount)} and must be a positive decimal number.`,
    };
  }
  if (amount.decimalPlaces() <= DECIMALS_MAX) return undefined;
  return {
    code: 'amount-off-precision',
    field: 'amount',
    message: `The amount has ${amount.decimalPlaces()} decimals and may have ${DECIMALS_MAX}.`,
    limit: String(DECIMALS_MAX),
  };
}

/** Rejects an amount that is not positive, or not a whole number of steps. */
export function stepRejection(amount: Decimal, step: Decimal): Rejection | undefined {
  const rejection = amountRejection(amount);
  if (rejection !== undefined || isStepped(amount, step)) return rejection;
  return {
    code: 'amount-off-precision',
    field: 'amount',
    message: `The amount is ${brief(amount)} and must be a multiple of ${step.toFixed()}.`,
    limit: step.toFixed(),
  };
}

/** Rejects an amount above the available one; equal is fine. */
export const coverRejection = (
  amount: Decimal,
  available: Decimal,
  currency: string,
): Rejection | undefined =>
  available.greaterThanOrEqualTo(amount)
    ? undefined
    : {
        code: 'funds-insufficient',
        field: 'amount',
        message: `${brief(available)} ${currency} is available and must be at least ${brief(amount)}, fee included.`,
        limit: brief(amount),
      };

/** True for a whole number of steps, which are a power of ten; never divides. */
export const isStepped = (amount: Decimal, step: Decimal): boolean => amount.modulo(step).isZero();
