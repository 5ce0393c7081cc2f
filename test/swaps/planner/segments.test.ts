import { describe, expect, test } from 'vitest';
import { Curve } from '../../../src/swaps/planner/curve.ts';
import { edgesOf, topologicalOrder } from '../../../src/swaps/planner/edges.ts';
import { weightedTotal, type Problem } from '../../../src/swaps/planner/problem.ts';
import { cyclesOf, FLOW_MAX, flowMaxOf, segmentsOf } from '../../../src/swaps/planner/segments.ts';
import { holding, TariffRoute } from './tariff-route.ts';

const edgesBetween = (...pairs: readonly (readonly [string, string])[]) =>
  edgesOf([
    new TariffRoute(
      'c',
      pairs.map(([from, to]) => ({ from: `${from}@x`, to: `${to}@x`, fixed: '0', share: '0' })),
      () => undefined,
    ),
  ]);

interface Given {
  readonly holdings: Problem['holdings'];
  /** What arrives of 100 and of 200, at the least and as expected, by A to B. */
  readonly offers?: readonly (readonly [send: number, least: number, expected: number])[];
  readonly pairs?: readonly (readonly [string, string])[];
}

function problemWith({
  holdings,
  offers = [[100, 100, 100]],
  pairs = [['A', 'B']],
}: Given): Problem {
  const edges = edgesBetween(...pairs);
  const curves = edges.map(() => {
    const curve = new Curve(0);
    for (const [send, least, expected] of offers) curve.add({ send, least, expected });
    return curve;
  });
  const total = holdings.reduce((sum, { value }) => sum + value, 0);
  return { holdings, edges, curves, total, margin: 0, byCostAlone: false };
}

const weighted = (name: string, value: number, weight: number, band = 0, reserve = 0) => ({
  ...{ name: `${name}@x`, value, weight, band, reserve, isIn: false },
});
const amount = (name: string, value: number, low: number, high: number) => ({
  ...weighted(name, value, 0),
  fixed: { low, high },
});

describe('the most that flows in a portfolio', () => {
  const flow = (given: Given, cost = 0): number => {
    const problem = problemWith(given);
    return flowMaxOf(problem, segmentsOf(problem, FLOW_MAX), cost);
  };
  const HALVES = [weighted('A', 800, 0.5), weighted('B', 200, 0.5)];

  test('is what a holding has above the lower end of its band', () => {
    expect(flow({ holdings: HALVES })).toBeCloseTo(0.300001, 12);
    const banded = [weighted('A', 800, 0.5, 0.1), weighted('B', 200, 0.5)];
    expect(flow({ holdings: banded })).toBeCloseTo(0.400001, 12);
    const all = [weighted('A', 1000, 0), weighted('B', 0, 1)];
    expect(flow({ holdings: all })).toBeCloseTo(1.000001, 12);
  });

  test('is of all holdings together, and never more than there is', () => {
    const holdings = [weighted('A', 500, 0.2), weighted('B', 400, 0.2), weighted('C', 100, 0.6)];
    expect(flow({ holdings })).toBeCloseTo(0.500001, 12);
    // More arrives than is sent, by up to a fifth on each of two ways.
    const gain = { holdings, offers: [[100, 120, 120]], pairs: [['A', 'C'], ['B', 'C'], ['A', 'B']] } as const; // prettier-ignore
    expect(flow(gain)).toBeCloseTo(0.720001, 12);
    expect(flow({ holdings: [weighted('A', 1000, 0), weighted('B', 0, 1)], ...{ offers: gain.offers } })).toBe(1.05); // prettier-ignore
  });

  test('leaves a reserve where it is, unless less is there', () => {
    const holdings = [weighted('A', 800, 0.5, 0, 700), weighted('B', 200, 0.5, 0, 900)];
    expect(flow({ holdings })).toBeCloseTo(0.100001, 12);
  });

  test('grows with what is lost, as shares are of what is left', () => {
    expect(flow({ holdings: HALVES }, 0.1)).toBeCloseTo(0.350001, 12);
    const slip = [[100, 90, 100]] as const;
    // A tenth of all that may flow may not arrive.
    expect(flow({ holdings: HALVES, offers: slip })).toBeCloseTo(
      0.8 - 0.5 * (1 - 0.105) + 1e-6,
      12,
    );
    expect(flow({ holdings: HALVES }, 2)).toBeCloseTo(1.000001, 12);
  });

  test('is of an amount what it has above its least, and shares are of the rest', () => {
    const holdings = [amount('A', 500, 200, 300), weighted('B', 500, 1)];
    expect(flow({ holdings })).toBeCloseTo(0.300001, 12);
    const other = [amount('A', 200, 200, 300), weighted('B', 800, 0.5), weighted('C', 0, 0.5)];
    expect(flow({ holdings: other })).toBeCloseTo(0.8 - 0.5 * 0.7 + 1e-6, 12);
  });
});

