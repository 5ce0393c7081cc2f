import type { Rejection } from '../../model/rejections.ts';

/** A limit cannot be checked without a price. */
export const marketUnknown = (symbol: string, limit: string): Rejection => ({
  code: 'risk-market-unknown',
  field: 'symbol',
  message: `${limit} needs a price of ${symbol}, and its market is not known or stale.`,
});
