import { expect, test } from 'vitest';
import { Decimal, decimal } from '../../../src/model/decimal.ts';
import { holdingName, type Holding, type PortfolioTargets } from '../../../src/model/portfolio.ts';
import type { Rejection } from '../../../src/model/rejections.ts';
import type { RebalanceReport } from '../../../src/swaps/execution/report.ts';
import { replan, type PlanInput } from '../../../src/swaps/execution/stranded.ts';
import { Rig, holding } from './rig.ts';

const held = (name: string, amount: string): Holding => ({
  ...holding(name),
  amount: decimal(amount),
});

const TARGETS: PortfolioTargets = {
  holdings: ['USDC@ethereum', 'BTC@bitcoin'].map((name) => ({
    ...holding(name),
    weight: decimal('0.5'),
    band: decimal('0.05'),
    reserve: decimal('0'),
  })),
  minimumValue: decimal('25'),
  maximumCost: decimal('0.01'),
};

const NO: Rejection = { code: 'plan-impossible', message: 'no' };

/** 100 go to the account, 99.495 arrive, and the swap that sends them on is declined. */
async function declined(): Promise<RebalanceReport> {
  const rig = new Rig();
  rig.service.courses.push('delivers', 'declines');
  const managedOrders = [
    { id: '1', from: 'USDC@ethereum', to: 'USDC@trading', send: '100' },
    {
      id: '2',
      from: 'USDC@trading',
      to: 'BTC@bitcoin',
      send: '99.495',
      after: [{ transfer: '1', amount: decimal('99.495') }],
    },
  ];
  return rig.run(rig.executor().execute(rig.plan('p', managedOrders)));
}

/** The outlooks that are planned by, one after the other; each is refused. */
async function outlooks(report: RebalanceReport, holdings: readonly Holding[]) {
  const seen: PlanInput[] = [];
  const answer = await replan(report, { targets: TARGETS, holdings }, one, (outlook) => {
    seen.push(outlook);
    return Promise.resolve(NO);
  });
  expect(answer).toBe(NO);
  return seen;
}

const one = (): Decimal => new Decimal(1);

const HOLDINGS = [held('USDC@ethereum', '400'), held('BTC@bitcoin', '100')];

test('what transfers left on their way is to move on, and nothing else there', async () => {
  const [first, second] = await outlooks(await declined(), [
    ...HOLDINGS,
    ...[held('USDC@trading', '599.495'), held('BTC@trading', '7')],
  ]);
  const last = first?.targets.holdings.at(-1);
  expect(last).toMatchObject({ ...holding('USDC@trading'), amount: decimal('0') });
  // A tenth of the 99.495 may stay.
  expect(last?.band.toFixed()).toBe('9.9495');
  expect(first?.holdings.map((each) => `${each.amount.toFixed()} ${holdingName(each)}`)).toEqual([
    ...['400 USDC@ethereum', '100 BTC@bitcoin', '99.495 USDC@trading'],
  ]);
  // Where that cannot be planned, the targets alone are.
  expect(second?.targets).toBe(TARGETS);
  expect(second?.holdings).toHaveLength(4);
});

test('no more is to move on than is there, and nothing that is not worth a transfer', async () => {
  const report = await declined();
  const [some] = await outlooks(report, [...HOLDINGS, held('USDC@trading', '40')]);
  expect(some?.holdings.at(-1)?.amount.toFixed()).toBe('40');
  expect(await outlooks(report, [...HOLDINGS, held('USDC@trading', '25')])).toHaveLength(1);
  expect(await outlooks(report, HOLDINGS)).toHaveLength(1);
});
