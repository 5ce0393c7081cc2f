import type { Decimal } from '../../model/decimal.ts';
import { PERIODS, periodEnd, periodStart, type Period } from '../../model/period.ts';
import type { Micros } from '../../platform/time.ts';
import { firstRank, type Page } from './page.ts';
import { RecentItems } from './recent.ts';

/** A candle of a sampled value, which exists at all times. */
export interface SampledCandle {
  readonly openedAt: Micros;
  readonly open: Decimal;
  readonly close: Decimal;
  readonly min: Decimal;
  readonly max: Decimal;
}

/** The samples of one period. */
interface Span extends SampledCandle {
  /** Time of its first sample, whose value is `open`. */
  readonly openAt: Micros;
}

/** Spans by rank, oldest first. */
interface Spans {
  readonly length: number;
  at(rank: number): Span;
}

/**
 * A sampled value that holds until the next sample: index and mark price, premium index, open
 * interest, a price rate. Its candles open with the last value at or before the start of their
 * period and exist for every period from the first sample on.
 */
export class SampledSeries {
  readonly #spans: ReadonlyMap<Period, RecentItems<Span>>;
  /** By period: the span of the latest sample. */
  readonly #latest = new Map<Period, Span>();

  /** Keeps `kept` sampled periods of each length. */
  constructor(kept: number) {
    this.#spans = new Map(PERIODS.map((period) => [period, new RecentItems<Span>(kept)]));
  }

  /** The latest sample, undefined before the first. */
  get value(): Decimal | undefined {
    return this.#latest.get('M1')?.close;
  }

  /** Adds a sample; times do not fall. */
  sample(at: Micros, value: Decimal): void {
    for (const [period, over] of this.#spans) {
      const latest = this.#latest.get(period);
      if (latest !== undefined && at < periodEnd(period, latest.openedAt)) {
        this.#latest.set(period, joined(latest, at, value));
        continue;
      }
      if (latest !== undefined) over.push(latest);
      this.#latest.set(period, {
        openedAt: periodStart(period, at),
        openAt: at,
        open: value,
        close: value,
        min: value,
        max: value,
      });
    }
  }

  /** A page of the candles up to the period that holds `now`, by the start of their periods. */
  query(period: Period, page: Page, now: Micros): SampledCandle[] {
    const spans = this.#all(period);
    if (spans === undefined) return [];
    const { sort, limit, offset = 0, from = 0, till = now } = page;
    // After the ring has dropped spans, the value before the oldest one is unknown.
    const oldest = spans.at(0).openedAt;
    const first = periodFrom(period, Math.max(from, oldest) as Micros);
    const last = periodStart(period, Math.min(till, now) as Micros);
    const found: SampledCandle[] = [];
    let skip = offset;
    let start = sort === 'ASC' ? first : last;
    while (start >= first && start <= last && found.length < limit) {
      if (skip > 0) skip -= 1;
      else found.push(candleAt(spans, start));
      start = sort === 'ASC' ? periodEnd(period, start) : before(period, start);
    }
    return found;
  }

  /**
   * The last value of a period, so far if it is open; undefined before the first sample that is
   * kept.
   */
  closeOf(period: Period, openedAt: Micros): Decimal | undefined {
    const spans = this.#all(period);
    if (spans === undefined) return undefined;
    const rank = lastRank(spans, openedAt);
    return rank === spans.length ? undefined : spans.at(rank).close;
  }

  /** The spans that are kept, with the latest; undefined before the first sample. */
  #all(period: Period): Spans | undefined {
    const over = this.#spans.get(period);
    const latest = this.#latest.get(period);
    if (over === undefined || latest === undefined) return undefined;
    return {
      length: over.length + 1,
      at: (rank) => (rank < over.length ? over.at(rank) : latest),
    };
  }
}

/** A span with one more sample. */
function joined(span: Span, at: Micros, value: Decimal): Span {
  // Of several samples at the exact start, the candle opens with the last.
  if (at === span.openedAt) return { ...span, open: value, close: value, min: value, max: value };
  return {
    ...span,
    close: value,
    min: value.lessThan(span.min) ? value : span.min,
    max: value.greaterThan(span.max) ? value : span.max,
  };
}

/** The candle that starts then, not before the first span. */
function candleAt(spans: Spans, start: Micros): SampledCandle {
  const rank = lastRank(spans, start);
  const span = spans.at(rank);
  const { openedAt, openAt, open, close, min, max } = span;
  if (openedAt < start) {
    return { openedAt: start, open: close, close, min: close, max: close };
  }
  if (rank === 0 || openAt === start) return { openedAt, open, close, min, max };
  const held = spans.at(rank - 1).close;
  return {
    openedAt,
    open: held,
    close,
    min: held.lessThan(min) ? held : min,
    max: held.greaterThan(max) ? held : max,
  };
}

/**
 * Rank of the last span that starts at a time or before; the length of the list if there is none.
 */
function lastRank(spans: Spans, start: Micros): number {
  const after = firstRank(spans.length, (index) => spans.at(index).openedAt > start);
  return after === 0 ? spans.length : after - 1;
}

/** The first start of a period at or after a time. */
function periodFrom(period: Period, at: Micros): Micros {
  const start = periodStart(period, at);
  return start === at ? start : periodEnd(period, at);
}

const before = (period: Period, start: Micros): Micros =>
  periodStart(period, (start - 1) as Micros);
