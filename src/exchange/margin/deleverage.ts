import { Decimal } from '../../model/decimal.ts';
import { deleverageIndicator, deleverageRank } from '../../rules/margin/deleverage.ts';
import { unrealisedPnl, valueAt } from '../../rules/margin/position-value.ts';
import { settlePosition } from '../clearing/positions.ts';
import { equityBeside } from '../clearing/standing.ts';
import type { Position } from '../positions/account.ts';
import type { State } from '../state/state.ts';

/** An equity below that does not make a rank larger; it keeps the quotient defined. */
const LEAST = new Decimal('1e-12');

/** Closes as much of a position as there are opposite lots, both sides at one price and without fees. */
export function deleverage(state: State, position: Position, ticks: number): void {
  for (const holder of deleverageQueue(state, position.instrument, position.lots < 0)) {
    if (position.lots === 0) return;
    if (holder.account.key.trader === position.account.key.trader) continue;
    const size = Math.min(position.size, holder.size);
    settlePosition(state, position, size, ticks, 'liquidated');
    settlePosition(state, holder, size, ticks, 'deleveraged');
  }
}

/** The longs or the shorts of an instrument in the order in which they would be reduced. */
export function deleverageQueue(state: State, instrument: number, longs: boolean): Position[] {
  const price = state.prices.price(instrument);
  if (price === undefined) return [];
  return state.marginAccounts.positionsOn[instrument]
    .filter(({ lots }) => lots > 0 === longs)
    .map((position) => ({ position, rank: rankOf(state, position, price) }))
    .sort((a, b) => b.rank.comparedTo(a.rank) || a.position.id - b.position.id)
    .map(({ position }) => position);
}

/** The indicator 0 to 4 of a position: how near it is to the head of that queue. */
export function indicatorOf(state: State, position: Position): number {
  const queue = deleverageQueue(state, position.instrument, position.lots > 0);
  return queue.length === 0 ? 0 : deleverageIndicator(queue.indexOf(position), queue.length);
}

function rankOf(state: State, position: Position, price: Decimal): Decimal {
  const { value } = position;
  const pnl = unrealisedPnl(value, price);
  const equity = equityBeside(state, position).plus(pnl);
  return deleverageRank({
    pnl,
    entryValue: value.value,
    value: valueAt(value, price),
    equity: Decimal.max(equity, LEAST),
  });
}
