import type { OrderRequest } from '../model/order-request.ts';
import { isRefusal, type Refusal } from '../model/refusals.ts';
import type { RiskSettings } from './settings.ts';
import type { Checked } from './limits/checked.ts';
import { collarRefusal } from './limits/collar.ts';
import { exposureRefusal, netExposureRefusal } from './limits/exposure.ts';
import { leverageRefusal } from './limits/leverage.ts';
import { liquidationRefusal } from './limits/liquidation-distance.ts';
import { marginUnknownRefusal } from './limits/margin-unknown.ts';
import { notionalRefusal } from './limits/notional.ts';
import { openOrdersRefusal } from './limits/open-orders.ts';
import { orderRateRefusal } from './limits/order-rate.ts';
import { ownCrossRefusal } from './limits/own-cross.ts';
import { positionRefusal, shortsRefusal } from './limits/position.ts';
import { quantityRefusal } from './limits/quantity.ts';
import { stopRefusal } from './limits/stop-price.ts';
import { stateRefusal } from './limits/trading-state.ts';
import { askedOrders } from './asked.ts';
import type { RiskView } from './view.ts';

/** The checks, in their order: the first that refuses is told. */
const CHECKS: readonly ((checked: Checked) => Refusal | undefined)[] = [
  stateRefusal,
  marginUnknownRefusal,
  quantityRefusal,
  collarRefusal,
  notionalRefusal,
  positionRefusal,
  shortsRefusal,
  exposureRefusal,
  netExposureRefusal,
  leverageRefusal,
  liquidationRefusal,
  stopRefusal,
  openOrdersRefusal,
  orderRateRefusal,
  ownCrossRefusal,
];

/**
 * Why a request may not be sent, `undefined` where it may. Pure and exact. Cancels always pass; of
 * a replacement the difference counts, and what makes nothing larger passes limits that are
 * exceeded already.
 */
export function orderRefusal(
  request: OrderRequest,
  view: RiskView,
  limits: RiskSettings,
): Refusal | undefined {
  if (request.kind === 'cancel') return undefined;
  const asked = askedOrders(request, view);
  if (isRefusal(asked)) return asked;
  const checked = { asked, after: [...view.orders, ...asked], view, limits };
  for (const check of CHECKS) {
    const refusal = check(checked);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}
