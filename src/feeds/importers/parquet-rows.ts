import { BAR_COLUMNS, namesOf, TRADE_COLUMNS } from './columns.ts';
import type { ImportOptions } from './contract.ts';
import type { ImportGrid } from './grid.ts';
import { shown } from './malformed.ts';
import { ParquetTable } from './parquet-table.ts';
import type { RowPosition } from './row-position.ts';
import type { ImportSources } from './source.ts';
import { readSide, type Aggressor } from './trades.ts';

/** One column of numbers of the read rows. */
export interface NumberCells {
  readonly text: ReadCell<string>;
  /** NaN if the text is no whole number of steps. */
  steps(row: number, grid: ImportGrid): number;
}

/** The columns of a file of trades, each read by the index of the row in its row group. */
export interface TradeCells {
  readonly receivedAt: ReadCell<number>;
  readonly stampedAt: ReadCell<number>;
  /** True if the file has its own receive times. */
  readonly hasReceivedAt: boolean;
  readonly sequence: ReadCell<number>;
  readonly side: ReadCell<Aggressor>;
  readonly price: NumberCells;
  readonly size: NumberCells;
}

/** The same of candles. */
export interface BarCells extends Readonly<
  Record<'open' | 'high' | 'low' | 'close' | 'volume', NumberCells>
> {
  readonly at: ReadCell<number>;
}

type TradeField = keyof typeof TRADE_COLUMNS;
type BarField = keyof typeof BAR_COLUMNS;

/** Reads one field of the row with this index in the row group. */
export type ReadCell<T> = (index: number) => T;

/** True for a file of candles, recognised by their four prices. */
export async function holdsBars(
  sources: ImportSources,
  file: string,
  options: ImportOptions,
): Promise<boolean> {
  const { columns } = await ParquetTable.open(sources, file);
  return (['open', 'high', 'low', 'close'] as const).every(
    (field) => columns.find(namesOf(BAR_COLUMNS, field, options)) >= 0,
  );
}

/** The cells of the row group that is being read, column by column. */
class Cells {
  readonly #table: ParquetTable;
  readonly #position: RowPosition;
  readonly #options: ImportOptions;
  readonly #indices: number[] = [];
  #columns: readonly ArrayLike<unknown>[] = [];

  constructor(table: ParquetTable, options: ImportOptions, position: RowPosition) {
    this.#table = table;
    this.#options = options;
    this.#position = position;
    position.file = table.path;
    position.line = 0;
  }

