import type { Market } from './market.ts';

/** Trades that are remembered; a repetition comes soon or never. */
const TRADES_MAX = 10_000;

/** Which trades were told, as far as it is remembered. */
export class ToldTrades {
  readonly #told = new Set<string>();

  /**
   * Remembers a trade of an order; false where it was told already. Two orders of one account that trade
   * with each other share the number of their trade.
   */
  add(market: Market, orderId: number, tradeId: number): boolean {
    const told = this.#told;
    // Markets may count apart.
    const key = `${market} ${orderId} ${tradeId}`;
    if (told.has(key)) return false;
    told.add(key);
    if (told.size > TRADES_MAX) {
      const [oldest] = told;
      if (oldest !== undefined) told.delete(oldest);
    }
    return true;
  }

  clear(): void {
    this.#told.clear();
  }
}
