import type { Exchange } from '../../exchange/exchange.ts';
import type { Micros } from '../../platform/time.ts';

/** Something that moves markets: a recording that is replayed, or a generator. */
export interface MarketSource {
  /** The symbols that it moves. */
  readonly symbols: readonly string[];
  /** When its next rows are due by the player's clock, +Infinity when it has ended. */
  readonly nextAt: number;
  /**
   * Plays all rows of its next time, so that no message is sent in part, as if they came at `at`, the time
   * of the exchange; returns the number of rows. `now` is the player's time, which differs if a clock fault
   * is injected.
   */
  play(exchange: Exchange, at: Micros, now: Micros): number;
  /** Closes its files. */
  close(): void;
}
