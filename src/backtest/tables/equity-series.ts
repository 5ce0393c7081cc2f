import type { Amount } from '../../model/amount.ts';
import { isoTime, parseIsoTime, type Micros } from '../../platform/time.ts';
import { Drawdown } from '../metrics/drawdown.ts';
import type { DecimalText, InstrumentSeries, Series, TimeText } from '../result.ts';
import { NumberTable } from './number-table.ts';

const AT = 0;
/** Two fields: units and places. */
const EQUITY = 1;
const WIDTH = 3;

/** A sample of the equity. */
export interface EquityRow {
  readonly at: TimeText;
  readonly equity: DecimalText;
  /** Drawdown ratio. */
  readonly drawdown: number | null;
}

/** Samples of the equity for statistics: microseconds since 1970, and money as doubles. */
export interface SampleNumbers {
  readonly at: Float64Array;
  readonly equity: Float64Array;
}

/** Every sample of a run's equity, as numbers until they are read. */
export class EquityColumns {
  readonly #table = new NumberTable(WIDTH);

  add(at: Micros, equity: Amount): void {
    const row = this.#table.add();
    this.#table.set(row, AT, at);
    this.#table.setAmount(row, EQUITY, equity);
  }

  /** Times and equity of all samples, rounded to doubles. */
  numbers(): SampleNumbers {
    const { length } = this.#table;
    const at = new Float64Array(length);
    const equity = new Float64Array(length);
    for (let row = 0; row < length; row += 1) {
      at[row] = this.#table.get(row, AT);
      equity[row] = this.#table.amount(row, EQUITY).toNumber();
    }
    return { at, equity };
  }

  get length(): number {
    return this.#table.length;
  }

  /** The samples one by one. */
  *rows(): Iterable<EquityRow> {
    const drawdown = new Drawdown();
    for (let row = 0; row < this.#table.length; row += 1) {
      const at = this.#table.get(row, AT) as Micros;
      const equity = this.#table.amount(row, EQUITY);
      const ratio = drawdown.sample(at, equity);
      yield {
        at: isoTime(at),
        equity: equity.toFixed(),
        drawdown: Number.isFinite(ratio) ? ratio : null,
      };
    }
  }
}

/** In the order of `result.json`. */
const MEMBERS = [
  ...(['sampleUs', 'samplesPerPoint', 'at', 'equity', 'drawdown'] as const),
  ...(['instruments', 'plots'] as const),
] satisfies readonly (keyof Series)[];

/**
 * Series of a result, with a bounded number of points, and every sample of its equity. The points
 * are made at the first use, which a set of a sweep never has.
 */
export class EquitySeries implements Series {
  declare readonly sampleUs: number;
  declare readonly samplesPerPoint: number;
  declare readonly at: readonly TimeText[];
  declare readonly equity: readonly DecimalText[];
  declare readonly drawdown: readonly (number | null)[];
  declare readonly instruments: readonly InstrumentSeries[];
  declare readonly plots: Series['plots'];
  readonly #samples: EquityColumns;

  constructor(points: () => Series, samples: EquityColumns) {
    let made: Series | undefined;
    for (const name of MEMBERS) {
      Object.defineProperty(this, name, {
        enumerable: true,
        get: () => (made ??= points())[name],
      });
    }
    this.#samples = samples;
  }

  /** Number of samples. */
  count(): number {
    return this.#samples.length;
  }

  /** Every sample, made during the iteration. */
  all(): Iterable<EquityRow> {
    return this.#samples.rows();
  }

  numbers(): SampleNumbers {
    return this.#samples.numbers();
  }
}

/** Every available sample of the equity: for a series of plain data, its points. */
export const everySample = (series: Series): Iterable<EquityRow> =>
  series instanceof EquitySeries
    ? series.all()
    : series.at.map((at, point) => ({
        at,
        equity: series.equity[point],
        drawdown: series.drawdown[point],
      }));

/** Every sample as numbers; for a series of plain data, its points. */
export const sampleNumbers = (series: Series): SampleNumbers =>
  series instanceof EquitySeries
    ? series.numbers()
    : {
        at: Float64Array.from(series.at, (text) => parseIsoTime(text) ?? Number.NaN),
        equity: Float64Array.from(series.equity, Number),
      };

/** Number of samples of `everySample`. */
export const sampleCount = (series: Series): number =>
  series instanceof EquitySeries ? series.count() : series.at.length;
