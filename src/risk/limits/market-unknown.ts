import type { Refusal } from '../../model/refusals.ts';

/** A limit cannot be checked without a price. */
export const marketUnknown = (symbol: string, limit: string): Refusal => ({
  code: 'risk-market-unknown',
  field: 'symbol',
  message: `${limit} needs a price of ${symbol}, and its market is not known or stale.`,
});
