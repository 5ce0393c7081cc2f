import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Decimal, decimal, ZERO } from '../../../src/model/decimal.ts';
import { holdingName, type HoldingTarget } from '../../../src/model/portfolio.ts';
import { isRejection, type Rejection } from '../../../src/model/rejections.ts';
import { micros } from '../../../src/platform/time.ts';
import type { Plan } from '../../../src/swaps/planner/plan.ts';
import { plan } from '../../../src/swaps/planner/planner.ts';
import type { PlanRequest } from '../../../src/swaps/planner/request.ts';
import { runs } from '../../kit/size.ts';
import { bruteForce, judge, type SmallCase } from './brute-force.ts';
import { holding, TariffRoute, type Tariff } from './tariff-route.ts';

/** What a holding holds, and what it is to hold: `weight` or `amount`. */
interface Row {
  readonly name: string;
  readonly held: string;
  readonly weight?: string;
  readonly amount?: string;
  readonly band: string;
}

function target({ name, weight, amount, band }: Row, reserve = '0'): HoldingTarget {
  const rest = { ...holding(name), band: decimal(band), reserve: decimal(reserve) };
  return amount === undefined
    ? { ...rest, weight: decimal(weight ?? '0') }
    : { ...rest, amount: decimal(amount) };
}

const PRICES = new Map([
  ['USDC', decimal('1')],
  ['BTC', decimal('60000.37')],
  ['SOL', decimal('151.9')],
]);
const priceOf = (asset: string): Decimal | undefined => PRICES.get(asset);

const request = (
  rows: readonly Row[],
  tariffs: readonly Tariff[],
  more: Partial<PlanRequest> = {},
): PlanRequest => ({
  id: 'p',
  targets: {
    holdings: rows.map((row) => target(row)),
    minimumValue: decimal('10'),
    maximumCost: decimal('1'),
  },
  holdings: rows.map(({ name, held }) => ({ ...holding(name), amount: decimal(held) })),
  priceOf,
  routes: [new TariffRoute('c', tariffs, priceOf)],
  now: () => micros(0),
  ...more,
});

const CHEAP = { fixed: '0.5', share: '0.001', slip: '0.001', step: '0.00000001' };

/** Each holding to each other one. */
const between = (names: readonly string[]): readonly Tariff[] =>
  names.flatMap((from) => names.filter((to) => to !== from).map((to) => ({ ...CHEAP, from, to })));

/** A plan goes to everywhere that is needed. */
async function planned(rows: readonly Row[], more: Partial<PlanRequest> = {}): Promise<Plan> {
  const found = await plan(request(rows, between(rows.map(({ name }) => name)), more));
  if (isRejection(found)) throw new Error(found.message);
  return found;
}

async function rejected(rows: readonly Row[]): Promise<Rejection> {
  const found = await plan(request(rows, between(rows.map(({ name }) => name))));
  if (!isRejection(found)) throw new Error('it was planned');
  return found;
}

const sum = (values: readonly Decimal[]): Decimal =>
  values.reduce((all, one) => all.plus(one), ZERO);

/** Each holding once all transfers have brought the least, and once what is expected. */
function outcomes(rows: readonly Row[], { plan: { transfers } }: Plan) {
  return rows.map(({ name, held }) => {
    const sent = sum(transfers.filter(({ offer }) => holdingName(offer.from) === name).map(({ offer }) => offer.send)); // prettier-ignore
    const came = transfers.filter(({ offer }) => holdingName(offer.to) === name);
    const own = decimal(held).minus(sent);
    return {
      least: own.plus(sum(came.map(({ offer }) => offer.least))),
      expected: own.plus(sum(came.map(({ offer }) => offer.expected))),
    };
  });
}

/**
 * The holdings that are out of their bands where one gets all that may come and the others the
 * least.
 */
function outside(rows: readonly Row[], found: Plan): readonly string[] {
  const after = outcomes(rows, found);
  const valueOf = (at: number, kind: 'least' | 'expected'): Decimal =>
    after[at][kind].times(PRICES.get(holding(rows[at].name).asset) ?? ZERO);
  return rows.flatMap(({ name, amount, weight = '0', band }, at) => {
    const { least, expected } = after[at];
    if (amount !== undefined) {
      const isIn =
        expected.lessThanOrEqualTo(decimal(amount).plus(band)) &&
        least.greaterThanOrEqualTo(decimal(amount).minus(band));
      return isIn ? [] : [name];
    }
    const others = [...rows.keys()].filter((one) => one !== at && rows[one].weight !== undefined);
    const most = valueOf(at, 'expected').plus(sum(others.map((one) => valueOf(one, 'least'))));
    const fewest = valueOf(at, 'least').plus(sum(others.map((one) => valueOf(one, 'expected'))));
    const isIn =
      valueOf(at, 'expected').lessThanOrEqualTo(most.times(decimal(weight).plus(band))) &&
      valueOf(at, 'least').greaterThanOrEqualTo(fewest.times(decimal(weight).minus(band)));
    return isIn ? [] : [name];
  });
}

