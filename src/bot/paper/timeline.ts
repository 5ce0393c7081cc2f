import { periodEnd, periodStart, type Period } from '../../model/period.ts';
import { micros, type Micros } from '../../platform/time.ts';

/** Which time of the clock a recorded time is. */
export class ReplayClock {
  /** Recorded time at which the play began. */
  readonly recordedFrom: number;
  readonly #speed: number;
  /** When the replay was requested; candles, also earlier ones, are shifted to it. */
  readonly #askedAt: number;
  /** A recorded time and the time of the clock that fall together. */
  #recordedAt: number;
  #startedAt: number;
  /** Shift of candles beyond the first pass. */
  #repeatedUs = 0;
  /** The start of the earliest candle and the end of the latest, in recorded time. */
  #candlesFrom = Number.POSITIVE_INFINITY;
  #candlesTill = Number.NEGATIVE_INFINITY;

  constructor(recordedFrom: number, askedAt: Micros, speed: number) {
    this.recordedFrom = recordedFrom;
    this.#recordedAt = recordedFrom;
    this.#askedAt = askedAt;
    this.#startedAt = askedAt;
    this.#speed = speed;
  }

  begin(at: Micros): void {
    this.#startedAt = at;
  }

  /** When a row of that recorded time is due. */
  due(recordedAt: number): number {
    return this.#startedAt + (recordedAt - this.#recordedAt) / this.#speed;
  }

  /** The same as a whole time of the clock, for a time inside a row, such as that of a funding; 0 stays. */
  timeOf(recordedAt: number): number {
    return recordedAt === 0 ? 0 : Math.round(this.due(recordedAt));
  }

  /**
   * Shift of a period's candles: whole periods, so that they stay on their grid, such that the last candle
   * completed when the replay began is just complete by the clock.
   */
  shiftUs(period: Period): number {
    const start = periodStart(period, micros(this.recordedFrom));
    return periodStart(period, micros(this.#askedAt)) - start + this.#repeatedUs;
  }

  /** The shifted start of a recorded candle. */
  candle(period: Period, openedAt: number): number {
    this.#candlesFrom = Math.min(this.#candlesFrom, openedAt);
    this.#candlesTill = Math.max(this.#candlesTill, periodEnd(period, micros(openedAt)));
    return openedAt + this.shiftUs(period);
  }

  /** The replay starts again at `first`; candles continue after the latest. */
  repeat(first: number, at: Micros): void {
    this.#recordedAt = first;
    this.#startedAt = at;
    this.#repeatedUs += Math.max(0, this.#candlesTill - this.#candlesFrom);
  }
}
