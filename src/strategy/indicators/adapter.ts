import type { Indicator } from '../indicator.ts';

/** The part of an indicator of trading-signals that is used here. */
interface Calculator<Input, Result> {
  readonly isStable: boolean;
  add(input: Input): Result | null;
}

/** Makes an indicator of one of trading-signals: silent until it is stable, fresh per subscription. */
export function adapt<E, Input, Result>(
  make: () => Calculator<Input, Result>,
  of: (event: E) => Input,
): Indicator<E, Result> {
  return () => {
    const calculator = make();
    return (event) => {
      const result = calculator.add(of(event));
      return result !== null && calculator.isStable ? result : undefined;
    };
  };
}

/** A candle in ticks, in the shape that trading-signals reads. */
export const barOf = (candle: {
  readonly highTicks: number;
  readonly lowTicks: number;
  readonly closeTicks: number;
}): { readonly high: number; readonly low: number; readonly close: number } => ({
  high: candle.highTicks,
  low: candle.lowTicks,
  close: candle.closeTicks,
});
