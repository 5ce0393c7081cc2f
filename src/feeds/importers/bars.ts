import { CANDLE, LAST } from '../../model/events.ts';
import type { InstrumentTerms } from '../../model/instrument.ts';
import { PERIODS, periodEnd, periodStart, type Period } from '../../model/period.ts';
import { isoTime, micros, US_PER_DAY, US_PER_SECOND, type Micros } from '../../platform/time.ts';
import type { ImportCounts, ImportGap, ImportOptions } from './contract.ts';
import type { RowSink } from '../row-sink.ts';
import { Grid, Precision, stepOf } from './grid.ts';
import { shown } from './malformed.ts';
import { Steps, type Place } from './place.ts';

/** The numbers of a candle as they came, all decimal text. */
export interface RawBar {
  readonly open: unknown;
  readonly high: unknown;
  readonly low: unknown;
  readonly close: unknown;
  readonly volume: unknown;
}

/** What a first pass over candles finds: their period, and steps that hold their numbers. */
export class BarSurvey {
  readonly #place: Place;
  readonly #price = new Precision();
  readonly #volume = new Precision();
  #previous: number | undefined;
  #least = Number.POSITIVE_INFINITY;
  /** Volume of all candles together, each rounded up to a whole number. */
  #total = 0;

  constructor(place: Place) {
    this.#place = place;
  }

  see(at: number, bar: RawBar): void {
    if (this.#previous !== undefined && at > this.#previous) {
      this.#least = Math.min(this.#least, at - this.#previous);
    }
    this.#previous = at;
    this.#number(this.#price, bar.open);
    this.#number(this.#price, bar.high);
    this.#number(this.#price, bar.low);
    this.#number(this.#price, bar.close);
    this.#number(this.#volume, bar.volume);
    this.#total += Math.ceil(Number(bar.volume));
  }

  #number(precision: Precision, text: unknown): void {
    if (typeof text === 'string' && precision.see(text)) return;
    throw this.#place.malformed(
      `${shown(typeof text === 'string' ? text : (JSON.stringify(text) ?? 'nothing'))} stands where a number should`,
      'a decimal number, zero or more',
    );
  }

  get tickSize(): string {
    return this.#price.step;
  }

  /**
   * The finest step of volumes, but never so fine that all volumes together pass 2^53 steps:
   * then every candle built from these is exact too, and what is finer is rounded down.
   */
  get quantityIncrement(): string {
    let { decimals } = this.#volume;
    while (decimals > 0 && this.#total * 10 ** decimals > Number.MAX_SAFE_INTEGER) decimals -= 1;
    return stepOf(decimals);
  }

  /** The period whose length is the least distance of two candles. Throws `import-invalid`. */
  get period(): Period {
    const least = this.#least;
    // Every month has its own length; the shortest distance of monthly candles is one of them.
    const month = least >= 28 * US_PER_DAY && least <= 31 * US_PER_DAY;
    const found = PERIODS.find((period) =>
      period === '1M' ? month : periodEnd(period, EPOCH) - periodStart(period, EPOCH) === least,
    );
    if (found !== undefined) return found;
    throw this.#place.malformed(
      Number.isFinite(least)
        ? `the closest two candles are ${least / US_PER_SECOND} s apart`
        : 'the period cannot be told, since no two candles differ in time',
      `one of the periods ${PERIODS.join(', ')}; name it with --period`,
    );
  }
}

const EPOCH = micros(0);
/** Some venues end a candle a millisecond, or a whole second, before the next begins. */
const END_SLACK_US = US_PER_SECOND;

/** Writes candles in the order of their time and watches for missing ones. */
export class Bars {
  readonly #period: Period;
  readonly #ends: boolean;
  readonly #sink: RowSink;
  readonly #place: Place;
  readonly #price: Steps;
  readonly #size: Steps;
  readonly #gaps: ImportGap[] = [];
  #next: Micros | undefined;
  #count = 0;
  #roundedVolumes = 0;

  constructor(
    period: Period,
    options: ImportOptions,
    instrument: InstrumentTerms,
    sink: RowSink,
    place: Place,
  ) {
    this.#period = period;
    this.#ends = options.candleTime === 'close';
    this.#sink = sink;
    this.#place = place;
    this.#price = new Steps('price', new Grid(instrument.tickSize), place);
    this.#size = new Steps('size', new Grid(instrument.quantityIncrement), place);
  }

  take(at: number, bar: RawBar): void {
    const start = this.#start(micros(at));
    const end = periodEnd(this.#period, start);
    const next = this.#next;
    if (next !== undefined && start < next) {
      throw this.#place.malformed(
        `the candle of ${isoTime(start)} is not after the one before it`,
        'candles in rising order of time, each once',
      );
    }
    if (next !== undefined && start > next) {
      const { file, line } = this.#place;
      const gap = { expected: next, found: start, at: end, until: undefined };
      this.#gaps.push({ file, line, kind: 'candles', ...gap });
    }
    this.#next = end;
    this.#count += 1;
    if (this.#size.between(bar.volume)) this.#roundedVolumes += 1;
    this.#sink.row(
      end,
      start,
      CANDLE,
      LAST,
      0,
      this.#price.of(bar.close),
      this.#size.down(bar.volume),
      this.#price.of(bar.high),
      this.#price.of(bar.low),
      this.#price.of(bar.open),
    );
  }

  counts(): Partial<ImportCounts> {
    return { candles: this.#count, roundedVolumes: this.#roundedVolumes, gaps: this.#gaps };
  }

  /** The start of the candle that carries this time. */
  #start(at: Micros): Micros {
    const period = this.#period;
    const start = periodStart(period, this.#ends ? micros(at - 1) : at);
    const fits = this.#ends ? periodEnd(period, start) - at < END_SLACK_US : start === at;
    if (fits) return start;
    throw this.#place.malformed(
      `the candle of ${isoTime(at)} does not ${this.#ends ? 'end' : 'begin'} a period of ${period}`,
      'times on the UTC grid of the period; name another with --period, or --candle-time open|close',
    );
  }
}
