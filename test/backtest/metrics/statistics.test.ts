import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  annualGrowth,
  calmar,
  sharpe,
  sortino,
  volatility,
  YEAR_US,
} from '../../../src/backtest/metrics/statistics.ts';
import { US_PER_DAY, US_PER_HOUR } from '../../../src/platform/time.ts';

const returns = fc.array(fc.double({ min: -0.5, max: 0.5, noNaN: true }), {
  minLength: 2,
  maxLength: 60,
});

/** The formulas as textbooks print them, summed without any care. */
const naive = {
  mean: (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length,
  deviation(values: number[]): number {
    const mean = naive.mean(values);
    const squares = values.reduce((sum, value) => sum + (value - mean) * (value - mean), 0);
    return Math.sqrt(squares / (values.length - 1));
  },
  downside: (values: number[]): number =>
    Math.sqrt(
      values.filter((value) => value < 0).reduce((sum, value) => sum + value * value, 0) /
        values.length,
    ),
};

describe('ratios of returns', () => {
  test('Sharpe is mean over sample deviation times the root of the periods in 365 days', () => {
    fc.assert(
      fc.property(returns, (values) => {
        const deviation = naive.deviation(values);
        fc.pre(deviation > 1e-6);
        const expected = (naive.mean(values) / deviation) * Math.sqrt(365 * 24);
        expect(sharpe(values, US_PER_HOUR)).toBeCloseTo(expected, 6);
        expect(volatility(values, US_PER_HOUR)).toBeCloseTo(deviation * Math.sqrt(365 * 24), 6);
      }),
    );
  });

  test('Sortino divides by the root of the mean square of the losses, all returns counted', () => {
    fc.assert(
      fc.property(returns, (values) => {
        const downside = naive.downside(values);
        fc.pre(downside > 1e-6);
        const expected = (naive.mean(values) / downside) * Math.sqrt(365);
        expect(sortino(values, US_PER_DAY)).toBeCloseTo(expected, 6);
      }),
    );
  });

  test('fewer than two returns define neither', () => {
    for (const values of [[], [0.01]]) {
      expect(sharpe(values, US_PER_DAY)).toBeNull();
      expect(sortino(values, US_PER_DAY)).toBeNull();
      expect(volatility(values, US_PER_DAY)).toBeNull();
    }
  });

  test('returns that are all alike have no Sharpe, and returns without a loss no Sortino', () => {
    expect(sharpe([0.1, 0.1, 0.1], US_PER_DAY)).toBeNull();
    expect(sharpe([0, 0, 0], US_PER_DAY)).toBeNull();
    expect(sortino([0, 0.1, 0.2], US_PER_DAY)).toBeNull();
  });
});

describe('growth per year', () => {
  test('doubling in half a year is fourfold in a year', () => {
    expect(annualGrowth(2, YEAR_US / 2)).toBeCloseTo(3, 12);
  });

  test('no time, nothing left and figures beyond a double are undefined', () => {
    expect(annualGrowth(1.1, 0)).toBeNull();
    expect(annualGrowth(0, YEAR_US)).toBeNull();
    expect(annualGrowth(-0.1, YEAR_US)).toBeNull();
    expect(annualGrowth(Number.NaN, YEAR_US)).toBeNull();
    expect(annualGrowth(2, 1)).toBeNull();
  });

  test('Calmar is growth per year over the deepest drawdown, undefined without one', () => {
    expect(calmar(0.3, 0.1)).toBeCloseTo(3, 12);
    expect(calmar(-0.3, 0.1)).toBeCloseTo(-3, 12);
    expect(calmar(0.3, 0)).toBeNull();
    expect(calmar(null, 0.1)).toBeNull();
  });
});