describe('cycles', () => {
  const cycle = (...pairs: readonly (readonly [string, string])[]): readonly string[] => {
    const [curve] = problemWith({ holdings: [] }).curves;
    const [piece] = curve.pieces(1000, 0);
    const used = edgesBetween(...pairs).map((edge) => ({ edge, piece }));
    return cyclesOf(used).map(({ edge }) => `${edge.from.asset}${edge.to.asset}`);
  };

  test('are not in what flows one way', () => {
    expect(cycle()).toEqual([]);
    expect(cycle(['A', 'B'], ['B', 'C'], ['A', 'C'], ['C', 'D'])).toEqual([]);
  });

  test('are found without what leads to them and away from them', () => {
    expect(cycle(['A', 'B'], ['B', 'A'])).toEqual(['AB', 'BA']);
    expect(cycle(['Z', 'A'], ['A', 'B'], ['B', 'C'], ['C', 'A'], ['B', 'D'], ['D', 'E'])).toEqual(['AB', 'BC', 'CA']); // prettier-ignore
    expect(cycle(['A', 'B'], ['B', 'A'], ['B', 'C'], ['C', 'D'], ['D', 'C'])).toHaveLength(5);
  });
});

describe('the order of holdings', () => {
  const order = (...pairs: readonly (readonly [string, string])[]) =>
    topologicalOrder(edgesBetween(...pairs))
      ?.map((name) => name.charAt(0))
      .join('');

  test('has each after all that send to it, and ties by name', () => {
    expect(order()).toBe('');
    expect(order(['C', 'B'], ['B', 'A'])).toBe('CBA');
    expect(order(['B', 'C'], ['A', 'D'])).toBe('ABCD');
    expect(order(['A', 'D'], ['B', 'D'], ['D', 'C'], ['A', 'C'])).toBe('ABDC');
    expect(order(['D', 'A'], ['C', 'A'], ['A', 'B'])).toBe('CDAB');
  });

  test('is none of what goes in a cycle', () => {
    expect(order(['A', 'B'], ['B', 'A'])).toBeUndefined();
    expect(order(['D', 'A'], ['A', 'B'], ['B', 'C'], ['C', 'A'])).toBeUndefined();
  });

  test('of edges is by the name of the route, then by those of the holdings', () => {
    const route = (name: string, ...pairs: readonly (readonly [string, string])[]) => ({
      name,
      pairs: () => pairs.map(([from, to]) => [holding(from), holding(to)] as const),
      offer: () => Promise.reject(new Error('nothing is asked')),
    });
    const edges = edgesOf([
      route('swaps', ['B@x', 'A@x'], ['A@x', 'B@x']),
      route('account', ['Z@x', 'Y@x']),
    ]);
    expect(edges.map(({ index, route: { name }, from }) => [index, name, from.asset])).toEqual([
      [0, 'account', 'Z'],
      [1, 'swaps', 'A'],
      [2, 'swaps', 'B'],
    ]);
  });
});

test('holdings with a weight share what amounts leave, each as near to its own as it can be', () => {
  const holdings = [
    ...[amount('A', 500, 200, 300), amount('B', 100, 150, 200), amount('C', 120, 100, 150)],
    weighted('D', 280, 1),
  ];
  expect(weightedTotal({ holdings, total: 1000 })).toBe(1000 - 300 - 150 - 120);
});
