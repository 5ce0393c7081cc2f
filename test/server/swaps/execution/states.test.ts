import { describe, expect, test } from 'vitest';
import {
  BTC,
  openSwapVenue,
  OTHER_KEY,
  SOL,
  USDC_ETHEREUM,
  USDC_SOLANA,
  USDC_TRON,
  WETH,
  type SwapVenue,
} from '../kit.ts';

const S = 1_000_000;
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?Z$/;

const UNREACHED = {
  proxy_address: null,
  user_deposit_tx: null,
  fulfill_tx: null,
  swap_tx: null,
  user_deposited_at: null,
  fulfilled_at: null,
  swapped_at: null,
  refunded_at: null,
};

/** An intent that is approved, 100 USDC of Ethereum for USDC of Tron unless it says otherwise. */
async function approved(venue: SwapVenue, from = USDC_ETHEREUM, to = USDC_TRON, amount = 100) {
  const created = await venue.createIntent(from, to, amount);
  expect(await venue.approve(created, from)).toMatchObject({ status: 200 });
  return created;
}

const metadata = async (venue: SwapVenue, created: Readonly<Record<string, unknown>>) =>
  (await venue.status(created))['swap_metadata'] as Record<string, unknown>;

describe('an intent', () => {
  test(
    'begins as Created, with nothing but the time of its creation',
    {
      tags: [
        'server:swap-execution.state.created',
        'server:swap-execution.state.on-create',
        'server:swap-execution.intents.metadata-created-at',
        'server:swap-execution.intents.metadata-before-deposit',
      ],
    },
    async () => {
      const venue = await openSwapVenue();
      const created = await venue.createIntent(USDC_ETHEREUM, USDC_TRON);
      venue.pass(5 * S);
      expect(await venue.status(created)).toMatchObject({ status: 'Created' });
      expect(await metadata(venue, created)).toEqual({
        ...UNREACHED,
        id: created['id'],
        created_at: '2026-01-05T10:00:00Z',
      });
    },
  );

  test(
    'is Approved once the user has signed',
    { tags: ['server:swap-execution.state.approved', 'server:swap-execution.state.on-approval'] },
    async () => {
      const venue = await openSwapVenue();
      const created = await approved(venue);
      expect(await venue.status(created)).toMatchObject({ status: 'Approved' });
      expect(await metadata(venue, created)).toMatchObject(UNREACHED);
    },
  );

  test(
    'is Verified when the resolver has accepted it, two seconds later',
    {
      tags: [
        'server:swap-execution.state.verified',
        'server:swap-execution.state.approved-to-verified',
      ],
    },
    async () => {
      const venue = await openSwapVenue();
      const created = await approved(venue);
      venue.pass(2 * S - 1);
      expect(await venue.status(created)).toMatchObject({ status: 'Approved' });
      venue.pass(1);
      expect(await venue.status(created)).toMatchObject({ status: 'Verified' });
      expect(await metadata(venue, created)).toMatchObject(UNREACHED);
    },
  );

  test(
    'is Deposited when its money is in escrow',
    {
      tags: [
        'server:swap-execution.state.deposited',
        'server:swap-execution.state.verified-to-deposited',
        'server:swap-execution.intents.metadata-user-deposited-at',
        'server:swap-execution.intents.metadata-tx-nulls',
      ],
    },
    async () => {
      const venue = await openSwapVenue();
      const user = venue.user('ethereum').address;
      const escrow = venue.service.escrowAt('ethereum');
      const created = await approved(venue);
      const before = venue.chains.balance(USDC_ETHEREUM, user);
      venue.pass(7 * S);
      expect(await venue.status(created)).toMatchObject({ status: 'Deposited' });
      expect(venue.chains.balance(USDC_ETHEREUM, user)).toBe(before - 100_000_000n);
      expect(venue.chains.balance(USDC_ETHEREUM, escrow)).toBe(100_000_000n);
      const now = await metadata(venue, created);
      expect(now).toMatchObject({
        proxy_address: escrow,
        user_deposited_at: '2026-01-05T10:00:07Z',
        fulfill_tx: null,
        swap_tx: null,
        fulfilled_at: null,
        swapped_at: null,
        refunded_at: null,
      });
      expect(venue.chains.transaction('ethereum', String(now['user_deposit_tx']))).toMatchObject({
        from: user,
        to: escrow,
        lots: 100_000_000n,
      });
      expect(venue.isConserved).toBe(true);
    },
  );

  test(
    'is Finished when the user has the money and the resolver the escrow',
    {
      tags: [
        'server:swap-execution.state.finished',
        'server:swap-execution.state.deposited-to-finished',
        'server:swap-execution.intents.metadata-fulfilled-at',
        'server:swap-execution.intents.metadata-swapped-at',
      ],
    },
    async () => {
      const venue = await openSwapVenue();
      const created = await approved(venue);
      const receiver = venue.user('tron', 'receiver').address;
      const resolver = venue.service.resolverAt('ethereum');
      const held = venue.chains.balance(USDC_ETHEREUM, resolver);
      venue.pass(17 * S);
      expect(await venue.status(created)).toMatchObject({ status: 'Finished' });
      expect(venue.chains.balance(USDC_TRON, receiver)).toBe(99_800_000n);
      expect(venue.chains.balance(USDC_ETHEREUM, resolver)).toBe(held + 100_000_000n);
      const now = await metadata(venue, created);
      expect(now).toMatchObject({
        fulfilled_at: '2026-01-05T10:00:17Z',
        swapped_at: '2026-01-05T10:00:17Z',
        refunded_at: null,
      });
      expect(venue.chains.transaction('tron', String(now['fulfill_tx']))).toMatchObject({
        to: receiver,
        lots: 99_800_000n,
      });
      expect(venue.chains.transaction('ethereum', String(now['swap_tx']))).toMatchObject({
        to: resolver,
        lots: 100_000_000n,
      });
      expect(venue.isConserved).toBe(true);
    },
  );

  test.each([
    ['ethereum', WETH, BTC, 1],
    ['tron', USDC_TRON, SOL, 1_000],
    ['bitcoin', BTC, USDC_SOLANA, 0.5],
    ['solana', SOL, USDC_ETHEREUM, 20],
  ] as const)(
    'goes all the way from %s',
    { tags: ['server:swap-execution.state.finished'] },
    async (_network, from, to, amount) => {
      const venue = await openSwapVenue();
      const receiver = venue.owner(to, 'receiver').address;
      const created = await approved(venue, from, to, amount);
      venue.pass(17 * S);
      const status = await venue.status(created);
      expect(status).toMatchObject({ status: 'Finished' });
      const paid = venue.chains.balance(to, receiver);
      expect(paid).toBe(BigInt(String(status['to_max_amount_lots'])));
      expect(venue.isConserved).toBe(true);
    },
  );

  test(
    'is Failed where the resolver declines it, and no money has moved',
    {
      tags: [
        'server:swap-execution.state.failed',
        'server:swap-execution.state.approved-to-failed',
      ],
    },
    async () => {
      const venue = await openSwapVenue({ resolver: { declineShare: 1 } });
      const created = await approved(venue);
      const holdings = venue.chains.holders(USDC_ETHEREUM);
      venue.pass(60 * S);
      expect(await venue.status(created)).toMatchObject({ status: 'Failed' });
      expect(venue.chains.holders(USDC_ETHEREUM)).toEqual(holdings);
    },
  );

  test(
    'is Failed where the user does not hold the money, or the price has moved beyond the slippage',
    { tags: ['server:swap-execution.state.approved-to-failed'] },
    async () => {
      const venue = await openSwapVenue();
      const all = await approved(venue, USDC_ETHEREUM, USDC_TRON, 1_000_000);
      const more = await approved(venue, USDC_ETHEREUM, USDC_TRON, 1);
      const volatile = await approved(venue, WETH, USDC_TRON, 1);
      venue.value['ETH'] = '2980';
      venue.pass(60 * S);
      const seen = [all, more, volatile].map(async (one) => (await venue.status(one))['status']);
      expect(await Promise.all(seen)).toEqual(['Finished', 'Failed', 'Failed']);
      expect(venue.isConserved).toBe(true);
    },
  );

  test(
    'is Refunded where the resolver cannot pay, to the refund address',
    {
      tags: [
        'server:swap-execution.state.refunded',
        'server:swap-execution.state.deposited-to-refunded',
        'server:swap-execution.intents.metadata-refunded-at',
      ],
    },
    async () => {
      const venue = await openSwapVenue({ resolver: { failShare: 1 } });
      const created = await approved(venue);
      const refund = venue.user('ethereum', 'refund').address;
      venue.pass(27 * S - 1);
      expect(await metadata(venue, created)).toMatchObject({ refunded_at: null });
      venue.pass(1);
      expect(await venue.status(created)).toMatchObject({ status: 'Refunded' });
      expect(await metadata(venue, created)).toMatchObject({
        user_deposited_at: '2026-01-05T10:00:07Z',
        refunded_at: '2026-01-05T10:00:27Z',
        fulfill_tx: null,
        fulfilled_at: null,
        swap_tx: null,
        swapped_at: null,
      });
      expect(venue.chains.balance(USDC_ETHEREUM, refund)).toBe(100_000_000n);
      expect(venue.isConserved).toBe(true);
    },
  );

  test(
    'is still Deposited while a refund is requested',
    {
      tags: [
        'server:swap-execution.state.no-refund-requested',
        'server:swap-execution.state.refund-requested-mapping',
      ],
    },
    async () => {
      const venue = await openSwapVenue();
      const created = await approved(venue);
      venue.pass(7 * S);
      const id = String(created['id']);
      expect(venue.service.manualActions.requestRefund(id, 'Somebody asked.')).toBeUndefined();
      expect(venue.service.intents()[0]?.state).toBe('refundRequested');
      expect(await venue.status(created)).toMatchObject({ status: 'Deposited' });
      venue.pass(10 * S);
      expect(await venue.status(created)).toMatchObject({ status: 'Refunded' });
    },
  );

  test.each([
    ['Created', 0],
    ['Approved', 0],
    ['Verified', 2],
  ] as const)(
    'that is %s at its deadline is Expired, and no money has moved',
    { tags: ['server:swap-execution.state.expired', 'server:swap-execution.state.to-expired'] },
    async (status, seconds) => {
      const venue = await openSwapVenue();
      const created = await (status === 'Created'
        ? venue.createIntent(USDC_ETHEREUM, USDC_TRON)
        : approved(venue));
      venue.pass(seconds * S);
      venue.service.manualActions.hold(String(created['id']), true);
      const holdings = venue.chains.holders(USDC_ETHEREUM);
      venue.pass((Number(created['deadline_at']) - venue.seconds) * S - 1);
      expect(await venue.status(created)).toMatchObject({ status });
      venue.pass(1);
      expect(await venue.status(created)).toMatchObject({ status: 'Expired' });
      expect(venue.chains.holders(USDC_ETHEREUM)).toEqual(holdings);
    },
  );

  test(
    'that is Deposited at its deadline is refunded',
    { tags: ['server:swap-execution.state.deposited-to-refunded'] },
    async () => {
      const venue = await openSwapVenue();
      const created = await approved(venue);
      venue.pass(7 * S);
      venue.service.manualActions.hold(String(created['id']), true);
      venue.pass(1_800 * S);
      venue.service.manualActions.hold(String(created['id']), false);
      venue.pass(10 * S);
      expect(await venue.status(created)).toMatchObject({ status: 'Refunded' });
      expect(venue.isConserved).toBe(true);
    },
  );
});

