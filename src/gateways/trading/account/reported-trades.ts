import type { AccountMarketApi } from './market.ts';

/** Remembered trades; a repetition comes soon or never. */
const TRADES_MAX = 10_000;

/** Reported trades, as far as remembered. */
export class ReportedTrades {
  readonly #reported = new Set<string>();

  /**
   * Remembers a trade of an order; false if it was reported before. Two orders of one account that trade
   * with each other share the id of their trade.
   */
  add(market: AccountMarketApi, orderId: number, tradeId: number): boolean {
    const reported = this.#reported;
    // Markets may count apart.
    const key = `${market} ${orderId} ${tradeId}`;
    if (reported.has(key)) return false;
    reported.add(key);
    if (reported.size > TRADES_MAX) {
      const [oldest] = reported;
      if (oldest !== undefined) reported.delete(oldest);
    }
    return true;
  }

  clear(): void {
    this.#reported.clear();
  }
}
