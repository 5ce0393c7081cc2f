import { expect, test } from 'vitest';
import { AFFILIATE_KEY, openSwapVenue, USDC_ETHEREUM, USDC_TRON, type SwapVenue } from '../kit.ts';

const S = 1_000_000;

async function namesOf(venue: SwapVenue, id: string, apiKey = AFFILIATE_KEY): Promise<unknown[]> {
  const path = `/affiliate/v1/intents/${id}/status`;
  const headers = { 'x-api-key': apiKey };
  const affiliate = (await (await fetch(venue.base + path, { headers })).json()) as object;
  const { body: execution } = await venue.call('GET', `/v1/intents/${id}`);
  return [execution['status'], 'status' in affiliate ? affiliate.status : undefined];
}

test(
  'an intent is seen on both surfaces, under the names of each',
  { tags: ['server:swap-execution.state.one-intent-both-surfaces'] },
  async () => {
    const venue = await openSwapVenue();
    const created = await venue.createIntent(USDC_ETHEREUM, USDC_TRON);
    const id = String(created['id']);
    expect(await namesOf(venue, id)).toEqual(['Created', 'Initiated']);
    await venue.approve(created, USDC_ETHEREUM);
    expect(await namesOf(venue, id)).toEqual(['Approved', 'ApprovalAdded']);
    venue.pass(2 * S);
    expect(await namesOf(venue, id)).toEqual(['Verified', 'Accepted']);
    venue.pass(5 * S);
    expect(await namesOf(venue, id)).toEqual(['Deposited', 'UserDeposited']);
    venue.service.manualActions.requestRefund(id, 'Somebody asked.');
    expect(await namesOf(venue, id)).toEqual(['Deposited', 'RefundRequested']);
    venue.pass(10 * S);
    expect(await namesOf(venue, id)).toEqual(['Refunded', 'Refunded']);
    expect(await namesOf(venue, id, 'another-affiliate-key')).toEqual(['Refunded', undefined]);
  },
);