describe('the record of an intent', () => {
  test(
    'has all members, its lots as text',
    {
      tags: [
        'server:swap-execution.intents.get-intent',
        'server:swap-execution.intents.status-record',
        'server:swap-execution.conv.lots-string-in-status',
      ],
    },
    async () => {
      const venue = await openSwapVenue();
      const created = await venue.createIntent(WETH, USDC_TRON, '1.000000000000000001');
      const { swap_metadata: stages, ...record } = await venue.status(created);
      expect(record).toEqual({
        intent_id: created['id'],
        status: 'Created',
        from_amount_lots: '1000000000000000001',
        from_network_id: 1,
        from_token: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
        from_token_id: WETH,
        to_network_id: 2,
        to_token: 'TEkxiTehnzSmSe2XqrBj4w32RUN966rdz8',
        to_token_id: USDC_TRON,
        to_min_amount_lots: '2979030000',
        to_max_amount_lots: '2994000000',
      });
      expect(Object.keys(stages as object)).toHaveLength(10);
      const { text } = await venue.call('GET', `/v1/intents/${String(created['id'])}`);
      expect(text).toContain('"from_amount_lots":"1000000000000000001"');
    },
  );

  test(
    'has the stages under names of their own',
    { tags: ['server:swap-execution.intents.metadata-record'] },
    async () => {
      const venue = await openSwapVenue();
      const created = await approved(venue);
      venue.pass(17 * S);
      const now = await metadata(venue, created);
      expect(Object.keys(now).toSorted()).toEqual([
        'created_at',
        'fulfill_tx',
        'fulfilled_at',
        'id',
        'proxy_address',
        'refunded_at',
        'swap_tx',
        'swapped_at',
        'user_deposit_tx',
        'user_deposited_at',
      ]);
      for (const name of ['created_at', 'user_deposited_at', 'fulfilled_at', 'swapped_at']) {
        expect(now[name]).toMatch(ISO);
      }
    },
  );

  test(
    'is refused for an intent that nobody knows, or that another partner has',
    { tags: ['server:swap-execution.intents.get-intent-unknown'] },
    async () => {
      const venue = await openSwapVenue();
      const created = await venue.createIntent(USDC_ETHEREUM, USDC_TRON);
      for (const [id, ask] of [
        ['00000000-0000-4000-8000-000000000000', {}],
        ['nonsense', {}],
        [String(created['id']), { privateKey: OTHER_KEY }],
      ] as const) {
        expect(await venue.call('GET', `/v1/intents/${id}`, ask)).toMatchObject({
          status: 404,
          body: { code: 404, type: 'not_found', message: `There is no intent ${id}.` },
        });
      }
    },
  );
});
