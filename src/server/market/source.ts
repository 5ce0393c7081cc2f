import type { Exchange } from '../../exchange/exchange.ts';
import type { Micros } from '../../platform/time.ts';

/** Something that moves markets: a recording that is replayed, or a generator. */
export interface MarketSource {
  /** The symbols that it moves. */
  readonly symbols: readonly string[];
  /** When its next rows are due by the player's clock, +Infinity when it has ended. */
  readonly nextAt: number;
  /**
   * Plays everything that comes at its next time, so that no message is left half sent, as if it came at
   * `at`, the time of the exchange; returns the number of rows. `now` is the player's time, which is
   * another one where the clock of the service is set wrong on purpose.
   */
  play(exchange: Exchange, at: Micros, now: Micros): number;
  /** Lets go of what it holds open. */
  close(): void;
}
