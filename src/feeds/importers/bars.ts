import { CANDLE, LAST } from '../../model/events.ts';
import { PERIODS, periodEnd, periodStart, type Period } from '../../model/period.ts';
import { isoTime, micros, US_PER_DAY, US_PER_SECOND, type Micros } from '../../platform/time.ts';
import { WrongGuess, type ImportCounts, type ImportGap, type ImportWriting } from './contract.ts';
import type { RowSink } from '../row-sink.ts';
import { ImportGrid, Precision, stepOf } from './grid.ts';
import { malformed, shown } from './malformed.ts';
import { Steps, type RowPosition } from './row-position.ts';

/** Writes the candles of files that stand in the order of their times; `each` gives them one by one. */
export async function writeBars(
  writing: ImportWriting,
  position: RowPosition,
  each: (visit: (at: number, bar: RawBar) => void) => void | Promise<void>,
): Promise<Partial<ImportCounts>> {
  const { period } = writing.findings;
  if (period === undefined) throw new TypeError('A pass over candles finds their period.');
  const bars = new Bars(period, writing, position);
  await each((at, bar) => {
    bars.take(at, bar);
  });
  bars.confirm();
  return bars.counts();
}

/** The numbers of a candle as they came, all decimal text. */
export interface RawBar {
  readonly open: unknown;
  readonly high: unknown;
  readonly low: unknown;
  readonly close: unknown;
  readonly volume: unknown;
}

/** Result of a first pass over candles: their period, and steps that fit their numbers. */
export class BarSurvey {
  readonly #position: RowPosition;
  readonly #noiseDigits: number;
  readonly #price = new Precision();
  readonly #volume = new Precision();
  /** The first of the prices with the most decimals, and its position. */
  #finest = { text: '', where: '' };
  #previous: number | undefined;
  #least = Number.POSITIVE_INFINITY;
  #rising = 0;
  /** Candles after a later one. */
  unordered = 0;
  /** Volume of all candles together, each rounded up to a whole number. */
  #total = 0;

  /** Prices at which nobody trades are off every grid, with any number of digits. */
  constructor(position: RowPosition, isOffGrid = false) {
    this.#position = position;
    this.#noiseDigits = isOffGrid ? BINARY_DIGITS : NOISE_DIGITS;
  }

  see(at: number, bar: RawBar): void {
    const distance = this.#previous === undefined ? 0 : at - this.#previous;
    if (distance !== 0) this.#least = Math.min(this.#least, Math.abs(distance));
    if (distance > 0) this.#rising += 1;
    if (distance < 0) this.unordered += 1;
    this.#previous = at;
    this.#number(this.#price, bar.open);
    this.#number(this.#price, bar.high);
    this.#number(this.#price, bar.low);
    this.#number(this.#price, bar.close);
    this.#number(this.#volume, bar.volume);
    this.#total += Math.ceil(Number(bar.volume));
  }

