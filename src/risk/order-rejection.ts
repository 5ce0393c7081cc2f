import type { OrderRequest } from '../model/order-request.ts';
import { isRejection, type Rejection } from '../model/rejections.ts';
import type { RiskSettings } from './settings.ts';
import type { Checked } from './limits/checked.ts';
import { collarRejection } from './limits/collar.ts';
import { exposureRejection, netExposureRejection } from './limits/exposure.ts';
import { leverageRejection } from './limits/leverage.ts';
import { liquidationRejection } from './limits/liquidation-distance.ts';
import { marginUnknownRejection } from './limits/margin-unknown.ts';
import { minimumRejection } from './limits/minimum.ts';
import { notionalRejection } from './limits/notional.ts';
import { openOrdersRejection } from './limits/open-orders.ts';
import { orderRateRejection } from './limits/order-rate.ts';
import { ownCrossRejection } from './limits/own-cross.ts';
import { positionRejection, shortsRejection } from './limits/position.ts';
import { quantityRejection } from './limits/quantity.ts';
import { stopRejection } from './limits/stop-price.ts';
import { stateRejection } from './limits/trading-state.ts';
import { ordersOf } from './requested-orders.ts';
import type { RiskView } from './view.ts';

/** The checks in order: the first rejection is reported. */
const CHECKS: readonly ((checked: Checked) => Rejection | undefined)[] = [
  stateRejection,
  marginUnknownRejection,
  minimumRejection,
  quantityRejection,
  collarRejection,
  notionalRejection,
  positionRejection,
  shortsRejection,
  exposureRejection,
  netExposureRejection,
  leverageRejection,
  liquidationRejection,
  stopRejection,
  openOrdersRejection,
  orderRateRejection,
  ownCrossRejection,
];

/**
 * Why a request may not be sent, `undefined` if it may. Pure and exact. Cancels always pass; for a
 * replacement the difference counts, and a request that increases nothing passes limits that are
 * exceeded already.
 */
export function orderRejection(
  request: OrderRequest,
  view: RiskView,
  limits: RiskSettings,
): Rejection | undefined {
  if (request.kind === 'cancel') return undefined;
  const requested = ordersOf(request, view);
  if (isRejection(requested)) return requested;
  const checked = { requested, after: [...view.orders, ...requested], view, limits };
  for (const check of CHECKS) {
    const rejection = check(checked);
    if (rejection !== undefined) return rejection;
  }
  return undefined;
}
