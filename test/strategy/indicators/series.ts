/*
 * Arithmetic over whole series, the slow way: every value from all before it. `undefined` is a value that
 * there is not yet; what is computed from one is none either.
 */

export type Series = readonly (number | undefined)[];

export const each = (
  f: (...values: number[]) => number | undefined,
  ...series: readonly Series[]
): Series =>
  series[0].map((_, turn) => {
    const values = series.map((one) => one[turn]);
    return values.every((value) => value !== undefined) ? f(...values) : undefined;
  });

/** A function of each window of `length` values, oldest first. */
export const over = (
  x: Series,
  length: number,
  f: (window: readonly number[]) => number | undefined,
): Series =>
  x.map((_, end) => {
    const window = x.slice(Math.max(0, end - length + 1), end + 1);
    return window.length === length && window.every((value) => value !== undefined)
      ? f(window)
      : undefined;
  });

export const total = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0);

export const mean = (values: readonly number[]): number => total(values) / values.length;

/** Of the population. */
export const deviation = (values: readonly number[]): number => {
  const middle = mean(values);
  return Math.sqrt(mean(values.map((value) => (value - middle) ** 2)));
};

export const sma = (x: Series, length: number): Series => over(x, length, mean);
export const sum = (x: Series, length: number): Series => over(x, length, total);
export const highest = (x: Series, length: number): Series =>
  over(x, length, (window) => Math.max(...window));
export const lowest = (x: Series, length: number): Series =>
  over(x, length, (window) => Math.min(...window));
export const lag = (x: Series, by: number): Series =>
  x.map((_, turn) => (turn < by ? undefined : x[turn - by]));

export const wma = (x: Series, length: number): Series =>
  over(
    x,
    length,
    (window) =>
      total(window.map((value, turn) => value * (turn + 1))) / ((length * (length + 1)) / 2),
  );

/** Values up to each, without those that there are not yet. */
const upTo = (x: Series, f: (values: readonly number[]) => number | undefined): Series =>
  x.map((value, turn) =>
    value === undefined ? undefined : f(x.slice(0, turn + 1).filter((one) => one !== undefined)),
  );

/** Each value with a weight, the first as it is. */
export const smooth = (x: Series, weight: number): Series =>
  upTo(x, (values) => values.reduce((last, value) => value * weight + last * (1 - weight)));

/** The same without its first `count` values, but one. */
export const from = (x: Series, count: number): Series => {
  const first = x.findIndex((value) => value !== undefined);
  return x.map((value, turn) => (turn < first + count - 1 ? undefined : value));
};

export const ema = (x: Series, length: number): Series => from(smooth(x, 2 / (length + 1)), length);

/** Wilder's: the mean of the first `length`, then each new value weighs 1 / length. */
export const wilder = (x: Series, length: number): Series =>
  upTo(x, (values) =>
    values.length < length
      ? undefined
      : values
          .slice(length)
          .reduce(
            (last, value) => (last * (length - 1) + value) / length,
            mean(values.slice(0, length)),
          ),
  );

/** What a running state says at each value. */
export const scan = <State>(
  x: Series,
  first: State,
  step: (state: State, value: number, turn: number) => State,
  say: (state: State) => number | undefined,
): Series => {
  let state = first;
  return x.map((value, turn) => {
    if (value === undefined) return undefined;
    state = step(state, value, turn);
    return say(state);
  });
};

export const running = (x: Series, start = 0): Series =>
  scan(
    x,
    start,
    (state, value) => state + value,
    (state) => state,
  );

/** Nothing by nothing is what is said. */
export const by = (above: number, below: number, otherwise: number): number =>
  below === 0 ? otherwise : above / below;
