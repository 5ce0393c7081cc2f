import type { EventColumns } from '../../model/events.ts';
import { periodEnd, periodStart, type Period } from '../../model/period.ts';
import { micros } from '../../platform/time.ts';
import type { QualityIssues } from './findings.ts';
import { Outliers } from './outliers.ts';

/** Watches candles: their shape, their times, and what is missing between them. */
export class CandleCheck {
  readonly #findings: QualityIssues;
  readonly #period: Period;
  readonly #outliers: Outliers;
  readonly #hasVolume: boolean;
  #end = Number.NaN;

  /** `hasVolume` is false for candles of mark and index prices, which have none. */
  constructor(findings: QualityIssues, period: Period, hasVolume: boolean) {
    this.#hasVolume = hasVolume;
    this.#findings = findings;
    this.#period = period;
    this.#outliers = new Outliers(findings);
  }

  check(columns: EventColumns, row: number): void {
    const [open, close] = [columns.open[row], columns.price[row]];
    const [high, low] = [columns.askPrice[row], columns.askSize[row]];
    const volume = columns.size[row];
    this.#time(columns.stampedAt[row], columns.receivedAt[row]);
    const text = (): string => `open ${open}, high ${high}, low ${low}, close ${close} ticks`;
    if (volume === 0 && this.#hasVolume) this.#findings.note('no-volume', text);
    if (volume < 0) this.#findings.note('bad-size', () => `a volume of ${volume} lots`);
    if (low > Math.min(open, close) || high < Math.max(open, close)) {
      this.#findings.note('candle-shape', text);
    }
    if (Math.min(open, close, high, low) <= 0) {
      this.#findings.note('bad-price', text);
      return;
    }
    // A candle is one finding, by its end that is further out.
    this.#outliers.judge(high - close > close - low ? high : low);
    this.#outliers.add(close);
  }

  #time(start: number, end: number): void {
    const due = this.#end;
    const right = periodStart(this.#period, micros(start));
    if (start !== right || end !== periodEnd(this.#period, micros(start)) || start < due) {
      this.#findings.note('candle-time', () => `from ${start} to ${end} µs`);
    } else if (start > due) {
      const missing = this.#count(due, start, end - start);
      this.#findings.note('candle-hole', () => `${missing} left out before it`, missing);
    }
    if (!(end <= due)) this.#end = end;
  }

  /** Periods from `due` to `start`; only months differ in length. */
  #count(due: number, start: number, spanUs: number): number {
    if (this.#period !== '1M') return Math.round((start - due) / spanUs);
    let count = 0;
    for (let at = due; at < start; at = periodEnd('1M', micros(at))) count += 1;
    return count;
  }
}
