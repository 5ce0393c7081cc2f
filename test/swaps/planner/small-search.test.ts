import { beforeAll, describe, expect, test } from 'vitest';
import { Curve, type CurvePoint, type EdgeFee } from '../../../src/swaps/planner/curve.ts';
import { edgesOf } from '../../../src/swaps/planner/edges.ts';
import type { Problem } from '../../../src/swaps/planner/problem.ts';
import { search } from '../../../src/swaps/planner/search.ts';
import { optimumOf, type Optimum } from './highs.ts';
import { portfolioOf, problemOf } from './portfolios.ts';
import { TariffRoute } from './tariff-route.ts';

const WORK = 100_000_000;

/** Small problems by seeds, quick enough to be searched often. */
const SEEDS = Array.from({ length: 40 }, (_, at) => at + 1);

function problemBy(seed: number): Problem {
  const [holdings, edges] = [2 + (seed % 3), 3 + (seed % 6)];
  const problem = problemOf(portfolioOf(seed, holdings, edges));
  const change = { byCostAlone: seed % 4 === 0, margin: seed % 5 === 0 ? 1e-4 : 0 };
  if (seed % 3 !== 0) return { ...problem, ...change };
  // One holding has an amount, and the others share the rest.
  const [first, ...others] = problem.holdings;
  const fixed = { low: first.value * 0.8 + 10, high: first.value * 0.9 + 20 };
  const all = others.reduce((sum, { weight }) => sum + weight, 0);
  const isIn = first.value >= fixed.low && first.value <= fixed.high;
  const rest = others.reduce((sum, { value }) => sum + value, 0);
  return {
    ...{ ...problem, ...change },
    holdings: [
      { ...first, weight: 0, band: 0, fixed, isIn },
      ...others.map((own) => {
        const weight = own.weight / all;
        return { ...own, weight, isIn: Math.abs(own.value / rest - weight) <= own.band };
      }),
    ],
  };
}

describe('small portfolios', () => {
  const problems = new Map(SEEDS.map((seed) => [seed, problemBy(seed)]));
  const optima = new Map<number, Optimum | undefined>();

  beforeAll(async () => {
    for (const [seed, problem] of problems) optima.set(seed, await optimumOf(problem));
  }, 120_000);

  test.each([0, 1, 2, 3, 4, 5])(
    'come to what a solver of mixed-integer programs comes to (%i of 6)',
    (part) => {
      for (const [seed, problem] of [...problems].filter(([one]) => one % 6 === part)) {
        const optimum = optima.get(seed);
        const { solution, isComplete, bound } = search(problem, WORK);
        expect([seed, isComplete]).toEqual([seed, true]);
        expect([seed, solution === undefined]).toEqual([seed, optimum === undefined]);
        if (solution === undefined || optimum === undefined) {
          expect(bound).toBe(Infinity);
          continue;
        }
        if (!problem.byCostAlone) expect(solution.movedInBand).toBe(optimum.touched);
        expect(solution.cost / problem.total).toBeCloseTo(optimum.cost, 6);
        expect(bound).toBeLessThanOrEqual(solution.cost + 1e-9 * problem.total);
        expect(bound).toBeGreaterThan(solution.cost - 1e-6 * problem.total);
      }
    },
  );
});

describe('portfolios of five holdings and 25 pairs', () => {
  // A person waits for a plan: a change that makes the search longer shows here.
  test.each([
    [1, false, 3075],
    [1, true, 3075],
    [2, false, 84225],
    [2, true, 106950],
    [3, false, 109575],
    [3, true, 109575],
    [4, false, 221400],
    [4, true, 221400],
    [5, false, 164025],
    [5, true, 140475],
    [6, false, 129150],
    [6, true, 129150],
    [7, false, 55275],
    [7, true, 54075],
    [8, false, 68100],
    [8, true, 68100],
    [9, false, 51300],
    [9, true, 51300],
    [10, false, 112350],
    [10, true, 103425],
    [11, false, 120225],
    [11, true, 120225],
    [12, false, 31725],
    [12, true, 31725],
  ])(
    'by seed %i, by cost alone %s, take no more than %i multiplications; with less work no bound is too high',
    (seed, byCostAlone, most) => {
      const problem = { ...problemOf(portfolioOf(seed, 5, 25)), byCostAlone };
      const whole = search(problem, WORK);
      const cost = whole.solution?.cost ?? Infinity;
      expect(whole.work).toBeLessThanOrEqual(most);
      for (const part of [0.3, 0.7]) {
        const early = search(problem, part * whole.work);
        // What is solved in one step is whole however little work it may take.
        expect(early.isComplete).toBe(seed === 1);
        expect(early.bound).toBeLessThanOrEqual(cost + 1e-6);
        expect(early.work).toBeLessThanOrEqual(whole.work);
        if (early.solution === undefined) continue;
        expect(early.solution.cost).toBeGreaterThan(cost - 1e-5);
      }
    },
  );
});

