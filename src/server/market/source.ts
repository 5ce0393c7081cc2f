import type { Exchange } from '../../exchange/exchange.ts';
import type { Micros } from '../../platform/time.ts';

/** Something that moves markets: a recording that is replayed, or a generator. */
export interface MarketSource {
  /** The symbols that it moves. */
  readonly symbols: readonly string[];
  /** When its next rows are due in the time of the venue, +Infinity when it has ended. */
  readonly nextAt: number;
  /**
   * Plays everything that comes at its next time, so that no message is left half told, as if it
   * came at `at`; gives the number of rows.
   */
  play(exchange: Exchange, at: Micros): number;
  /** Lets go of what it holds open. */
  close(): void;
}
