import { isRejection, type Rejection } from '../../model/rejections.ts';
import type { OrderRequest } from '../../model/order-request.ts';
import { marginInsufficient } from '../../rules/margin/margin-setting.ts';
import { askedOrders } from '../requested-orders.ts';
import { placesOf } from '../margin/place.ts';
import { heldForOrders, heldForPositions } from '../margin/reserves.ts';
import { grows } from '../margin/worst.ts';
import type { RiskSettings } from '../settings.ts';
import type { RiskView } from '../view.ts';

/**
 * Rejects what the funds of a margin account do not bear, by the rule of the venue: its balance must
 * reach for what its positions and orders hold together. Orders count that were sent, whether the
 * account was reported since or not. What only closes passes, and so does what holds no more.
 */
export function marginFundsRejection(
  request: OrderRequest,
  view: RiskView,
  limits: RiskSettings,
): Rejection | undefined {
  const asked = askedOrders(request, view);
  if (isRejection(asked)) return undefined;
  const places = placesOf(asked, view);
  if (places.length === 0) return undefined;
  const replaced = request.kind === 'replace' ? request.clientOrderId : undefined;
  const before = view.orders.filter(({ clientOrderId }) => clientOrderId !== replaced);
  const after = [...before, ...asked];
  for (const place of places) {
    const { account } = place;
    if (account === undefined || !grows(place, { after, before })) continue;
    const orders = heldForOrders(account, after, view, limits);
    if (orders.lessThanOrEqualTo(heldForOrders(account, view.orders, view, limits))) continue;
    const markPrice = (symbol: string) => view.margin?.markPrice(symbol);
    const need = orders.plus(
      heldForPositions(account, markPrice, (symbol) => view.instrument(symbol)),
    );
    const { currency, balance } = account;
    if (balance.lessThan(need)) return marginInsufficient(currency, balance, need);
  }
  return undefined;
}
