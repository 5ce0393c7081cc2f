import type { ContractTerms } from './contracts.ts';
import type { SymbolParts } from './symbol.ts';
import type { TimeUnit } from './timestamp.ts';

/** Content of a text file's row. */
export type RowKind = 'candles' | 'trades' | 'quotes';

/** The fields that a row may have. */
export const FIELDS = {
  candles: ['timestamp', 'open', 'high', 'low', 'close', 'volume', 'symbol'],
  trades: ['timestamp', 'received', 'price', 'size', 'side', 'buyerMade', 'id', 'symbol'],
  quotes: ['timestamp', 'received', 'bid', 'bidSize', 'ask', 'askSize', 'id', 'symbol'],
} as const satisfies Readonly<Record<RowKind, readonly string[]>>;
export type Field = (typeof FIELDS)[RowKind][number];

/** Format of a text file's rows; defaults are those of most files. */
export interface Mapping {
  readonly rows: RowKind;
  /**
   * Column of a field: its name, or its index, counted from 1. `date+time` joins two columns, `volume*` is
   * the first with that prefix.
   */
  readonly columns: Readonly<Partial<Record<Field, string | number>>>;
  /** False if the first row is data; the columns then have indices. */
  readonly header?: boolean;
  /** Lines before the header or the first row. */
  readonly skipLines?: number;
  /** The most frequent one of comma, semicolon and tab in the line if absent. */
  readonly separator?: string;
  readonly decimalMark?: '.' | ',';
  /** Digit group separator of large numbers; it is removed. */
  readonly thousandsMark?: string;
  /** Unit of numeric times; inferred from their size if absent. */
  readonly timeUnit?: TimeUnit;
  /** Of times as text that are not ISO 8601: `DD.MM.YYYY HH:mm:ss.SSS`. */
  readonly timeFormat?: string;
  /** Time zone of times without an offset: `UTC`, `-05:00`, `Europe/Berlin`. */
  readonly zone?: string;
  readonly candleTime?: 'open' | 'close';
  /** Words of the aggressor's side. */
  readonly sides?: { readonly buy: readonly string[]; readonly sell: readonly string[] };
  /** Multipliers of prices and sizes, as decimal text. */
  readonly multiplier?: { readonly price?: string; readonly size?: string };
  /** Rows that are read: those whose column has this text. */
  readonly only?: Readonly<Record<string, string>>;
  /** Sizes of quotes in files that have none, as decimal text. */
  readonly quoteSize?: string;
}

/** A market by a file's name and rows. */
export interface Market {
  readonly type?: 'spot' | 'futures';
  readonly contract?: ContractTerms;
  readonly isPerpetual?: boolean;
  readonly parts?: SymbolParts;
  /** True if sizes are contracts whose size only the venue reports. */
  readonly needsContract?: boolean;
  /** A note about it. */
  readonly note?: string;
}

/** The layout of the files of a source. */
export interface Layout extends Mapping {
  /** Names of the columns of files without a header. */
  readonly names?: readonly string[];
  /** Columns that such a header has, and nothing else. */
  readonly has?: readonly string[];
  /** Whether the first rows of a file without a header are of this layout. */
  readonly fits?: (rows: readonly (readonly string[])[], file: string) => boolean;
  /** Pattern of the file's name, without folders, of this source; needed if the rows could be another's. */
  readonly named?: RegExp;
  /** Why a row does not fit this layout after all. */
  readonly wrong?: (fields: readonly string[], header: readonly string[]) => string | undefined;
  /** Why files of this layout are not read. */
  readonly refused?: string;
  /** A note if the recognition is uncertain. */
  readonly guess?: string;
  readonly market?: (symbol: string | undefined, file: string, hasHeader: boolean) => Market;
  /** Whether ids count the trades of a market one by one, or restart each day. */
  readonly ids?: 'consecutive' | 'daily';
  /** True if quotes are in the order of their ids, whatever their times. */
  readonly byId?: true;
  /** The period of candles, if the name of the file has it. */
  readonly periodOf?: (file: string) => string | undefined;
  /** The clock by which files are cut into the days or months of their names. */
  readonly days?: 'UTC' | '+08:00';
  /** Whether a negative size is a trade of a seller. */
  readonly isSigned?: true;
  /** True if rows with non-numeric prices mean a period without trades. */
  readonly skipsNaN?: true;
  readonly notes?: readonly string[];
}
