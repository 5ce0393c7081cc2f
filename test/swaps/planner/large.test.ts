import { describe, expect, test } from 'vitest';
import { holdingName } from '../../../src/model/portfolio.ts';
import { isRejection } from '../../../src/model/rejections.ts';
import type { Plan } from '../../../src/swaps/planner/plan.ts';
import { plan } from '../../../src/swaps/planner/planner.ts';
import { runs } from '../../kit/size.ts';
import { judge } from './brute-force.ts';
import { greedy } from './greedy.ts';
import { portfolioOf, requestOf, type Portfolio } from './portfolios.ts';

/** What a plan sends, by tariff. */
const flowsOf = ({ plan: { transfers } }: Plan, { tariffs }: Portfolio): readonly number[] =>
  tariffs.map(({ route, from, to }) => {
    const transfer = transfers.find(
      ({ offer }) =>
        offer.route === route && holdingName(offer.from) === from && holdingName(offer.to) === to,
    );
    return transfer?.offer.send.toNumber() ?? 0;
  });

describe.each([
  { holdings: 5, edges: 60, seeds: runs(20) },
  { holdings: 10, edges: 150, seeds: runs(10) },
])('portfolios of $holdings holdings and $edges pairs', ({ holdings, edges, seeds }) => {
  test('are planned by the rules, and no dearer than by one transfer after the other', async () => {
    let [compared, planned, exact] = [0, 0, 0];
    for (let seed = 1; seed <= seeds; seed += 1) {
      const portfolio = portfolioOf(seed, holdings, edges);
      const simple = greedy(portfolio);
      const naive = simple === undefined ? undefined : judge(portfolio, simple);
      const found = await plan(requestOf(portfolio));
      if (isRejection(found)) {
        expect(naive, `seed ${seed}: ${found.message}`).toBeUndefined();
        continue;
      }
      const verdict = judge(portfolio, flowsOf(found, portfolio));
      expect(verdict, `seed ${seed} keeps every rule`).toBeDefined();
      if (verdict === undefined) continue;
      expect(verdict.cost).toBeCloseTo(found.cost.toNumber(), 6);
      expect(found.after.every(({ isIn }) => isIn)).toBe(true);
      planned += 1;
      if (found.effort.isExact) exact += 1;
      if (naive === undefined) continue;
      compared += 1;
      expect(verdict.touched, `seed ${seed}`).toBeLessThanOrEqual(naive.touched);
      if (verdict.touched === naive.touched) {
        expect(verdict.cost, `seed ${seed}`).toBeLessThanOrEqual(naive.cost + 1e-4);
      }
    }
    expect(compared).toBeGreaterThan(0);
    // Where rounding keeps the search from being certain it says so; that is rare.
    expect(exact).toBeGreaterThan(0.9 * planned);
  }, 120_000);
});

test('a plan of limited work keeps the rules and says how much another could save', async () => {
  const portfolio = portfolioOf(4, 10, 150);
  const [early, whole] = await Promise.all([
    plan({ ...requestOf(portfolio), limits: { work: 12_000_000 } }),
    plan(requestOf(portfolio)),
  ]);
  if (isRejection(early) || isRejection(whole)) throw new Error('there are transfers');
  expect(judge(portfolio, flowsOf(early, portfolio))).toBeDefined();
  expect(early.effort.isExact).toBe(false);
  const within = early.effort.within?.toNumber() ?? 1;
  const saved = early.cost.minus(whole.cost).div(early.cost).toNumber();
  expect(within).toBeGreaterThanOrEqual(saved - 1e-6);
});

test('what too little work does not find is not called impossible', async () => {
  const portfolio = portfolioOf(4, 10, 150);
  const answer = await plan({ ...requestOf(portfolio), limits: { work: 10 } });
  expect(answer).toMatchObject({
    code: 'plan-impossible',
    message: expect.stringContaining('though there may be some') as string,
  });
});
