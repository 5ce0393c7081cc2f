import { parseIsoTime } from '../../platform/time.ts';
import type { StitchedEquity, WalkForwardResult } from '../walk-forward/options.ts';
import { isNumber, valueText } from './data.ts';

/** Most points in the chart, apart from the ends of folds. */
const POINTS_MAX = 4_000;

/** Data of the walk-forward page's script; times are microseconds since 1970. */
export interface WalkForwardData {
  readonly at: readonly number[];
  readonly equity: readonly number[];
  readonly samplesPerPoint: number;
  readonly folds: readonly {
    readonly from: number;
    readonly till: number;
    readonly text: string;
  }[];
  readonly parameters: readonly ChosenValues[];
}

/** A parameter's values that the folds chose. */
export interface ChosenValues {
  readonly title: string;
  /** A number, or the index of a text; `null` if a fold chose nothing. */
  readonly values: readonly (number | null)[];
  readonly low: number;
  readonly high: number;
  /** Set if the values are not numbers: the tried ones as text. */
  readonly words?: readonly string[];
}

/** The stitched equity and the chosen values for the chart; `texts` describes each fold. */
export function walkForwardData(
  { folds, stitched, stability }: WalkForwardResult,
  texts: readonly string[],
): WalkForwardData {
  const { rows, samplesPerPoint } = drawnRows(stitched);
  return {
    at: rows.map((row) => stitched.at[row]),
    equity: rows.map((row) => stitched.equity[row]),
    samplesPerPoint,
    folds: folds.map(({ test }, index) => ({
      from: parseIsoTime(test.from) ?? 0,
      till: parseIsoTime(test.till) ?? 0,
      text: texts[index],
    })),
    parameters: stability.map(({ name }) =>
      chosenValues(
        name,
        folds.map(({ chosen }) => chosen?.parameters[name]),
        folds.flatMap(({ trained }) => trained.map(({ parameters }) => parameters[name])),
      ),
    ),
  };
}

/** The first, the lowest, the highest and the last of each group of samples of a fold. */
function drawnRows({ equity, fold }: StitchedEquity): {
  readonly rows: readonly number[];
  readonly samplesPerPoint: number;
} {
  const group = equity.length <= POINTS_MAX ? 1 : Math.ceil((4 * equity.length) / POINTS_MAX);
  const rows: number[] = [];
  for (let first = 0; first < equity.length;) {
    let [last, low, high] = [first, first, first];
    for (let row = first; row < first + group && fold[row] === fold[first]; row += 1) {
      if (equity[row] < equity[low]) low = row;
      if (equity[row] > equity[high]) high = row;
      last = row;
    }
    rows.push(...[...new Set([first, low, high, last])].sort((a, b) => a - b));
    first = last + 1;
  }
  return { rows, samplesPerPoint: Math.max(1, Math.floor(equity.length / rows.length)) };
}

function chosenValues(
  title: string,
  chosen: readonly unknown[],
  tried: readonly unknown[],
): ChosenValues {
  if (tried.every(isNumber)) {
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const value of tried) {
      low = Math.min(low, Number(value));
      high = Math.max(high, Number(value));
    }
    const values = chosen.map((value) => (value === undefined ? null : Number(value)));
    return { title, values, low, high };
  }
  const words = [...new Set(tried.map(valueText))];
  const values = chosen.map((value) =>
    value === undefined ? null : words.indexOf(valueText(value)),
  );
  return { title, values, low: 0, high: words.length - 1, words };
}
