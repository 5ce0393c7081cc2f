import { LAST, QUOTE, SELL, TRADE } from '../../model/events.ts';
import { isoTime, micros } from '../../platform/time.ts';
import type { RowSink } from '../row-sink.ts';
import { WrongGuess, type ImportCounts, type ImportWriting } from './contract.ts';
import { ImportGrid } from './grid.ts';
import type { Layout } from './layout.ts';
import { Steps, type RowPosition } from './row-position.ts';
import { SortedRows } from './sorted-rows.ts';
import { sequenceOf, type Aggressor } from './trades.ts';

/** A trade, or a best bid and ask, as text. */
export interface TextEvent {
  readonly receivedAt: number;
  readonly stampedAt: number;
  /** Empty if the file has none. */
  readonly id: string;
  readonly side: Aggressor;
  /** Of a quote the best bid. */
  readonly price: string;
  readonly size: string;
  /** The best ask; a trade has none. */
  readonly ask?: string;
  readonly askSize?: string;
}

/** Sort keys, then all values, a key of its id, and the row's position. */
const WIDTH = 14;

/**
 * Writes trades and quotes in order of their times, and of their ids if these are numbers. Unordered rows
 * are collected and sorted first. A row with the id and numbers of another at the same time is dropped;
 * with other numbers it ends the import.
 */
export class EventImport {
  readonly priceGrid: ImportGrid;
  readonly sizeGrid: ImportGrid;
  readonly #price: Steps;
  readonly #size: Steps;
  readonly #sink: RowSink;
  readonly #position: RowPosition;
  readonly #files: readonly string[];
  readonly #isGuess: boolean;
  readonly #sorted: SortedRows | undefined;
  /** 1, or -1 if the newest row is the first. */
  readonly #ordinalStep: number;
  readonly #row = new Float64Array(WIDTH);
  #layout: Layout = { rows: 'trades', columns: {} };
  #ordinal = 0;
  #previousAt = Number.NEGATIVE_INFINITY;
  #previousId = 0;
  #latestAt = Number.NEGATIVE_INFINITY;
  #latestId = 0;
  #lastSequence = 0;
  /** Kind, flags and numbers of the row that was written last. */
  readonly #last = new Float64Array(6);
  /** Rows of the latest time without a numeric id, by their numbers. */
  readonly #keys = new Set<number>();
  /** First and latest time of the file that is read. */
  firstAt: number | undefined;
  lastAt: number | undefined;
  unsidedTrades = 0;
  #trades = 0;
  #quotes = 0;
  #missing = 0;
  #repeated = 0;
  #unordered = 0;

  constructor({ findings, instrument, sink, sources }: ImportWriting, position: RowPosition) {
    this.#isGuess = findings.isGuess === true;
    this.#sorted = findings.isUnordered === true ? new SortedRows(WIDTH) : undefined;
    this.#ordinalStep = findings.isFalling === true ? -1 : 1;
    this.#sink = sink;
    this.#position = position;
    this.#files = sources.files;
    this.priceGrid = new ImportGrid(instrument.tickSize);
    this.sizeGrid = new ImportGrid(instrument.quantityIncrement);
    this.#price = new Steps('price', this.priceGrid, position);
    this.#size = new Steps('size', this.sizeGrid, position);
  }

  /** Begins a file. */
  begin(layout: Layout): void {
    this.#layout = layout;
    this.firstAt = undefined;
    this.lastAt = undefined;
  }

