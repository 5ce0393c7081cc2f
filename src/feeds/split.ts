import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DepthFeed } from '../model/depth-feed.ts';
import { MillraceError } from '../model/errors.ts';
import { LAST, LEVEL, RESET, SELL, type EventColumns } from '../model/events.ts';
import { isoTime, micros, US_PER_DAY } from '../platform/time.ts';
import { RECORDING_SUFFIX } from './catalog.ts';
import { writeCatalogFile, type CatalogRow } from './catalog-file.ts';
import { openRecording, type Recording } from './reader.ts';
import type { Part } from './recording.ts';
import { RecordingWriter } from './writer.ts';

export interface SplitOptions {
  /** Whether days that are there may be written over. */
  readonly replace?: boolean;
  /** Called after each batch: rows read so far, of how many. */
  readonly progress?: (rows: number, of: number) => void;
}

/**
 * Splits a recording into one file for each day of UTC, `FOLDER/SYMBOL/2022-01-03.arrow`, and a catalog of
 * them, which keeps those of other symbols. A day begins between two messages, and with the book as the day
 * before left it, so that each can be used alone; read together they are the rows of the one recording
 * again. Throws `file-exists` if a day is there already, and what reading and writing throw; what was
 * written stays then.
 */
export function splitByDay(
  path: string,
  folder: string,
  options: SplitOptions = {},
): readonly CatalogRow[] {
  const recording = openRecording(path);
  try {
    const days = new Days(recording, folder, options.replace === true);
    let rows = 0;
    for (const columns of recording.batches()) {
      days.take(columns);
      rows += columns.length;
      options.progress?.(rows, recording.summary.rows);
    }
    const written = days.finish();
    writeCatalogFile(folder, recording.meta.instrument.symbol, written);
    return written;
  } finally {
    recording.close();
  }
}

/** The files of the days, written one after the other. */
class Days {
  readonly #recording: Recording;
  readonly #folder: string;
  readonly #replace: boolean;
  readonly #paths: string[] = [];
  readonly #book = new DepthFeed();
  #writer: RecordingWriter | undefined;
  /** When the day that is written ends. */
  #end = Number.NEGATIVE_INFINITY;
  /** True between two messages, where a day may end. */
  #isWhole = true;

  constructor(recording: Recording, folder: string, replace: boolean) {
    this.#recording = recording;
    this.#folder = folder;
    this.#replace = replace;
  }

  take(columns: EventColumns): void {
    try {
      for (let row = 0; row < columns.length; row += 1) this.#row(columns, row);
    } catch (cause) {
      this.#writer?.abandon();
      throw cause;
    }
  }

  finish(): readonly CatalogRow[] {
    this.#writer?.finish();
    return this.#paths.map((name) => rowOf(this.#folder, name));
  }

  #row(columns: EventColumns, row: number): void {
    const at = dayTime(columns, row, this.#recording.meta.layout === 'candles');
    if (this.#writer === undefined || (this.#isWhole && at >= this.#end))
      this.#begin(at, columns.receivedAt[row]);
    this.#writer?.row(
      ...([columns.receivedAt[row], columns.stampedAt[row], columns.kind[row]] as const),
      ...([columns.flags[row], columns.sequence[row], columns.price[row]] as const),
      ...([columns.size[row], columns.askPrice[row], columns.askSize[row]] as const),
      columns.open[row],
    );
    this.#book.apply(columns, row);
    this.#isWhole = (columns.flags[row] & LAST) !== 0;
  }

  #begin(at: number, receivedAt: number): void {
    this.#writer?.finish();
    const start = Math.floor(at / US_PER_DAY) * US_PER_DAY;
    this.#end = start + US_PER_DAY;
    const { meta, fingerprint } = this.#recording;
    const symbol = meta.instrument.symbol.replace(/[^\w.-]/g, '_');
    const name = `${symbol}/${isoTime(micros(start)).slice(0, 10)}${RECORDING_SUFFIX}`;
    const path = join(this.#folder, name);
    if (!this.#replace && existsSync(path)) {
      throw new MillraceError(
        'file-exists',
        `${path} is there already: replace it by --force, or choose another folder.`,
        { where: path },
      );
    }
    const { bids, asks, stale } = this.#book.depth;
    const carried = this.#paths.length === 0 || stale ? 0 : 1 + bids.length + asks.length;
    const part: Part = { of: fingerprint, index: this.#paths.length, carried };
    this.#writer = RecordingWriter.create(
      path,
      { ...meta, provenance: { ...meta.provenance, part } },
      { replaceUnfinished: true },
    );
    this.#paths.push(name);
    if (carried > 0) this.#carry(this.#writer, receivedAt);
  }

  /** The book as the day before left it, as a snapshot of one message. */
  #carry(writer: RecordingWriter, at: number): void {
    const { bids, asks, sequence } = this.#book.depth;
    const levels = bids.length + asks.length;
    writer.row(at, at, RESET, levels === 0 ? LAST : 0, sequence, 0, 0, 0, 0, 0);
    for (let level = 0; level < levels; level += 1) {
      const isAsk = level >= bids.length;
      const [side, rank] = isAsk ? [asks, level - bids.length] : [bids, level];
      const flags = (isAsk ? SELL : 0) | (level === levels - 1 ? LAST : 0);
      writer.row(at, at, LEVEL, flags, sequence, side.ticksAt(rank), side.lotsAt(rank), 0, 0, 0);
    }
  }
}

/** By what a row belongs to a day: a candle by its start, as it is received when its period ends. */
const dayTime = (columns: EventColumns, row: number, isCandle: boolean): number =>
  isCandle ? columns.stampedAt[row] : columns.receivedAt[row];

function rowOf(folder: string, name: string): CatalogRow {
  const path = join(folder, name);
  const recording = openRecording(path);
  try {
    const { meta, summary, fingerprint } = recording;
    return {
      path: name,
      symbol: meta.instrument.symbol,
      rows: summary.rows,
      firstAt: isoTime(summary.firstAt),
      lastAt: isoTime(summary.lastAt),
      bytes: statSync(path).size,
      sha256: fingerprint,
    };
  } finally {
    recording.close();
  }
}
