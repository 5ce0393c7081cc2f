import type { ImportOptions } from './contract.ts';
import { eachCsvRow, fieldsOf, Header, tooShort, type VisitRow } from './csv.ts';
import { lineBatches } from './lines.ts';
import { shown } from './malformed.ts';
import type { Place } from './place.ts';
import type { Sources } from './source.ts';
import { readSide, type Aggressor } from './trades.ts';

interface Row {
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

/** What an exchange says of a contract; a text is empty where it does not. */
export interface TickerRow extends Row {
  readonly kind: 'ticker';
  readonly last: string;
  readonly mark: string;
  readonly index: string;
  readonly rate: string;
  /** When the rate is paid; 0 where that is not said. */
  readonly fundingAt: number;
  readonly openInterest: string;
}

export type TardisRow = TradeRow | LevelRow | QuoteRow | TickerRow;

/** The data types of https://docs.tardis.dev/downloadable-csv-files that are imported. */
export type DataType = 'trades' | 'incremental_book_L2' | 'quotes' | 'derivative_ticker';

/** Reads a row; `undefined` for one of an instrument that was not asked for. */
type ReadRow = (fields: readonly string[]) => TardisRow | undefined;

/** Reads the rows of one instrument, the one asked for or else the first that the files name. */
export class TardisReader {
  readonly #place: Place;
  readonly #asked: string | undefined;
  #symbol: string | undefined;
  #exchange = '';

  constructor(options: ImportOptions, place: Place) {
    this.#place = place;
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

  /** Calls `visit` with each row of a file until it gives false. */
  async each(sources: Sources, file: string, visit: (row: TardisRow) => boolean): Promise<void> {
    await eachCsvRow(sources, file, this.#place, (header): VisitRow => {
      const read = this.#reader(header);
      return (fields) => {
        const row = read(fields);
        return row === undefined || visit(row);
      };
    });
  }

  /** The rows of a file, some at a time. */
  async *batches(sources: Sources, file: string): AsyncGenerator<readonly TardisRow[], void, void> {
    let header: Header | undefined;
    let read: ReadRow = () => undefined;
    const place = this.#place;
    for await (const { first, lines } of lineBatches(sources, file)) {
      const rows: TardisRow[] = [];
      place.file = file;
      for (let index = 0; index < lines.length; index++) {
        const line = lines[index];
        place.line = first + index;
        if (line === '') continue;
        if (header === undefined) {
          header = new Header(line);
          read = this.#reader(header);
          continue;
        }
        const fields = fieldsOf(line, header.separator);
        if (fields.length < header.columns.names.length) throw tooShort(line, header, place);
        const row = read(fields);
        if (row !== undefined) rows.push(row);
      }
      yield rows;
    }
  }

  #reader(header: Header): ReadRow {
    const need = (name: string): number => header.columns.need([name], this.#place);
    const type = this.#typeOf(header);
    const exchange = need('exchange');
    const symbol = need('symbol');
    const timestamp = need('timestamp');
    const local = need('local_timestamp');
    const rest = READERS[type](need, this.#place, (text) =>
      text === '' ? 0 : this.#time(text, 'funding_timestamp'),
    );
    return (fields) => {
      if (!this.#wanted(fields[symbol], fields[exchange])) return undefined;
      const at = this.#time(fields[local], 'local_timestamp');
      const stampedAt = this.#time(fields[timestamp], 'timestamp');
      return rest(fields, { at, stampedAt, line: this.#place.line });
    };
  }

  /** The columns say which data type a file holds, whatever its name. */
  #typeOf(header: Header): DataType {
    if (header.columns.find(['is_snapshot']) >= 0) return 'incremental_book_L2';
    const isOption = header.columns.find(['strike_price']) >= 0;
    if (header.columns.find(['funding_rate']) >= 0) return 'derivative_ticker';
    if (header.columns.find(['ask_price']) >= 0 && !isOption) return 'quotes';
    if (header.columns.find(['side']) >= 0) return 'trades';
    throw this.#place.malformed(
      `the header names ${shown(header.columns.names.join())}`,
      'the columns of Tardis trades, incremental_book_L2, quotes or derivative_ticker',
    );
  }

  #wanted(symbol: string, exchange: string): boolean {
    if (this.#asked !== undefined) {
      if (symbol.toUpperCase() !== this.#asked) return false;
    } else if (this.#symbol !== undefined && symbol !== this.#symbol) {
      throw this.#place.malformed(
        `a row of ${symbol} after rows of ${this.#symbol}`,
        `one instrument; name it with --symbol`,
      );
    }
    this.#symbol ??= symbol;
    this.#exchange = exchange;
    return true;
  }

  #time(text: string, column: string): number {
    const value = Number(text);
    if (/^\d{1,16}$/.test(text) && Number.isSafeInteger(value)) return value;
    throw this.#place.malformed(`${column} ${shown(text)}`, 'microseconds since 1970');
  }
}

type MakeReader = (
  need: (name: string) => number,
  place: Place,
  time: (text: string) => number,
) => (fields: readonly string[], row: Row) => TardisRow;

const orZero = (text: string): string => (text === '' ? '0' : text);

const READERS: Readonly<Record<DataType, MakeReader>> = {
  trades: (need, place) => {
    const [id, side, price, size] = ['id', 'side', 'price', 'amount'].map(need);
    return (fields, { at, stampedAt, line }) => ({
      kind: 'trade',
      at,
      stampedAt,
      line,
      id: fields[id],
      side: readSide(fields[side], place),
      price: fields[price],
      size: fields[size],
    });
  },
  incremental_book_L2: (need, place) => {
    const [isSnapshot, side, price, size] = ['is_snapshot', 'side', 'price', 'amount'].map(need);
    return (fields, { at, stampedAt, line }) => ({
      kind: 'level',
      at,
      stampedAt,
      line,
      isSnapshot: oneOf(fields[isSnapshot], 'true', 'false', place),
      ask: oneOf(fields[side], 'ask', 'bid', place),
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

/** Its predicted rate, of a payment whose time the files do not say, is left out. */
function readTicker(
  need: (name: string) => number,
  _place: Place,
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
function oneOf(text: string, yes: string, no: string, place: Place): boolean {
  const word = text.toLowerCase();
  if (word === yes) return true;
  if (word === no) return false;
  throw place.malformed(shown(text), `"${yes}" or "${no}"`);
}
