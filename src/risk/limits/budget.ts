import type { Order } from '../../model/order.ts';
import type { MarginRequest, OrderRequest } from '../../model/order-request.ts';
import { brief, ZERO, type Decimal } from '../../model/decimal.ts';
import { isRejection, type Rejection } from '../../model/rejections.ts';
import { buyReserve, payingCurrency, sellReserve } from '../../rules/funds.ts';
import { raisedRates } from '../../rules/own-rates.ts';
import type { RiskSettings } from '../settings.ts';
import { isNoLarger, most } from '../counting.ts';
import { freshMarket, worstPrice } from '../price.ts';
import { ordersOf } from '../requested-orders.ts';
import { waitsForList, type RiskView } from '../view.ts';
import { riskPosition } from '../margin/risk-position.ts';
import { marketUnknown } from './market-unknown.ts';
import { remainingLots } from './measures.ts';

/** A strategy's budget of each currency, and the changes by its own fills since it began. */
export interface Budget {
  readonly amounts: ReadonlyMap<string, Decimal>;
  change(currency: string): Decimal;
}

/**
 * Rejects what the budget does not cover: in each currency the strategy's orders may reserve at
 * most its budget, 0 without one, and the changes by its own fills. An order of a list that waits
 * for the first one reserves nothing yet. A market buy counts at the best ask, as nothing is
 * reserved beyond it. Margin orders reserve nothing of it: the funds of their margin account were
 * taken from the budget when they were moved there.
 */
export function budgetRejection(
  request: OrderRequest,
  view: RiskView,
  budget: Budget,
  limits: RiskSettings,
): Rejection | undefined {
  const found = ordersOf(request, view);
  if (isRejection(found)) return found;
  const requested = found.filter(({ margin }) => margin === undefined);
  const after = [...view.orders, ...requested];
  const currencies = requested.map(({ symbol, side }) =>
    payingCurrency(view.instrument(symbol), side),
  );
  for (const currency of new Set(currencies)) {
    const reserves = reservesOf(after, currency, view, limits);
    if (isRejection(reserves)) return reserves;
    const measure = (order: Order): Decimal => reserves.get(order) ?? ZERO;
    const held = most(after, measure);
    const left = (budget.amounts.get(currency) ?? ZERO).plus(budget.change(currency));
    if (!held.greaterThan(left) || isNoLarger(held, view.orders, measure)) continue;
    return {
      code: 'budget-exceeded',
      field: 'quantity',
      message: `The orders would hold ${brief(held)} ${currency}, fees included, and the budget has ${brief(left)} with what fills have changed.`,
      limit: brief(left),
    };
  }
  return undefined;
}

/**
 * Rejects a margin account balance that takes more from the spot balance, with orders, than the
 * budget has.
 */
export function marginBudgetRejection(
  { symbol, mode, balance }: MarginRequest,
  view: RiskView,
  budget: Budget,
  limits: RiskSettings,
): Rejection | undefined {
  const { quoteCurrency } = view.instrument(symbol);
  const present = riskPosition(view, symbol, mode).account?.balance ?? ZERO;
  const taken = (balance ?? present).minus(present);
  if (!taken.greaterThan(0)) return undefined;
  const reserves = reservesOf(view.orders, quoteCurrency, view, limits);
  if (isRejection(reserves)) return reserves;
  const held = most(view.orders, (order) => reserves.get(order) ?? ZERO);
  const left = (budget.amounts.get(quoteCurrency) ?? ZERO)
    .plus(budget.change(quoteCurrency))
    .minus(held);
  if (!taken.greaterThan(left)) return undefined;
  return {
    code: 'budget-exceeded',
    field: 'balance',
    message: `The margin account would take ${brief(taken)} ${quoteCurrency}, and the budget has ${brief(left)} besides the reserves of orders.`,
    limit: brief(left),
  };
}

/** Reserve of each order in a currency for its remainder. */
function reservesOf(
  orders: readonly Order[],
  currency: string,
  view: RiskView,
  limits: RiskSettings,
): ReadonlyMap<Order, Decimal> | Rejection {
  const reserves = new Map<Order, Decimal>();
  for (const order of orders) {
    if (order.margin !== undefined) continue;
    const instrument = view.instrument(order.symbol);
    if (waitsForList(order) || payingCurrency(instrument, order.side) !== currency) continue;
    const lots = remainingLots(order);
    const rates = raisedRates(instrument, order);
    if (order.side === 'sell') {
      reserves.set(order, sellReserve(instrument, lots, rates));
      continue;
    }
    const market = freshMarket(order.symbol, view, limits);
    const price = worstPrice(order, instrument, market, undefined);
    if (price === undefined) return marketUnknown(order.symbol, 'The budget');
    reserves.set(order, buyReserve(instrument, price.times(instrument.size(lots)), rates));
  }
  return reserves;
}