  #number(precision: Precision, text: unknown): void {
    if (typeof text === 'string') {
      const { decimals } = precision;
      if (precision.see(text)) {
        if (precision === this.#price && precision.decimals > decimals) {
          this.#finest = { text, where: this.#position.toString() };
        }
        return;
      }
    }
    throw this.#position.malformed(
      `${shown(typeof text === 'string' ? text : (JSON.stringify(text) ?? 'nothing'))} stands where a number should`,
      'a decimal number, zero or more',
    );
  }

  /**
   * The step of the finest price. Throws `import-invalid`, with its row, if that price is the rest of a
   * binary fraction and no step of a market.
   */
  get tickSize(): string {
    const { text, where } = this.#finest;
    const digits = text
      .replace(/[eE].*$/, '')
      .replace('.', '')
      .replace(/^0+/, '');
    const { decimals, step } = this.#price;
    if (decimals < NOISE_DECIMALS || digits.replace(/0+$/, '').length < this.#noiseDigits)
      return step;
    throw malformed(
      where,
      `the price ${shown(text)} would make the tick size ${step}`,
      'prices on the steps of a market; say the tick size, such as --tick-size 0.01, to round to it',
    );
  }

  /**
   * The finest step of volumes, but never so fine that all volumes together exceed 2^53 steps: then every
   * candle built from these is exact too, and finer volumes are rounded down.
   */
  get quantityIncrement(): string {
    let { decimals } = this.#volume;
    while (decimals > 0 && this.#total * 10 ** decimals > Number.MAX_SAFE_INTEGER) decimals -= 1;
    return stepOf(decimals);
  }

  /** True if the newest candle is the first. */
  get isFalling(): boolean {
    return this.unordered > 0 && this.#rising === 0;
  }

  /** The period of the least distance of two candles. Throws `import-invalid`. */
  get period(): Period {
    const least = this.#least;
    // Months differ in length; the shortest distance of monthly candles is one of them.
    const month = least >= 28 * US_PER_DAY && least <= 31 * US_PER_DAY;
    const found = PERIODS.find((period) =>
      period === '1M' ? month : periodEnd(period, EPOCH) - periodStart(period, EPOCH) === least,
    );
    if (found !== undefined) return found;
    throw this.#position.malformed(
      Number.isFinite(least)
        ? `the closest two candles are ${least / US_PER_SECOND} s apart`
        : 'the period is unknown, since no two candles differ in time',
      `one of the periods ${PERIODS.join(', ')}; name it with --period`,
    );
  }
}

const EPOCH = micros(0);
/** Prices of markets have fewer digits, or fewer of them behind the point: 1234567890.12. */
const NOISE_DIGITS = 12;
const NOISE_DECIMALS = 5;
/** Digits of a binary fraction without a shorter decimal. */
const BINARY_DIGITS = 16;
/** Remembered candles, to recognize repeated ones of overlapping files. */
const KNOWN_MAX = 4_096;
/** Days of Hong Kong begin at 16:00 UTC. */
const hongKong = (period: Period, at: Micros): string =>
  period === 'D1' && at % US_PER_DAY === (2 * US_PER_DAY) / 3
    ? ' (days of Hong Kong do: at OKX those of UTC are called 1Dutc)'
    : '';
/** Fewer candles without volume are a quiet weekend. */
const DEAD_MIN = 3;
/** Some venues end a candle a millisecond, or a whole second, before the next begins. */
const END_SLACK_US = US_PER_SECOND;

/** Close, volume, high, low and open in steps. */
type Numbers = readonly [close: number, volume: number, high: number, low: number, open: number];

/** The latest candles, by their starts, which rise. */
class RecentBars {
  readonly #starts = new Float64Array(KNOWN_MAX);
  readonly #numbers = new Float64Array(WIDTH * KNOWN_MAX);
  #count = 0;

  add(start: number, close: number, volume: number, high: number, low: number, open: number): void {
    const slot = this.#count % KNOWN_MAX;
    const numbers = this.#numbers;
    this.#count += 1;
    this.#starts[slot] = start;
    numbers[WIDTH * slot] = close;
    numbers[WIDTH * slot + 1] = volume;
    numbers[WIDTH * slot + 2] = high;
    numbers[WIDTH * slot + 3] = low;
    numbers[WIDTH * slot + 4] = open;
  }

