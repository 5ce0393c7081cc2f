import { LAST, LEVEL, QUOTE, RESET, SELL } from '../../model/events.ts';
import type { InstrumentTerms } from '../../model/instrument.ts';
import { WrongGuess, type ImportNotes, type ImportCounts } from './contract.ts';
import type { RowSink } from '../row-sink.ts';
import { Derivatives } from './derivatives.ts';
import { ImportGrid } from './grid.ts';
import { Steps, type RowPosition } from './row-position.ts';
import type { QuoteRow, TardisBatch, TardisRow, TickerRow } from './tardis-batch.ts';
import type { TardisCursor } from './tardis-cursor.ts';

import { sequenceOf, TradeImport } from './trades.ts';

/** Turns the merged rows of Tardis files into the rows of a recording. */
export class TardisSession {
  readonly #sink: RowSink;
  readonly #position: RowPosition;
  readonly #price: Steps;
  readonly #size: Steps;
  readonly #trades: TradeImport;
  readonly #derivatives: Derivatives;
  readonly #findings: ImportNotes;
  /** Arrival of the snapshot that the latest level belongs to; NaN when it is a change. */
  #snapshotAt = Number.NaN;
  /** True if the message of the latest level continues with the next row. */
  #goesOn = false;
  #latest = Number.NEGATIVE_INFINITY;
  #quotes = 0;
  #levelChanges = 0;
  #snapshots = 0;
  #snapshotLevels = 0;

  constructor(
    instrument: InstrumentTerms,
    sink: RowSink,
    position: RowPosition,
    findings: ImportNotes,
  ) {
    this.#sink = sink;
    this.#position = position;
    this.#findings = findings;
    this.#price = new Steps('price', new ImportGrid(instrument.tickSize), position);
    this.#size = new Steps('size', new ImportGrid(instrument.quantityIncrement), position);
    this.#trades = new TradeImport(instrument, sink, position);
    this.#derivatives = new Derivatives(instrument, sink, position, true);
  }

  /**
   * Processes a row of a batch, whether its file begins with it, and the cursor at the next row of the same
   * data type, which shows whether the message continues.
   */
  take(batch: TardisBatch, index: number, firstOfFile: boolean, following: TardisCursor): void {
    const at = batch.at[index];
    if (at < this.#latest) throw this.#backwards();
    this.#latest = at;
    const text = batch.texts.size === 0 ? undefined : batch.texts.get(index);
    if (text !== undefined) {
      this.#text(text, firstOfFile, following);
      return;
    }
    const stampedAt = batch.stampedAt[index];
    const { numbers } = batch;
    const position = 4 * index;
    const [first, second] = [numbers[position], numbers[position + 1]];
    const [third, fourth] = [numbers[position + 2], numbers[position + 3]];
    switch (batch.type) {
      case 'trades':
        this.#trades.takeSteps(at, stampedAt, fourth, third === 0 ? 'sell' : 'buy', first, second);
        return;
      case 'incremental_book_L2':
        this.#level(at, stampedAt, fourth === 1, firstOfFile, following);
        this.#levelRow(at, stampedAt, third === 0, first, second);
        return;
      case 'quotes':
        this.#quotes += 1;
        this.#sink.row(at, stampedAt, QUOTE, LAST, 0, first, second, third, fourth, 0);
        return;
      case 'derivative_ticker':
        return;
    }
  }

  #text(row: TardisRow, firstOfFile: boolean, following: TardisCursor): void {
    switch (row.kind) {
      case 'trade':
        this.#trades.take(row.at, row.stampedAt, sequenceOf(row.id), row.side, row.price, row.size);
        return;
      case 'quote':
        this.#quote(row);
        return;
      case 'level':
        this.#level(row.at, row.stampedAt, row.isSnapshot, firstOfFile, following);
        this.#levelRow(
          row.at,
          row.stampedAt,
          row.ask,
          this.#price.of(row.price),
          this.#size.of(row.size),
        );
        return;
      case 'ticker':
        this.#confirm(row);
        this.#derivatives.take({ ...row, receivedAt: row.at });
        return;
    }
  }

  /** Throws if the guess did not include this row's contract data. */
  #confirm({ rate, last }: TickerRow): void {
    const { isGuess, derivatives, isPerpetual } = this.#findings;
    if (isGuess !== true) return;
    if (derivatives !== true || (rate !== '' && isPerpetual !== true)) throw new WrongGuess();
    if (last !== '') this.#price.of(last);
  }

  counts(): Partial<ImportCounts> {
    return {
      ...this.#trades.counts(),
      ...this.#derivatives.counts(),
      quotes: this.#quotes,
      levelChanges: this.#levelChanges,
      snapshots: this.#snapshots,
      snapshotLevels: this.#snapshotLevels,
    };
  }

  #quote(row: QuoteRow): void {
    this.#quotes += 1;
    this.#sink.row(
      row.at,
      row.stampedAt,
      QUOTE,
      LAST,
      0,
      this.#price.of(row.bid),
      this.#size.of(row.bidSize),
      this.#price.of(row.ask),
      this.#size.of(row.askSize),
      0,
    );
  }

  /** Begins a row of the book: counts it, and clears the book at the start of a snapshot. */
  #level(
    at: number,
    stampedAt: number,
    isSnapshot: boolean,
    firstOfFile: boolean,
    following: TardisCursor,
  ): void {
    // Rows of one message share their receive time. Feeds with snapshots only mark each row as snapshot,
    // and every message replaces the book. Each file begins with its own snapshot.
    if (isSnapshot && (this.#snapshotAt !== at || firstOfFile)) {
      this.#snapshots += 1;
      this.#sink.row(at, stampedAt, RESET, 0, 0, 0, 0, 0, 0, 0);
    }
    this.#snapshotAt = isSnapshot ? at : Number.NaN;
    if (isSnapshot) this.#snapshotLevels += 1;
    else this.#levelChanges += 1;
    this.#goesOn =
      following.at === at && !following.firstOfFile && following.isSnapshot === isSnapshot;
  }

  #levelRow(at: number, stampedAt: number, ask: boolean, price: number, size: number): void {
    const flags = (ask ? SELL : 0) | (this.#goesOn ? 0 : LAST);
    this.#sink.row(at, stampedAt, LEVEL, flags, 0, price, size, 0, 0, 0);
  }

  #backwards(): Error {
    return this.#position.malformed(
      'local_timestamp is before that of a row before it',
      'rows in rising order of arrival, and the files of one data type in their order',
    );
  }
}
