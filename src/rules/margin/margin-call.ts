import type { Decimal } from '../../model/decimal.ts';
import type { VenuePosition } from '../../model/margin-account.ts';

/** True if a position's price has reached its margin-call price. */
export function isCalledAt(
  { lots, marginCallPrice }: Pick<VenuePosition, 'lots' | 'marginCallPrice'>,
  markPrice: Decimal | undefined,
): boolean {
  if (markPrice === undefined || marginCallPrice === undefined) return false;
  return lots > 0
    ? markPrice.lessThanOrEqualTo(marginCallPrice)
    : markPrice.greaterThanOrEqualTo(marginCallPrice);
}
