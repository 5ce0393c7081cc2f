import type { FeedContents } from '../../engine/market/feed-contents.ts';
import { MillraceError } from '../../model/errors.ts';
import { CANDLE, OPEN_INTEREST, TRADE, type EventColumns } from '../../model/events.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { Period } from '../../model/period.ts';
import type { Micros } from '../../platform/time.ts';
import type { Log } from '../../strategy/context.ts';
import type { MarketListener, MarketSource, Wanted } from '../market-source.ts';

/**
 * The market of a user's gateway. Invalid rows are not handed on, and from then on their market counts as
 * disconnected.
 */
export class CheckedMarket implements MarketSource {
  readonly #path: string;
  readonly #market: MarketSource;
  readonly #log: Log;
  readonly #faulty = new Set<number>();
  readonly contents?: (symbol: string) => FeedContents | undefined;
  /** Absent if the market has none. */
  readonly want?: (wanted: readonly Wanted[]) => Promise<void>;

  constructor(path: string, market: MarketSource, log: Log) {
    this.#path = path;
    this.#market = market;
    this.#log = log;
    if (market.contents !== undefined) this.contents = (symbol) => market.contents?.(symbol);
    if (market.want !== undefined) this.want = async (wanted) => market.want?.(wanted);
  }

  open(wanted: readonly Wanted[], listener: MarketListener): Promise<void> {
    return this.#market.open(wanted, {
      rows: (index, columns) => this.#rows(index, columns, wanted.length, listener),
      connectionState: (index, connectionState, why) => {
        if (!this.#faulty.has(index)) listener.connectionState(index, connectionState, why);
      },
      alive: (at) => listener.alive?.(at),
      frame: (frame, receivedAt) => listener.frame?.(frame, receivedAt),
    });
  }

  /** Throws `answer-invalid` for rows that are no candles. */
  async history(
    instrument: Instrument,
    period: Period,
    from: Micros,
    till: Micros,
  ): Promise<EventColumns> {
    const columns = await this.#market.history(instrument, period, from, till);
    const fault = rowsFault(columns, (kind) => kind === CANDLE);
    if (fault === undefined) return columns;
    const sentence = `What the gateway by ${this.#path} gives as history of ${instrument.symbol} is not of that form: ${fault}.`;
    throw new MillraceError('answer-invalid', sentence, { where: this.#path });
  }

  close(): Promise<void> {
    return this.#market.close();
  }

  #rows(index: number, columns: EventColumns, markets: number, listener: MarketListener): void {
    if (this.#faulty.has(index)) return;
    const isThere = Number.isInteger(index) && index >= 0 && index < markets;
    const fault = isThere ? rowsFault(columns, isKind) : `there is no market ${index}`;
    if (fault === undefined) {
      listener.rows(index, columns);
      return;
    }
    const why = `the gateway by ${this.#path} sent rows that are none: ${fault}`;
    this.#log.warn(`A market is not used any more: ${why}. Fix the module and restart.`);
    if (isThere) listener.connectionState(index, 'lost', why);
    this.#faulty.add(index);
  }
}

const isKind = (kind: number): boolean => kind >= TRADE && kind <= OPEN_INTEREST;

const COLUMNS = ['receivedAt', 'stampedAt', 'sequence', 'price', 'size', 'askPrice', 'askSize', 'open'] as const; // prettier-ignore

/** The error of rows as text; `undefined` if there is none. */
function rowsFault(
  columns: EventColumns,
  isAllowed: (kind: number) => boolean,
): string | undefined {
  const given = columns as EventColumns | undefined;
  if (given?.kind === undefined) return 'they are no columns of events';
  const { length, kind } = columns;
  for (let row = 0; row < length; row += 1) {
    if (!isAllowed(kind[row])) return `kind of row ${row} is ${kind[row]}`;
    for (const name of COLUMNS) {
      const value = columns[name][row];
      if (!Number.isSafeInteger(value)) {
        return `${name} of row ${row} is ${value} and must be a whole number`;
      }
    }
    if (kind[row] <= CANDLE && columns.size[row] < 0) return `size of row ${row} is negative`;
  }
  return undefined;
}
