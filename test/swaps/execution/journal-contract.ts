import { describe, expect, test } from 'vitest';
import { decimal } from '../../../src/model/decimal.ts';
import type { TransferRecord } from '../../../src/swaps/execution/transfer-route.ts';
import type { JournaledPlan, RebalanceJournal } from '../../../src/swaps/execution/journal.ts';
import { openTransfer } from '../../../src/swaps/execution/transfer.ts';
import type { RebalancePlan } from '../../../src/swaps/execution/plan.ts';
import { Rig, START } from './rig.ts';

/** A plan of two transfers, of which the second waits for the first. */
export function samplePlan(id: string): RebalancePlan {
  const rig = new Rig();
  return rig.plan(id, [
    { id: '1', from: 'USDC@ethereum', to: 'USDC@solana', send: '100.000000000000000001' },
    {
      id: '2',
      from: 'USDC@solana',
      to: 'BTC@bitcoin',
      send: '150',
      after: [{ transfer: '1', amount: decimal('99.495') }],
    },
  ]);
}

export const recordsOf = (plan: RebalancePlan): readonly TransferRecord[] =>
  plan.transfers.map((transfer) => openTransfer(plan, transfer, START, 900_000_000));

/** What a journal holds, with decimals as text, in which they are compared. */
export const plain = (plans: readonly JournaledPlan[]): unknown =>
  JSON.parse(
    JSON.stringify(plans, (_, value: unknown) => (value instanceof Map ? [...value] : value)),
  );

/** What every journal of an executor keeps. `reopen` gives it as a later process finds it. */
export function journalContract(
  name: string,
  make: () => { journal: RebalanceJournal; reopen: () => RebalanceJournal },
): void {
  describe(name, () => {
    test('has nothing under way at first', () => {
      const { journal, reopen } = make();
      expect(journal.underWay()).toEqual([]);
      expect(reopen().underWay()).toEqual([]);
    });

    test('gives back to the digit what was written', () => {
      const { journal, reopen } = make();
      const plan = samplePlan('p');
      const [first, second] = recordsOf(plan);
      if (first === undefined || second === undefined) throw new Error('there are two transfers');
      journal.begin(plan, [first, second]);
      const coin = { asset: 'ETH', location: 'ethereum' };
      const changed: TransferRecord = {
        ...first,
        state: 'refunded',
        paying: true,
        reason: 'It came back.',
        sent: decimal('100.00000001'),
        arrived: decimal('0.000000000000000001'),
        refunded: decimal('99.9'),
        networkFee: { of: 'payment', coin, expected: decimal('0.1'), most: decimal('0.2'), held: decimal('3'), isIncluded: false }, // prettier-ignore
        paidFee: { coin, amount: decimal('0.000000000000000001'), isIncluded: false },
        data: { intent: 'i', many: 3, open: true, none: null },
      };
      const step = { name: 'approve', data: { intent: 'i', no: 7 }, pays: true };
      journal.write({ record: changed, step }, START);
      const expected = [{ plan, transfers: [{ record: changed, step }, { record: second }] }];
      expect(plain(reopen().underWay())).toEqual(plain(expected));
    });

    test('forgets a step that is settled', () => {
      const { journal, reopen } = make();
      const plan = samplePlan('p');
      const records = recordsOf(plan);
      journal.begin(plan, records);
      for (const record of records.slice(0, 1)) {
        journal.write({ record, step: { name: 'approve', data: {}, pays: true } }, START);
        journal.write({ record }, START);
      }
      expect(plain(reopen().underWay())).toEqual(
        plain([{ plan, transfers: records.map((record) => ({ record })) }]),
      );
    });

    test('keeps the plans of a rebalance in order, and why one was superseded', () => {
      const { journal, reopen } = make();
      const plans = [samplePlan('p'), samplePlan('a'), samplePlan('z')];
      for (const plan of plans) journal.begin(plan, recordsOf(plan));
      journal.supersede('a', 'There are new targets.', START);
      const found = reopen().underWay();
      expect(found.map(({ plan }) => plan.id)).toEqual(['p', 'a', 'z']);
      expect(found.map(({ superseded }) => superseded)).toEqual([
        ...[undefined, 'There are new targets.', undefined],
      ]);
    });

    test('begins another rebalance after the end of one, and takes no plan twice', () => {
      const { journal, reopen } = make();
      const plan = samplePlan('p');
      journal.begin(plan, recordsOf(plan));
      expect(() => journal.begin(plan, recordsOf(plan))).toThrow('There was a plan p before');
      journal.end(START);
      expect(reopen().underWay()).toEqual([]);
      const later = reopen();
      expect(() => later.begin(plan, recordsOf(plan))).toThrow('There was a plan p before');
      later.begin(samplePlan('q'), recordsOf(samplePlan('q')));
      expect(reopen().underWay().map((one) => one.plan.id)).toEqual(['q']); // prettier-ignore
    });
  });
}
