import { Decimal } from '../../model/decimal.ts';
import { deleverageIndicator, deleverageRank } from '../../rules/margin/deleverage.ts';
import { unrealisedPnl, valueAt } from '../../rules/margin/position-value.ts';
import type { Position } from '../positions/account.ts';
import type { MarginAccounts } from '../positions/accounts.ts';
import type { Clearing } from '../clearing/positions.ts';
import type { MarkPrices } from '../positions/prices.ts';
import type { Watch } from '../clearing/standing.ts';

/** An equity below that does not make a rank larger; it keeps the quotient defined. */
const LEAST = new Decimal('1e-12');

/** Passes a position that nothing can pay for to the holders of opposite ones, the most profitable first. */
export class Deleverage {
  readonly #accounts: MarginAccounts;
  readonly #clearing: Clearing;
  readonly #prices: MarkPrices;
  readonly #watch: Watch;

  constructor(accounts: MarginAccounts, clearing: Clearing, prices: MarkPrices, watch: Watch) {
    this.#accounts = accounts;
    this.#clearing = clearing;
    this.#prices = prices;
    this.#watch = watch;
  }

  /** Closes as much of a position as there are opposite lots, both sides at one price and without fees. */
  close(position: Position, ticks: number): void {
    for (const holder of this.queue(position.instrument, position.lots < 0)) {
      if (position.lots === 0) return;
      if (holder.account.key.trader === position.account.key.trader) continue;
      const size = Math.min(position.size, holder.size);
      this.#clearing.settle(position, size, ticks, 'liquidated');
      this.#clearing.settle(holder, size, ticks, 'deleveraged');
    }
  }

  /** The longs or the shorts of an instrument in the order in which they would be reduced. */
  queue(instrument: number, longs: boolean): Position[] {
    const price = this.#prices.price(instrument);
    if (price === undefined) return [];
    return this.#accounts.positionsOn[instrument]
      .filter(({ lots }) => lots > 0 === longs)
      .map((position) => ({ position, rank: this.#rank(position, price) }))
      .sort((a, b) => b.rank.comparedTo(a.rank) || a.position.id - b.position.id)
      .map(({ position }) => position);
  }

  /** The indicator 0 to 4 of a position: how near it is to the head of that queue. */
  indicator(position: Position): number {
    const queue = this.queue(position.instrument, position.lots > 0);
    return queue.length === 0 ? 0 : deleverageIndicator(queue.indexOf(position), queue.length);
  }

  #rank(position: Position, price: Decimal): Decimal {
    const { value } = position;
    const pnl = unrealisedPnl(value, price);
    const equity = this.#watch.equityBeside(position).plus(pnl);
    return deleverageRank({
      pnl,
      entryValue: value.value,
      value: valueAt(value, price),
      equity: Decimal.max(equity, LEAST),
    });
  }
}
