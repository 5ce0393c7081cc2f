import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keepShown, shownPlan } from '../../../src/bot/rebalancing/shown-plan.ts';
import { decimal, type Decimal } from '../../../src/model/decimal.ts';
import { micros, US_PER_MINUTE } from '../../../src/platform/time.ts';
import type { Simulation } from '../../../src/server/simulation/simulation.ts';
import type { RebalancePlan } from '../../../src/swaps/execution/plan.ts';
import { folder } from '../../bot/rig.ts';
import { example, hurried, openExample, urlOf } from '../venue/example.ts';
import { CLOSED, configured, run } from './planning-stage.ts';

let simulation: Simulation;
let venue = '';
beforeAll(async () => {
  simulation = await openExample({ ...hurried(example()), rateLimits: false });
  venue = urlOf(simulation);
});

afterAll(async () => {
  await simulation.close();
});

/** So much on Ethereum, and the rest on Tron. */
const amounts = (amount: string): string => `prices: { USDC: 1 }
targets:
  USDC@ethereum: { amount: ${amount}, band: 2.5 }
  USDC@tron: { weight: 1, band: 0 }
`;

/** What is held on Ethereum. */
async function held(path: string): Promise<Decimal> {
  const { out } = await run(path, { plan: true, json: true });
  const { before } = JSON.parse(out) as { before: { holding: string; amount: string }[] };
  return decimal(before.find(({ holding }) => holding === 'USDC@ethereum')?.amount ?? '');
}

const here = (): string => configured(venue, { exchangeOrders: CLOSED });

describe('a plan that was shown', () => {
  test('is not made under an id that was not shown', async () => {
    const path = here();
    await expect(run(path, { execute: true, confirm: 'other' })).rejects.toMatchObject({
      code: 'usage',
      field: '--confirm',
      message: expect.stringMatching(/none was shown yet\. Nothing was done/),
    });
  });

  test('is not made unasked where nobody can be asked', async () => {
    await expect(run(here(), { execute: true })).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringMatching(/^Nothing was done: .* Add --yes/),
    });
  });

  test('goes with --execute alone', async () => {
    for (const flags of [
      { plan: true, confirm: 'x' },
      { execute: true, supersede: true, confirm: 'x' },
    ] as const) {
      await expect(run(here(), flags)).rejects.toMatchObject({ code: 'usage' });
    }
  });

  test('says what amounts come to and what there is, where that is less', async () => {
    const path = configured(venue, { exchangeOrders: CLOSED }, amounts('99999999'));
    await expect(run(path, { plan: true })).rejects.toMatchObject({
      code: 'rebalance-impossible',
      message: expect.stringMatching(
        /^The amounts of USDC@ethereum come to 99999999, and to 99999996\.5 at the lower ends of their bands; all holdings of the targets together are worth [\d.]+, so that [\d.]+ is missing\. .*\(plan-impossible\)$/,
      ),
    });
  });

  // The last two, as they bring the portfolio to its targets.
  test('brings a holding to an amount once its id confirms it, and leaves the rest to the others', async () => {
    const before = await held(configured(venue, { exchangeOrders: CLOSED }));
    const goal = before.plus(100).toFixed();
    const path = configured(venue, { exchangeOrders: CLOSED }, amounts(goal));
    const { out } = await run(path, { plan: true });
    const [row = ''] = /^USDC@ethereum .*$/m.exec(out) ?? [];
    expect(row).toContain(`${goal} ± 2.5`);
    expect(row).not.toContain('%');
    const [, id = ''] = /--confirm (\S+)$/m.exec(out) ?? [];
    expect((await run(path, { execute: true, confirm: id })).err).toMatch(/ is fulfilled\./);
    const after = await run(path, { plan: true, json: true });
    const { before: rows } = JSON.parse(after.out) as { before: Record<string, string>[] };
    const [own, rest] = rows;
    expect(own).toMatchObject({ targetAmount: goal, band: '2.5', isIn: true });
    expect(own).not.toHaveProperty('weight');
    expect(
      decimal(own?.amount ?? '')
        .minus(goal)
        .abs()
        .lessThanOrEqualTo('2.5'),
    ).toBe(true);
    expect(rest).toMatchObject({ weight: '1', share: '1', isIn: true });
  });

  test('is made as it is once its id confirms it, and only once', async () => {
    const path = here();
    const { out } = await run(path, { plan: true });
    const [, id = ''] = /--confirm (\S+)$/m.exec(out) ?? [];
    const shown = /^1 .* account +(\S+ \S+) /m.exec(out)?.[1];
    await expect(run(path, { execute: true, confirm: 'other' })).rejects.toMatchObject({
      message: expect.stringContaining(`No plan other was shown last; the last one was ${id}.`),
    });
    const made = await run(path, { execute: true, confirm: id });
    expect(made.err).toMatch(/ is fulfilled\./);
    expect(made.out).toContain(`${id}/1`);
    expect(shown).toMatch(/ USDC@ethereum$/);
    expect(made.out).toContain(shown);
    expect(made.out).not.toContain('portfolio\n');
    await expect(run(path, { execute: true, confirm: id })).rejects.toMatchObject({
      code: 'request-invalid',
    });
  });
});

describe('what is kept of it', () => {
  const plan: RebalancePlan = {
    id: 'plan-1',
    createdAt: micros(0),
    transfers: [],
    prices: new Map([['USDC', decimal('1')]]),
    maximumCost: decimal('2.5'),
  };
  const path = (): string => join(folder(), 'example.plan.json');

  test('is for its owner alone, and read as it was', () => {
    const file = path();
    keepShown(file, plan);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(shownPlan(file, 'plan-1', micros(10 * US_PER_MINUTE))).toEqual(plan);
  });

  test('is too old after ten minutes', () => {
    const file = path();
    keepShown(file, plan);
    expect(() => shownPlan(file, 'plan-1', micros(10 * US_PER_MINUTE + 1))).toThrow(
      'The plan plan-1 is more than 10 minutes old.',
    );
  });

  test('cannot be kept where there is no folder', () => {
    expect(() => {
      keepShown(join(dirname(path()), 'none', 'plan.json'), plan);
    }).toThrow('cannot be confirmed by its id');
  });
});
