import { Decimal, ZERO } from '../../model/decimal.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { MarginAccountState } from '../../model/margin-account.ts';
import type { Order, Side } from '../../model/order.ts';
import { accountTerms } from '../../rules/margin/account-terms.ts';
import { unrealizedPnl } from '../../rules/margin/position-value.ts';
import { orderReserve, positionReserve } from '../../rules/margin/reserve.ts';
import { remainingLots } from '../limits/measures.ts';
import { freshMarket, worstPrice } from '../price.ts';
import type { RiskSettings } from '../settings.ts';
import type { RiskView } from '../view.ts';
import { countedOrders, valueOf, type PricedOrder } from './counted.ts';
import { isAt, riskPositionsIn, positionValue, type RiskPosition } from './risk-position.ts';

/**
 * Margin of an account's orders, by the rules of the venue: of each symbol for the buys or the
 * sells, whichever need more. Orders against a position reduce it first, the oldest first, and hold
 * for the excess; reduce-only orders hold nothing.
 */
export function heldForOrders(
  account: MarginAccountState,
  orders: readonly Order[],
  view: RiskView,
  limits: RiskSettings,
): Decimal {
  let sum = ZERO;
  for (const position of riskPositionsIn(account, orders, view)) {
    const terms = accountTerms(position.instrument, account);
    if (terms === undefined) continue;
    const counted = countedOrders(
      orders.filter((order) => isAt(order, position)),
      (order) => priced(order, position, view, limits),
    );
    const value = Decimal.max(
      openValue(counted, 'buy', position.size.negated()),
      openValue(counted, 'sell', position.size),
    );
    sum = sum.plus(orderReserve(value, terms.leverage, terms.rate));
  }
  return sum;
}

/**
 * Margin of an account's positions, open losses included; a loss at an unknown price counts as
 * none.
 */
export function heldForPositions(
  account: MarginAccountState,
  markPrice: (symbol: string) => Decimal | undefined,
  instrument: (symbol: string) => Instrument,
): Decimal {
  let sum = ZERO;
  for (const position of account.positions) {
    const traded = instrument(position.symbol);
    const terms = accountTerms(traded, account);
    if (terms === undefined) continue;
    const { leverage, rate } = terms;
    const mark = markPrice(position.symbol);
    const value = positionValue(traded, position);
    const loss = mark === undefined ? ZERO : unrealizedPnl(value, mark).negated();
    sum = sum.plus(positionReserve({ value: position.entryValue, leverage, rate, loss }));
  }
  return sum;
}

/** Value of the orders of a side beyond what they close of a position. */
function openValue(counted: readonly PricedOrder[], side: Side, closable: Decimal): Decimal {
  let left = Decimal.max(ZERO, closable);
  let sum = ZERO;
  for (const open of counted) {
    if (open.order.side !== side) continue;
    const closing = Decimal.min(left, open.size);
    left = left.minus(closing);
    sum = sum.plus(valueOf({ ...open, size: open.size.minus(closing) }));
  }
  return sum;
}

/**
 * An order at the venue's margin price: its limit price, for a market order the best price, and the
 * mark price if the market is unknown.
 */
function priced(
  order: Order,
  { instrument, mark }: RiskPosition,
  view: RiskView,
  limits: RiskSettings,
): PricedOrder {
  const { symbol, ticks } = order;
  const price =
    ticks === undefined
      ? (worstPrice(order, instrument, freshMarket(symbol, view, limits), undefined) ?? mark)
      : instrument.price(ticks);
  return { order, size: instrument.size(remainingLots(order)), price: price ?? ZERO };
}
