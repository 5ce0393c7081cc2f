import { MillraceError } from '../../model/errors.ts';
import { Instrument, type InstrumentTerms } from '../../model/instrument.ts';
import { readRow, insertRow } from './checked-rows.ts';
import type { JournalFile } from './file.ts';

interface InstrumentRow {
  readonly id: number;
  readonly terms: string;
}

/**
 * The terms of the instruments of the journal's orders: without them ticks and lots mean nothing. When the
 * venue changes the terms, a new row is added, and old orders keep theirs.
 */
export class InstrumentRows {
  readonly #file: JournalFile;
  #lastId = 0;
  readonly #byId = new Map<number, Instrument>();
  /** The terms of today, by symbol. */
  readonly #newest = new Map<string, { readonly id: number; readonly instrument: Instrument }>();

  constructor(file: JournalFile) {
    this.#file = file;
    for (const row of file.all`SELECT * FROM instruments ORDER BY id`) {
      readRow(file, 'instruments', row, () => {
        const { id, terms } = row as unknown as InstrumentRow;
        this.#take(id, new Instrument(JSON.parse(terms) as InstrumentTerms));
      });
    }
  }

  /** Instruments whose present terms are not stored. */
  unknown(instruments: readonly Instrument[]): readonly Instrument[] {
    return instruments.filter(({ symbol, terms }) => {
      const known = this.#newest.get(symbol);
      return known === undefined || !isSame(known.instrument.terms, terms);
    });
  }

  /** Writes new terms within a transaction. Returns the argument for `take` once it is committed. */
  insert({ symbol, terms }: Instrument): number {
    this.#lastId += 1;
    insertRow(this.#file, 'instruments', [this.#lastId, symbol, JSON.stringify(terms)]);
    return this.#lastId;
  }

  take(written: ReadonlyMap<Instrument, number>): void {
    for (const [instrument, id] of written) this.#take(id, instrument);
  }

  byId(id: number): Instrument {
    const instrument = this.#byId.get(id);
    if (instrument === undefined) throw unacknowledgedOf(`number ${id}`);
    return instrument;
  }

  /** The instrument of a symbol as it is now. */
  find(symbol: string): Instrument | undefined {
    return this.#newest.get(symbol)?.instrument;
  }

  /** The row of a symbol's present terms; throws `symbol-unknown` if there are none. */
  idOf(symbol: string): number {
    const known = this.#newest.get(symbol);
    if (known === undefined) throw unacknowledgedOf(symbol);
    return known.id;
  }

  /** Every instrument by symbol, as it is now. */
  all(): ReadonlyMap<string, Instrument> {
    return new Map(Array.from(this.#newest, ([symbol, { instrument }]) => [symbol, instrument]));
  }

  /** True if a symbol had other terms before, on whose grid its orders were. */
  hasChanged(symbol: string): boolean {
    return [...this.#byId.values()].filter((one) => one.symbol === symbol).length > 1;
  }

  #take(id: number, instrument: Instrument): void {
    this.#lastId = Math.max(this.#lastId, id);
    this.#byId.set(id, instrument);
    this.#newest.set(instrument.symbol, { id, instrument });
  }
}

const isSame = (one: InstrumentTerms, other: InstrumentTerms): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

const unacknowledgedOf = (what: string): MillraceError =>
  new MillraceError(
    'symbol-unknown',
    `The journal knows no instrument ${what}; give it the instruments of the venue before orders in them.`,
    { field: 'symbol' },
  );
