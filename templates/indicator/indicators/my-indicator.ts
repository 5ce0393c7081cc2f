import type { Indicator } from 'millrace';

/** What is read of a candle. */
interface Range {
  readonly highTicks: number;
  readonly lowTicks: number;
}

/** Mean range of the last candles, in ticks. Silent until there are so many of them. */
export const myIndicator =
  (length: number): Indicator<Range, number> =>
  () => {
    // State of one run, so that no two runs share it.
    const ranges: number[] = [];
    return ({ highTicks, lowTicks }) => {
      ranges.push(highTicks - lowTicks);
      if (ranges.length > length) ranges.shift();
      if (ranges.length < length) return undefined;
      return ranges.reduce((sum, range) => sum + range, 0) / length;
    };
  };
