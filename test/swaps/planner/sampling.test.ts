import { describe, expect, test } from 'vitest';
import { decimal, type Decimal } from '../../../src/model/decimal.ts';
import { holdingName, type HoldingKey } from '../../../src/model/portfolio.ts';
import type { Rejection } from '../../../src/model/rejections.ts';
import { micros } from '../../../src/platform/time.ts';
import type { Offer } from '../../../src/swaps/execution/transfer-route.ts';
import { edgesOf } from '../../../src/swaps/planner/edges.ts';
import { Inquiry } from '../../../src/swaps/planner/inquiry.ts';
import type { ProblemHolding } from '../../../src/swaps/planner/problem.ts';
import { sample } from '../../../src/swaps/planner/sampling.ts';
import { holding } from './tariff-route.ts';

const one = () => decimal('1');

/** A is 200 above its band, B 150 below its own and C has room for 50 either way. */
const HOLDINGS = [
  { name: 'A@x', value: 500, weight: 0.25, band: 0.05, reserve: 0, isIn: false },
  { name: 'B@x', value: 100, weight: 0.3, band: 0.05, reserve: 0, isIn: false },
  { name: 'C@x', value: 400, weight: 0.45, band: 0.1, reserve: 0, isIn: true },
];

interface Given {
  readonly pairs?: readonly (readonly [string, string])[];
  readonly holdings?: readonly ProblemHolding[];
  readonly minimum?: string;
  readonly offers?: number;
  readonly answer?: (amount: Decimal) => Rejection | undefined;
}

/** What is asked for on pairs before the first search, in its order. */
async function requested(given: Given): Promise<readonly string[]> {
  const { pairs = [['A@x', 'B@x']], holdings = HOLDINGS, minimum = '10', offers = 100 } = given;
  const asked: string[] = [];
  const route = {
    name: 'c',
    pairs: () => pairs.map(([from, to]) => [holding(from), holding(to)] as const),
    offer: (from: HoldingKey, to: HoldingKey, send: Decimal): Promise<Offer | Rejection> => {
      asked.push(`${holdingName(from)} ${holdingName(to)} ${send.toFixed()}`);
      const offer: Offer = {
        ...{ route: 'c', kind: 'swap', from, to, send, least: send, expected: send },
        ...{ expiresAt: micros(1), durationUs: 1, terms: {} },
      };
      return Promise.resolve(given.answer?.(send) ?? offer);
    },
  };
  const edges = edgesOf([route]);
  const inquiry = new Inquiry(edges, decimal(minimum), one, { offers, atOnce: 4, work: 1 });
  const total = holdings.reduce((sum, { value }) => sum + value, 0);
  const problem = { edges, curves: inquiry.curves, holdings, total, margin: 0, byCostAlone: false };
  await sample(problem, inquiry);
  return asked;
}

