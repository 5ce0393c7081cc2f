import { describe, expect, test } from 'vitest';
import { US_PER_DAY } from '../../../../src/platform/time.ts';
import { openSwapVenue, type SwapVenue } from '../kit.ts';
import { approve, intend, statusOf } from './kit.ts';

const byHand = { resolver: { byHand: true } };

/** An approved intent of a venue whose resolver does nothing by itself. */
async function approvedAt(venue: SwapVenue): Promise<string> {
  const made = await intend(venue);
  expect((await approve(venue, made, 'ethereum')).status).toBe(200);
  return made.id;
}

const stateOf = async (venue: SwapVenue, id: string) => {
  const { status, swap_metadata: stages } = await statusOf(venue, id);
  const reached = Object.entries(stages as Readonly<Record<string, unknown>>)
    .filter(([name, at]) => name.endsWith('_at') && at !== null)
    .map(([name]) => name);
  return [status, ...reached];
};

describe('an intent', () => {
  test(
    'that goes well passes Initiated, ApprovalAdded, Accepted, UserDeposited, Fulfilled',
    {
      tags: [
        'server:swap-affiliate.state.initiated',
        'server:swap-affiliate.state.approval-added',
        'server:swap-affiliate.state.accepted',
        'server:swap-affiliate.state.user-deposited',
        'server:swap-affiliate.state.fulfilled',
        'server:swap-affiliate.state.other-moves',
      ],
    },
    async () => {
      const venue = await openSwapVenue(byHand);
      const made = await intend(venue);
      expect(await stateOf(venue, made.id)).toEqual(['Initiated', 'created_at']);
      await approve(venue, made, 'ethereum');
      expect(await stateOf(venue, made.id)).toEqual(['ApprovalAdded', 'created_at']);
      venue.service.manualActions.advance(made.id);
      expect(await stateOf(venue, made.id)).toEqual(['Accepted', 'created_at']);
      venue.service.manualActions.advance(made.id);
      const deposited = ['UserDeposited', 'created_at', 'user_deposited_at'];
      expect(await stateOf(venue, made.id)).toEqual(deposited);
      venue.service.manualActions.advance(made.id);
      expect(await stateOf(venue, made.id)).toEqual([
        'Fulfilled',
        ...deposited.slice(1),
        ...['fulfilled_at', 'swapped_at'],
      ]);
    },
  );

  test(
    'that the resolver does not want is Declined',
    { tags: ['server:swap-affiliate.state.declined'] },
    async () => {
      const venue = await openSwapVenue(byHand);
      const id = await approvedAt(venue);
      venue.service.manualActions.decline(id, 'The resolver did not want it.');
      expect(await stateOf(venue, id)).toEqual(['Declined', 'created_at']);
    },
  );

  test(
    'that nobody executes in time is Expired',
    { tags: ['server:swap-affiliate.state.expired'] },
    async () => {
      const venue = await openSwapVenue(byHand);
      const created = await intend(venue);
      const approved = await approvedAt(venue);
      const accepted = await approvedAt(venue);
      venue.service.manualActions.advance(accepted);
      venue.pass(US_PER_DAY);
      for (const id of [created.id, approved, accepted]) {
        expect(await stateOf(venue, id)).toEqual(['Expired', 'created_at']);
      }
    },
  );

  test(
    'whose money is asked back is RefundRequested and then Refunded',
    {
      tags: [
        'server:swap-affiliate.state.refund-requested',
        'server:swap-affiliate.state.refunded',
      ],
    },
    async () => {
      const venue = await openSwapVenue(byHand);
      const id = await approvedAt(venue);
      venue.service.manualActions.advance(id);
      venue.service.manualActions.advance(id);
      venue.service.manualActions.requestRefund(id, 'A refund was asked for.');
      const deposited = ['created_at', 'user_deposited_at'];
      expect(await stateOf(venue, id)).toEqual(['RefundRequested', ...deposited]);
      venue.service.manualActions.advance(id);
      expect(await stateOf(venue, id)).toEqual(['Refunded', ...deposited, 'refunded_at']);
    },
  );
});