/** What is sent and what arrives of it. */
type Offers = readonly (readonly [send: number, arrives: number, fee?: EdgeFee])[];

interface Pair {
  readonly from: string;
  readonly to: string;
  readonly offers?: Offers;
  readonly minimum?: number;
  readonly maximum?: number;
}

const FREE: Offers = [
  [100, 100],
  [400, 400],
];
const costing = (fixed: number, share: number): Offers =>
  [100, 400].map((send) => [send, send * (1 - share) - fixed] as const);

/** A is 200 above its band and B 200 below its own; C is in the middle of a band of 100. */
const HOLDINGS: Problem['holdings'] = [
  { name: 'A@x', value: 550, weight: 0.3, band: 0.05, reserve: 0, isIn: false },
  { name: 'B@x', value: 50, weight: 0.3, band: 0.05, reserve: 0, isIn: false },
  { name: 'C@x', value: 400, weight: 0.4, band: 0.1, reserve: 0, isIn: true },
];

function problemWith(pairs: readonly Pair[], change: Partial<Problem> = {}): Problem {
  const tariffs = pairs.map(({ from, to }) => ({ from: `${from}@x`, to: `${to}@x`, fixed: '0', share: '0' })); // prettier-ignore
  const edges = edgesOf([new TariffRoute('c', tariffs, () => undefined)]);
  const curves = edges.map(({ from, to }) => {
    const pair = pairs.find((one) => one.from === from.asset && one.to === to.asset);
    const curve = new Curve(pair?.minimum ?? 0);
    curve.maximum = pair?.maximum ?? Infinity;
    for (const [send, least, fee] of pair?.offers ?? FREE) {
      const point: CurvePoint = { send, least, expected: least, fee };
      curve.add(point);
    }
    return curve;
  });
  return {
    holdings: HOLDINGS,
    edges,
    curves,
    total: 1000,
    margin: 0,
    byCostAlone: false,
    ...change,
  };
}

/** What is sent on each pair, to a millionth. */
function flowsOf(problem: Problem): Readonly<Record<string, number>> | undefined {
  const { solution } = search(problem, WORK);
  if (solution === undefined) return undefined;
  return Object.fromEntries(
    [...solution.flows].map(([index, { send }]) => {
      const { from, to } = problem.edges[index];
      return [`${from.asset}${to.asset}`, Math.round(send * 1e4) / 1e4];
    }),
  );
}

const AB = { from: 'A', to: 'B' };
const AC = { from: 'A', to: 'C' };
const CB = { from: 'C', to: 'B' };