describe('an amount', () => {
  const CHAIN = { name: 'USDC@ethereum', amount: '5000', band: '250' };
  const REST = { name: 'USDC@trading', weight: '1', band: '0' };

  test('is brought to a holding by the one that takes the rest, half way into its band', async () => {
    const rows = [
      { ...CHAIN, held: '1000' },
      { ...REST, held: '9000' },
    ];
    const found = await planned(rows);
    expect(found.transfers).toHaveLength(1);
    const [{ least }] = outcomes(rows, found);
    expect(least.toNumber()).toBeCloseTo(4875, 2);
    expect(least.greaterThanOrEqualTo('4875')).toBe(true);
    expect(found.before.map((row) => [row.targetAmount?.toFixed(), row.weight?.toFixed()])).toEqual(
      [
        ['5000', undefined],
        [undefined, '1'],
      ],
    );
    expect(found.transfers[0]?.why).toBe(
      'USDC@trading at 100 % can spare it; USDC@ethereum at 1000 is below its band, which begins at 4750.',
    );
  });

  test('that is too much is taken away from, and one within its band is left alone', async () => {
    const rows = [
      { ...CHAIN, held: '7000' },
      { name: 'BTC@trading', amount: '1.5', band: '0.01', held: '1.505' },
      { ...REST, held: '0' },
    ];
    const found = await planned(rows);
    expect(outside(rows, found)).toEqual([]);
    expect(outcomes(rows, found)[0].least.toNumber()).toBeCloseTo(5125, 2);
    expect(found.leftAlone.map(({ why }) => why)).toEqual([
      'BTC@trading at 1.505 is in its band of 1.5 ± 0.01, and no other holding needs it.',
    ]);
  });

  test('leaves the others shares of what it does not take, wherever in its band it is', async () => {
    const rows = [
      { ...CHAIN, held: '5200' },
      { ...REST, weight: '0.5', band: '0.01', held: '2400' },
      { name: 'USDC@tron', weight: '0.5', band: '0.01', held: '2400' },
    ];
    const found = await planned(rows);
    expect(found.transfers).toEqual([]);
    expect(found.before.map(({ share }) => share?.toFixed())).toEqual([undefined, '0.5', '0.5']);
  });

  test('within its band gives half of what is left of it to another holding, and more to none', async () => {
    const rows = [
      { name: 'USDC@ethereum', amount: '1000', band: '100', held: '1000' },
      { name: 'USDC@trading', weight: '0.5', band: '0.05', held: '500' },
      { name: 'USDC@tron', weight: '0.5', band: '0.05', held: '400' },
    ];
    // Half way into the band of Tron were 52 and more, of which 50 may be had; so the edge will do.
    const found = await plan(request(rows, between(['USDC@ethereum', 'USDC@tron']).slice(0, 1)));
    if (isRejection(found)) throw new Error(found.message);
    const [from, , to] = outcomes(rows, found);
    expect(from.least.greaterThanOrEqualTo('950')).toBe(true);
    expect(outside(rows, found)).toEqual([]);
    expect(to.least.lessThan('420')).toBe(true);
  });

  test('of nothing empties its holding', async () => {
    const rows = [
      { ...CHAIN, amount: '0', band: '1', held: '800' },
      { ...REST, held: '100' },
    ];
    const found = await planned(rows);
    const [{ least, expected }] = outcomes(rows, found);
    expect([least.isNegative(), expected.greaterThan(1)]).toEqual([false, false]);
  });

  test('that a reserve of another holding stands against is said to be out of reach', async () => {
    const rows = [
      { ...CHAIN, held: '0' },
      { ...REST, held: '9000' },
    ];
    const asked = request(rows, between(rows.map(({ name }) => name)));
    const holdings = [target(rows[0]), target(rows[1], '8000')];
    const found = await plan({ ...asked, targets: { ...asked.targets, holdings } });
    expect(found).toMatchObject({
      code: 'plan-impossible',
      field: 'USDC@ethereum',
      message: expect.stringContaining(
        'USDC@ethereum at 0 is below its band, which begins at 4750',
      ),
    });
  });

  test('without a band is said to leave routes no room', async () => {
    const rows = [
      { ...CHAIN, band: '0', held: '4000' },
      { ...REST, held: '9000' },
    ];
    expect((await rejected(rows)).message).toContain('its band is 0, which leaves no room');
  });
});

