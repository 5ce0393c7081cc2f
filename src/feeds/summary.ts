import { isDeepStrictEqual } from 'node:util';
import { CANDLE, GAP, LEVEL, QUOTE, RESET, TRADE, type EventColumns } from '../model/events.ts';
import { micros } from '../platform/time.ts';
import type { RecordingSummary } from './recording.ts';

/** Counts what passes into a recording. */
export class Tally {
  #rows = 0;
  readonly #counts = new Float64Array(8);
  #firstAt = Number.POSITIVE_INFINITY;
  #lastAt = Number.NEGATIVE_INFINITY;

  add(columns: EventColumns): void {
    const { length, kind, receivedAt } = columns;
    for (let row = 0; row < length; row += 1) {
      this.#counts[kind[row]] += 1;
      const at = receivedAt[row];
      if (at < this.#firstAt) this.#firstAt = at;
      if (at > this.#lastAt) this.#lastAt = at;
    }
    this.#rows += length;
  }

  summary(): RecordingSummary {
    const counts = this.#counts;
    return {
      rows: this.#rows,
      trades: counts[TRADE],
      quotes: counts[QUOTE],
      levels: counts[LEVEL],
      resets: counts[RESET],
      gaps: counts[GAP],
      candles: counts[CANDLE],
      firstAt: micros(this.#rows === 0 ? 0 : this.#firstAt),
      lastAt: micros(this.#rows === 0 ? 0 : this.#lastAt),
    };
  }
}

/**
 * Holds the rows of a recording against its summary while they are read. The summary is read
 * first and believed by whoever plans a run, so a forged one must not pass.
 */
export class SummaryCheck {
  readonly #claimed: RecordingSummary;
  readonly #tally = new Tally();

  constructor(claimed: RecordingSummary) {
    this.#claimed = claimed;
  }

  /** Takes the next batch; false when it holds what the summary rules out. */
  add(columns: EventColumns): boolean {
    this.#tally.add(columns);
    const claimed = this.#claimed;
    const found = this.#tally.summary();
    const { rows, trades, quotes, levels, resets, gaps, candles } = found;
    return (
      // A row of an unknown kind is in none of the counts.
      trades + quotes + levels + resets + gaps + candles === rows &&
      rows <= claimed.rows &&
      trades <= claimed.trades &&
      quotes <= claimed.quotes &&
      levels <= claimed.levels &&
      resets <= claimed.resets &&
      gaps <= claimed.gaps &&
      candles <= claimed.candles &&
      found.firstAt >= claimed.firstAt &&
      found.lastAt <= claimed.lastAt
    );
  }

  /** Whether all that was claimed has come; asked after the last batch. */
  isComplete(): boolean {
    const { rows, trades, quotes, levels, resets, gaps, candles, firstAt, lastAt } = this.#claimed;
    const claimed = { rows, trades, quotes, levels, resets, gaps, candles, firstAt, lastAt };
    return isDeepStrictEqual(claimed, this.#tally.summary());
  }
}
