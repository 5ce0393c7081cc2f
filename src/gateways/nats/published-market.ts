import {
  CANDLE,
  GAP,
  isMarket,
  LAST,
  LEVEL,
  RESET,
  SELL,
  TRADE,
  type EventColumns,
} from '../../model/events.ts';
import type { Instrument } from '../../model/instrument.ts';
import { InstrumentState } from '../../model/instrument-state.ts';
import type { Micros } from '../../platform/time.ts';
import { EventRows } from '../rows.ts';
import type { Answer } from './frame.ts';

/** Trades and candles kept for subscribers that missed some: at least this many, at most twice as many. */
const KEPT_ROWS = 10_000;

/** Trades and candles of some messages. */
interface Kept {
  /** The sequence before the first of them. */
  readonly after: number;
  readonly rows: EventRows;
  /** The sequence of each row. */
  readonly sequences: number[];
}

/** A publisher's state of a symbol, from which it answers late subscribers. */
export class PublishedMarket {
  readonly instrument: Instrument;
  sequence = 0;
  connectionState: 'live' | 'lost' = 'lost';
  readonly #state: InstrumentState;
  /** The last row of each kind of contract data. */
  readonly #reported = new Map<number, EventRows>();
  #why: string | undefined;
  #bookStampedAt = 0;
  #older: Kept | undefined;
  #kept: Kept = { after: 0, rows: new EventRows(), sequences: [] };

  constructor(instrument: Instrument) {
    this.instrument = instrument;
    this.#state = new InstrumentState(instrument);
  }

  /** Adds the rows of one message. */
  take(columns: EventColumns, from: number, till: number): void {
    this.sequence += 1;
    for (let row = from; row < till; row += 1) {
      const kind = columns.kind[row];
      this.#state.take(columns, row);
      if (kind === TRADE || kind === CANDLE) this.#keep(columns, row);
      if (kind === LEVEL || kind === RESET) this.#bookStampedAt = columns.stampedAt[row];
      if (kind === GAP) this.#reported.clear();
      if (!isMarket(kind)) {
        const reported = new EventRows();
        copyRow(columns, row, reported);
        this.#reported.set(kind, reported);
      }
    }
  }

  receive(connectionState: 'live' | 'lost', why: string | undefined): void {
    this.sequence += 1;
    this.connectionState = connectionState;
    this.#why = why;
  }

  /** Trades and candles of messages after a sequence; `undefined` if not all of them are kept. */
  since(after: number): EventColumns | undefined {
    if (after > this.sequence) return undefined;
    const parts = [this.#older, this.#kept].filter((part) => part !== undefined);
    if ((parts[0]?.after ?? 0) > after) return undefined;
    const missed = new EventRows();
    for (const { rows, sequences } of parts) {
      for (const [row, sequence] of sequences.entries()) {
        if (sequence > after) copyRow(rows.columns, row, missed);
      }
    }
    return missed.columns;
  }

  /** Rows that set a subscriber's book and contract data. */
  state(now: Micros): EventColumns {
    const rows = new EventRows();
    const { depth } = this.#state;
    if (!depth.stale) {
      const { sequence } = depth;
      const stampedAt = this.#bookStampedAt;
      rows.add(now, stampedAt, RESET, 0, sequence, 0, 0, 0, 0, 0);
      for (const side of [depth.bids, depth.asks]) {
        const flags = side === depth.asks ? SELL : 0;
        for (let rank = 0; rank < side.length; rank += 1) {
          const [price, size] = [side.ticksAt(rank), side.lotsAt(rank)];
          rows.add(now, stampedAt, LEVEL, flags, sequence, price, size, 0, 0, 0);
        }
      }
      rows.end();
    }
    for (const reported of this.#reported.values()) {
      copyRow(reported.columns, 0, rows);
      rows.end();
    }
    return rows.columns;
  }

  answer(isWhole: boolean): string {
    const { tickSize, quantityIncrement } = this.instrument.terms;
    const answer: Answer = {
      connectionState: this.connectionState,
      why: this.#why,
      tickSize,
      quantityIncrement,
      isWhole,
    };
    return JSON.stringify(answer);
  }

  #keep(columns: EventColumns, row: number): void {
    if (this.#kept.rows.length >= KEPT_ROWS && this.#kept.sequences.at(-1) !== this.sequence) {
      this.#older = this.#kept;
      this.#kept = { after: this.sequence - 1, rows: new EventRows(), sequences: [] };
    }
    copyRow(columns, row, this.#kept.rows);
    this.#kept.sequences.push(this.sequence);
  }
}

/** Appends a row to others as a separate message. */
function copyRow(from: EventColumns, row: number, into: EventRows): void {
  into.add(
    from.receivedAt[row],
    from.stampedAt[row],
    from.kind[row],
    from.flags[row] | LAST,
    from.sequence[row],
    from.price[row],
    from.size[row],
    from.askPrice[row],
    from.askSize[row],
    from.open[row],
  );
}
