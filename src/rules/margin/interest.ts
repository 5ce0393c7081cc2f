import { Decimal } from '../../model/decimal.ts';
import { AMOUNT_PLACES, quotient } from './quotient.ts';

/** Charges a day, at 00:00, 08:00 and 16:00 UTC. */
const CHARGES_A_DAY = new Decimal(3);

/**
 * One interest charge of a spot-margin position: value at the index price × daily rate ÷ 3, in the
 * quote currency whether the quote was borrowed (long) or the base (short), rounded up to 12
 * decimals.
 */
export const interestCharge = (value: Decimal, dailyRate: Decimal): Decimal =>
  quotient(value.times(dailyRate), CHARGES_A_DAY, AMOUNT_PLACES, 'up');
