import { brief, type Decimal } from '../../model/decimal.ts';
import type { Rejection } from '../../model/rejections.ts';
import { shortestDistance, type Distance } from '../margin/distance.ts';
import { riskPositions } from '../margin/risk-position.ts';
import { grows } from '../margin/worst.ts';
import type { Checked } from './checked.ts';
import { marketUnknown } from './market-unknown.ts';

/** Rejects an order that could bring a position of its margin account too near to liquidation. */
export function liquidationRejection({
  requested,
  after,
  view,
  limits,
}: Checked): Rejection | undefined {
  const limit = limits.minLiquidationDistance;
  if (limit === undefined) return undefined;
  for (const position of riskPositions(requested, view)) {
    const { account, instrument } = position;
    if (account === undefined || !grows(position, { after, before: view.orders })) continue;
    const then = shortestDistance(account, { view, limits, orders: after });
    if (then === 'unknown') return marketUnknown(instrument.symbol, WHAT);
    if (then === undefined || !isNearer(then, limit)) continue;
    const now = shortestDistance(account, { view, limits, orders: view.orders });
    if (now === undefined || now === 'unknown' || then.share.lessThan(now.share)) {
      return tooNear(then, limit, 'quantity');
    }
  }
  return undefined;
}

/** True if a distance is below the limit; compared as products, so exact. */
export const isNearer = ({ way, price }: Distance, limit: Decimal): boolean =>
  way.lessThan(price.times(limit));

export const tooNear = (
  { liquidationPrice, price, share, position }: Distance,
  limit: Decimal,
  field: string,
): Rejection => ({
  code: 'risk-liquidation-distance',
  field,
  message: `The position in ${position.instrument.symbol} could be liquidated at ${brief(liquidationPrice)}, ${percent(share)} from ${brief(price)}; ${brief(limit.times(100))} % must be left.`,
  limit: brief(limit),
});

const percent = (share: Decimal): string => `${brief(share.times(100).toDecimalPlaces(2))} %`;

const WHAT = 'The distance to liquidation';
