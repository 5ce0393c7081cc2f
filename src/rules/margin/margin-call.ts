import type { Decimal } from '../../model/decimal.ts';
import type { VenuePosition } from '../../model/margin-account.ts';

/** True where the price that a position is judged by has reached its margin-call price. */
export function isCalledAt(
  { lots, marginCallPrice }: Pick<VenuePosition, 'lots' | 'marginCallPrice'>,
  markPrice: Decimal | undefined,
): boolean {
  if (markPrice === undefined || marginCallPrice === undefined) return false;
  return lots > 0
    ? markPrice.lessThanOrEqualTo(marginCallPrice)
    : markPrice.greaterThanOrEqualTo(marginCallPrice);
}