  /** The numbers of the candle with this start. */
  find(start: number): Float64Array | undefined {
    let low = Math.max(0, this.#count - KNOWN_MAX);
    let high = this.#count;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (this.#starts[middle % KNOWN_MAX] < start) low = middle + 1;
      else high = middle;
    }
    const slot = low % KNOWN_MAX;
    if (low === this.#count || this.#starts[slot] !== start) return undefined;
    return this.#numbers.subarray(WIDTH * slot, WIDTH * (slot + 1));
  }
}

const WIDTH = 5;

/** Writes candles in order of their time and detects missing ones. */
export class Bars {
  readonly #period: Period;
  readonly #ends: boolean;
  readonly #sink: RowSink;
  readonly #position: RowPosition;
  readonly #price: Steps;
  readonly #size: Steps;
  readonly #gaps: ImportGap[] = [];
  #next: Micros | undefined;
  #count = 0;
  #roundedVolumes = 0;
  #repeated = 0;
  /** True if prices are rounded: to a given tick size, never to an inferred one. */
  readonly #rounds: boolean;
  readonly #isGuess: boolean;
  /** True if the increment is given, or there are no volumes. */
  readonly #hasIncrement: boolean;
  readonly #hasNoVolumes: boolean;
  /** Lots of a volume of 1, if they are a power of ten. */
  readonly #lotsOfOne: number;
  /** As in the survey: the volume of all candles, each rounded up to a whole number. */
  #total = 0;
  /** Start of the first candle, and of the latest. */
  firstStart: Micros | undefined;
  lastStart: Micros | undefined;
  /** Candles without volume since the last one with volume or another close, and that close. */
  #quiet = 0;
  #quietClose = Number.NaN;
  #volumeless = 0;
  /** Candles whose high is not the highest of their prices, or whose low is not the lowest. */
  #inconsistent = 0;
  readonly #recent = new RecentBars();
  readonly priceGrid: ImportGrid;
  readonly sizeGrid: ImportGrid;

  constructor(
    period: Period,
    { findings, options, instrument, sink }: ImportWriting,
    position: RowPosition,
  ) {
    this.#period = period;
    this.#ends = options.candleTime === 'close';
    this.#rounds = options.tickSize !== undefined && options.prices === undefined;
    this.#isGuess = findings.isGuess === true;
    this.#hasIncrement = options.quantityIncrement !== undefined || options.prices !== undefined;
    this.#hasNoVolumes = options.prices !== undefined;
    this.#sink = sink;
    this.#position = position;
    this.priceGrid = new ImportGrid(instrument.tickSize);
    this.sizeGrid = new ImportGrid(instrument.quantityIncrement);
    this.#price = new Steps('price', this.priceGrid, position);
    this.#size = new Steps('size', this.sizeGrid, position);
    this.#lotsOfOne = 10 ** this.sizeGrid.decimals;
  }

  take(at: number, bar: RawBar): void {
    const start = this.#start(micros(at));
    this.#total += Math.ceil(Number(bar.volume));
    if (this.#next !== undefined && start < this.#next) {
      const known = this.#known(start);
      this.#repeat(start, known, this.#quietly(bar));
      return;
    }
    this.#note(start);
    const [close, volume, high, low, open] = this.steps(bar);
    this.#write(start, close, volume, high, low, open);
  }

