import type { ContractTerms } from './contracts.ts';
import type { SymbolParts } from './symbol.ts';
import type { TimeUnit } from './timestamp.ts';

/** What a row of a text file is. */
export type RowKind = 'candles' | 'trades' | 'quotes';

/** The fields that a row may have. */
export const FIELDS = {
  candles: ['timestamp', 'open', 'high', 'low', 'close', 'volume', 'symbol'],
  trades: ['timestamp', 'received', 'price', 'size', 'side', 'buyerMade', 'id', 'symbol'],
  quotes: ['timestamp', 'received', 'bid', 'bidSize', 'ask', 'askSize', 'id', 'symbol'],
} as const satisfies Readonly<Record<RowKind, readonly string[]>>;
export type Field = (typeof FIELDS)[RowKind][number];

/** How a text file holds its rows; what is left out is as in most files. */
export interface Mapping {
  readonly rows: RowKind;
  /**
   * Where a field stands: the name of its column, or its place, counted from 1. `date+time` joins two columns,
   * `volume*` is the first whose name begins so.
   */
  readonly columns: Readonly<Partial<Record<Field, string | number>>>;
  /** False if the first row is data; the columns then have places. */
  readonly header?: boolean;
  /** Lines before the header or the first row. */
  readonly skipLines?: number;
  /** The one of comma, semicolon and tab that the line has most of, where it is not given. */
  readonly separator?: string;
  readonly decimalMark?: '.' | ',';
  /** What groups the digits of large numbers; it is left out. */
  readonly thousandsMark?: string;
  /** Of times that are plain numbers; derived from their size where it is not given. */
  readonly timeUnit?: TimeUnit;
  /** Of times as text that are not ISO 8601: `DD.MM.YYYY HH:mm:ss.SSS`. */
  readonly timeFormat?: string;
  /** Where the clock of times without an offset hangs: `UTC`, `-05:00`, `Europe/Berlin`. */
  readonly zone?: string;
  readonly candleTime?: 'open' | 'close';
  /** The words of the side that took liquidity. */
  readonly sides?: { readonly buy: readonly string[]; readonly sell: readonly string[] };
  /** What prices and sizes are multiplied by, as decimal text. */
  readonly multiplier?: { readonly price?: string; readonly size?: string };
  /** Rows that are read: those whose column has this text. */
  readonly only?: Readonly<Record<string, string>>;
  /** Sizes of quotes in files that have none, as decimal text. */
  readonly quoteSize?: string;
}

/** What a file's name and its rows say of a market. */
export interface Market {
  readonly type?: 'spot' | 'futures';
  readonly contract?: ContractTerms;
  readonly isPerpetual?: boolean;
  readonly parts?: SymbolParts;
  /** True if sizes are contracts whose size only the venue gives. */
  readonly needsContract?: boolean;
  /** What is to be said of it. */
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
  /** Whether the name of the file, without folders, is one of this source; needed where the rows could be another's. */
  readonly named?: RegExp;
  /** Why a row is not one of this layout after all. */
  readonly wrong?: (fields: readonly string[], header: readonly string[]) => string | undefined;
  /** Why files of this layout are not read. */
  readonly refused?: string;
  /** Said where the recognition is not certain. */
  readonly guess?: string;
  readonly market?: (symbol: string | undefined, file: string, hasHeader: boolean) => Market;
  /** Whether ids count the trades of a market one by one, or restart each day. */
  readonly ids?: 'consecutive' | 'daily';
  /** Whether quotes are in the order of their ids, whatever their times say. */
  readonly byId?: true;
  /** The period of candles, where the name of the file has it. */
  readonly periodOf?: (file: string) => string | undefined;
  /** The clock by which files are cut into the days or months of their names. */
  readonly days?: 'UTC' | '+08:00';
  /** Whether a negative size is a trade of a seller. */
  readonly isSigned?: true;
  /** Rows whose prices are no numbers stand for a period without trades. */
  readonly skipsNaN?: true;
  readonly notes?: readonly string[];
}
