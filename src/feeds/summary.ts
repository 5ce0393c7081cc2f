import { isDeepStrictEqual } from 'node:util';
import {
  CANDLE,
  FUNDING,
  GAP,
  INDEX,
  LEVEL,
  MARK,
  OPEN_INTEREST,
  QUOTE,
  RESET,
  TRADE,
  type EventColumns,
} from '../model/events.ts';
import { micros } from '../platform/time.ts';
import type { DerivativeCounts, RecordingSummary } from './recording.ts';

export const NO_DERIVATIVES: DerivativeCounts = {
  marks: 0,
  indexes: 0,
  fundings: 0,
  openInterests: 0,
};

/** Counts what passes into a recording. */
export class EventCounts {
  #rows = 0;
  readonly #counts = new Float64Array(16);
  #firstAt = Number.POSITIVE_INFINITY;
  #lastAt = Number.NEGATIVE_INFINITY;
  readonly #hasDerivatives: boolean;

  /** `hasDerivatives` says that rows of a derivative may come, and are counted. */
  constructor(hasDerivatives: boolean) {
    this.#hasDerivatives = hasDerivatives;
  }

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
    const derivatives = {
      marks: counts[MARK],
      indexes: counts[INDEX],
      fundings: counts[FUNDING],
      openInterests: counts[OPEN_INTEREST],
    };
    return {
      rows: this.#rows,
      trades: counts[TRADE],
      quotes: counts[QUOTE],
      levels: counts[LEVEL],
      resets: counts[RESET],
      gaps: counts[GAP],
      candles: counts[CANDLE],
      ...(this.#hasDerivatives ? { derivatives } : {}),
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
  readonly #tally: EventCounts;

  constructor(claimed: RecordingSummary) {
    this.#claimed = claimed;
    this.#tally = new EventCounts(claimed.derivatives !== undefined);
  }

  /** Takes the next batch; false when it holds what the summary rules out. */
  add(columns: EventColumns): boolean {
    this.#tally.add(columns);
    const claimed = this.#claimed;
    const found = this.#tally.summary();
    const { rows, trades, quotes, levels, resets, gaps, candles } = found;
    const derivatives = found.derivatives ?? NO_DERIVATIVES;
    const most = claimed.derivatives ?? NO_DERIVATIVES;
    return (
      // A row of a kind that is unknown, or of a derivative if there is none, is in none of the counts.
      trades + quotes + levels + resets + gaps + candles + countOf(derivatives) === rows &&
      rows <= claimed.rows &&
      trades <= claimed.trades &&
      quotes <= claimed.quotes &&
      levels <= claimed.levels &&
      resets <= claimed.resets &&
      gaps <= claimed.gaps &&
      candles <= claimed.candles &&
      derivatives.marks <= most.marks &&
      derivatives.indexes <= most.indexes &&
      derivatives.fundings <= most.fundings &&
      derivatives.openInterests <= most.openInterests &&
      found.firstAt >= claimed.firstAt &&
      found.lastAt <= claimed.lastAt
    );
  }

  /** Whether all that was claimed has come; asked after the last batch. */
  isComplete(): boolean {
    const { rows, trades, quotes, levels, resets, gaps, candles, derivatives } = this.#claimed;
    const { firstAt, lastAt } = this.#claimed;
    const counts = { rows, trades, quotes, levels, resets, gaps, candles };
    const claimed = {
      ...counts,
      ...(derivatives === undefined ? {} : { derivatives: onlyCounts(derivatives) }),
      firstAt,
      lastAt,
    };
    return isDeepStrictEqual(claimed, this.#tally.summary());
  }
}

/** Rows of a derivative in all. */
export const countOf = ({ marks, indexes, fundings, openInterests }: DerivativeCounts): number =>
  marks + indexes + fundings + openInterests;

const onlyCounts = ({ marks, indexes, fundings, openInterests }: DerivativeCounts) => ({
  marks,
  indexes,
  fundings,
  openInterests,
});
