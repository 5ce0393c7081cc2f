import { isDeepStrictEqual } from 'node:util';
import {
  CANDLE,
  eventColumns,
  LAST,
  OPEN_INTEREST,
  TRADE,
  type EventColumns,
} from '../model/events.ts';
import { MICROSECOND, type ArrowSchema, type ColumnType } from './arrow/schema.ts';
import type { Layout, RecordingMeta } from './recording.ts';

/** Rows of a full batch. A batch of both layouts fits the caches and some MB of memory. */
export const BATCH_ROWS = 65_536;

/**
 * What a batch of that many rows takes at most, in bytes: eight wide columns and two narrow ones
 * that zstd cannot compress are below 5 MB. A longer body is forged.
 */
export const BODY_BYTES_MAX = 8 * 1_048_576;
/** Bytes of the head of a batch at most; it names two regions a column. */
export const HEAD_BYTES_MAX = 65_536;

/** The columns of `EventColumns` that are doubles in memory and 64-bit integers in the file. */
export type WideColumn = Exclude<keyof EventColumns, 'length' | 'kind' | 'flags'>;

/** One column of the file: its name there, its type, and the array of `EventColumns` it fills. */
export type Column =
  | { readonly name: string; readonly width: 8; readonly time: boolean; readonly array: WideColumn }
  | { readonly name: string; readonly width: 1; readonly array: 'kind' | 'flags' };

const time = (name: string, array: WideColumn): Column => ({ name, width: 8, time: true, array });
const whole = (name: string, array: WideColumn): Column => ({ name, width: 8, time: false, array });
const byte = (name: string, array: 'kind' | 'flags'): Column => ({ name, width: 1, array });

/** The columns of each layout, in the order in which they stand in the file. */
export const COLUMNS: Readonly<Record<Layout, readonly Column[]>> = {
  events: [
    time('received_at', 'receivedAt'),
    time('stamped_at', 'stampedAt'),
    byte('kind', 'kind'),
    byte('flags', 'flags'),
    whole('sequence', 'sequence'),
    whole('price', 'price'),
    whole('size', 'size'),
    whole('ask_price', 'askPrice'),
    whole('ask_size', 'askSize'),
  ],
  candles: [
    time('received_at', 'receivedAt'),
    time('stamped_at', 'stampedAt'),
    whole('open', 'open'),
    whole('high', 'askPrice'),
    whole('low', 'askSize'),
    whole('close', 'price'),
    whole('volume', 'size'),
  ],
};

/** Columns to read a layout into; what the layout does not store stands in them already. */
export function columnsFor(layout: Layout, capacity: number): EventColumns {
  const columns = eventColumns(capacity);
  if (layout === 'candles') {
    columns.kind.fill(CANDLE);
    columns.flags.fill(LAST);
  }
  return columns;
}

/** The first row of a kind that the recording does not hold; -1 when there is none. */
export function misplacedRow(
  { kind, length }: EventColumns,
  { layout, derivatives }: Pick<RecordingMeta, 'layout' | 'derivatives'>,
): number {
  const [first, last] = layout === 'candles' ? [CANDLE, CANDLE] : [TRADE, CANDLE - 1];
  for (let row = 0; row < length; row += 1) {
    const one = kind[row];
    if (one >= first && one <= last) continue;
    if (derivatives !== true || one <= CANDLE || one > OPEN_INTEREST) return row;
  }
  return -1;
}

/** The Arrow schema of a layout with these texts as its metadata. */
export const arrowSchema = (
  layout: Layout,
  texts: ReadonlyMap<string, string>,
): ArrowSchema<ColumnType> => ({
  fields: COLUMNS[layout].map((column) => ({
    name: column.name,
    type: arrowType(column),
    nullable: false,
  })),
  metadata: texts,
});

/** True when a file has exactly the columns of the layout. */
export const hasColumns = ({ fields }: ArrowSchema, layout: Layout): boolean =>
  isDeepStrictEqual(fields, arrowSchema(layout, new Map()).fields);

function arrowType(column: Column): ColumnType {
  if (column.width === 1) return { kind: 'int', bitWidth: 8, isSigned: false };
  return column.time
    ? { kind: 'timestamp', unit: MICROSECOND, timezone: 'UTC' }
    : { kind: 'int', bitWidth: 64, isSigned: true };
}
