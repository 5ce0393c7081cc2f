import { GAP, LAST, LEVEL, QUOTE, RESET, SELL, TRADE } from '../../model/events.ts';
import type { InstrumentTerms } from '../../model/instrument.ts';
import { micros } from '../../platform/time.ts';
import { UpdateIds } from './binance-book.ts';
import type {
  RawDiff,
  RawFrame,
  RawLevel,
  RawMark,
  RawQuote,
  RawSnapshot,
  RawTrade,
} from './binance-frame.ts';
import type { ImportCounts, ImportGap, SkippedSnapshot } from './contract.ts';
import type { RowSink } from '../row-sink.ts';
import { Derivatives } from './derivatives.ts';
import { ImportGrid } from './grid.ts';
import { Steps, type RowPosition } from './row-position.ts';

/**
 * Converts the frames of one captured session into rows, in the order of receipt, and checks the ids of
 * trades and of the book.
 */
export class BinanceSession {
  readonly #symbol: string;
  readonly #sink: RowSink;
  readonly #position: RowPosition;
  readonly #price: Steps;
  readonly #size: Steps;
  readonly #ids = new UpdateIds();
  readonly #gaps: ImportGap[] = [];
  readonly #skipped: SkippedSnapshot[] = [];
  /** Gaps before this index have been healed by a snapshot. */
  #healed = 0;
  /** Of a symbol that is imported as spot there are none. */
  readonly #derivatives: Derivatives | undefined;
  #lastTradeId = Number.NaN;
  #trades = 0;
  #quotes = 0;
  #levelChanges = 0;
  #snapshots = 0;
  #snapshotLevels = 0;
  #repeatedLevels = 0;
  #missingTrades = 0;
  #repeatedTrades = 0;
  #otherMessages = 0;

  constructor(symbol: string, instrument: InstrumentTerms, sink: RowSink, position: RowPosition) {
    this.#symbol = symbol;
    this.#sink = sink;
    this.#position = position;
    this.#price = new Steps('price', new ImportGrid(instrument.tickSize), position);
    this.#size = new Steps('size', new ImportGrid(instrument.quantityIncrement), position);
    this.#derivatives =
      instrument.type === 'spot' ? undefined : new Derivatives(instrument, sink, position, false);
  }

  take(receivedAt: number, frame: RawFrame): void {
    if (frame.kind === 'other') {
      this.#otherMessages += 1;
      return;
    }
    if (frame.kind === 'snapshot') {
      this.#snapshot(receivedAt, frame);
      return;
    }
    if (frame.symbol !== this.#symbol) throw this.#secondSymbol(frame.symbol);
    if (frame.kind === 'trade') this.#trade(receivedAt, frame);
    else if (frame.kind === 'quote') this.#quote(receivedAt, frame);
    else if (frame.kind === 'mark') this.#mark(receivedAt, frame);
    else this.#diff(receivedAt, frame);
  }

  counts(): Partial<ImportCounts> {
    return {
      ...this.#derivatives?.counts(),
      trades: this.#trades,
      quotes: this.#quotes,
      levelChanges: this.#levelChanges,
      snapshots: this.#snapshots,
      snapshotLevels: this.#snapshotLevels,
      repeatedLevels: this.#repeatedLevels,
      skippedSnapshots: this.#skipped,
      gaps: this.#gaps,
      missingTrades: this.#missingTrades,
      repeatedTrades: this.#repeatedTrades,
      otherMessages: this.#otherMessages,
    };
  }

  #trade(receivedAt: number, trade: RawTrade): void {
    const { id } = trade;
    if (id > this.#lastTradeId + 1) this.#missingTrades += id - this.#lastTradeId - 1;
    if (id <= this.#lastTradeId) this.#repeatedTrades += 1;
    else this.#lastTradeId = id;
    this.#trades += 1;
    const flags = trade.buyerMade ? SELL | LAST : LAST;
    const price = this.#price.of(trade.price);
    const size = this.#size.of(trade.size);
    this.#sink.row(receivedAt, trade.stampedAt, TRADE, flags, id, price, size, 0, 0, 0);
  }

  #quote(receivedAt: number, quote: RawQuote): void {
    this.#quotes += 1;
    this.#sink.row(
      receivedAt,
      quote.stampedAt ?? receivedAt,
      QUOTE,
      LAST,
      quote.updateId,
      this.#price.of(quote.bid),
      this.#size.of(quote.bidSize),
      this.#price.of(quote.ask),
      this.#size.of(quote.askSize),
      0,
    );
  }

  #mark(receivedAt: number, frame: RawMark): void {
    if (this.#derivatives === undefined) this.#otherMessages += 1;
    else this.#derivatives.take({ ...frame, receivedAt });
  }

  #diff(receivedAt: number, diff: RawDiff): void {
    const broken = this.#ids.diff(diff);
    if (broken !== undefined) {
      const { expected, found } = broken;
      const { file, line } = this.#position;
      const at = micros(receivedAt);
      this.#gaps.push({ file, line, kind: 'book', expected, found, at, until: undefined });
      this.#sink.row(receivedAt, diff.stampedAt, GAP, LAST, expected, 0, 0, 0, 0, 0);
    }
    this.#levelChanges += this.#levels(receivedAt, diff.stampedAt, diff.last, diff);
  }

  #snapshot(receivedAt: number, snapshot: RawSnapshot): void {
    const { lastUpdateId } = snapshot;
    const newer = this.#ids.snapshot(lastUpdateId);
    if (newer === undefined) {
      this.#skipped.push({ file: this.#position.file, line: this.#position.line, lastUpdateId });
      return;
    }
    this.#snapshots += 1;
    const stampedAt = snapshot.stampedAt ?? receivedAt;
    const empty = snapshot.bids.length + snapshot.asks.length === 0;
    this.#sink.row(receivedAt, stampedAt, RESET, empty ? LAST : 0, lastUpdateId, 0, 0, 0, 0, 0);
    this.#snapshotLevels += this.#levels(receivedAt, stampedAt, lastUpdateId, snapshot);
    // The snapshot is answered later than the stream: the stream's data in between are repeated.
    for (const diff of newer) {
      this.#repeatedLevels += this.#levels(receivedAt, diff.stampedAt, diff.last, diff);
    }
    for (; this.#healed < this.#gaps.length; this.#healed++) {
      const gap = this.#gaps[this.#healed];
      this.#gaps[this.#healed] = { ...gap, until: micros(receivedAt) };
    }
  }

  /** Writes the levels of one message, bids first, and returns their number. */
  #levels(
    receivedAt: number,
    stampedAt: number,
    sequence: number,
    { bids, asks }: { readonly bids: readonly RawLevel[]; readonly asks: readonly RawLevel[] },
  ): number {
    const count = bids.length + asks.length;
    for (let index = 0; index < count; index++) {
      const ask = index >= bids.length;
      const level = ask ? asks[index - bids.length] : bids[index];
      const flags = (ask ? SELL : 0) | (index === count - 1 ? LAST : 0);
      const price = this.#price.of(level[0]);
      const size = this.#size.of(level[1]);
      this.#sink.row(receivedAt, stampedAt, LEVEL, flags, sequence, price, size, 0, 0, 0);
    }
    return count;
  }

  #secondSymbol(symbol: string): Error {
    return this.#position.malformed(
      `the frame is of ${symbol} while the capture began with ${this.#symbol}`,
      'one instrument in a capture, since its snapshots do not say whose they are',
    );
  }
}