  /** The numbers of a candle in steps, for callers that sort candles before `takeSteps`. */
  steps(bar: RawBar): Numbers {
    if (this.#size.between(bar.volume)) this.#roundedVolumes += 1;
    const numbers = this.#numbers(bar);
    if (this.#isGuess && this.#roundedVolumes + this.#price.rounded > 0) throw new WrongGuess();
    return numbers;
  }

  /** Processes a candle whose numbers are whole steps already. */
  takeSteps(
    at: number,
    open: number,
    high: number,
    low: number,
    close: number,
    volume: number,
  ): void {
    const isNext = at === this.#next && !this.#ends;
    const start = isNext ? (at as Micros) : this.#start(micros(at));
    this.#total += Math.ceil(volume / this.#lotsOfOne);
    if (this.#next !== undefined && start < this.#next) {
      this.#repeat(start, this.#known(start), [close, volume, high, low, open]);
      return;
    }
    if (!isNext) this.#note(start);
    this.#write(start, close, volume, high, low, open);
  }

  /**
   * Throws if all volumes together exceed the increment guessed from some, or most candles contradict
   * themselves, as they do if columns are confused.
   */
  confirm(): void {
    if (2 * this.#inconsistent > this.#count) {
      throw this.#position.malformed(
        `the high is not the highest or the low not the lowest price of ${this.#inconsistent} of ${this.#count} candles`,
        'open, high, low and close in their columns; name them with --column, or in a --mapping',
      );
    }
    const { decimals } = this.sizeGrid;
    if (!this.#isGuess || this.#hasIncrement || decimals === 0) return;
    if (this.#total * this.#lotsOfOne > Number.MAX_SAFE_INTEGER) throw new WrongGuess();
  }

  #write(
    start: Micros,
    close: number,
    volume: number,
    high: number,
    low: number,
    open: number,
  ): void {
    const end = periodEnd(this.#period, start);
    this.#next = end;
    this.#count += 1;
    if (high < open || high < close || low > open || low > close) this.#inconsistent += 1;
    this.firstStart ??= start;
    this.lastStart = start;
    if (volume > 0 || close !== this.#quietClose) this.#quiet = 0;
    if (volume === 0) {
      this.#quiet += 1;
      this.#volumeless += 1;
    }
    this.#quietClose = close;
    this.#sink.row(end, start, CANDLE, LAST, 0, close, volume, high, low, open);
    this.#recent.add(start, close, volume, high, low, open);
  }

  /** Records missing candles before the one of this start. */
  #note(start: Micros): void {
    const next = this.#next;
    if (next === undefined || start <= next) return;
    const { file, line } = this.#position;
    const at = periodEnd(this.#period, start);
    const gap = { expected: next, found: start, at, until: undefined };
    this.#gaps.push({ file, line, kind: 'candles', ...gap });
  }

  /** The numbers of the candle with this start; throws `import-invalid` if there was none. */
  #known(start: Micros): Float64Array {
    const known = this.#recent.find(start);
    if (known !== undefined) return known;
    if (this.#isGuess) throw new WrongGuess();
    throw this.#unordered(start, 'is not after the one before it');
  }

  /** Counts a repeated candle; throws `import-invalid` if its numbers differ. */
  #repeat(start: Micros, known: Float64Array, numbers: Numbers): void {
    if (numbers.some((number, index) => number !== known[index])) {
      throw this.#unordered(start, 'comes again with other numbers');
    }
    this.#repeated += 1;
  }

  #unordered(start: Micros, what: string): Error {
    return this.#position.malformed(
      `the candle of ${isoTime(start)} ${what}`,
      'candles in rising order of time, each once',
    );
  }

  /** The numbers of a repeated candle, whose rounding is not counted. */
  #quietly(bar: RawBar): Numbers {
    const { rounded } = this.#price;
    const numbers = this.#numbers(bar);
    this.#price.rounded = rounded;
    if (this.#isGuess && this.#size.between(bar.volume)) throw new WrongGuess();
    return numbers;
  }

  #numbers({ close, volume, high, low, open }: RawBar): Numbers {
    return [
      this.#priceOf(close),
      this.#size.down(volume),
      this.#priceOf(high),
      this.#priceOf(low),
      this.#priceOf(open),
    ];
  }

  #priceOf(text: unknown): number {
    return this.#rounds ? this.#price.near(text) : this.#price.of(text);
  }

  counts(): Partial<ImportCounts> {
    return {
      candles: this.#count,
      repeatedCandles: this.#repeated,
      roundedPrices: this.#price.rounded,
      furthestRounding: this.#price.furthest / 1_000,
      roundedVolumes: this.#roundedVolumes,
      gaps: this.#gaps,
      volumelessCandles: this.#hasNoVolumes ? 0 : this.#volumeless,
      inconsistentCandles: this.#inconsistent,
      deadCandles: this.#deadCandles(),
    };
  }

  /** Venues continue to write candles of a delisted symbol. */
  #deadCandles(): number {
    const quiet = this.#quiet;
    if (this.#hasNoVolumes || this.lastStart === undefined) return 0;
    const span = (periodEnd(this.#period, this.lastStart) - this.lastStart) * quiet;
    return span >= US_PER_DAY && quiet >= DEAD_MIN ? quiet : 0;
  }

  /** The start of the candle that carries this time. */
  #start(at: Micros): Micros {
    const period = this.#period;
    const start = periodStart(period, this.#ends ? micros(at - 1) : at);
    const fits = this.#ends ? periodEnd(period, start) - at < END_SLACK_US : start === at;
    if (fits) return start;
    throw this.#position.malformed(
      `the candle of ${isoTime(at)} does not ${this.#ends ? 'end' : 'begin'} a period of ${period}${hongKong(period, at)}`,
      'times on the UTC grid of the period; name another with --period, or --candle-time open|close',
    );
  }
}