  /** A column as text. */
  text(index: number): ReadCell<string> {
    const cells = this.#table.cells(index);
    const slot = this.#slot(index);
    return (row) => cells.text(this.#columns[slot][row]);
  }

  /** A column as decimal numbers. */
  number(index: number): NumberCells {
    const cells = this.#table.cells(index);
    const slot = this.#slot(index);
    return {
      text: (row) => cells.text(this.#columns[slot][row]),
      steps: (row, grid) => cells.steps(this.#columns[slot][row], grid),
    };
  }

  /** A column as trade ids. */
  sequence(index: number): ReadCell<number> {
    const cells = this.#table.cells(index);
    const slot = this.#slot(index);
    return (row) => cells.sequence(this.#columns[slot][row]);
  }

  /** A column as times in microseconds. */
  time(index: number): ReadCell<number> {
    const cells = this.#table.cells(index);
    const slot = this.#slot(index);
    return (row) => {
      const value = this.#columns[slot][row];
      const at = cells.time(value, this.#options.timeUnit);
      if (at !== undefined) return at;
      throw this.#position.malformed(
        `the time ${shown(cells.text(value))}`,
        'a timestamp, ISO 8601, or a number of s, ms, us or ns since 1970',
      );
    };
  }

  /** Calls `visit` for each row, or the first ones, after moving the position to it. */
  async each(most: number, visit: (row: number) => void): Promise<void> {
    for await (const { first, length, columns } of this.#table.groups(this.#indices, most)) {
      this.#columns = columns;
      for (let row = 0; row < length; row++) {
        this.#position.line = first + row;
        visit(row);
      }
    }
  }

  #slot(index: number): number {
    const known = this.#indices.indexOf(index);
    return known >= 0 ? known : this.#indices.push(index) - 1;
  }
}

/** Calls `visit` with every candle of the files, or with the first ones of each. */
export async function eachParquetBar(
  sources: ImportSources,
  options: ImportOptions,
  position: RowPosition,
  visit: (cells: BarCells, row: number) => void,
  most = Number.POSITIVE_INFINITY,
): Promise<void> {
  for (const file of sources.files) {
    const table = await ParquetTable.open(sources, file);
    const cells = new Cells(table, options, position);
    const index = (field: BarField): number =>
      table.columns.need(namesOf(BAR_COLUMNS, field, options), position);
    const bar: BarCells = {
      at: cells.time(index('timestamp')),
      open: cells.number(index('open')),
      high: cells.number(index('high')),
      low: cells.number(index('low')),
      close: cells.number(index('close')),
      volume: cells.number(index('volume')),
    };
    await cells.each(most, (row) => {
      visit(bar, row);
    });
  }
}

/**
 * Calls `visit` with every trade of the files, only of the requested instrument if they name it, or with
 * the first rows of each; `symbol` is that of the instrument, if they name it.
 */
export async function eachParquetTrade(
  sources: ImportSources,
  options: ImportOptions,
  position: RowPosition,
  visit: (cells: TradeCells, row: number, symbol: string | undefined) => void,
  most = Number.POSITIVE_INFINITY,
): Promise<void> {
  let symbol = options.symbol;
  for (const file of sources.files) {
    const table = await ParquetTable.open(sources, file);
    const cells = new Cells(table, options, position);
    const find = (field: TradeField): number =>
      table.columns.find(namesOf(TRADE_COLUMNS, field, options));
    const need = (field: TradeField): number =>
      table.columns.need(namesOf(TRADE_COLUMNS, field, options), position);
    const maybe = (field: TradeField): ReadCell<string> | undefined => {
      const index = find(field);
      return index < 0 ? undefined : cells.text(index);
    };
    const stampedAt = cells.time(need('timestamp'));
    const [received, id] = [find('received'), find('id')];
    const trade: TradeCells = {
      receivedAt: received < 0 ? stampedAt : cells.time(received),
      stampedAt,
      hasReceivedAt: received >= 0,
      price: cells.number(need('price')),
      size: cells.number(need('size')),
      side: sideOf(maybe('side'), maybe('buyerMade'), position),
      sequence: id < 0 ? () => 0 : cells.sequence(id),
    };
    const symbolAt = maybe('symbol');
    await cells.each(most, (row) => {
      const named = symbolAt?.(row);
      if (named !== undefined && named !== symbol) {
        if (options.symbol !== undefined) return;
        if (symbol !== undefined) throw secondSymbol(named, symbol, position);
        symbol = named;
      }
      visit(trade, row, symbol);
    });
  }
}

const secondSymbol = (named: string, symbol: string, position: RowPosition): Error =>
  position.malformed(
    `a row of ${named} after rows of ${symbol}`,
    'one instrument; name it with --symbol',
  );

/** The aggressor's side: from a column of sides, or from one that says whether the buyer's order rested. */
function sideOf(
  side: ReadCell<string> | undefined,
  buyerMade: ReadCell<string> | undefined,
  position: RowPosition,
): ReadCell<Aggressor> {
  if (side !== undefined) return (row) => readSide(side(row), position);
  if (buyerMade === undefined) return () => undefined;
  return (row) => {
    const text = buyerMade(row).toLowerCase();
    if (text === 'true' || text === '1') return 'sell';
    if (text === 'false' || text === '0') return 'buy';
    throw position.malformed(`is_buyer_maker ${shown(text)}`, 'true or false');
  };
}
