import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decimal, ZERO, type Decimal } from '../../../src/model/decimal.ts';
import { hasEnded, holdingName } from '../../../src/model/portfolio.ts';
import { EXECUTION_LIMITS } from '../../../src/swaps/execution/limits.ts';
import type { RebalancePlan } from '../../../src/swaps/execution/plan.ts';
import type { TransferReport, RebalanceReport } from '../../../src/swaps/execution/report.ts';
import type { Outcome } from './scripted-route.ts';
import { Life } from './mortal.ts';
import { Rig, type ManagedOrder } from './rig.ts';
import { MINUTE, type Course } from './service.ts';
import { runs } from '../../kit/size.ts';

/** Two transfers at once, a third that counts on both, and a fourth that counts on that. */
const MANAGED_ORDERS: readonly ManagedOrder[] = [
  { id: '1', from: 'USDC@ethereum', to: 'USDC@solana', send: '100' },
  { id: '2', from: 'USDC@tron', to: 'USDC@solana', send: '40' },
  {
    id: '3',
    from: 'USDC@solana',
    to: 'BTC@bitcoin',
    send: '150',
    after: [
      { transfer: '1', amount: decimal('99') },
      { transfer: '2', amount: decimal('39.6') },
    ],
  },
  {
    id: '4',
    from: 'BTC@bitcoin',
    to: 'EUR@trading',
    send: '148',
    after: [{ transfer: '3', amount: decimal('148') }],
  },
];

const fates = fc.array(
  fc.constantFrom<Outcome>('answered', 'answered', 'answered', 'answerLost', 'requestLost', 'late'),
  { maxLength: 40 },
);
const courses = fc.array(
  fc.constantFrom<Course>('delivers', 'deliversLess', 'deliversLate', 'refunds', 'declines'),
  { maxLength: 6 },
);
/** How many moments each life of the process has; the last one is as long as it takes. */
const lives = fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 12 });

/** Carries a plan out by one process after another, each of which dies at its moment. */
async function livesOf(rig: Rig, moments: readonly number[]): Promise<RebalanceReport> {
  const plan = rig.plan('p', MANAGED_ORDERS);
  let begun: RebalancePlan = plan;
  let isBegun = false;
  for (const [index, many] of [...moments, 1e9].entries()) {
    const isUnderWay = rig.journal.underWay().length > 0;
    // Where it died as soon as the end was written, nobody was told of it.
    if (isBegun && !isUnderWay) return rig.lastReport;
    isBegun = isUnderWay;
    const life = Life.of(many);
    const executor = rig.executor(
      { journal: life.journal(rig.journal), replan: () => replanned(rig, index) },
      life.route(rig.route),
    );
    let whole: Promise<RebalanceReport> | undefined;
    try {
      whole = isUnderWay ? executor.resume() : executor.execute(begun);
    } catch (error) {
      // It died while it began.
      if (!life.isOver) throw error;
      begun = { ...begun, id: `${begun.id}+` };
    }
    if (whole === undefined) continue;
    const outcome = await rig.run(Promise.race([whole, life.ended]));
    if (outcome !== 'dead') return outcome;
    void executor.close();
  }
  throw new Error('the last life has ended');
}

const replanned = (rig: Rig, index: number): Promise<RebalancePlan> =>
  Promise.resolve(rig.plan(`again-${index}-${rig.scheduler.now()}`, MANAGED_ORDERS.slice(0, 2)));

/** What all transfers together changed of the holdings, by the records of the journal. */
function changes(transfers: readonly TransferReport[]): ReadonlyMap<string, string> {
  const changed = new Map<string, Decimal>();
  const add = (holding: string, amount: Decimal): void => {
    changed.set(holding, (changed.get(holding) ?? ZERO).plus(amount));
  };
  for (const { record } of transfers) {
    const { state, from, to, send, arrived = ZERO, refunded = ZERO } = record;
    if (state !== 'fulfilled' && state !== 'refunded') continue;
    add(holdingName(from), send.negated().plus(refunded));
    add(holdingName(to), arrived);
  }
  return texts(changed);
}

const texts = (amounts: ReadonlyMap<string, Decimal>): ReadonlyMap<string, string> =>
  new Map(
    [...amounts]
      .filter(([, amount]) => !amount.isZero())
      .map(([holding, amount]) => [holding, amount.toFixed()] as const)
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );

test('whenever its process dies and whatever services answer, no transfer is paid twice, all end, and the sums are exact', async () => {
  await fc.assert(
    fc.asyncProperty(
      fates,
      courses,
      lives,
      fc.boolean(),
      async (outcome, course, moments, once) => {
        const rig = new Rig();
        rig.service.paysOnce = once;
        rig.route.fates.push(...outcome);
        rig.service.courses.push(...course);
        const report = await livesOf(rig, moments);
        await rig.pass(10 * 60 * MINUTE);

        expect(rig.journal.underWay()).toEqual([]);
        expect(report.plans.length).toBeLessThanOrEqual(1 + EXECUTION_LIMITS.replans);
        const transfers = report.plans.flatMap((plan) => plan.transfers);
        expect(transfers.every(({ record }) => hasEnded(record.state))).toBe(true);

        const { intents, payments, balances } = rig.service;
        expect([...payments.values()].every((many) => many === 1)).toBe(true);
        // Nothing of what was lost on its way pays later.
        const open = new Set(['Created', 'Approved', 'Deposited']);
        expect(intents.filter(({ state }) => open.has(state))).toEqual([]);
        const paid = transfers.filter(({ record }) => /^(fulfilled|refunded)$/.test(record.state));
        expect(new Set(paid.map(({ record }) => record.id))).toEqual(new Set(payments.keys()));

        expect(changes(transfers)).toEqual(texts(balances));
        // Everything is worth one: what is missing is what it cost.
        const missing = [...balances.values()].reduce((sum, one) => sum.minus(one), ZERO);
        const cost = report.plans.reduce((sum, one) => sum.plus(one.cost), ZERO);
        expect(cost.toFixed()).toBe(missing.toFixed());
      },
    ),
    { numRuns: runs(500) },
  );
});

test('however late what was paid arrives, it is waited for over as many lives as it takes', async () => {
  const rig = new Rig();
  rig.service.courses.push('deliversLate', 'deliversLate', 'deliversLate', 'deliversLate');
  const report = await livesOf(rig, [9, 4, 4, 300, 4, 700, 3, 3]);
  expect(report.state).toBe('done');
  expect([...rig.service.payments.values()]).toEqual([1, 1, 1, 1]);
});
