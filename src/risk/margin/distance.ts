import { Decimal, ZERO } from '../../model/decimal.ts';
import type { MarginAccountState } from '../../model/margin-account.ts';
import type { Order } from '../../model/order.ts';
import { accountTerms, type AccountTerms } from '../../rules/margin/account-terms.ts';
import { maintenance } from '../../rules/margin/maintenance.ts';
import { quotient, RATE_PLACES } from '../../rules/margin/quotient.ts';
import { thresholdPrice } from '../../rules/margin/threshold-price.ts';
import { remainingLots } from '../limits/measures.ts';
import { freshMarket, touchOf } from '../price.ts';
import type { RiskSettings } from '../settings.ts';
import type { RiskView } from '../view.ts';
import { countedOrders, type PricedOrder } from './counted.ts';
import { isAt, riskPositionsIn, positionValue, type RiskPosition } from './risk-position.ts';

/** Distance of an actual or possible position from liquidation. */
export interface Distance {
  readonly position: RiskPosition;
  /** At the tick size as the venue shows it; 0 if no price triggers it. */
  readonly liquidationPrice: Decimal;
  /** Price that it is compared with: the mark price, or the fill price of an order. */
  readonly price: Decimal;
  /** Difference of the two: negative if it is passed. */
  readonly way: Decimal;
  /** The difference as a fraction of the price, to 18 decimals, rounded down. */
  readonly share: Decimal;
}

/** A possible position, with its payments. */
interface Outcome {
  readonly quantity: Decimal;
  /** Received less paid: negative for a long. */
  readonly cash: Decimal;
  readonly price: Decimal;
}

/** A position with its terms and its outcomes, the present one first. */
interface Branches {
  readonly position: RiskPosition;
  readonly terms: AccountTerms;
  readonly mark: Decimal;
  readonly outcomes: readonly Outcome[];
}

/** Inputs of an account's distances. */
export interface DistanceView {
  readonly view: RiskView;
  readonly limits: RiskSettings;
  readonly orders: readonly Order[];
}

/**
 * The shortest possible distance to liquidation of an account's positions: now, and as the open
 * orders of either side execute, those first that bring it nearest. In a cross account every other
 * position takes the outcome that leaves least for this one, at its mark price. By the formulas of
 * the venue, before fees to open. `undefined` without a position, and `unknown` without a price.
 */
export function shortestDistance(
  account: MarginAccountState,
  { view, limits, orders }: DistanceView,
): Distance | 'unknown' | undefined {
  const all: Branches[] = [];
  for (const position of riskPositionsIn(account, orders, view)) {
    const terms = accountTerms(position.instrument, account);
    const { mark } = position;
    if (terms === undefined || mark === undefined) return 'unknown';
    all.push({
      position,
      terms,
      mark,
      outcomes: outcomesOf(position, mark, { view, limits, orders }),
    });
  }
  let shortest: Distance | undefined;
  for (const [index, branches] of all.entries()) {
    const others = all.filter((_, other) => other !== index);
    const funds = others.reduce((sum, one) => sum.plus(leastLeft(one)), account.balance);
    for (const outcome of branches.outcomes) {
      const distance = distanceOf(branches, outcome, funds);
      if (distance === undefined) continue;
      if (shortest === undefined || distance.share.lessThan(shortest.share)) shortest = distance;
    }
  }
  return shortest;
}

/** A position, with its account's funds for it. */
export interface PositionState {
  readonly branches: Branches;
  readonly now: Outcome;
  readonly funds: Decimal;
}

/**
 * A position's state in its account, or the start of orders for a new one; `undefined` without
 * either, or if a price or its terms are unknown.
 */
export function positionStateOf(
  account: MarginAccountState,
  symbol: string,
  view: Pick<RiskView, 'instrument' | 'margin'>,
  orders: readonly Order[] = [],
): PositionState | undefined {
  const all: Branches[] = [];
  for (const position of riskPositionsIn(account, orders, view)) {
    const terms = accountTerms(position.instrument, account);
    const { mark } = position;
    if (terms === undefined || mark === undefined) return undefined;
    all.push({ position, terms, mark, outcomes: [presentOf(position, mark)] });
  }
  const branches = all.find(({ position }) => position.instrument.symbol === symbol);
  if (branches === undefined) return undefined;
  const others = all.filter((one) => one !== branches);
  return {
    branches,
    now: presentOf(branches.position, branches.mark),
    funds: others.reduce((sum, one) => sum.plus(leastLeft(one)), account.balance),
  };
}

/**
 * Distance from the mark price to the liquidation once a part of a position is closed; `undefined`
 * for all of it.
 */
export function wayAfter(
  { branches, now, funds }: PositionState,
  closed: { readonly size: Decimal; readonly price: Decimal; readonly fee: Decimal },
): Decimal | undefined {
  const value = closed.price.times(closed.size);
  const isShort = now.quantity.isNegative();
  const outcome = {
    quantity: isShort ? now.quantity.plus(closed.size) : now.quantity.minus(closed.size),
    cash: isShort ? now.cash.minus(value) : now.cash.plus(value),
    price: now.price,
  };
  return distanceOf(branches, outcome, funds.minus(closed.fee))?.way;
}

/** A position with the prices that check its stop. */
export interface Entered {
  readonly isShort: boolean;
  readonly entryPrice: Decimal;
  readonly liquidationPrice: Decimal;
}

/**
 * The position after an order has executed completely, at its price and for the taker fee, with
 * every other position of its account unchanged. `undefined` if no position is left, and `unknown`
 * without a price.
 */
