import type { Instrument } from '../../model/instrument.ts';
import { isoTime, type Micros } from '../../platform/time.ts';
import type { FillWithCause } from '../metrics/forced-fill.ts';
import type { FillRow, ForcedClose } from '../result.ts';
import { marginCode, marginOf } from './margin-code.ts';
import { NumberTable } from './number-table.ts';
import { RowTable } from './row-table.ts';
import { TextColumn } from './text-column.ts';

const AT = 0;
const ID = 1;
const TICKS = 2;
const LOTS = 3;
/** Two fields: units and places. */
const FEE = 4;
/** Instrument, currency of the fee, side and role as one number. */
const WORDS = 6;
/** Margin mode, and how the venue forced it, as one number. */
const MARGIN = 7;
const WIDTH = 8;

/** Data of a fill for a chart, as doubles. */
export interface FillMark {
  readonly second: number;
  readonly symbol: string;
  readonly side: 'buy' | 'sell';
  readonly size: number;
  readonly price: number;
  readonly order: string;
  readonly forced: ForcedClose | undefined;
}

/** Fills of a run in progress. */
export class FillColumns {
  readonly #instruments: readonly Instrument[];
  readonly #table = new NumberTable(WIDTH);
  readonly #orders = new TextColumn();

  constructor(instruments: readonly Instrument[]) {
    this.#instruments = instruments;
  }

  get length(): number {
    return this.#table.length;
  }

  /** Adds the next fill, of the instrument at `index`. */
  add(fill: FillWithCause, index: number): void {
    const table = this.#table;
    const row = table.add();
    table.set(row, AT, fill.at);
    table.set(row, ID, fill.id);
    table.set(row, TICKS, fill.ticks);
    table.set(row, LOTS, fill.lots);
    table.setAmount(row, FEE, fill.fee);
    const inBase = fill.feeCurrency === this.#instruments[index].baseCurrency ? 4 : 0;
    table.set(
      row,
      WORDS,
      8 * index + inBase + (fill.side === 'sell' ? 2 : 0) + (fill.taker ? 1 : 0),
    );
    table.set(row, MARGIN, marginCode(fill));
    this.#orders.push(fill.clientOrderId);
  }

  row(index: number): FillRow {
    const table = this.#table;
    const words = table.get(index, WORDS);
    const instrument = this.#instruments[Math.floor(words / 8)];
    return {
      at: isoTime(table.get(index, AT) as Micros),
      symbol: instrument.symbol,
      side: (words & 2) === 0 ? 'buy' : 'sell',
      price: instrument.tickAmount.timesCount(table.get(index, TICKS)).toFixed(),
      size: instrument.lotAmount.timesCount(table.get(index, LOTS)).toFixed(),
      fee: table.amount(index, FEE).toFixed(),
      feeCurrency: (words & 4) === 0 ? instrument.quoteCurrency : instrument.baseCurrency,
      taker: (words & 1) === 1,
      order: this.#orders.at(index),
      id: table.get(index, ID),
      ...marginOf(table.get(index, MARGIN)),
    };
  }

  mark(index: number): FillMark {
    const table = this.#table;
    const words = table.get(index, WORDS);
    const { symbol, tickAmount, lotAmount } = this.#instruments[Math.floor(words / 8)];
    return {
      second: table.get(index, AT) / 1_000_000,
      symbol,
      side: (words & 2) === 0 ? 'buy' : 'sell',
      size: lotAmount.timesCount(table.get(index, LOTS)).toNumber(),
      price: tickAmount.timesCount(table.get(index, TICKS)).toNumber(),
      order: this.#orders.at(index),
      forced: marginOf(table.get(index, MARGIN)).forced,
    };
  }
}

/** The fills of a run. */
export class FillTable extends RowTable<FillRow> {
  readonly #columns: FillColumns;

  constructor(columns: FillColumns, limit: number) {
    super(columns.length, limit, (index) => columns.row(index));
    this.#columns = columns;
  }

  /** Every fill as a chart draws it. */
  *marks(): Iterable<FillMark> {
    for (let index = 0; index < this.total; index += 1) yield this.#columns.mark(index);
  }
}