describe('amounts that are more than the portfolio', () => {
  test('are said to be, with what they come to, what there is, and what is missing', async () => {
    const rows = [
      { name: 'USDC@ethereum', amount: '5000', band: '50', held: '1000' },
      { name: 'BTC@trading', amount: '1.5', band: '0', held: '1' },
      { name: 'USDC@trading', weight: '1', band: '0', held: '30000.00009' },
    ];
    expect(await rejected(rows)).toEqual({
      code: 'plan-impossible',
      field: 'amount',
      limit: '91000.37',
      message:
        'The amounts of USDC@ethereum, BTC@trading come to 95000.555, and to 94950.555 at the lower ends of their bands; all holdings of the targets together are worth 91000.37, so that 3950.185 is missing.',
    });
  });

  test('are so in a portfolio of nothing too', async () => {
    const rows = [
      { name: 'USDC@ethereum', amount: '5000', band: '0', held: '0' },
      { name: 'USDC@trading', weight: '1', band: '0', held: '0' },
    ];
    expect((await rejected(rows)).message).toBe(
      'The amounts of USDC@ethereum come to 5000; all holdings of the targets together are worth 0, so that 5000 is missing.',
    );
  });
});

const NAMES = ['A@ethereum', 'B@solana', 'C@bitcoin'];
const HUB = 'H@trading';
const ENDS = [0, 1, 2, 3].flatMap((from) => [0, 1, 2, 3].filter((to) => to !== from).map((to) => [from, to])); // prettier-ignore

/** Small portfolios of one price, of which one or two holdings are to hold amounts. */
const cases = fc
  .record({
    values: fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 3, maxLength: 3 }),
    goals: fc.array(fc.option(fc.integer({ min: 0, max: 80 }), { freq: 2 }), {
      minLength: 2,
      maxLength: 2,
    }),
    weight: fc.integer({ min: 1, max: 99 }),
    bands: fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 3, maxLength: 3 }),
    reserve: fc.constantFrom(0, 0, 15),
    minimumValue: fc.constantFrom(0, 0, 10),
    pairs: fc.uniqueArray(
      fc.record({
        ends: fc.constantFrom(...ENDS),
        fixed: fc.constantFrom('0', '0.5', '2'),
        share: fc.constantFrom('0', '0.01', '0.1'),
        slip: fc.constantFrom('0', '0', '0.02'),
      }),
      { minLength: 1, maxLength: 4, selector: ({ ends }) => ends.join() },
    ),
  })
  .filter(({ goals }) => goals.some((goal) => goal !== null))
  .map(({ values, goals, weight, bands, reserve, minimumValue, pairs }): SmallCase => {
    const isShared = goals.includes(null);
    const first = isShared ? weight / 100 : 0;
    const names = [...NAMES, HUB];
    return {
      holdings: values.map((held, at) => {
        const goal = goals[at] ?? undefined;
        const share = at === 2 ? (100 - Math.round(100 * first)) / 100 : first;
        const band = bands[at] ?? 0;
        const own = { name: NAMES[at] ?? '', value: 5 * held };
        if (goal === undefined) {
          return { ...own, weight: share, band: band / 100, reserve: at === 2 ? reserve : 0 };
        }
        return { ...own, weight: 0, band, reserve: 0, goal };
      }),
      tariffs: pairs
        .map(({ ends: [from = 0, to = 0], ...rest }) => ({
          ...rest,
          from: names[from] ?? '',
          to: names[to] ?? '',
        }))
        .toSorted((a, b) => Number(a.from === HUB) - Number(b.from === HUB)),
      minimumValue,
    };
  });

const GRID = Array.from({ length: 20 }, (_, index) => 5 * (index + 1));

function planOf({ holdings, tariffs, minimumValue }: SmallCase) {
  const one = () => decimal('1');
  return plan({
    id: 'p',
    priceOf: one,
    now: () => micros(0),
    toEdges: true,
    targets: {
      holdings: holdings.map(({ name, weight, goal, band, reserve }) => {
        const [share, amount] = [String(weight), goal === undefined ? undefined : String(goal)];
        const row = { name, held: '0', band: String(band) };
        return target(amount === undefined ? { ...row, weight: share } : { ...row, amount }, String(reserve)); // prettier-ignore
      }),
      minimumValue: decimal(String(minimumValue)),
      maximumCost: decimal('1'),
    },
    holdings: holdings.map(({ name, value: held }) => ({ ...holding(name), amount: decimal(String(held)) })), // prettier-ignore
    routes: [new TariffRoute('c', tariffs, one)],
  });
}

