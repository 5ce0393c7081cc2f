import { eventColumns, type EventColumns } from '../model/events.ts';
import type { Micros } from '../platform/time.ts';
import type { Recording } from './reader.ts';

/** A run of rows of one recording: `start` included, `end` excluded. */
export interface Segment {
  /** Which recording, by its place in the list. */
  readonly source: number;
  readonly columns: EventColumns;
  readonly start: number;
  readonly end: number;
}

export interface Span {
  /** Rows from here on. */
  readonly from?: Micros;
  /** Rows before here. */
  readonly till?: Micros;
}

type Batches = Pick<Recording, 'batches'>;

/**
 * Merges recordings by their times of receipt, in runs as long as possible. Where times are equal
 * the recording that stands first in the list goes first. Inside a recording rows are never
 * reordered: one whose time runs backwards counts as received with the latest one before it.
 *
 * Columns and segment are refilled after each step.
 */
export function* merge(
  recordings: readonly Batches[],
  span: Span = {},
): Generator<Segment, void, undefined> {
  const till = span.till ?? Number.POSITIVE_INFINITY;
  const cursors = recordings.map(
    (recording, source) => new Cursor(recording.batches(span.from), source),
  );
  try {
    for (const cursor of cursors) {
      while (!cursor.done && cursor.at < (span.from ?? cursor.at)) {
        cursor.advance(span.from ?? cursor.at);
        cursor.settle();
      }
    }
    for (;;) {
      const first = earliest(cursors);
      if (first === undefined || first.at >= till) return;
      const rival = earliest(cursors, first);
      first.advance(Math.min(till, rival === undefined ? till : limitOf(first, rival)));
      yield first;
      first.settle();
    }
  } finally {
    for (const cursor of cursors) cursor.close();
  }
}

function earliest(cursors: readonly Cursor[], but?: Cursor): Cursor | undefined {
  let best: Cursor | undefined;
  for (const cursor of cursors) {
    if (cursor.done || cursor === but) continue;
    if (best === undefined || cursor.at < best.at) best = cursor;
  }
  return best;
}

/** The time before which everything of `first` goes ahead of `rival`; times are whole. */
const limitOf = (first: Cursor, rival: Cursor): number =>
  first.source < rival.source ? rival.at + 1 : rival.at;

/** Where the merge stands in one recording; it is also the segment that it hands on. */
class Cursor implements Segment {
  readonly source: number;
  columns: EventColumns = eventColumns(0);
  start = 0;
  end = 0;
  /** Latest time of receipt up to the row `end`, which is the next to go. */
  at = Number.NEGATIVE_INFINITY;
  done = false;
  readonly #batches: Generator<EventColumns, void, undefined>;

  constructor(batches: Generator<EventColumns, void, undefined>, source: number) {
    this.#batches = batches;
    this.source = source;
    this.settle();
  }

  /** Takes the rows before `limit`, at least one, as far as the batch goes. */
  advance(limit: number): void {
    const { receivedAt, length } = this.columns;
    let { at } = this;
    let row = this.end + 1;
    if (limit === Number.POSITIVE_INFINITY) row = length;
    for (; row < length; row += 1) {
      const next = receivedAt[row];
      if (next > at) at = next;
      if (at >= limit) break;
    }
    this.start = this.end;
    this.end = row;
    this.at = at;
  }

  /** Reads on when the batch is used up; only now, since until then the caller looks at it. */
  settle(): void {
    while (this.end === this.columns.length) {
      const next = this.#batches.next();
      if (next.done === true) {
        this.done = true;
        return;
      }
      this.columns = next.value;
      this.end = 0;
      if (this.columns.length > 0) this.at = Math.max(this.at, this.columns.receivedAt[0]);
    }
  }

  close(): void {
    this.#batches.return();
  }
}
