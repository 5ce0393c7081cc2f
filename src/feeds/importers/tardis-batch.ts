import type { Aggressor } from './trades.ts';

/** Receive time of a row, and its position. */
export interface Row {
  /** Local time of arrival, by which the files are ordered. */
  readonly at: number;
  readonly stampedAt: number;
  readonly line: number;
}

export interface TradeRow extends Row {
  readonly kind: 'trade';
  readonly id: string;
  readonly side: Aggressor;
  readonly price: string;
  readonly size: string;
}

export interface LevelRow extends Row {
  readonly kind: 'level';
  readonly isSnapshot: boolean;
  readonly ask: boolean;
  readonly price: string;
  readonly size: string;
}

/** An empty side has price and size `0`. */
export interface QuoteRow extends Row {
  readonly kind: 'quote';
  readonly bid: string;
  readonly bidSize: string;
  readonly ask: string;
  readonly askSize: string;
}

/** An exchange's contract data; a text is empty if absent. */
export interface TickerRow extends Row {
  readonly kind: 'ticker';
  readonly last: string;
  readonly mark: string;
  readonly index: string;
  readonly rate: string;
  /** When the rate is paid; 0 if unknown. */
  readonly fundingAt: number;
  readonly openInterest: string;
}

export type TardisRow = TradeRow | LevelRow | QuoteRow | TickerRow;

/** The data types of https://docs.tardis.dev/downloadable-csv-files that are imported. */
export type DataType = 'trades' | 'incremental_book_L2' | 'quotes' | 'derivative_ticker';

/** The sides of plain rows, by their numbers in a batch; the first of each sells or is an ask. */
export const SIDE_WORDS = {
  trades: ['sell', 'buy'],
  incremental_book_L2: ['ask', 'bid'],
} as const;

/** Initial capacity; a batch grows if one chunk of a file has more rows. */
const ROOM = 4_096;

/**
 * Consecutive rows of one file of Tardis, as columns. Prices and sizes are steps already; a row that was
 * not plain is in `texts`, with only its times in the columns.
 */
export class TardisBatch {
  readonly file: string;
  length = 0;
  type: DataType = 'trades';
  at = new Float64Array(ROOM);
  stampedAt = new Float64Array(ROOM);
  line = new Float64Array(ROOM);
  /** The four numbers of a row, as its data type has them. */
  numbers = new Float64Array(4 * ROOM);
  /** Rows that were not plain, by their index. */
  readonly texts = new Map<number, TardisRow>();

  constructor(file: string) {
    this.file = file;
  }

  clear(): void {
    this.length = 0;
    this.texts.clear();
  }

  add(row: TardisRow): void {
    const index = this.#next();
    this.at[index] = row.at;
    this.stampedAt[index] = row.stampedAt;
    this.line[index] = row.line;
    this.texts.set(index, row);
  }

  /** Adds the values of a plain row: four numbers of its data type, then receive time and timestamp. */
  addPlain(type: DataType, line: number, values: Float64Array): void {
    const index = this.#next();
    const { numbers } = this;
    this.type = type;
    this.line[index] = line;
    numbers[4 * index] = values[0];
    numbers[4 * index + 1] = values[1];
    numbers[4 * index + 2] = values[2];
    numbers[4 * index + 3] = values[3];
    this.at[index] = values[4];
    this.stampedAt[index] = values[5];
  }

  /** True for a row of a book snapshot. */
  isSnapshot(index: number): boolean {
    const text = this.texts.size === 0 ? undefined : this.texts.get(index);
    if (text !== undefined) return text.kind === 'level' && text.isSnapshot;
    return this.type === 'incremental_book_L2' && this.numbers[4 * index + 3] === 1;
  }

  #next(): number {
    const index = this.length;
    this.length += 1;
    if (index === this.at.length) this.#grow();
    return index;
  }

  #grow(): void {
    const room = 2 * this.at.length;
    this.at = grown(this.at, room);
    this.stampedAt = grown(this.stampedAt, room);
    this.line = grown(this.line, room);
    this.numbers = grown(this.numbers, 4 * room);
  }
}

function grown(column: Float64Array<ArrayBuffer>, room: number): Float64Array<ArrayBuffer> {
  const wider = new Float64Array(room);
  wider.set(column);
  return wider;
}
