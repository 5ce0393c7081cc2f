import { LAST, LEVEL, QUOTE, RESET, SELL } from '../../model/events.ts';
import type { InstrumentTerms } from '../../model/instrument.ts';
import type { ImportCounts } from './contract.ts';
import type { RowSink } from '../row-sink.ts';
import { Derivatives } from './derivatives.ts';
import { Grid } from './grid.ts';
import { Steps, type Place } from './place.ts';
import type { LevelRow, QuoteRow, TardisRow } from './tardis-rows.ts';
import { sequenceOf, Trades } from './trades.ts';

/** Turns the merged rows of Tardis files into the rows of a recording. */
export class TardisSession {
  readonly #sink: RowSink;
  readonly #place: Place;
  readonly #price: Steps;
  readonly #size: Steps;
  readonly #trades: Trades;
  readonly #derivatives: Derivatives;
  /** Arrival of the snapshot that the latest level belongs to; NaN when it is a change. */
  #snapshotAt = Number.NaN;
  #latest = Number.NEGATIVE_INFINITY;
  #quotes = 0;
  #levelChanges = 0;
  #snapshots = 0;
  #snapshotLevels = 0;

  constructor(instrument: InstrumentTerms, sink: RowSink, place: Place) {
    this.#sink = sink;
    this.#place = place;
    this.#price = new Steps('price', new Grid(instrument.tickSize), place);
    this.#size = new Steps('size', new Grid(instrument.quantityIncrement), place);
    this.#trades = new Trades(instrument, sink, place);
    this.#derivatives = new Derivatives(instrument, sink, place, true);
  }

  /**
   * Takes a row, whether its file begins with it, and the row of the same data type that follows,
   * which tells whether the message goes on.
   */
  take(row: TardisRow, firstOfFile: boolean, following: TardisRow | undefined): void {
    if (row.at < this.#latest) throw this.#backwards();
    this.#latest = row.at;
    switch (row.kind) {
      case 'trade':
        this.#trades.take(row.at, row.stampedAt, sequenceOf(row.id), row.side, row.price, row.size);
        return;
      case 'quote':
        this.#quote(row);
        return;
      case 'level':
        this.#level(row, firstOfFile, following);
        return;
      case 'ticker':
        this.#derivatives.take({ ...row, receivedAt: row.at });
        return;
    }
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

  #level(row: LevelRow, firstOfFile: boolean, following: TardisRow | undefined): void {
    const { at, stampedAt, isSnapshot } = row;
    // Rows of one message share their time of arrival. Feeds that send snapshots alone mark each
    // row as snapshot, and every message replaces the book. Each file begins with its own snapshot.
    if (isSnapshot && (this.#snapshotAt !== at || firstOfFile)) {
      this.#snapshots += 1;
      this.#sink.row(at, stampedAt, RESET, 0, 0, 0, 0, 0, 0, 0);
    }
    this.#snapshotAt = isSnapshot ? at : Number.NaN;
    if (isSnapshot) this.#snapshotLevels += 1;
    else this.#levelChanges += 1;
    const goesOn =
      following?.kind === 'level' && following.at === at && following.isSnapshot === isSnapshot;
    const flags = (row.ask ? SELL : 0) | (goesOn ? 0 : LAST);
    const price = this.#price.of(row.price);
    const size = this.#size.of(row.size);
    this.#sink.row(at, stampedAt, LEVEL, flags, 0, price, size, 0, 0, 0);
  }

  #backwards(): Error {
    return this.#place.malformed(
      'local_timestamp is before that of a row before it',
      'rows in rising order of arrival, and the files of one data type in their order',
    );
  }
}