describe('the first offers of a plan', () => {
  test('are for the most that a pair may send, and for a quarter of it', async () => {
    // A may send 300 to the lower end of its band, B may take 250; 200 are out of bands.
    expect(await requested({})).toEqual(['A@x B@x 200', 'A@x B@x 50']);
  });

  test.each([
    ['what both ends have room for', [['A@x', 'C@x']], ['A@x C@x 150', 'A@x C@x 37.5']],
    ['what the one that sends can spare', [['C@x', 'B@x']], ['C@x B@x 50', 'C@x B@x 12.5']],
    [
      'all that is out of bands for a location that is passed through',
      [['A@x', 'H@y']],
      ['A@x H@y 200', 'A@x H@y 50'],
    ],
    ['what the one that receives has room for', [['H@y', 'B@x']], ['H@y B@x 200', 'H@y B@x 50']],
    [
      'all that is out of bands where nothing else limits it',
      [['B@x', 'A@x']],
      ['B@x A@x 200', 'B@x A@x 50'],
    ],
  ] as const)('are for %s', async (_, pairs, expected) => {
    expect(await requested({ pairs })).toEqual(expected);
  });

  test('are of three times the minimum value at the least, and no less than it', async () => {
    expect(await requested({ minimum: '90' })).toEqual(['A@x B@x 270', 'A@x B@x 90']);
    expect(await requested({ minimum: '50' })).toEqual(['A@x B@x 200', 'A@x B@x 50']);
  });

  test('leave a reserve alone', async () => {
    const holdings = HOLDINGS.map((own) => (own.name === 'A@x' ? { ...own, reserve: 420 } : own));
    expect(await requested({ holdings })).toEqual(['A@x B@x 80', 'A@x B@x 20']);
  });

  test('know amounts: what they keep or lack, and what they leave to weights', async () => {
    const fixed = { weight: 0, band: 0, reserve: 0, isIn: false };
    const holdings = [
      { ...fixed, name: 'A@x', value: 500, fixed: { low: 280, high: 320 } },
      { name: 'B@x', value: 100, weight: 0.3, band: 0.05, reserve: 0, isIn: false },
      { name: 'C@x', value: 400, weight: 0.7, band: 0.05, reserve: 0, isIn: false },
    ];
    // 320 stay, so that the others share 680: B may have 238 and has to have 170.
    expect(await requested({ holdings })).toEqual(['A@x B@x 138', 'A@x B@x 34.5']);
    const low = holdings.map((own) => own.name === 'A@x' ? { ...own, value: 100, fixed: { low: 280, high: 320 } } : own); // prettier-ignore
    // A lacks 180; the others share 720, of which C may spare more.
    expect(await requested({ holdings: low, pairs: [['C@x', 'A@x']] })).toEqual([
      'C@x A@x 180',
      'C@x A@x 45',
    ]);
  });

  test('are halved towards the first where a quarter is too little, at most three times', async () => {
    const tooLittle =
      (least: number) =>
      (amount: Decimal): Rejection | undefined =>
        amount.lessThan(least) ? { code: 'amount-below-minimum', message: '' } : undefined;
    expect(await requested({ answer: tooLittle(100) })).toEqual([
      'A@x B@x 200',
      'A@x B@x 50',
      'A@x B@x 131.25',
    ]);
    const onlyMost = (amount: Decimal): Rejection | undefined =>
      amount.greaterThan(200)
        ? { code: 'amount-above-maximum', message: '' }
        : tooLittle(200)(amount);
    expect(await requested({ answer: onlyMost })).toEqual([
      ...['A@x B@x 200', 'A@x B@x 50', 'A@x B@x 131.25', 'A@x B@x 328.125', 'A@x B@x 213.28125'],
    ]);
  });

  test('are lowered where the first is too much, at most three times, and the quarter follows', async () => {
    const tooMuch =
      (most: number, limit?: string) =>
      (amount: Decimal): Rejection | undefined =>
        amount.greaterThan(most)
          ? { code: 'amount-above-maximum', message: '', ...(limit !== undefined && { limit }) }
          : undefined;
    expect(await requested({ answer: tooMuch(170) })).toEqual([
      ...['A@x B@x 200', 'A@x B@x 160', 'A@x B@x 40'],
    ]);
    expect(await requested({ answer: tooMuch(20) })).toEqual([
      ...['A@x B@x 200', 'A@x B@x 160', 'A@x B@x 128', 'A@x B@x 102.4'],
    ]);
    expect(await requested({ answer: tooMuch(100, '100') })).toEqual([
      ...['A@x B@x 200', 'A@x B@x 99.999999', 'A@x B@x 24.9999997'],
    ]);
  });

  test('end with a pair that is refused for good', async () => {
    const answer = (): Rejection => ({ code: 'pair-unavailable', message: '' });
    expect(await requested({ answer })).toEqual(['A@x B@x 200']);
  });

  test('are of all pairs before a second one of any, and leave an eighth of the limit', async () => {
    const pairs = [['A@x', 'B@x'], ['A@x', 'C@x'], ['C@x', 'B@x']] as const; // prettier-ignore
    const all = await requested({ pairs });
    expect(all.map((text) => text.slice(0, 7))).toEqual([
      ...['A@x B@x', 'A@x C@x', 'C@x B@x', 'A@x B@x', 'A@x C@x', 'C@x B@x'],
    ]);
    expect(await requested({ pairs, offers: 5 })).toHaveLength(5);
    expect(await requested({ pairs, offers: 4 })).toHaveLength(4);
    expect(await requested({ pairs, offers: 2 })).toHaveLength(2);
  });

  test('are none where nothing can be moved', async () => {
    const holdings = [
      { name: 'A@x', value: 500, weight: 0.5, band: 0, reserve: 0, isIn: true },
      { name: 'B@x', value: 500, weight: 0.5, band: 0, reserve: 0, isIn: true },
    ];
    expect(await requested({ holdings })).toEqual([]);
  });
});
