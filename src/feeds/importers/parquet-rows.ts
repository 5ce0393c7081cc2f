import type { RawBar } from './bars.ts';
import { BAR_COLUMNS, namesOf, TRADE_COLUMNS } from './columns.ts';
import type { ImportOptions } from './contract.ts';
import { shown } from './malformed.ts';
import { ParquetTable } from './parquet-table.ts';
import type { Place } from './place.ts';
import type { Sources } from './source.ts';
import { readSide, sequenceOf, type Aggressor } from './trades.ts';

export interface ParquetTrade {
  readonly receivedAt: number;
  readonly stampedAt: number;
  /** Whether the file has times of receipt of its own. */
  readonly hasReceivedAt: boolean;
  readonly symbol: string | undefined;
  readonly sequence: number;
  readonly side: Aggressor;
  readonly price: string;
  readonly size: string;
}

type TradeField = keyof typeof TRADE_COLUMNS;
type BarField = keyof typeof BAR_COLUMNS;

/** Reads one field of the row with this index in the row group. */
type ReadCell<T> = (index: number) => T;

/** True for a file of candles, told by their four prices. */
export async function holdsBars(
  sources: Sources,
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
  readonly #place: Place;
  readonly #options: ImportOptions;
  readonly #indices: number[] = [];
  #columns: readonly ArrayLike<unknown>[] = [];

  constructor(table: ParquetTable, options: ImportOptions, place: Place) {
    this.#table = table;
    this.#options = options;
    this.#place = place;
    place.file = table.path;
    place.line = 0;
  }

  /** A column as text. */
  text(index: number): ReadCell<string> {
    const cells = this.#table.cells(index);
    const slot = this.#slot(index);
    return (row) => cells.text(this.#columns[slot][row]);
  }

  /** A column as times in microseconds. */
  time(index: number): ReadCell<number> {
    const cells = this.#table.cells(index);
    const slot = this.#slot(index);
    return (row) => {
      const value = this.#columns[slot][row];
      const at = cells.time(value, this.#options.timeUnit);
      if (at !== undefined) return at;
      throw this.#place.malformed(
        `the time ${shown(cells.text(value))}`,
        'a timestamp, ISO 8601, or a number of s, ms, us or ns since 1970',
      );
    };
  }

  /** Calls `visit` for each row, after moving the place to it. */
  async each(visit: (row: number) => void): Promise<void> {
    for await (const { first, length, columns } of this.#table.groups(this.#indices)) {
      this.#columns = columns;
      for (let row = 0; row < length; row++) {
        this.#place.line = first + row;
        visit(row);
      }
    }
  }

  #slot(index: number): number {
    const known = this.#indices.indexOf(index);
    return known >= 0 ? known : this.#indices.push(index) - 1;
  }
}

/** Calls `visit` with every candle of the files. */
export async function eachParquetBar(
  sources: Sources,
  options: ImportOptions,
  place: Place,
  visit: (at: number, bar: RawBar) => void,
): Promise<void> {
  for (const file of sources.files) {
    const table = await ParquetTable.open(sources, file);
    const cells = new Cells(table, options, place);
    const index = (field: BarField): number =>
      table.columns.need(namesOf(BAR_COLUMNS, field, options), place);
    const at = cells.time(index('timestamp'));
    const open = cells.text(index('open'));
    const high = cells.text(index('high'));
    const low = cells.text(index('low'));
    const close = cells.text(index('close'));
    const volume = cells.text(index('volume'));
    await cells.each((row) => {
      visit(at(row), {
        open: open(row),
        high: high(row),
        low: low(row),
        close: close(row),
        volume: volume(row),
      });
    });
  }
}

/** Calls `visit` with every trade of the files, or of the instrument asked for where they name them. */
export async function eachParquetTrade(
  sources: Sources,
  options: ImportOptions,
  place: Place,
  visit: (trade: ParquetTrade) => void,
): Promise<void> {
  let symbol = options.symbol;
  for (const file of sources.files) {
    const table = await ParquetTable.open(sources, file);
    const cells = new Cells(table, options, place);
    const find = (field: TradeField): number =>
      table.columns.find(namesOf(TRADE_COLUMNS, field, options));
    const need = (field: TradeField): number =>
      table.columns.need(namesOf(TRADE_COLUMNS, field, options), place);
    const maybe = (field: TradeField): ReadCell<string> | undefined => {
      const index = find(field);
      return index < 0 ? undefined : cells.text(index);
    };
    const stampedAt = cells.time(need('timestamp'));
    const received = find('received');
    const receivedAt = received < 0 ? stampedAt : cells.time(received);
    const price = cells.text(need('price'));
    const size = cells.text(need('size'));
    const side = sideOf(maybe('side'), maybe('buyerMade'), place);
    const [id, symbolAt] = [maybe('id'), maybe('symbol')];
    await cells.each((row) => {
      const named = symbolAt?.(row);
      if (named !== undefined && named !== symbol) {
        if (options.symbol !== undefined) return;
        if (symbol !== undefined) throw secondSymbol(named, symbol, place);
        symbol = named;
      }
      visit({
        receivedAt: receivedAt(row),
        stampedAt: stampedAt(row),
        hasReceivedAt: received >= 0,
        symbol,
        sequence: id === undefined ? 0 : sequenceOf(id(row)),
        side: side(row),
        price: price(row),
        size: size(row),
      });
    });
  }
}

const secondSymbol = (named: string, symbol: string, place: Place): Error =>
  place.malformed(
    `a row of ${named} after rows of ${symbol}`,
    'one instrument; name it with --symbol',
  );

/** Who took liquidity: from a column of sides, or from one that says whether the buyer's order rested. */
function sideOf(
  side: ReadCell<string> | undefined,
  buyerMade: ReadCell<string> | undefined,
  place: Place,
): ReadCell<Aggressor> {
  if (side !== undefined) return (row) => readSide(side(row), place);
  if (buyerMade === undefined) return () => undefined;
  return (row) => {
    const text = buyerMade(row).toLowerCase();
    if (text === 'true' || text === '1') return 'sell';
    if (text === 'false' || text === '0') return 'buy';
    throw place.malformed(`is_buyer_maker ${shown(text)}`, 'true or false');
  };
}
