import { brief, Decimal } from '../../model/decimal.ts';
import { dayOf, type Micros } from '../../platform/time.ts';
import type { RiskSettings } from '../settings.ts';
import type { Breach } from './breach.ts';

/** Reference values of the equity in a currency. */
export interface EquityMark {
  /** Days since 1970-01-01 UTC of the latest mark. */
  readonly day: number;
  /** Equity at the start of the day, or when an operator reset losses. */
  readonly start: Decimal;
  /** Highest equity since trading began or an operator reset losses. */
  readonly peak: Decimal;
  readonly last: Decimal;
  /** Reported breaches that are not over. */
  readonly reported: readonly ('daily-loss' | 'drawdown')[];
}

export type EquityMemory = ReadonlyMap<string, EquityMark>;

/** Monitors the equity in each quote currency: its loss of the day and its drawdown. */
export class EquityGuard {
  readonly #limits: RiskSettings;
  readonly #marks: Map<string, EquityMark>;

  constructor(limits: RiskSettings, memory: EquityMemory = new Map()) {
    this.#limits = limits;
    this.#marks = new Map(memory);
  }

  get memory(): EquityMemory {
    return new Map(this.#marks);
  }

  mark(currency: string, value: Decimal, at: Micros): Breach | undefined {
    const before = this.#marks.get(currency);
    const day = dayOf(at);
    const isNewDay = before !== undefined && day > before.day;
    const start = dayStart(before, day, value);
    const peak = before === undefined ? value : Decimal.max(before.peak, value);
    const reported = new Set(before?.reported);
    if (isNewDay) reported.delete('daily-loss');
    const breach =
      this.#daily(currency, start.minus(value), reported) ??
      this.#drawdown(currency, peak, value, reported);
    this.#marks.set(currency, {
      day: Math.max(day, before?.day ?? day),
      start,
      peak,
      last: value,
      reported: [...reported],
    });
    return breach;
  }

  transferred(currency: string, value: Decimal): void {
    const mark = this.#marks.get(currency);
    if (mark === undefined) return;
    this.#marks.set(currency, {
      ...mark,
      start: mark.start.plus(value),
      peak: mark.peak.plus(value),
      last: mark.last.plus(value),
    });
  }

  /** Notes that trading resumes: a loss still beyond its limit is a breach again. */
  resumed(): void {
    for (const [currency, mark] of this.#marks) {
      this.#marks.set(currency, { ...mark, reported: [] });
    }
  }

  /** Forgets the losses so far: counts from the last equity on. */
  reset(): void {
    for (const [currency, mark] of this.#marks) {
      this.#marks.set(currency, { ...mark, start: mark.last, peak: mark.last, reported: [] });
    }
  }

  #daily(currency: string, loss: Decimal, reported: Set<string>): Breach | undefined {
    const limit = this.#limits.maxDailyLoss.get(currency);
    if (limit === undefined || !isNew('daily-loss', loss, limit, reported)) return undefined;
    return {
      limit: 'daily-loss',
      to: this.#limits.onBreach,
      why: `${brief(loss)} ${currency} were lost since midnight UTC, and ${brief(limit)} may be.`,
    };
  }

  /** Compared as products: the fall with the fraction of the peak. */
  #drawdown(
    currency: string,
    peak: Decimal,
    value: Decimal,
    reported: Set<string>,
  ): Breach | undefined {
    const fraction = this.#limits.maxDrawdown;
    if (fraction === undefined) return undefined;
    const limit = peak.times(fraction);
    if (!isNew('drawdown', peak.minus(value), limit, reported)) return undefined;
    return {
      limit: 'drawdown',
      to: this.#limits.onBreach,
      why: `The equity fell to ${brief(value)} ${currency} from its highest of ${brief(peak)}, by ${brief(fraction.times(100))} % or more.`,
    };
  }
}

/**
 * Equity at the start of a day: the last one of the day before, or its own first if there is none.
 */
function dayStart(before: EquityMark | undefined, day: number, value: Decimal): Decimal {
  if (before === undefined || day > before.day + 1) return value;
  return day > before.day ? before.last : before.start;
}

/** True if a loss has reached its limit and is not reported; it is over at half the limit. */
function isNew(breach: string, loss: Decimal, limit: Decimal, reported: Set<string>): boolean {
  if (loss.times(2).lessThanOrEqualTo(limit)) reported.delete(breach);
  if (!loss.greaterThan(0) || loss.lessThan(limit) || reported.has(breach)) return false;
  reported.add(breach);
  return true;
}
