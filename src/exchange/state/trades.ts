import type { MarketData } from '../market-data/market-data.ts';

/** Numbers the trades, and tells everybody of them where that is wanted. */
export class Trades {
  /** Numbers given so far. */
  count = 0;
  declare private readonly data: MarketData | undefined;

  constructor(data: MarketData | undefined) {
    this.data = data;
  }

  /** Whether everybody is told. */
  get arePublic(): boolean {
    return this.data !== undefined;
  }

  /** Tells everybody of the trade that got its number last; the aggressor was of `side`. */
  publish(instrument: number, ticks: number, lots: number, side: number, at: number): void {
    if (this.data !== undefined) this.data.trade(instrument, this.count, ticks, lots, side, at);
  }
}
