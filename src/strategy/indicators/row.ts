import type { Candle } from '../../model/candle.ts';

/** A parameter of an indicator: its default and its range. */
export interface ParameterSpec<V extends number | boolean = number | boolean> {
  readonly default: V;
  /** Whole numbers from `least` on; any number if absent. */
  readonly whole?: true;
  readonly least?: number;
  readonly most?: number;
}

export type ParameterSpecs = Readonly<Record<string, ParameterSpec>>;

export type ValuesOf<P extends ParameterSpecs> = {
  readonly [Name in keyof P]: P[Name] extends ParameterSpec<infer V> ? V : never;
};

/** A count of events. */
export const whole = (value: number, minimum = 1): ParameterSpec<number> => ({
  default: value,
  whole: true,
  least: minimum,
});

/** A number that may be fractional. */
export const real = (
  value: number,
  minimum: number,
  most = Number.MAX_SAFE_INTEGER,
): ParameterSpec<number> => ({ default: value, least: minimum, most });

export const flag = (value: boolean): ParameterSpec<boolean> => ({ default: value });

/** Input of a bar indicator: a candle, or a custom bar, in ticks and lots. */
export type BarTicks = Readonly<
  Record<'openTicks' | 'highTicks' | 'lowTicks' | 'closeTicks' | 'volumeLots', number>
>;

/** A bar with the names of trading-signals. */
export type Bar = Readonly<Record<'open' | 'high' | 'low' | 'close' | 'volume', number>>;

/** A new object each time: calculators keep the last ones. */
export const barOf = (candle: BarTicks): Bar => ({
  open: candle.openTicks,
  high: candle.highTicks,
  low: candle.lowTicks,
  close: candle.closeTicks,
  volume: candle.volumeLots,
});

export const closeOf = (candle: Candle): number => candle.closeTicks;
export const volumeOf = (candle: Candle): number => candle.volumeLots;

/** `bar` takes whole bars; the others take one number, by default that of a candle. */
export type InputKind = 'bar' | 'close' | 'volume';

/** The used part of an indicator of trading-signals. */
export interface Calculator<Input, Result> {
  add(input: Input): Result | null;
  getResult?(): Result | null;
}

/** Properties of an indicator. */
export interface RowOptions {
  /** The value for 0 / 0 in its formula, as in a market that does not move. */
  readonly flat?: number;
  /** For an indicator of rare events: holds the last one, or returns 0 between two. */
  readonly between?: 'hold' | 0;
  /** True if the warm-up is a minimum: it starts with the first event found. */
  readonly isLater?: true;
  /**
   * True if it sums from the first event on, so that its level depends on the start of the history.
   */
  readonly isCumulative?: true;
  /** True if it only adds, subtracts, compares and halves: exact for whole numbers below 2^52. */
  readonly isExact?: true;
}

/** An indicator: its input, parameters and value, and when it has one. */
export interface Row<I extends InputKind, P extends ParameterSpecs, V> extends RowOptions {
  readonly about: string;
  readonly input: I;
  readonly parameters: P;
  readonly unit: string;
  /** Number of the event with its first value. */
  warmUp(this: void, parameters: ValuesOf<P>): number;
  make(this: void, parameters: ValuesOf<P>): Calculator<never, unknown>;
  /** Converts the calculator's result to the value; unchanged if absent. */
  read?(this: void, result: never): V;
}

type InputOf<I extends InputKind> = I extends 'bar' ? Bar : number;

interface RowMaker<I extends InputKind> {
  <P extends ParameterSpecs>(
    about: string,
    parameters: P,
    unit: string,
    warmUp: (parameters: ValuesOf<P>) => number,
    make: (parameters: ValuesOf<P>) => Calculator<InputOf<I>, number>,
    options?: RowOptions,
  ): Row<I, P, number>;
  <P extends ParameterSpecs, R, V extends object>(
    about: string,
    parameters: P,
    unit: string,
    warmUp: (parameters: ValuesOf<P>) => number,
    make: (parameters: ValuesOf<P>) => Calculator<InputOf<I>, R>,
    read: (result: R) => V,
    options?: RowOptions,
  ): Row<I, P, V>;
}

const rowsOf =
  (input: InputKind) =>
  (
    about: string,
    parameters: ParameterSpecs,
    unit: string,
    warmUp: (parameters: never) => number,
    make: (parameters: never) => Calculator<never, unknown>,
    ...rest: readonly (((result: never) => object) | RowOptions)[]
  ): object => {
    const read = rest.find((one) => typeof one === 'function');
    const options = rest.find((one) => typeof one === 'object');
    const row = { about, input, parameters, unit, warmUp, make, ...options };
    return read === undefined ? row : { ...row, read };
  };

/** An indicator of whole bars. */
export const bar = rowsOf('bar') as RowMaker<'bar'>;
/** An indicator of one number, by default the close of candles in ticks. */
export const close = rowsOf('close') as RowMaker<'close'>;
/** An indicator of one number, by default the volume of candles in lots. */
export const volume = rowsOf('volume') as RowMaker<'volume'>;

/** The direction of a trend. */
export type Trend = 'up' | 'down';

export const trendOf = (signal: string): Trend => (signal === 'BULLISH' ? 'up' : 'down');
