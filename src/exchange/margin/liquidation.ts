import { Decimal, ZERO } from '../../model/decimal.ts';
import { unrealizedPnl, valueAt } from '../../rules/margin/position-value.ts';
import { bankruptcySteps } from '../../rules/margin/threshold-price.ts';
import { insuredFor } from '../clearing/funds.ts';
import { activeMarginOrders } from '../clearing/requirement.ts';
import { adjustLimits, equityWithout, marginStatusOf } from '../clearing/margin-status.ts';
import type { MarginAccount, Position } from '../positions/account.ts';
import { LIQUIDATION } from '../positions/flags.ts';
import { endReducing, cancelActive } from '../stages/withdraw.ts';
import type { State } from '../state/state.ts';
import { sendReducing } from './system-orders.ts';
import { deleverageIndicator, deleverageRank } from '../../rules/margin/deleverage.ts';
import { settlePosition } from '../clearing/positions.ts';

/**
 * Liquidates an account beyond its limit. Cancels its orders, checks again, and closes its
 * positions at the market, the largest loss first, until it is safe or flat. Its funds and the
 * insurance fund limit the price. If the market is beyond that, holders of opposite positions take
 * the position over at the bankruptcy price, and the rest is closed at any price, with losses paid
 * by the exchange. If the market is empty, the next step tries again.
 */

/** Liquidates an account as far as the market allows. */
export function liquidate(state: State, account: MarginAccount): void {
  for (const order of activeMarginOrders(state, account)) cancelActive(state, order);
  const tried = new Set<number>();
  while (marginStatusOf(state, account) === 'beyond') {
    const position = worstPosition(state, account, tried);
    if (position === undefined) return;
    tried.add(position.instrument);
    closeWorst(state, position);
    adjustLimits(state, account);
  }
}

/** The position with the largest loss among those not tried in this step. */
function worstPosition(
  state: State,
  account: MarginAccount,
  tried: ReadonlySet<number>,
): Position | undefined {
  let worst: Position | undefined;
  let least: Decimal | undefined;
  for (const position of account.positions.values()) {
    const price = state.prices.price(position.instrument);
    if (price === undefined || tried.has(position.instrument)) continue;
    const pnl = unrealizedPnl(position.value, price);
    if (least !== undefined && !pnl.lessThan(least)) continue;
    worst = position;
    least = pnl;
  }
  return worst;
}

function closeWorst(state: State, position: Position): void {
  const { account, terms, instrument } = position;
  const { rules, takeRate } = state.marginAccounts.deal(account, instrument);
  const isLong = position.lots > 0;
  const direction = isLong ? 'up' : 'down';
  const own = equityWithout(state, position);
  const bearable = {
    position: position.value,
    funds: own.plus(insuredFor(state, account)),
    rate: takeRate.plus(rules.forceCloseFee),
  };
  const limit = bankruptcySteps(bearable, terms.tickSize, direction).toNumber();
  const half = state.prices.half(instrument);
  const isBeyondTick = state.prices.parts(instrument) > 0;
  if (isLong ? half >= 2 * limit : half < 2 * limit || (half === 2 * limit && !isBeyondTick)) {
    tradeOut(state, position, limit);
    return;
  }
  const nothingLeft = { ...bearable, funds: own, rate: ZERO };
  const price = bankruptcySteps(nothingLeft, terms.tickSize, direction).toNumber();
  deleverage(state, position, Math.max(1, price));
  // Orders in the book must not reduce a position that is gone.
  endReducing(state);
  if (position.lots !== 0) tradeOut(state, position, 0);
}

/** Sends a system order for a whole position; `limit` 0 for any price. */
function tradeOut(state: State, position: Position, limit: number): void {
  sendReducing(state, position, Math.min(limit, Number.MAX_SAFE_INTEGER), 'IOC', LIQUIDATION);
}

/** Lower bound of equity in a rank; keeps the quotient defined. */
const LEAST = new Decimal('1e-12');

/**
 * Closes as much of a position as there are opposite lots, both sides at one price and without
 * fees.
 */
export function deleverage(state: State, position: Position, ticks: number): void {
  for (const holder of deleverageQueue(state, position.instrument, position.lots < 0)) {
    if (position.lots === 0) return;
    if (holder.account.key.trader === position.account.key.trader) continue;
    const size = Math.min(position.size, holder.size);
    settlePosition(state, position, size, ticks, 'liquidated');
    settlePosition(state, holder, size, ticks, 'deleveraged');
  }
}

/** The long or the short positions of an instrument, in the order of auto-deleveraging. */
export function deleverageQueue(state: State, instrument: number, longs: boolean): Position[] {
  const price = state.prices.price(instrument);
  if (price === undefined) return [];
  return state.marginAccounts.positionsOn[instrument]
    .filter(({ lots }) => lots > 0 === longs)
    .map((position) => ({ position, rank: rankOf(state, position, price) }))
    .sort((a, b) => b.rank.comparedTo(a.rank) || a.position.id - b.position.id)
    .map(({ position }) => position);
}

/** ADL indicator 0 to 4 of a position: how near it is to the head of the queue. */
export function indicatorOf(state: State, position: Position): number {
  const queue = deleverageQueue(state, position.instrument, position.lots > 0);
  return queue.length === 0 ? 0 : deleverageIndicator(queue.indexOf(position), queue.length);
}

function rankOf(state: State, position: Position, price: Decimal): Decimal {
  const { value } = position;
  const pnl = unrealizedPnl(value, price);
  const equity = equityWithout(state, position).plus(pnl);
  return deleverageRank({
    pnl,
    entryValue: value.value,
    value: valueAt(value, price),
    equity: Decimal.max(equity, LEAST),
  });
}
