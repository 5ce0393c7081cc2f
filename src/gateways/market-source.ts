import type { FeedContents } from '../engine/market/feed-contents.ts';
import type { EventColumns } from '../model/events.ts';
import type { Instrument } from '../model/instrument.ts';
import type { Period } from '../model/period.ts';
import type { Micros } from '../platform/time.ts';

/** Market data requested of one instrument. */
export interface Wanted {
  readonly instrument: Instrument;
  readonly trades: boolean;
  /** The whole book by levels, the best bid and ask alone, or nothing. */
  readonly book: 'full' | 'top' | 'none';
  /** A contract's data besides the market: mark and index price, funding, open interest. */
  readonly derivatives?: boolean | undefined;
  /** The venue's candles of this period, from which longer ones are built. */
  readonly candles?: Period | undefined;
  /**
   * Set if earlier candles are known from a history: candles that opened at this time or later are emitted,
   * also those that ended in between. If absent the first is the one that is open.
   */
  readonly candlesFrom?: Micros | undefined;
}

/** Listener of a market. */
export interface MarketListener {
  /**
   * Rows of the instrument at `index` of the request, in order of receipt; of a candle `receivedAt` is when
   * it was complete. The columns are refilled for the next call. A book is stale from a GAP row to the next
   * RESET.
   */
  rows(index: number, columns: EventColumns): void;
  /** The connection of a market is lost, or live again. */
  connectionState(index: number, connectionState: 'live' | 'lost', why?: string): void;
  /** Something was received that proves the connection to be alive, whether or not it makes a row. */
  alive?(at: Micros): void;
  /** Each frame as received, before it is read; for recorders. */
  frame?(frame: string, receivedAt: Micros): void;
}

/** A source of market data: the service, or a replayed recording. */
export interface MarketSource {
  /** Available data of a symbol, if less than everything: a recording has only what was recorded. */
  contents?(symbol: string): FeedContents | undefined;
  /** Connects, subscribes and stays connected until `close`. */
  open(wanted: readonly Wanted[], listener: MarketListener): Promise<void>;
  /**
   * Changes the request, of the same instruments in the same order: new data are subscribed, others
   * unsubscribed. Resolves when the source has accepted new subscriptions; throws `symbol-unknown` if it
   * does not. Absent if a narrower choice saves nothing, as with recordings.
   */
  want?(wanted: readonly Wanted[]): Promise<void>;
  /**
   * Finished candles that opened at `from` or later and closed by `till`, oldest first, as CANDLE rows
   * whose `receivedAt` is the end of their period.
   */
  history(
    instrument: Instrument,
    period: Period,
    from: Micros,
    till: Micros,
  ): Promise<EventColumns>;
  close(): Promise<void>;
}
