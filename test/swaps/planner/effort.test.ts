import { describe, expect, test } from 'vitest';
import { isRejection } from '../../../src/model/rejections.ts';
import type { Plan } from '../../../src/swaps/planner/plan.ts';
import { plan } from '../../../src/swaps/planner/planner.ts';
import { portfolioOf, requestOf } from './portfolios.ts';

async function planned(seed: number, limits = {}): Promise<Plan> {
  const found = await plan({ ...requestOf(portfolioOf(seed, 5, 25)), limits });
  if (isRejection(found)) throw new Error(found.message);
  return found;
}

const costOf = ({ cost }: Plan): number => Number(cost.toFixed(3));

describe('a plan of five holdings and 25 pairs', () => {
  test.each([
    [2, 16.145, { offers: 54, searches: 1 }],
    [4, 44.792, { offers: 57, searches: 1 }],
    [5, 20.063, { offers: 60, searches: 1 }],
    [6, 16.499, { offers: 56, searches: 1 }],
    [8, 10.324, { offers: 63, searches: 2 }],
    [9, 35.009, { offers: 59, searches: 1 }],
    [11, 11.711, { offers: 55, searches: 1 }],
  ])('by seed %i costs %d and takes a few offers', async (seed, cost, effort) => {
    const found = await planned(seed);
    expect([costOf(found), found.effort]).toEqual([cost, { isExact: true, ...effort }]);
  });

  // The search ends early, with the best that it has: another one could save this share at the most.
  test.each([
    [4, 47.87, { offers: 62, searches: 2 }, 0.583295],
    [5, 32.225, { offers: 59, searches: 1 }, 0.608466],
    [6, 16.499, { offers: 56, searches: 1 }, 0.38413],
    [8, 10.324, { offers: 63, searches: 2 }, 0.166315],
    [11, 11.711, { offers: 55, searches: 1 }, 0.326606],
  ])(
    'by seed %i costs %d with little work, and says how much another one might save',
    async (seed, cost, effort, within) => {
      const found = await planned(seed, { work: 200_000 });
      const { within: share, ...others } = found.effort;
      expect([costOf(found), others]).toEqual([cost, { isExact: false, ...effort }]);
      expect(share?.toNumber()).toBeCloseTo(within, 5);
      const saved = 1 - costOf(await planned(seed)) / cost;
      expect(share?.toNumber()).toBeGreaterThanOrEqual(saved);
    },
  );

  test('that is not found with hardly any work is not called impossible', async () => {
    const answer = await plan({ ...requestOf(portfolioOf(4, 5, 25)), limits: { work: 1000 } });
    if (!isRejection(answer)) throw new Error('it was planned');
    expect(answer.message).toContain('though there may be some');
  });
});
