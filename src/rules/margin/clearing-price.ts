import type { Decimal } from '../../model/decimal.ts';
import { wholeQuotient } from './quotient.ts';

/**
 * Settlement price of a cash-settled futures in whole ticks: the mean of the index samples of its
 * last hour, one a minute, rounded half up.
 */
export const clearingTicks = (sum: Decimal, samples: number, tickSize: Decimal): Decimal =>
  wholeQuotient(sum, tickSize.times(samples), 'near');
