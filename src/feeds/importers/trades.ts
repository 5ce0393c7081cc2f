import { LAST, SELL, TRADE } from '../../model/events.ts';
import type { InstrumentTerms } from '../../model/instrument.ts';
import { isoTime, micros } from '../../platform/time.ts';
import type { ImportCounts } from './contract.ts';
import type { RowSink } from '../row-sink.ts';
import { ImportGrid } from './grid.ts';
import { shown } from './malformed.ts';
import { Steps, type RowPosition } from './row-position.ts';

/** The aggressor's side; `undefined` if the file does not have it. */
export type Aggressor = 'buy' | 'sell' | undefined;

const SIDES: ReadonlyMap<string, Aggressor> = new Map([
  ['buy', 'buy'],
  ['b', 'buy'],
  ['bid', 'buy'],
  ['sell', 'sell'],
  ['s', 'sell'],
  ['ask', 'sell'],
  ['', undefined],
  ['unknown', undefined],
  ['none', undefined],
]);

/** Reads the side of a trade in the files' words. */
export function readSide(text: string, position: RowPosition): Aggressor {
  const word = text.toLowerCase();
  if (SIDES.has(word)) return SIDES.get(word);
  throw position.malformed(`the side ${shown(text)}`, '"buy" or "sell"');
}

/** A trade id as a number if it is a whole number that a double holds, otherwise 0. */
export function sequenceOf(id: string): number {
  if (!/^\d{1,16}$/.test(id)) return 0;
  const value = Number(id);
  return Number.isSafeInteger(value) ? value : 0;
}

/** Writes the trades of files in order of their times. */
export class TradeImport {
  readonly priceGrid: ImportGrid;
  readonly sizeGrid: ImportGrid;
  readonly #sink: RowSink;
  readonly #position: RowPosition;
  readonly #price: Steps;
  readonly #size: Steps;
  #latest = Number.NEGATIVE_INFINITY;
  #trades = 0;
  #unsidedTrades = 0;

  constructor(instrument: InstrumentTerms, sink: RowSink, position: RowPosition) {
    this.#sink = sink;
    this.#position = position;
    this.priceGrid = new ImportGrid(instrument.tickSize);
    this.sizeGrid = new ImportGrid(instrument.quantityIncrement);
    this.#price = new Steps('price', this.priceGrid, position);
    this.#size = new Steps('size', this.sizeGrid, position);
  }

  /** Processes a trade whose price and size are text. */
  take(
    receivedAt: number,
    stampedAt: number,
    sequence: number,
    side: Aggressor,
    price: unknown,
    size: unknown,
  ): void {
    if (receivedAt < this.#latest) throw this.#backwards(receivedAt);
    const [ticks, lots] = [this.#price.of(price), this.#size.of(size)];
    this.takeSteps(receivedAt, stampedAt, sequence, side, ticks, lots);
  }

  /** Processes a trade whose price and size are whole steps already. */
  takeSteps(
    receivedAt: number,
    stampedAt: number,
    sequence: number,
    side: Aggressor,
    ticks: number,
    lots: number,
  ): void {
    if (receivedAt < this.#latest) throw this.#backwards(receivedAt);
    this.#latest = receivedAt;
    this.#trades += 1;
    if (side === undefined) this.#unsidedTrades += 1;
    const flags = side === 'sell' ? SELL | LAST : LAST;
    this.#sink.row(receivedAt, stampedAt, TRADE, flags, sequence, ticks, lots, 0, 0, 0);
  }

  counts(): Partial<ImportCounts> {
    return { trades: this.#trades, unsidedTrades: this.#unsidedTrades };
  }

  #backwards(at: number): Error {
    return this.#position.malformed(
      `the time ${isoTime(micros(at))} is before that of the row before it`,
      'rows in rising order of time; sort the file, or name the files in their order',
    );
  }
}
