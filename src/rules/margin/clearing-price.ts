import type { Decimal } from '../../model/decimal.ts';
import { wholeQuotient } from './quotient.ts';

/**
 * At what a cash-settled futures is settled, in whole ticks: the plain mean of the index samples of
 * its last hour, one a minute, rounded half up.
 */
export const clearingTicks = (sum: Decimal, samples: number, tickSize: Decimal): Decimal =>
  wholeQuotient(sum, tickSize.times(samples), 'near');
