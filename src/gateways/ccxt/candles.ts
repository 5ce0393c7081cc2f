import { MillraceError, type Warn } from '../../model/errors.ts';
import type { Instrument } from '../../model/instrument.ts';
import { periodEnd, periodStart, type Period } from '../../model/period.ts';
import { micros, US_PER_MS, type Micros } from '../../platform/time.ts';
import type { CandleBar } from '../trading/market/candle-history.ts';
import type { GridReaders } from './book.ts';
import type { Rows } from './exchange.ts';

/**
 * Candles of a symbol. ccxt reports each change of open ones; a candle is over when a later one begins. The
 * candle that was open at the start is emitted too, as the venue has all of it.
 */
export class CcxtCandles {
  readonly #instrument: Instrument;
  readonly #period: Period;
  readonly #readers: GridReaders;
  readonly #warn: Warn;
  readonly #open = new Map<number, CandleBar>();
  #reportedTo: number;
  #hasWarned = false;

  /**
   * Candles that opened at `from` or later are reported; if absent, from the one that is open at the first
   * call.
   */
  constructor(
    instrument: Instrument,
    period: Period,
    readers: GridReaders,
    warn: Warn,
    from?: Micros,
  ) {
    this.#instrument = instrument;
    this.#period = period;
    this.#readers = readers;
    this.#warn = warn;
    this.#reportedTo = from === undefined ? Number.NaN : from - 1;
  }

  /** When the first candle opens that was not reported; `undefined` before the first call. */
  get nextAt(): number | undefined {
    return Number.isNaN(this.#reportedTo) ? undefined : this.#reportedTo + 1;
  }

  /**
   * The readable candles; others are left out with a warning, like those that open at other times than
   * ours.
   */
  read(given: Rows): readonly CandleBar[] {
    const { price, size } = this.#readers;
    return given.flatMap(([time, open, high, low, close, volume]) => {
      const openedAt = Number(time) * US_PER_MS;
      const bar: CandleBar = {
        openedAt,
        open: price.read(open),
        high: price.read(high),
        low: price.read(low),
        close: price.read(close),
        volume: size.read(volume),
      };
      const isRead = Object.values(bar).every((value: number) => value >= 0);
      if (isRead && periodStart(this.#period, micros(openedAt)) === openedAt) return [bar];
      this.#unreadable();
      return [];
    });
  }

  /** The candles that are over according to an answer, oldest first, each once. */
  finished(given: Rows, now: Micros): readonly CandleBar[] {
    for (const bar of this.read(given)) this.#open.set(bar.openedAt, bar);
    if (Number.isNaN(this.#reportedTo)) this.#reportedTo = periodStart(this.#period, now) - 1;
    const latest = Math.max(...this.#open.keys());
    const over = [...this.#open.values()]
      .filter(({ openedAt }) => openedAt < latest)
      .sort((one, other) => one.openedAt - other.openedAt);
    for (const { openedAt } of over) this.#open.delete(openedAt);
    const reported = over.filter(
      ({ openedAt }) =>
        openedAt > this.#reportedTo && periodEnd(this.#period, micros(openedAt)) <= latest,
    );
    this.#reportedTo = Math.max(this.#reportedTo, ...reported.map(({ openedAt }) => openedAt));
    return reported;
  }

  #unreadable(): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    const { symbol } = this.#instrument;
    this.#warn(
      new MillraceError(
        'answer-invalid',
        `A ${this.#period} candle of ${symbol} has a number that cannot be read, or opens at another time than such candles do; it was left out, and others like it will be without a word.`,
        { field: 'candle' },
      ),
    );
  }
}
