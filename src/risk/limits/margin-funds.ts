import { isRejection, type Rejection } from '../../model/rejections.ts';
import type { OrderRequest } from '../../model/order-request.ts';
import { marginInsufficient } from '../../rules/margin/margin-setting.ts';
import { ordersOf } from '../requested-orders.ts';
import { riskPositions } from '../margin/risk-position.ts';
import { heldForOrders, heldForPositions } from '../margin/reserves.ts';
import { grows } from '../margin/worst.ts';
import type { RiskSettings } from '../settings.ts';
import type { RiskView } from '../view.ts';

/**
 * Rejects what the funds of a margin account do not cover, by the rule of the venue: its balance
 * must cover the margin of its positions and orders. All sent orders count, whether the account was
 * reported since or not. Orders that only close pass, and so do those that hold no more.
 */
export function marginFundsRejection(
  request: OrderRequest,
  view: RiskView,
  limits: RiskSettings,
): Rejection | undefined {
  const requested = ordersOf(request, view);
  if (isRejection(requested)) return undefined;
  const positions = riskPositions(requested, view);
  if (positions.length === 0) return undefined;
  const replaced = request.kind === 'replace' ? request.clientOrderId : undefined;
  const before = view.orders.filter(({ clientOrderId }) => clientOrderId !== replaced);
  const after = [...before, ...requested];
  for (const position of positions) {
    const { account } = position;
    if (account === undefined || !grows(position, { after, before })) continue;
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
