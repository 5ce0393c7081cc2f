import { brief, Decimal } from '../../model/decimal.ts';
import type { VenuePosition } from '../../model/margin-account.ts';
import type { Order } from '../../model/order.ts';
import type { OrderRequest } from '../../model/order-request.ts';
import { isRejection, type Rejection } from '../../model/rejections.ts';
import { ordersOf } from '../requested-orders.ts';
import { enteredBy, type Entered } from '../margin/distance.ts';
import { isReducing, riskPosition } from '../margin/risk-position.ts';
import type { RiskSettings } from '../settings.ts';
import { waitsForList, type RiskView } from '../view.ts';
import type { Checked } from './checked.ts';
import { marketUnknown } from './market-unknown.ts';

/** Least share of the way from entry to liquidation between stop and liquidation. */
const STOP_MARGIN = new Decimal('0.05');

/**
 * Rejects a stop loss beyond the liquidation price, or too near before it, unless it only needs a
 * warning.
 */
export function stopRejection({ requested, view, limits }: Checked): Rejection | undefined {
  if (limits.stopBeyondLiquidation !== 'reject') return undefined;
  return stopBeyond(requested, view, limits);
}

/** The warning of a passing request, as a sentence. */
export function stopWarning(
  request: OrderRequest,
  view: RiskView,
  limits: RiskSettings,
): string | undefined {
  const requested = ordersOf(request, view);
  return isRejection(requested) ? undefined : stopBeyond(requested, view, limits)?.message;
}

/**
 * The first stop loss of a margin position beyond liquidation ∓ 0.05 × |entry − liquidation|: the
 * market would jump over the rest of the way, so it does not protect. By the venue's entry and
 * liquidation prices; for a stop that waits for the first order of its list, by those of the
 * position after that order.
 */
function stopBeyond(
  requested: readonly Order[],
  view: RiskView,
  limits: RiskSettings,
): Rejection | undefined {
  for (const order of requested) {
    const { symbol, side, stopTicks, type, margin } = order;
    if (margin === undefined || !isReducing(order) || stopTicks === undefined) continue;
    if (type !== 'stopMarket' && type !== 'stopLimit') continue;
    const { held, instrument, account } = riskPosition(view, symbol, margin.mode);
    const lead = waitsForList(order)
      ? firstOrderOf(order, [...requested, ...view.orders])
      : undefined;
    const stopped =
      lead === undefined || account === undefined
        ? reportedPosition(held)
        : enteredBy(lead, account, { view, limits });
    if (stopped === 'unknown') return marketUnknown(symbol, 'A stop of a margin position');
    if (stopped === undefined || stopped.isShort !== (side === 'buy')) continue;
    const { isShort, entryPrice, liquidationPrice } = stopped;
    const bound = stopBound(entryPrice, liquidationPrice);
    const stop = instrument.price(stopTicks);
    if (isShort ? !stop.greaterThan(bound) : !stop.lessThan(bound)) continue;
    return {
      code: 'risk-stop-price',
      field: 'stopPrice',
      message: `A stop of ${symbol} at ${brief(stop)} is beyond ${brief(bound)}: the position is liquidated at ${brief(liquidationPrice)}, before or as the stop is reached.`,
      limit: brief(bound),
    };
  }
  return undefined;
}

/** The first order of a list. */
const firstOrderOf = ({ orderListId }: Order, orders: readonly Order[]): Order | undefined =>
  orders.find((order) => order.orderListId === orderListId && (order.listIndex ?? 0) === 0);

/** A position with the venue's prices. */
const reportedPosition = (position: VenuePosition | undefined): Entered | undefined =>
  position?.liquidationPrice === undefined
    ? undefined
    : {
        isShort: position.lots < 0,
        entryPrice: position.entryPrice,
        liquidationPrice: position.liquidationPrice,
      };

/** Last effective stop price: a twentieth of the way from liquidation back to the entry. */
export const stopBound = (entry: Decimal, liquidation: Decimal): Decimal =>
  liquidation.plus(entry.minus(liquidation).times(STOP_MARGIN));
