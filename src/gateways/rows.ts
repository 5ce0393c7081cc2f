import { eventColumns, LAST, type EventColumns } from '../model/events.ts';

/** Columns that are filled again and again, and grow to the longest run there was. */
export class EventRows {
  #columns: EventColumns;

  constructor(columns = eventColumns(1_024)) {
    this.#columns = columns;
  }

  get columns(): EventColumns {
    return this.#columns;
  }

  get length(): number {
    return this.#columns.length;
  }

  clear(): void {
    this.#columns.length = 0;
  }

  /** Adds a row; see `EventColumns` for its members. */
  add(
    receivedAt: number,
    stampedAt: number,
    kind: number,
    flags: number,
    sequence: number,
    price: number,
    size: number,
    askPrice: number,
    askSize: number,
    open: number,
  ): void {
    if (this.#columns.length === this.#columns.kind.length) this.#grow();
    const columns = this.#columns;
    const row = columns.length;
    columns.receivedAt[row] = receivedAt;
    columns.stampedAt[row] = stampedAt;
    columns.kind[row] = kind;
    columns.flags[row] = flags;
    columns.sequence[row] = sequence;
    columns.price[row] = price;
    columns.size[row] = size;
    columns.askPrice[row] = askPrice;
    columns.askSize[row] = askSize;
    columns.open[row] = open;
    columns.length = row + 1;
  }

  /** Marks the latest row as the last of its message. */
  end(): void {
    const { flags, length } = this.#columns;
    if (length > 0) flags[length - 1] |= LAST;
  }

  #grow(): void {
    const previous = this.#columns;
    const wider = eventColumns(2 * previous.kind.length);
    wider.length = previous.length;
    wider.receivedAt.set(previous.receivedAt);
    wider.stampedAt.set(previous.stampedAt);
    wider.kind.set(previous.kind);
    wider.flags.set(previous.flags);
    wider.sequence.set(previous.sequence);
    wider.price.set(previous.price);
    wider.size.set(previous.size);
    wider.askPrice.set(previous.askPrice);
    wider.askSize.set(previous.askSize);
    wider.open.set(previous.open);
    this.#columns = wider;
  }
}
