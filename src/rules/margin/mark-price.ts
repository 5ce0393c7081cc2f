import { Decimal } from '../../model/decimal.ts';
import { US_PER_HOUR } from '../../platform/time.ts';
import { wholeQuotient } from './quotient.ts';

/** Time between fundings, at 00:00, 08:00 and 16:00 UTC. */
export const FUNDING_PERIOD_US = 8 * US_PER_HOUR;

/**
 * Mark price in whole steps of the tick size, half up: index × (1 + funding rate × time to the next
 * funding ÷ 8 hours, or the contract's funding period). At the funding it is the index.
 */
export const markSteps = (
  index: Decimal,
  rate: Decimal,
  untilFundingUs: number,
  tickSize: Decimal,
  periodUs: number = FUNDING_PERIOD_US,
): Decimal => {
  const period = new Decimal(periodUs);
  return wholeQuotient(
    index.times(rate.times(untilFundingUs).plus(period)),
    period.times(tickSize),
    'near',
  );
};

/** The mark price as a decimal. */
export const markPrice = (...terms: Parameters<typeof markSteps>): Decimal =>
  markSteps(...terms).times(terms[3]);
