import type { ImportOptions } from './contract.ts';
import { CsvRows, eachCsvRow, type Header } from './csv.ts';
import type { ImportGrid } from './grid.ts';
import { byteBatches } from './lines.ts';
import { shown } from './malformed.ts';
import type { RowPosition } from './row-position.ts';
import { PlainRows, type PlainColumn, type IndexedColumn } from './plain-rows.ts';
import { SIDE_WORDS, TardisBatch } from './tardis-batch.ts';
import type { DataType, Row, TardisRow } from './tardis-batch.ts';
import type { ImportSources } from './source.ts';
import { readSide } from './trades.ts';

/** Reads a row; `undefined` for one of another instrument. */
type ReadRow = (fields: readonly string[]) => TardisRow | undefined;

/** Reads the rows of one instrument, the requested one or else the first in the files. */
export class TardisReader {
  readonly #position: RowPosition;
  readonly #asked: string | undefined;
  #symbol: string | undefined;
  #exchange = '';
  /** True if the rows name more than one exchange. */
  isMixed = false;

  constructor(options: ImportOptions, position: RowPosition) {
    this.#position = position;
    this.#asked = options.symbol?.toUpperCase();
  }

  /** The instrument's symbol once a row of it was read. */
  get symbol(): string | undefined {
    return this.#symbol;
  }

  /** The exchange's id at Tardis, such as `binance-futures`. */
  get exchange(): string {
    return this.#exchange;
  }

