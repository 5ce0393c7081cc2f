import type { Exchange } from '../../exchange/exchange.ts';
import type { RowSink } from '../../feeds/row-sink.ts';
import { eventColumns, type EventColumns } from '../../model/events.ts';
import type { Micros } from '../../platform/time.ts';

/** Rows that wait to be played, in columns that are filled again and again. */
export class RecordedRows implements RowSink {
  #columns: EventColumns = eventColumns(64);

  get length(): number {
    return this.#columns.length;
  }

  /** When the first of them was received; meaningless without rows. */
  get at(): number {
    return this.#columns.receivedAt[0];
  }

  row(...row: Parameters<RowSink['row']>): void {
    if (this.#columns.length === this.#columns.kind.length) this.#grow();
    write(this.#columns, this.#columns.length, row);
    this.#columns.length += 1;
  }

  /** Plays all rows to an instrument, and forgets them. */
  play(exchange: Exchange, instrument: number, at: Micros): number {
    const { length } = this.#columns;
    for (let row = 0; row < length; row += 1) exchange.market(instrument, this.#columns, row, at);
    this.#columns.length = 0;
    return length;
  }

  #grow(): void {
    const old = this.#columns;
    this.#columns = eventColumns(2 * old.kind.length);
    for (const name of COLUMNS) this.#columns[name].set(old[name]);
    this.#columns.length = old.length;
  }
}

const COLUMNS = [
  'receivedAt',
  'stampedAt',
  'kind',
  'flags',
  'sequence',
  'price',
  'size',
  'askPrice',
  'askSize',
  'open',
] as const satisfies readonly (keyof EventColumns)[];

/** Writes a row, its values in the order of `RowSink`. */
function write(columns: EventColumns, at: number, row: Parameters<RowSink['row']>): void {
  COLUMNS.forEach((name, index) => {
    columns[name][at] = row[index];
  });
}
