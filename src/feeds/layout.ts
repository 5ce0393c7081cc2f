import { Field, Schema } from 'apache-arrow/schema';
import { Int64, TimestampMicrosecond, Uint8, type DataType } from 'apache-arrow/type';
import { CANDLE, eventColumns, LAST, type EventColumns } from '../model/events.ts';
import type { Layout } from './recording.ts';

/** Rows of a full batch. A batch of both layouts fits the caches and some MB of memory. */
export const BATCH_ROWS = 65_536;

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

/** The Arrow schema of a layout with these texts as its metadata. */
export function arrowSchema(layout: Layout, texts: ReadonlyMap<string, string>): Schema {
  const fields = COLUMNS[layout].map((column) => new Field(column.name, arrowType(column), false));
  return new Schema(fields, new Map(texts));
}

/** True when a file has exactly the columns of the layout. */
export function hasColumns(schema: Schema, layout: Layout): boolean {
  const text = (one: Schema): string =>
    one.fields.map((field) => `${field.name} ${String(field.type)} ${field.nullable}`).join();
  return text(schema) === text(arrowSchema(layout, new Map()));
}

function arrowType(column: Column): DataType {
  if (column.width === 1) return new Uint8();
  return column.time ? new TimestampMicrosecond('UTC') : new Int64();
}