test('a plan of amounts and weights keeps every rule, costs no more than by trying everything, and what is refused cannot be done', async () => {
  const seen = { plans: 0, missing: 0, impossible: 0 };
  await fc.assert(
    fc.asyncProperty(cases, async (small) => {
      const expected = bruteForce(small, GRID);
      const found = await planOf(small);
      if (isRejection(found)) {
        expect(found.code).toBe('plan-impossible');
        expect(expected).toBeUndefined();
        const total = small.holdings.reduce((all, { value: held }) => all + held, 0);
        const needed = small.holdings.reduce((all, { goal, band }) => all + (goal === undefined ? 0 : Math.max(0, goal - band)), 0); // prettier-ignore
        if (needed > total) seen.missing += 1;
        else seen.impossible += 1;
        expect(found.message.includes(`so that ${needed - total} is missing.`)).toBe(needed > total); // prettier-ignore
        return;
      }
      seen.plans += 1;
      const flows = small.tariffs.map(({ from, to }) => {
        const those = found.plan.transfers.filter(({ offer }) => holdingName(offer.from) === from && holdingName(offer.to) === to); // prettier-ignore
        return those[0]?.offer.send.toNumber() ?? 0;
      });
      const verdict = judge(small, flows);
      if (verdict === undefined) throw new Error('a rule is broken');
      expect(verdict.cost).toBeCloseTo(found.cost.toNumber(), 9);
      expect(found.after.every(({ isIn }) => isIn)).toBe(true);
      if (expected === undefined) return;
      expect(verdict.touched).toBeLessThanOrEqual(expected.touched);
      if (verdict.touched === expected.touched) {
        expect(verdict.cost).toBeLessThanOrEqual(expected.cost + 1e-5);
      }
    }),
    { numRuns: runs(100) },
  );
  expect(Object.values(seen).every((count) => count > 0)).toBe(true);
}, 120_000);

/** Portfolios of several prices and odd amounts, where everything can be swapped for everything. */
const portfolios = fc
  .record({
    held: fc.array(fc.integer({ min: 0, max: 99_999 }), { minLength: 4, maxLength: 4 }),
    // In ten-thousandths of what the portfolio is worth; more than all of it now and then.
    goals: fc.array(fc.integer({ min: 0, max: 5_500 }), { minLength: 2, maxLength: 2 }),
    weight: fc.integer({ min: 5, max: 95 }),
  })
  .map(({ held, goals: [first = 0, second = 0], weight }) => {
    const names = ['USDC@ethereum', 'BTC@trading', 'USDC@trading', 'SOL@solana'];
    const prices = names.map((name) => PRICES.get(holding(name).asset) ?? ZERO);
    const amounts = held.map((one, at) => new Decimal(one + 1).div(prices[at] ?? 1).toDecimalPlaces(8)); // prettier-ignore
    const total = sum(amounts.map((one, at) => one.times(prices[at] ?? ZERO)));
    const part = (of: number, at: number): string =>
      total.times(of).div(10_000).div(prices[at] ?? 1).toDecimalPlaces(8).toFixed(); // prettier-ignore
    const share = weight / 100;
    const targets = [
      { amount: part(first, 0), band: part(200, 0) },
      { amount: part(second, 1), band: part(200, 1) },
      { weight: String(share), band: '0.04' },
      { weight: String((100 - weight) / 100), band: '0.04' },
    ];
    const rows = targets.map((one, at): Row => {
      return { name: names[at] ?? '', held: amounts[at]?.toFixed() ?? '0', ...one };
    });
    return { rows, total, sure: total.greaterThan(1_000) && first + second < 9_000 };
  });

test('a plan of amounts and weights reaches every target by exact amounts, or says what is missing', async () => {
  await fc.assert(
    fc.asyncProperty(portfolios, async ({ rows, total, sure }) => {
      const found = await plan(request(rows, between(rows.map(({ name }) => name))));
      if (!isRejection(found)) {
        expect(outside(rows, found)).toEqual([]);
        return;
      }
      expect(sure, found.message).toBe(false);
      const needed = sum(
        rows.map(({ name, amount, band }) =>
          amount === undefined
            ? ZERO
            : Decimal.max(0, decimal(amount).minus(band)).times(
                priceOf(holding(name).asset) ?? ZERO,
              ),
        ),
      );
      if (needed.greaterThan(total)) {
        const up = (value: Decimal) => value.toDecimalPlaces(4, Decimal.ROUND_UP).toFixed();
        const down = total.toDecimalPlaces(4, Decimal.ROUND_DOWN).toFixed();
        expect(found.message).toContain(`to ${up(needed)} at the lower ends of their bands`);
        expect(found.message).toContain(`together are worth ${down}, so that ${up(needed.minus(total))} is missing.`); // prettier-ignore
      } else expect(found.code).toBe('plan-impossible');
    }),
    { numRuns: runs(100) },
  );
}, 120_000);
