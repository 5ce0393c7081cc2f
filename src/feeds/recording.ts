import type { InstrumentTerms } from '../model/instrument.ts';
import type { Period } from '../model/period.ts';
import type { Micros } from '../platform/time.ts';

/** The release of Millrace that writes a recording; it stands in the file beside the format's version. */
export const TOOL = 'millrace 0.1.0';

/**
 * `events`: trades, levels, quotes, resets and gaps, of a derivative its mark and index prices, funding and
 * open interest too. `candles`: finished candles of one period.
 */
export type Layout = 'events' | 'candles';

/** A file that an importer read. */
export interface SourceFile {
  /** Its name without the folder. */
  readonly name: string;
  /** SHA-256 of its bytes, in hexadecimal. */
  readonly sha256: string;
}

export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

/** Where the rows come from. It holds no time of day, so that the same input gives the same bytes. */
export interface Provenance {
  /** Name of the importer, `generator` or `recorder`. */
  readonly importer: string;
  readonly sources: readonly SourceFile[];
  /** True when the market was made up; no result on it says anything about a real one. */
  readonly synthetic: boolean;
  readonly seed?: number;
  /** Options of the importer or generator that shape the rows. */
  readonly parameters?: Readonly<Record<string, JsonValue>>;
  /** Sentences for whoever uses the recording: what was missing, assumed or repaired. */
  readonly notes: readonly string[];
  /** Of a recording that is one of the days of another. */
  readonly part?: Part;
}

/** Which part of a recording another one is. */
export interface Part {
  /** SHA-256 of the recording that was split, in hexadecimal. */
  readonly of: string;
  /** Its place among the parts, from 0. */
  readonly index: number;
  /** Rows at its beginning that are the book as the part before it left it, and not its own. */
  readonly carried: number;
}

/** What a recording says about itself. One recording holds one instrument. */
export interface RecordingMeta {
  readonly layout: Layout;
  /** The period of its candles; only in the layout `candles`. */
  readonly period?: Period;
  /** What its candles are of, where that is not the trades of the market. */
  readonly prices?: CandlePrices;
  /** True if events of a derivative may be among the rows: mark, index, funding, open interest. */
  readonly derivatives?: true;
  readonly instrument: InstrumentTerms;
  readonly provenance: Provenance;
}

/** Candles of the mark price or of the index, instead of trades; they have no volume. */
export const CANDLE_PRICES = ['mark', 'index'] as const;
export type CandlePrices = (typeof CANDLE_PRICES)[number];

/** Derivative rows beside the market. */
export interface DerivativeCounts {
  readonly marks: number;
  readonly indexes: number;
  readonly fundings: number;
  readonly openInterests: number;
}

/** What a recording holds, counted while it was written. */
export interface RecordingSummary {
  readonly rows: number;
  readonly trades: number;
  readonly quotes: number;
  readonly levels: number;
  readonly resets: number;
  readonly gaps: number;
  readonly candles: number;
  /** Of a derivative; absent from recordings that cannot hold any of these. */
  readonly derivatives?: DerivativeCounts;
  /** The earliest time of receipt; 0 when there are no rows. */
  readonly firstAt: Micros;
  /** The latest time of receipt; 0 when there are no rows. */
  readonly lastAt: Micros;
}