  takeText(event: TextEvent): void {
    const { receivedAt, stampedAt, id, side, ask, askSize } = event;
    const [price, size] = [this.#price.of(event.price), this.#size.of(event.size)];
    const sequence = sequenceOf(id);
    const key = sequence > 0 || id === '' ? sequence : keyOf(`${id} ${event.price} ${event.size}`);
    if (ask !== undefined) {
      const [askTicks, askLots] = [this.#price.of(ask), this.#size.of(askSize)];
      this.take(receivedAt, stampedAt, QUOTE, LAST, sequence, price, size, askTicks, askLots, key);
      return;
    }
    if (side === undefined) this.unsidedTrades += 1;
    const flags = side === 'sell' ? SELL | LAST : LAST;
    this.take(receivedAt, stampedAt, TRADE, flags, sequence, price, size, 0, 0, key);
  }

  /** Processes a row whose numbers are whole steps; `key` identifies it, 0 if it has no id. */
  take(
    receivedAt: number,
    stampedAt: number,
    kind: number,
    flags: number,
    sequence: number,
    price: number,
    size: number,
    askPrice: number,
    askSize: number,
    key: number,
  ): void {
    this.firstAt = Math.min(this.firstAt ?? receivedAt, receivedAt);
    this.lastAt = Math.max(this.lastAt ?? receivedAt, receivedAt);
    const at = this.#layout.byId === true ? 0 : receivedAt;
    const isBehind =
      at < this.#previousAt ||
      (at === this.#previousAt && sequence > 0 && sequence <= this.#previousId);
    this.#previousAt = at;
    this.#previousId = sequence;
    if (this.#sorted === undefined) {
      // The guess read only the beginning, which was in order.
      if (isBehind && this.#isGuess) throw new WrongGuess();
      this.#write(
        receivedAt,
        stampedAt,
        kind,
        flags,
        sequence,
        price,
        size,
        askPrice,
        askSize,
        key,
      );
      return;
    }
    if (isBehind) this.#unordered += 1;
    this.#ordinal += this.#ordinalStep;
    const row = this.#row;
    row[0] = at;
    row[1] = sequence;
    row[2] = this.#ordinal;
    row[3] = receivedAt;
    row[4] = stampedAt;
    row[5] = kind;
    row[6] = flags;
    row[7] = price;
    row[8] = size;
    row[9] = askPrice;
    row[10] = askSize;
    row[11] = key;
    row[12] = this.#position.asNumber(this.#files);
    row[13] = this.#layout.ids === 'consecutive' ? 1 : 0;
    this.#sorted.add(row);
  }

  /** Writes the rows that were collected. */
  finish(): void {
    this.#sorted?.each((row) => {
      this.#position.moveTo(row[12], this.#files);
      const [, sequence, , receivedAt, stampedAt, kind, flags, price, size, ask, askSize, key] =
        row;
      this.#write(receivedAt, stampedAt, kind, flags, sequence, price, size, ask, askSize, key);
    });
  }

  close(): void {
    this.#sorted?.close();
  }

  #write(
    receivedAt: number,
    stampedAt: number,
    kind: number,
    flags: number,
    sequence: number,
    price: number,
    size: number,
    askPrice: number,
    askSize: number,
    key: number,
  ): void {
    const isKnown =
      sequence > 0
        ? sequence === this.#lastSequence && receivedAt === this.#latestAt
        : key > 0 && this.#hasKey(receivedAt, key);
    const last = this.#last;
    if (isKnown) {
      const isSame =
        (last[0] === kind && last[1] === flags && last[2] === price && last[3] === size) ||
        sequence === 0;
      if (!isSame || (sequence > 0 && (last[4] !== askPrice || last[5] !== askSize))) {
        throw this.#conflict(receivedAt);
      }
      this.#repeated += 1;
      return;
    }
    this.#latestAt = receivedAt;
    this.#lastSequence = sequence;
    last[0] = kind;
    last[1] = flags;
    last[2] = price;
    last[3] = size;
    last[4] = askPrice;
    last[5] = askSize;
    if (kind === QUOTE) this.#quotes += 1;
    else this.#trades += 1;
    if (this.#layout.ids === 'consecutive' && sequence > 0) {
      if (this.#latestId > 0 && sequence > this.#latestId + 1) {
        this.#missing += sequence - this.#latestId - 1;
      }
      this.#latestId = Math.max(this.#latestId, sequence);
    }
    this.#sink.row(receivedAt, stampedAt, kind, flags, sequence, price, size, askPrice, askSize, 0);
  }

  /** Whether a row of an id that is no number was written at this time. */
  #hasKey(at: number, key: number): boolean {
    const keys = this.#keys;
    if (at !== this.#latestAt) keys.clear();
    if (keys.has(key)) return true;
    keys.add(key);
    return false;
  }

  #conflict(at: number): Error {
    return this.#position.malformed(
      `the row of ${isoTime(micros(at))} has the id of another of that time, and other numbers`,
      'each id once, or rows that come again to be the same',
    );
  }

  counts(): Partial<ImportCounts> {
    return {
      trades: this.#trades,
      quotes: this.#quotes,
      missingTrades: this.#missing,
      repeatedTrades: this.#repeated,
      unsidedTrades: this.unsidedTrades,
      unorderedRows: this.#unordered,
    };
  }
}

const [PRIME, MASK] = [0x01000193, 0x1fffff];

/** Two hashes of the text combined, 53 bits: non-numeric ids are compared at one time only. */
function keyOf(id: string): number {
  let [low, high] = [0x811c9dc5, 0x9dc5811c];
  for (let index = 0; index < id.length; index += 1) {
    const code = id.charCodeAt(index);
    low = Math.imul(low ^ code, PRIME);
    high = Math.imul(high ^ (code + index), PRIME);
  }
  return (high & MASK) * 2 ** 32 + (low >>> 0) + 1;
}
