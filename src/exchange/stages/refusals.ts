import { brief, type Decimal } from '../../model/decimal.ts';
import type { Refusal } from '../../model/refusals.ts';

export const closeOnly = (symbol: string, why: string): Refusal => ({
  code: 'position-close-only',
  field: 'quantity',
  message: `The position in ${symbol} can only become smaller: ${why}.`,
});

export const riskLimitExceeded = (value: Decimal, limit: Decimal): Refusal => ({
  code: 'risk-limit-exceeded',
  field: 'quantity',
  message: `The position could grow to a value of ${brief(value)}, and ${brief(limit)} is the most at the account's leverage.`,
  limit: brief(limit),
});
