import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Drawdown } from '../../../src/backtest/metrics/drawdown.ts';
import { Equity } from '../../../src/backtest/metrics/equity.ts';
import { Amount } from '../../../src/model/amount.ts';
import { micros } from '../../../src/platform/time.ts';

/** Each pair of an earlier and a later value is looked at. */
function naive(values: readonly number[]): { amount: number; ratio: number; longest: number } {
  let amount = 0;
  let ratio = 0;
  let longest = 0;
  for (let i = 0; i < values.length; i += 1) {
    for (let j = i + 1; j < values.length; j += 1) {
      amount = Math.max(amount, values[i] - values[j]);
      ratio = Math.max(ratio, (values[i] - values[j]) / values[i]);
    }
    // From i, a peak so far, until equity is there again or the run ends.
    if (values.slice(0, i).every((value) => value <= values[i])) {
      const back = values.findIndex((value, j) => j > i && value >= values[i]);
      const end = back < 0 ? values.length - 1 : back;
      if (end > i + 1 || (back < 0 && end > i)) longest = Math.max(longest, end - i);
    }
  }
  return { amount, ratio, longest };
}

test('drawdown agrees with a look at every pair of samples', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 40 }),
      (values) => {
        const drawdown = new Drawdown();
        values.forEach((value, at) => drawdown.sample(micros(at), Amount.count(value)));
        const expected = naive(values);
        expect(drawdown.maxAmount.toNumber()).toBe(expected.amount);
        expect(drawdown.maxRatio).toBeCloseTo(expected.ratio, 12);
        expect(drawdown.longestUs).toBe(expected.longest);
      },
    ),
  );
});

test('the deepest sum and the deepest share may be different falls', () => {
  const drawdown = new Drawdown();
  [100, 50, 1_000, 900].forEach((value, at) => drawdown.sample(micros(at), Amount.count(value)));
  expect(drawdown.maxAmount.toFixed()).toBe('100');
  expect(drawdown.maxRatio).toBe(0.5);
  expect(drawdown.maxRatioPeakAt).toBe(0);
  expect(drawdown.maxRatioTroughAt).toBe(1);
});

test('equity that was never positive has no ratios', () => {
  const equity = new Equity();
  for (let at = 0; at < 4; at += 1) equity.sample(micros(at), Amount.count(-at), true);
  const ratios = equity.ratios(1, 3);
  expect(ratios.totalReturn).toBeNull();
  expect(ratios.sharpe).toBeNull();
  expect(ratios.returns).toBe(0);
  expect(equity.drawdown.maxAmount.toFixed()).toBe('3');
  expect(equity.drawdown.maxRatio).toBe(0);
});
