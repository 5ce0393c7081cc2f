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
