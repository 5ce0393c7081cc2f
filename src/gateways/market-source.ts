import type { FeedContents } from '../engine/market/feed-contents.ts';
import type { EventColumns } from '../model/events.ts';
import type { Instrument } from '../model/instrument.ts';
import type { Period } from '../model/period.ts';
import type { Micros } from '../platform/time.ts';

/** What is asked of the market of one instrument. */
export interface Wanted {
  readonly instrument: Instrument;
  readonly trades: boolean;
  /** The whole book by levels, the best bid and ask alone, or nothing. */
  readonly book: 'full' | 'top' | 'none';
  /** Of a contract what the venue says beside its market: mark and index price, funding, open interest. */
  readonly derivatives?: boolean | undefined;
  /** Candles of this period as the venue has them, from which longer ones are built. */
  readonly candles?: Period | undefined;
  /**
   * Where what came before is known from a history: candles that opened at this time or later are emitted,
   * those that ended meanwhile too. Where absent the first is the one that is open.
   */
  readonly candlesFrom?: Micros | undefined;
}

/** Listener of a market. */
export interface MarketListener {
  /**
   * Rows of the instrument wanted at `index`, in order of receipt; of a candle `receivedAt` is when
   * it was complete. The columns are refilled for the next call. A book is stale from a GAP
   * row to the next RESET.
   */
  rows(index: number, columns: EventColumns): void;
  /** The connection of a market is lost, or live again. */
  connectionState(index: number, connectionState: 'live' | 'lost', why?: string): void;
  /** Something came that proves the connection to be alive, whether or not it makes a row. */
  alive?(at: Micros): void;
  /** Each frame as it came, before it is read; for whoever records them. */
  frame?(frame: string, receivedAt: Micros): void;
}

/** Where market data comes from: the service, or a recording that is replayed. */
export interface MarketSource {
  /** What it can give of a symbol, where that is less than everything: a recording has what was recorded. */
  contents?(symbol: string): FeedContents | undefined;
  /** Connects, asks for what is wanted and keeps at it until `close`. */
  open(wanted: readonly Wanted[], listener: MarketListener): Promise<void>;
  /**
   * Changes what is asked for, of the same instruments in the same order: what is new is subscribed, what
   * is not named any more is ended. Resolves when the source has accepted what is new; throws
   * `symbol-unknown` where it does not. Absent if a narrower choice saves nothing, as with recordings.
   */
  want?(wanted: readonly Wanted[]): Promise<void>;
  /**
   * Finished candles that opened at `from` or later and closed by `until`, oldest first, as CANDLE rows
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
