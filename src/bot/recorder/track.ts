import { RECORDING_SUFFIX } from '../../feeds/catalog.ts';
import type { Provenance } from '../../feeds/recording.ts';
import { RecordingWriter } from '../../feeds/writer.ts';
import { EventRows } from '../../gateways/rows.ts';
import { CANDLE, GAP, LAST, type EventColumns } from '../../model/events.ts';
import type { Instrument } from '../../model/instrument.ts';
import { micros, type Micros } from '../../platform/time.ts';
import { ResumedBook } from '../paper/past.ts';
import { freePath } from './name.ts';
import { isOver, type Rotation } from './rotation.ts';

export interface TrackSetup {
  readonly instrument: Instrument;
  readonly folder: string;
  readonly rotation: Rotation | undefined;
  readonly provenance: Provenance;
  /** Called with each file that is finished. */
  readonly finished: (path: string, rows: number) => void;
}

/** The file at hand. */
interface File {
  readonly writer: RecordingWriter;
  readonly beganAt: number;
}

/**
 * The recordings of one symbol. A file that follows another begins with the state of the book, so that each
 * can be used without the others.
 */
export class Track {
  rows = 0;
  gaps = 0;
  readonly #setup: TrackSetup;
  readonly #standing = new ResumedBook();
  #file: File | undefined;
  /** True if there is a state that a new file must begin with. */
  #stands = false;
  /** True between two messages, where a file may end. */
  #isWhole = true;
  #lastKind = 0;

  constructor(setup: TrackSetup) {
    this.#setup = setup;
  }

  /** The file that is being written, without the `.part`. */
  get path(): string | undefined {
    return this.#file?.writer.path;
  }

  /** Processes market rows. Candles are skipped: they are built from trades again. */
  take(columns: EventColumns): void {
    for (let row = 0; row < columns.length; row += 1) {
      if (columns.kind[row] !== CANDLE) this.#row(columns, row);
    }
  }

  /** The connection to the market is lost: a gap follows. */
  lost(at: Micros): void {
    if (this.#file === undefined || this.#lastKind === GAP) return;
    const rows = new EventRows();
    rows.add(at, at, GAP, LAST, 0, 0, 0, 0, 0, 0);
    this.take(rows.columns);
  }

  /** Makes the data so far durable, and ends a file whose time is over. */
  flush(now: Micros): void {
    if (this.#file === undefined) return;
    if (this.#isWhole && this.#isOver(this.#file, now)) this.finish();
    else this.#file.writer.flush();
  }

  finish(): void {
    const writer = this.#file?.writer;
    if (writer === undefined) return;
    this.#file = undefined;
    writer.finish();
    this.#setup.finished(writer.path, writer.rows);
  }

  #row(columns: EventColumns, row: number): void {
    const receivedAt = columns.receivedAt[row];
    if (this.#isWhole && this.#file !== undefined && this.#isOver(this.#file, receivedAt)) {
      this.finish();
    }
    const { writer } = (this.#file ??= this.#begin(micros(receivedAt)));
    write(writer, columns, row);
    this.#standing.take(columns, row);
    this.#stands = true;
    this.#isWhole = (columns.flags[row] & LAST) !== 0;
    this.#lastKind = columns.kind[row];
    this.rows += 1;
    if (this.#lastKind === GAP) this.gaps += 1;
  }

  #begin(at: Micros): File {
    const { folder, instrument, provenance } = this.#setup;
    const path = freePath(folder, instrument.symbol, at, RECORDING_SUFFIX);
    const notes = this.#stands ? [...provenance.notes, FOLLOWS] : provenance.notes;
    const writer = RecordingWriter.create(path, {
      layout: 'events',
      ...(instrument.terms.type === 'futures' ? { derivatives: true } : {}),
      instrument: instrument.terms,
      provenance: { ...provenance, notes },
    });
    if (this.#stands) {
      const rows = new EventRows();
      this.#standing.write(rows, at);
      for (let row = 0; row < rows.length; row += 1) write(writer, rows.columns, row);
    }
    return { writer, beganAt: at };
  }

  #isOver({ writer, beganAt }: File, at: number): boolean {
    return isOver(this.#setup.rotation, { beganAt, bytes: writer.bytes }, at);
  }
}

const FOLLOWS = 'Follows another recording, and begins with the book as that one left it.';

function write(writer: RecordingWriter, columns: EventColumns, row: number): void {
  writer.row(
    columns.receivedAt[row],
    columns.stampedAt[row],
    columns.kind[row],
    columns.flags[row],
    columns.sequence[row],
    columns.price[row],
    columns.size[row],
    columns.askPrice[row],
    columns.askSize[row],
    columns.open[row],
  );
}