describe('the flows of a portfolio', () => {
  test('bring what is out to the edges of its band, and no further where that costs', () => {
    expect(flowsOf(problemWith([{ ...AB, offers: costing(0, 0.01) }]))).toEqual({ AB: 201.5113 });
    expect(flowsOf(problemWith([AB], { margin: 0.01 }))).toEqual({ AB: 210 });
  });

  test('take the cheaper of two ways, and the shorter of two that cost the same', () => {
    const dear = { ...AB, offers: costing(0, 0.02) };
    expect(flowsOf(problemWith([dear, { from: 'A', to: 'H' }, { from: 'H', to: 'B' }]))).toEqual({ AH: 200, HB: 200 }); // prettier-ignore
    expect(flowsOf(problemWith([AB, { from: 'A', to: 'H' }, { from: 'H', to: 'B' }]))).toEqual({ AB: 200 }); // prettier-ignore
  });

  test('pay a fixed fee once where a share of each unit is dearer, and not where it is cheaper', () => {
    const ways = (fixed: number) => [
      { ...AB, offers: costing(fixed, 0) },
      { from: 'A', to: 'H', offers: costing(0, 0.01) },
      { from: 'H', to: 'B' },
    ];
    // 200 by the other way cost 2 and more.
    expect(Object.keys(flowsOf(problemWith(ways(1.9))) ?? {})).toEqual(['AB']);
    expect(Object.keys(flowsOf(problemWith(ways(2.1))) ?? {})).toEqual(['AH', 'HB']);
  });

  test('leave a holding in its band alone where others can do without it, even if that costs more', () => {
    const pairs = [{ ...AB, offers: costing(20, 0) }, { ...AC, maximum: 210 }, { ...CB, minimum: 215 }]; // prettier-ignore
    expect(Object.keys(flowsOf(problemWith(pairs)) ?? {})).toEqual(['AB']);
    expect(Object.keys(flowsOf(problemWith(pairs, { byCostAlone: true })) ?? {})).toEqual(['AC', 'CB']); // prettier-ignore
    const { solution } = search(problemWith([AC, CB]), WORK);
    // What C gets it sends on, so that it does not change.
    expect(solution?.movedInBand).toBe(0);
  });

  test('use a holding in its band where nothing else helps, as far as its band goes', () => {
    const less = { ...AB, maximum: 150 };
    const { solution } = search(problemWith([less, CB, { from: 'A', to: 'H' }]), WORK);
    expect(solution).toBeUndefined();
    const room = flowsOf(problemWith([{ ...AB, maximum: 200 }, CB]));
    expect(room).toEqual({ AB: 200 });
    const rest = problemWith([{ ...AB, maximum: 250, minimum: 240, offers: costing(0, 0.2) }, CB]);
    // 200 is what A has to give; of 240 at the least 192 arrive, so that C gives the rest.
    expect(flowsOf(rest)).toMatchObject({ AB: 240 });
    expect(search(rest, WORK).solution?.movedInBand).toBe(0);
  });

  test('do not go below what a route takes at the least, nor above what it takes at the most', () => {
    const offers = costing(0, 0.01);
    expect(flowsOf(problemWith([{ ...AB, offers, minimum: 230 }]))).toEqual({ AB: 230 });
    expect(flowsOf(problemWith([{ ...AB, minimum: 301 }]))).toBeUndefined();
    expect(flowsOf(problemWith([{ ...AB, maximum: 199 }]))).toBeUndefined();
    const two = [
      { ...AB, maximum: 120 },
      { from: 'A', to: 'H', minimum: 90, maximum: 110 },
      { from: 'H', to: 'B' },
    ];
    const flows = flowsOf(problemWith(two)) ?? {};
    expect(Object.keys(flows)).toEqual(['AB', 'AH', 'HB']);
    expect(flows['AB'] + flows['AH']).toBeCloseTo(200, 3);
    expect(flows['AH']).toBeGreaterThanOrEqual(90);
  });

  test('do not go in a cycle, though that would pay', () => {
    const gain: Offers = [
      [100, 101],
      [400, 404],
    ];
    const pairs = [AB, { from: 'B', to: 'A', offers: gain }, { ...AC, offers: gain }, { from: 'C', to: 'A', offers: gain }]; // prettier-ignore
    const flows = Object.keys(flowsOf(problemWith(pairs)) ?? {});
    expect(flows.includes('AB') && flows.includes('BA')).toBe(false);
    expect(flows.includes('AC') && flows.includes('CA')).toBe(false);
    expect(flows).toContain('AB');
    const three = [AB, { from: 'B', to: 'C', offers: gain }, { from: 'C', to: 'A', offers: gain }];
    const around = Object.keys(flowsOf(problemWith(three, { byCostAlone: true })) ?? {});
    expect(around.length).toBeLessThan(3);
    expect(around).toContain('AB');
  });

  test('keep a reserve, and all of what two holdings lack is brought', () => {
    const reserve = HOLDINGS.map((own) => (own.name === 'A@x' ? { ...own, reserve: 349 } : own));
    expect(flowsOf(problemWith([AB], { holdings: reserve }))).toEqual({ AB: 200 });
    const more = HOLDINGS.map((own) => (own.name === 'A@x' ? { ...own, reserve: 351 } : own));
    expect(flowsOf(problemWith([AB], { holdings: more }))).toBeUndefined();
    const short: Problem['holdings'] = [
      { name: 'A@x', value: 900, weight: 0.5, band: 0.1, reserve: 0, isIn: false },
      { name: 'B@x', value: 40, weight: 0.25, band: 0.05, reserve: 0, isIn: false },
      { name: 'C@x', value: 60, weight: 0.25, band: 0.05, reserve: 0, isIn: false },
    ];
    const flows = flowsOf(problemWith([AB, AC], { holdings: short })) ?? {};
    expect(flows['AB']).toBeGreaterThanOrEqual(160);
    expect(flows['AC']).toBeGreaterThanOrEqual(140);
    expect(flows['AB'] + flows['AC']).toBeGreaterThanOrEqual(300);
  });

  const fee = (change: Partial<EdgeFee> = {}): EdgeFee => ({
    ...{ coin: 'G@x', value: 3, most: 4, share: 0.4, held: 10 },
    ...change,
  });
  const withFee = (own: EdgeFee, offers = FREE): Offers =>
    offers.map(([send, arrives]) => [send, arrives, own]);

  test('count the fees of networks, and take no more of a coin than there is', () => {
    const direct = { ...AB, offers: withFee(fee()) };
    const around = [
      { from: 'A', to: 'H', offers: costing(3.5, 0) },
      { from: 'H', to: 'B' },
    ];
    expect(Object.keys(flowsOf(problemWith([direct, ...around])) ?? {})).toEqual(['AB']);
    const dear = { ...AB, offers: withFee(fee({ value: 4 })) };
    expect(Object.keys(flowsOf(problemWith([dear, ...around])) ?? {})).toEqual(['AH', 'HB']);
    expect(search(problemWith([direct]), WORK).solution?.cost).toBeCloseTo(3, 6);
    const twice = (share: number): readonly Pair[] => [
      { from: 'A', to: 'H', offers: withFee(fee({ share })) },
      { from: 'H', to: 'B', offers: withFee(fee({ share })) },
    ];
    expect(flowsOf(problemWith(twice(0.5)))).toEqual({ AH: 200, HB: 200 });
    expect(flowsOf(problemWith(twice(0.51)))).toBeUndefined();
    expect(flowsOf(problemWith(twice(0.51), { ignoresCoins: true }))).toEqual({ AH: 200, HB: 200 });
  });

  test('pay a fee out of the holding that is sent, which keeps its band', () => {
    // A pays 4 at the most for sending itself, so that it is below 350 with less to send.
    const own = fee({ coin: 'A@x', value: 4, most: 4, share: 4 / 550, held: 550 });
    const flows = flowsOf(problemWith([{ ...AB, offers: withFee(own) }])) ?? {};
    // B is to have 250 less a quarter of the 4 that all have lost.
    expect(flows['AB']).toBeGreaterThanOrEqual(199);
    expect(flows['AB']).toBeLessThanOrEqual(200);
    const bare = fee({ coin: 'A@x', value: 4, most: 4, share: 4 / 204, held: 204 });
    expect(flowsOf(problemWith([{ ...AB, offers: withFee(bare) }]))).toBeDefined();
    const less = fee({ coin: 'A@x', value: 4, most: 4, share: 4 / 200, held: 200 });
    expect(flowsOf(problemWith([{ ...AB, offers: withFee(less) }]))).toBeUndefined();
  });

  test('leave a holding that only pays fees out of account, unless something else moves it', () => {
    // C is at the upper edge of its band less 1: the fee of 30 brings it nowhere that counts.
    const holdings = HOLDINGS.map((own) => (own.name === 'C@x' ? { ...own, band: 0.005 } : own));
    const own = fee({ coin: 'C@x', value: 30, most: 30, share: 30 / 400, held: 400 });
    const problem = problemWith([{ ...AB, offers: withFee(own) }], { holdings });
    expect(search(problem, WORK).solution?.movedInBand).toBe(0);
  });

  test('go along a curve that bends: cheap as far as it is cheap', () => {
    const bend: Offers = [
      [100, 100],
      [150, 150],
      [300, 270],
    ];
    const other = { from: 'A', to: 'H', offers: costing(1, 0.05) };
    const flows = flowsOf(problemWith([{ ...AB, offers: bend }, other, { from: 'H', to: 'B' }]));
    expect(flows).toMatchObject({ AB: 150 });
    expect(Object.keys(flows ?? {})).toEqual(['AB', 'AH', 'HB']);
    const alone = flowsOf(problemWith([{ ...AB, offers: bend }])) ?? {};
    expect(alone['AB']).toBeGreaterThan(200);
    expect(alone['AB']).toBeLessThan(215);
  });

  test('are not certain where the work does not suffice, and cost no less than is said', () => {
    const problem = problemOf(portfolioOf(5, 5, 25));
    const whole = search(problem, WORK);
    expect(whole.isComplete).toBe(true);
    const none = search(problem, 1);
    expect([none.isComplete, none.bound]).toEqual([false, -Infinity]);
    const early = search(problem, whole.work / 2);
    expect(early.isComplete).toBe(false);
    expect(early.bound).toBeLessThanOrEqual((whole.solution?.cost ?? 0) + 1e-6);
    expect(early.work).toBeLessThan(whole.work);
  });
});