export function enteredBy(
  order: Order,
  account: MarginAccountState,
  { view, limits }: Omit<DistanceView, 'orders'>,
): Entered | 'unknown' | undefined {
  const { symbol, side } = order;
  const status = positionStateOf(account, symbol, view, [order]);
  if (status === undefined) return 'unknown';
  const { branches, now, funds } = status;
  const { position, mark } = branches;
  const { size, price } = likely(order, position, mark, view, limits);
  const value = price.times(size);
  const signed = side === 'buy' ? size : size.negated();
  const quantity = now.quantity.plus(signed);
  const cash = side === 'buy' ? now.cash.minus(value) : now.cash.plus(value);
  const after = distanceOf(
    branches,
    { quantity, cash, price },
    funds.minus(value.times(position.instrument.takeRate)),
  );
  if (after === undefined) return undefined;
  const { liquidationPrice } = after;
  return {
    isShort: quantity.isNegative(),
    entryPrice: entryAfter(now, { quantity, cash }, price),
    liquidationPrice,
  };
}

/** Average entry price: closing a part keeps it, and a flip starts a new one. */
function entryAfter(
  now: Outcome,
  { quantity, cash }: Pick<Outcome, 'quantity' | 'cash'>,
  price: Decimal,
): Decimal {
  const isOfOneSide = now.quantity.isNegative() === quantity.isNegative();
  if (now.quantity.isZero() || !isOfOneSide) return price;
  const [paid, size] = quantity.abs().greaterThan(now.quantity.abs())
    ? [cash, quantity]
    : [now.cash, now.quantity];
  return quotient(paid.abs(), size.abs(), RATE_PLACES, 'down');
}

/**
 * Least contribution of a position to the funds of its account: its value less its maintenance
 * margin.
 */
function leastLeft({ outcomes, mark, terms }: Branches): Decimal {
  const { rate, leverage, rules } = terms;
  const limit = leverage.times(rules.liquidationMul);
  const left = outcomes.map(({ quantity, cash }) =>
    cash
      .plus(quantity.times(mark))
      .minus(maintenance({ quantity, value: ZERO, price: mark, rate, leverage: limit })),
  );
  return Decimal.min(...left);
}

function distanceOf(
  { position, terms }: Branches,
  { quantity, cash, price }: Outcome,
  funds: Decimal,
): Distance | undefined {
  if (quantity.isZero()) return undefined;
  const { rate, leverage, rules } = terms;
  const isShort = quantity.isNegative();
  const liquidationPrice = thresholdPrice(
    {
      position: { quantity, value: isShort ? cash : cash.negated() },
      funds,
      rate,
      leverage: leverage.times(rules.liquidationMul),
    },
    position.instrument.tickSize,
  );
  const gap = isShort ? liquidationPrice.minus(price) : price.minus(liquidationPrice);
  return {
    position,
    liquidationPrice,
    price,
    way: gap,
    share: quotient(gap, price, RATE_PLACES, 'down'),
  };
}

/** The position now, and after the orders of a side that bring it nearest execute first. */
function outcomesOf(
  position: RiskPosition,
  mark: Decimal,
  { view, limits, orders }: DistanceView,
): readonly Outcome[] {
  const now = presentOf(position, mark);
  const counted = countedOrders(
    orders.filter((order) => isAt(order, position)),
    (order) => likely(order, position, mark, view, limits),
  );
  const buys = counted.filter(({ order }) => order.side === 'buy');
  const sells = counted.filter(({ order }) => order.side === 'sell');
  return [
    now,
    ...steps(
      now,
      [...buys].sort((a, b) => b.price.comparedTo(a.price)),
    ),
    ...steps(
      now,
      [...sells].sort((a, b) => a.price.comparedTo(b.price)),
    ),
  ];
}

/** The position now. */
function presentOf({ instrument, held }: RiskPosition, mark: Decimal): Outcome {
  const { quantity, value } =
    held === undefined ? { quantity: ZERO, value: ZERO } : positionValue(instrument, held);
  return { quantity, cash: quantity.isNegative() ? value : value.negated(), price: mark };
}

/** Outcomes that are larger on the side of the orders, which are of one side. */
function steps(now: Outcome, orders: readonly PricedOrder[]): readonly Outcome[] {
  const outcomes: Outcome[] = [];
  let { quantity, cash, price } = now;
  for (const priced of orders) {
    const buys = priced.order.side === 'buy';
    const value = priced.price.times(priced.size);
    quantity = buys ? quantity.plus(priced.size) : quantity.minus(priced.size);
    cash = buys ? cash.minus(value) : cash.plus(value);
    // An order away from the market executes when the market has reached it.
    price = buys ? Decimal.min(price, priced.price) : Decimal.max(price, priced.price);
    if (buys ? quantity.greaterThan(0) : quantity.lessThan(0)) {
      outcomes.push({ quantity, cash, price });
    }
  }
  return outcomes;
}

/** An order at its limit or stop price, a market order at the best price of the other side. */
function likely(
  order: Order,
  { instrument }: RiskPosition,
  mark: Decimal,
  view: RiskView,
  limits: RiskSettings,
): PricedOrder {
  const { side, symbol } = order;
  const ticks = order.ticks ?? order.stopTicks;
  const price =
    ticks === undefined
      ? (touchOf(instrument, freshMarket(symbol, view, limits), side) ?? mark)
      : instrument.price(ticks);
  return { order, size: instrument.size(remainingLots(order)), price };
}
