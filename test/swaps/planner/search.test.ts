import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Problem, ProblemHolding } from '../../../src/swaps/planner/problem.ts';
import { search } from '../../../src/swaps/planner/search.ts';
import { optimumOf } from './highs.ts';
import { portfolioOf, problemOf } from './portfolios.ts';
import { runs } from '../../kit/size.ts';

const sizes = fc.record({
  seed: fc.integer({ min: 1, max: 1_000_000 }),
  holdings: fc.integer({ min: 2, max: 6 }),
  edges: fc.integer({ min: 4, max: 40 }),
  byCostAlone: fc.boolean(),
  margin: fc.constantFrom(0, 0, 1e-4),
  amounts: fc.boolean(),
});

/**
 * Some holdings hold amounts, what they have or a third more, and the weights of the others are 1
 * together.
 */
function withAmounts(problem: Problem, seed: number): Problem {
  const holdings = problem.holdings.map((holding, at): ProblemHolding => {
    if (at === 0 || (seed + at) % 3 !== 0) return holding;
    const goal = holding.value * (at % 2 === 0 ? 1 : 1.3);
    const fixed = { low: goal * 0.95, high: goal * 1.05 };
    const isIn = holding.value >= fixed.low && holding.value <= fixed.high;
    return { ...holding, weight: 0, band: 0, fixed, isIn };
  });
  const shared = holdings.filter(({ fixed }) => fixed === undefined);
  const all = shared.reduce((sum, { weight }) => sum + weight, 0);
  const total = shared.reduce((sum, { value }) => sum + value, 0);
  return {
    ...problem,
    holdings: holdings.map((holding) => {
      if (holding.fixed !== undefined) return holding;
      const weight = holding.weight / all;
      return { ...holding, weight, isIn: Math.abs(holding.value / total - weight) <= holding.band };
    }),
  };
}

/** Enough for whatever is asked here. */
const WORK = 2_000_000_000;

describe('the search for flows', () => {
  test('comes to what a solver of mixed-integer programs comes to', async () => {
    await fc.assert(
      fc.asyncProperty(
        sizes,
        async ({ seed: own, holdings, edges, byCostAlone, margin, amounts }) => {
          const portfolio = portfolioOf(own, holdings, edges);
          const shares = problemOf(portfolio);
          const problem = {
            ...(amounts ? withAmounts(shares, own) : shares),
            byCostAlone,
            margin,
          };
          const optimum = await optimumOf(problem);
          const { solution, isComplete, bound } = search(problem, WORK);
          expect(isComplete).toBe(true);
          expect(solution === undefined).toBe(optimum === undefined);
          if (solution === undefined || optimum === undefined) return;
          if (!byCostAlone) expect(solution.movedInBand).toBe(optimum.touched);
          expect(solution.cost / problem.total).toBeCloseTo(optimum.cost, 6);
          expect(bound).toBeLessThanOrEqual(solution.cost + 1e-9 * problem.total);
          expect(bound).toBeGreaterThan(solution.cost - 1e-6 * problem.total);
        },
      ),
      { numRuns: runs(12) },
    );
  }, 120_000);

  test('gives a lower bound of the cost where its work is limited', () => {
    for (const own of [2, 3, 4, 9, 13]) {
      const problem = problemOf(portfolioOf(own, 10, 150));
      const whole = search(problem, WORK);
      for (const work of [1e5, 1e6, 5e6]) {
        const early = search(problem, work);
        expect(early.bound).toBeLessThanOrEqual((whole.solution?.cost ?? 0) + 1e-9 * problem.total);
        if (early.isComplete)
          expect(early.solution?.cost).toBeCloseTo(whole.solution?.cost ?? 0, 3);
        expect(early.work).toBeLessThan(work + 5e6);
      }
    }
  });
});
