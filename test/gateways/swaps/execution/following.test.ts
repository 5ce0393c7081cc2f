import { describe, expect, test } from 'vitest';
import type { SwapStatus } from '../../../../src/clients.ts';
import { US_PER_DAY } from '../../../../src/platform/time.ts';
import { nextTurn } from '../../../../src/platform/turn.ts';
import {
  openSwapVenue,
  USDC_ETHEREUM,
  USDC_SOLANA,
  type SwapVenue,
} from '../../../server/swaps/kit.ts';
import { answer, openRawService } from '../../trading/kit/raw-service.ts';
import { executionClient, executionClientOf, thrownBy } from '../kit.ts';
import { byHand, swapped } from './kit.ts';
import { eachRow } from '../../../conformance/each-row.ts';

describe('following an intent', () => {
  /** Follows an intent while a test moves the clock. */
  async function followed(venue: SwapVenue, id: string): Promise<readonly [SwapStatus, string[]]> {
    const received: string[] = [];
    let end: SwapStatus | undefined;
    const ended = executionClientOf(venue)
      .follow(id, { changed: ({ status }) => received.push(status), everyUs: 1_000_000 })
      .then((status) => {
        end = status;
      });
    while (end === undefined) {
      await nextTurn();
      venue.pass(250_000);
    }
    await ended;
    return [end, received];
  }

  test(
    'polls until it is final, and reports each status',
    {
      tags: ['client:swap-execution.state.client-polling', 'client:swap-execution.state.finished'],
    },
    async () => {
      const venue = await openSwapVenue();
      const client = executionClientOf(venue);
      const { id } = await swapped(venue, client, USDC_ETHEREUM, USDC_SOLANA);
      const [status, received] = await followed(venue, id);
      expect(status).toMatchObject({ status: 'Finished', state: 'finished', isFinal: true });
      expect(status.swap_metadata.fulfill_tx).toMatch(/\w{20}/);
      expect(received[0]).toBe('Approved');
      expect(received).toContain('Deposited');
      expect(received.at(-1)).toBe('Finished');
      expect(new Set(received).size).toBe(received.length);
    },
  );

  eachRow<[string, string, string, (venue: SwapVenue, id: string) => void]>('', [
    [
      'client:swap-execution.state.failed',
      'failed',
      'Failed',
      ({ service }, id) => service.manualActions.decline(id, 'no'),
    ],
    [
      'client:swap-execution.state.expired',
      'expired',
      'Expired',
      (venue) => venue.pass(US_PER_DAY),
    ],
    [
      'client:swap-execution.state.refunded',
      'refunded',
      'Refunded',
      ({ service: { manualActions } }, id) => {
        manualActions.advance(id);
        manualActions.advance(id);
        manualActions.requestRefund(id, 'no');
        manualActions.advance(id);
      },
    ],
  ])('ends with %s too', async (state, status, act) => {
    const venue = await openSwapVenue(byHand);
    const client = executionClientOf(venue);
    const { id } = await swapped(venue, client, USDC_ETHEREUM, USDC_SOLANA);
    act(venue, id);
    expect(await client.follow(id)).toMatchObject({ status, state, isFinal: true });
  });

  test(
    'a status that is not final is read as what it is',
    { tags: ['client:swap-execution.state.verified', 'client:swap-execution.state.deposited'] },
    async () => {
      const venue = await openSwapVenue(byHand);
      const client = executionClientOf(venue);
      const { id } = await swapped(venue, client, USDC_ETHEREUM, USDC_SOLANA);
      venue.service.manualActions.advance(id);
      expect(await client.getIntent(id)).toMatchObject({ status: 'Verified', state: 'verified' });
      venue.service.manualActions.advance(id);
      expect(await client.getIntent(id)).toMatchObject({ status: 'Deposited', state: 'deposited' });
    },
  );

  test(
    'goes on over a status that nobody knows, until its signal',
    { tags: ['client:swap-execution.state.client-unknown-status'] },
    async () => {
      const service = await openRawService(
        answer(200, {
          intent_id: 'i-1',
          status: 'Teleporting',
          swap_metadata: { id: 'i-1' },
          from_amount_lots: '1',
          from_network_id: 1,
          from_token: 'a',
          from_token_id: 1,
          to_network_id: 1,
          to_token: 'b',
          to_token_id: 2,
          to_min_amount_lots: '1',
          to_max_amount_lots: '1',
        }),
      );
      const stop = new AbortController();
      const enough = new Error('enough');
      const received: string[] = [];
      const following = executionClient(service.url).follow('i-1', {
        everyUs: 1_000,
        signal: stop.signal,
        changed: ({ status }) => {
          received.push(status);
          void nextTurn().then(() => stop.abort(enough));
        },
      });
      expect(await thrownBy(following)).toBe(enough);
      expect(received).toEqual(['Teleporting']);
    },
  );
});
