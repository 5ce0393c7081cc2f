import { brief, Decimal } from '../../model/decimal.ts';
import type { VenuePosition } from '../../model/margin-account.ts';
import type { Order } from '../../model/order.ts';
import type { OrderRequest } from '../../model/order-request.ts';
import { isRejection, type Rejection } from '../../model/rejections.ts';
import { askedOrders } from '../requested-orders.ts';
import { enteredBy, type Entered } from '../margin/distance.ts';
import { isReducing, placeOf } from '../margin/place.ts';
import type { RiskSettings } from '../settings.ts';
import { waitsForList, type RiskView } from '../view.ts';
import type { Checked } from './checked.ts';
import { marketUnknown } from './market-unknown.ts';

/** So much of the way from the entry to the liquidation is to be left between stop and liquidation. */
const MARGIN_OF_STOP = new Decimal('0.05');

/** Rejects a stop loss that the liquidation comes before, where that is not to be warned of alone. */
export function stopRejection({ asked, view, limits }: Checked): Rejection | undefined {
  if (limits.stopBeyondLiquidation !== 'reject') return undefined;
  return stopBeyond(asked, view, limits);
}

/** The same of a request that passes, as a sentence for people. */
export function stopWarning(
  request: OrderRequest,
  view: RiskView,
  limits: RiskSettings,
): string | undefined {
  const asked = askedOrders(request, view);
  return isRejection(asked) ? undefined : stopBeyond(asked, view, limits)?.message;
}

/**
 * The first stop loss of a position on margin that lies beyond liquidation ∓ 0.05 × |entry −
 * liquidation|: the market would jump over what is left between them, so it is no stop. By the entry
 * and liquidation prices that the venue shows; of a stop that waits for the first order of its list, by
 * those that the position has once that has executed.
 */
function stopBeyond(
  asked: readonly Order[],
  view: RiskView,
  limits: RiskSettings,
): Rejection | undefined {
  for (const order of asked) {
    const { symbol, side, stopTicks, type, margin } = order;
    if (margin === undefined || !isReducing(order) || stopTicks === undefined) continue;
    if (type !== 'stopMarket' && type !== 'stopLimit') continue;
    const { held, instrument, account } = placeOf(view, symbol, margin.mode);
    const lead = waitsForList(order) ? leadOf(order, [...asked, ...view.orders]) : undefined;
    const stopped =
      lead === undefined || account === undefined
        ? shownOf(held)
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

/** The first order of the list of one. */
const leadOf = ({ orderListId }: Order, orders: readonly Order[]): Order | undefined =>
  orders.find((one) => one.orderListId === orderListId && (one.listIndex ?? 0) === 0);

/** A position by what the venue shows of it. */
const shownOf = (held: VenuePosition | undefined): Entered | undefined =>
  held?.liquidationPrice === undefined
    ? undefined
    : {
        isShort: held.lots < 0,
        entryPrice: held.entryPrice,
        liquidationPrice: held.liquidationPrice,
      };

/** The last price at which a stop is one: a twentieth of the way from liquidation back to the entry. */
export const stopBound = (entry: Decimal, liquidation: Decimal): Decimal =>
  liquidation.plus(entry.minus(liquidation).times(MARGIN_OF_STOP));