  /** Calls `visit` with each row of a file until it returns false. */
  async each(
    sources: ImportSources,
    file: string,
    visit: (row: TardisRow) => boolean,
  ): Promise<void> {
    await eachCsvRow(sources, file, this.#position, (header) => {
      const read = this.#reader(header);
      return {
        visit: (fields) => {
          const row = read(fields);
          return row === undefined || visit(row);
        },
      };
    });
  }

  /**
   * The rows of a file in two batches that are refilled in turn; prices and sizes in steps of these grids
   * if they are plain.
   */
  async *batches(
    sources: ImportSources,
    file: string,
    price: ImportGrid,
    size: ImportGrid,
  ): AsyncGenerator<TardisBatch, void, void> {
    const position = this.#position;
    let [batch, other] = [new TardisBatch(file), new TardisBatch(file)];
    const rows = new CsvRows(position, (header) => {
      const read = this.#reader(header);
      const type = this.#typeOf(header);
      const plain = this.#plain(header, type, price, size);
      return {
        visit: (fields) => {
          const row = read(fields);
          if (row !== undefined) batch.add(row);
          return true;
        },
        plain: (bytes, from) => {
          const next = plain === undefined ? -1 : plain.read(bytes, from);
          if (next >= 0) batch.addPlain(type, rows.lines, plain?.values ?? NONE);
          return next;
        },
      };
    });
    for await (const bytes of byteBatches(sources, file, () => rows.lines + 1)) {
      position.file = file;
      batch.clear();
      rows.take(bytes);
      if (batch.length > 0) yield batch;
      [batch, other] = [other, batch];
    }
    position.file = file;
    rows.end();
  }

  /** The quick road of rows of the instrument and exchange that were read first. */
  #plain(
    header: Header,
    type: DataType,
    price: ImportGrid,
    size: ImportGrid,
  ): PlainRows | undefined {
    if (type === 'derivative_ticker' || this.#symbol === undefined) return undefined;
    const shared: Readonly<Record<string, PlainColumn>> = {
      local_timestamp: { kind: 'time', unit: 'us' },
      timestamp: { kind: 'time', unit: 'us' },
      exchange: { kind: 'word', words: [this.#exchange] },
      symbol: { kind: 'word', words: [this.#symbol] },
    };
    const columns = { ...plainColumns(type, price, size), ...shared };
    const placed = Object.entries(columns).map(([name, column]): IndexedColumn => [
      header.columns.need([name], this.#position),
      column,
    ]);
    return PlainRows.of(header.separator, header.columns.names.length, placed);
  }

  #reader(header: Header): ReadRow {
    const need = (name: string): number => header.columns.need([name], this.#position);
    const type = this.#typeOf(header);
    const exchange = need('exchange');
    const symbol = need('symbol');
    const timestamp = need('timestamp');
    const local = need('local_timestamp');
    const rest = READERS[type](need, this.#position, (text) =>
      text === '' ? 0 : this.#time(text, 'funding_timestamp'),
    );
    return (fields) => {
      if (!this.#wanted(fields[symbol], fields[exchange])) return undefined;
      const at = this.#time(fields[local], 'local_timestamp');
      const stampedAt = this.#time(fields[timestamp], 'timestamp');
      return rest(fields, { at, stampedAt, line: this.#position.line });
    };
  }

  /** The columns determine the data type of a file, whatever its name. */
  #typeOf(header: Header): DataType {
    if (header.columns.find(['is_snapshot']) >= 0) return 'incremental_book_L2';
    const isOption = header.columns.find(['strike_price']) >= 0;
    if (header.columns.find(['funding_rate']) >= 0) return 'derivative_ticker';
    if (header.columns.find(['ask_price']) >= 0 && !isOption) return 'quotes';
    if (header.columns.find(['side']) >= 0) return 'trades';
    throw this.#position.malformed(
      `the header names ${shown(header.columns.names.join())}`,
      'the columns of Tardis trades, incremental_book_L2, quotes or derivative_ticker',
    );
  }

  #wanted(symbol: string, exchange: string): boolean {
    if (this.#asked !== undefined) {
      if (symbol.toUpperCase() !== this.#asked) return false;
    } else if (this.#symbol !== undefined && symbol !== this.#symbol) {
      throw this.#position.malformed(
        `a row of ${symbol} after rows of ${this.#symbol}`,
        `one instrument; name it with --symbol`,
      );
    }
    if (this.#symbol !== undefined && exchange !== this.#exchange) this.isMixed = true;
    this.#symbol ??= symbol;
    this.#exchange = exchange;
    return true;
  }

  #time(text: string, column: string): number {
    const value = Number(text);
    if (/^\d{1,16}$/.test(text) && Number.isSafeInteger(value)) return value;
    throw this.#position.malformed(`${column} ${shown(text)}`, 'microseconds since 1970');
  }
}

const NONE = new Float64Array(0);

/** The columns of a plain row besides those that all types have, in the order of a batch. */
function plainColumns(
  type: Exclude<DataType, 'derivative_ticker'>,
  price: ImportGrid,
  size: ImportGrid,
): Readonly<Record<string, PlainColumn>> {
  const [ticks, lots] = [
    { kind: 'steps', grid: price } as const,
    { kind: 'steps', grid: size } as const,
  ];
  switch (type) {
    case 'trades':
      return {
        price: ticks,
        amount: lots,
        side: { kind: 'word', words: SIDE_WORDS.trades },
        id: { kind: 'id' },
      };
    case 'incremental_book_L2':
      return {
        price: ticks,
        amount: lots,
        side: { kind: 'word', words: SIDE_WORDS.incremental_book_L2 },
        is_snapshot: { kind: 'word', words: ['false', 'true'] },
      };
    case 'quotes':
      return {
        bid_price: { ...ticks, orZero: true },
        bid_amount: { ...lots, orZero: true },
        ask_price: { ...ticks, orZero: true },
        ask_amount: { ...lots, orZero: true },
      };
  }
}

type MakeReader = (
  need: (name: string) => number,
  position: RowPosition,
  time: (text: string) => number,
) => (fields: readonly string[], row: Row) => TardisRow;

const orZero = (text: string): string => (text === '' ? '0' : text);

const READERS: Readonly<Record<DataType, MakeReader>> = {
  trades: (need, position) => {
    const [id, side, price, size] = ['id', 'side', 'price', 'amount'].map(need);
    return (fields, { at, stampedAt, line }) => ({
      kind: 'trade',
      at,
      stampedAt,
      line,
      id: fields[id],
      side: readSide(fields[side], position),
      price: fields[price],
      size: fields[size],
    });
  },
  incremental_book_L2: (need, position) => {
    const [isSnapshot, side, price, size] = ['is_snapshot', 'side', 'price', 'amount'].map(need);
    return (fields, { at, stampedAt, line }) => ({
      kind: 'level',
      at,
      stampedAt,
      line,
      isSnapshot: oneOf(fields[isSnapshot], 'true', 'false', position),
      ask: oneOf(fields[side], 'ask', 'bid', position),
      price: fields[price],
      size: fields[size],
    });
  },
  quotes: (need) => {
    const [bid, bidSize] = ['bid_price', 'bid_amount'].map(need);
    const [ask, askSize] = ['ask_price', 'ask_amount'].map(need);
    return (fields, { at, stampedAt, line }) => ({
      kind: 'quote',
      at,
      stampedAt,
      line,
      bid: orZero(fields[bid]),
      bidSize: orZero(fields[bidSize]),
      ask: orZero(fields[ask]),
      askSize: orZero(fields[askSize]),
    });
  },
  derivative_ticker: readTicker,
};

/** Its predicted rate, whose payment time is not in the files, is left out. */
function readTicker(
  need: (name: string) => number,
  _position: RowPosition,
  time: (text: string) => number,
): (fields: readonly string[], row: Row) => TardisRow {
  const [last, mark, index] = ['last_price', 'mark_price', 'index_price'].map(need);
  const [rate, fundingAt] = ['funding_rate', 'funding_timestamp'].map(need);
  const openInterest = need('open_interest');
  return (fields, { at, stampedAt, line }) => ({
    kind: 'ticker',
    at,
    stampedAt,
    line,
    last: fields[last],
    mark: fields[mark],
    index: fields[index],
    rate: fields[rate],
    fundingAt: time(fields[fundingAt]),
    openInterest: fields[openInterest],
  });
}

/** True for the first word, false for the second, in any case. */
function oneOf(text: string, yes: string, no: string, position: RowPosition): boolean {
  const word = text.toLowerCase();
  if (word === yes) return true;
  if (word === no) return false;
  throw position.malformed(shown(text), `"${yes}" or "${no}"`);
}
