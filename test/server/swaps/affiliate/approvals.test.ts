import { describe, expect, test } from 'vitest';
import { openSwapVenue, sharedSwapVenue, USDC_ETHEREUM, type SwapVenue } from '../kit.ts';
import {
  affiliate,
  approve,
  CHAINS,
  intend,
  intentBody,
  quoteBody,
  signedBody,
  statusOf,
  type Chain,
} from './kit.ts';
import { eachRow } from '../../../conformance/each-row.ts';

const EVERY = Object.keys(CHAINS) as Chain[];

const post = async (venue: SwapVenue, id: string, json: object) =>
  affiliate(venue, 'POST', `/intents/${id}/approvals`, { json });

const REJECTED = { status: 422, body: { code: 422, entity: 'approval' } };

/** Turns one digit of a hexadecimal text round. */
const altered = (text: string, at = 20): string =>
  text.slice(0, at) + (text.charAt(at) === '0' ? '1' : '0') + text.slice(at + 1);

describe('an approval', () => {
  const venue = sharedSwapVenue({ resolver: { byHand: true } });

  eachRow<[row: string, from: Chain]>('server:swap-affiliate.approvals.', [
    ['permit2', 'ethereum'],
    ['permit2', 'tron'],
    ['psbt', 'bitcoin'],
    ['cosign', 'solana'],
  ])(
    'from %s is attached, and answered with the id of the intent',
    {
      tags: [
        'server:swap-affiliate.approvals.post-approvals',
        'server:swap-affiliate.approvals.result-body',
      ],
    },
    async (from) => {
      const to = from === 'ethereum' ? 'solana' : 'ethereum';
      const made = await intend(venue(), from, to);
      expect(await approve(venue(), made, from)).toMatchObject({
        status: 200,
        text: JSON.stringify({ intent_id: made.id }),
      });
      expect((await statusOf(venue(), made.id))['status']).toBe('ApprovalAdded');
    },
  );

  test(
    'by permit2 is refused with a signature of somebody else, or over other data',
    { tags: ['server:swap-affiliate.approvals.permit2'] },
    async () => {
      const made = await intend(venue());
      const own = venue().user('ethereum');
      const before = venue().state();
      const stranger = venue().user('ethereum', 'stranger');
      expect(await post(venue(), made.id, await signedBody(stranger, made))).toMatchObject(
        REJECTED,
      );
      const other = { ...made, quote: { ...made.quote, source_amount_lots: '250500001' } };
      expect(await post(venue(), made.id, await signedBody(own, other))).toMatchObject(REJECTED);
      expect(venue().state()).toBe(before);
      expect((await post(venue(), made.id, await signedBody(own, made))).status).toBe(200);
    },
  );

  test(
    'by a PSBT is refused where an input is not signed, or the money is other money',
    { tags: ['server:swap-affiliate.approvals.psbt'] },
    async () => {
      const made = await intend(venue(), 'bitcoin', 'ethereum');
      const { psbt } = made.intent['params_to_sign'] as { readonly psbt: string };
      const user = venue().user('bitcoin');
      const quote = { ...quoteBody('bitcoin', 'ethereum'), amount: 0.02 };
      const { body } = await affiliate(venue(), 'POST', '/quotes/best', { json: quote });
      const intent = intentBody(venue(), String(body['id']), 'bitcoin', 'ethereum');
      const other = await affiliate(venue(), 'POST', '/intents', { json: intent });
      const before = venue().state();
      expect(await post(venue(), made.id, { type: 'psbt', signed_data: psbt })).toMatchObject(
        REJECTED,
      );
      const foreign = await signedBody(user, { ...made, intent: other.body });
      expect(await post(venue(), made.id, foreign)).toMatchObject(REJECTED);
      expect(venue().state()).toBe(before);
      expect((await approve(venue(), made, 'bitcoin')).status).toBe(200);
    },
  );

  test(
    'by a cosigned transaction is refused where it is changed, or for somebody else',
    { tags: ['server:swap-affiliate.approvals.cosign'] },
    async () => {
      const made = await intend(venue(), 'solana', 'ethereum');
      const user = venue().user('solana');
      const sound = (await signedBody(user, made)) as {
        readonly signed_data: { readonly transaction: string; readonly user_address: string };
      };
      const { transaction } = sound.signed_data;
      const before = venue().state();
      for (const signed_data of [
        { ...sound.signed_data, transaction: altered(transaction, transaction.length - 4) },
        { ...sound.signed_data, transaction: altered(transaction, 2 + 2 * 70) },
        { ...sound.signed_data, user_address: venue().user('solana', 'stranger').address },
      ]) {
        expect(await post(venue(), made.id, { type: 'cosign', signed_data })).toMatchObject(
          REJECTED,
        );
      }
      expect(venue().state()).toBe(before);
      expect((await post(venue(), made.id, sound)).status).toBe(200);
    },
  );

  test.each(EVERY)(
    'from %s is refused with a type that is none, or that the intent does not ask for',
    { tags: ['server:swap-affiliate.approvals.type-values'] },
    async (from) => {
      const to = from === 'solana' ? 'ethereum' : 'solana';
      const made = await intend(venue(), from, to);
      const before = venue().state();
      for (const type of ['htlc', 'PERMIT2', '', null, undefined]) {
        const { status, body } = await post(venue(), made.id, { type, signed_data: 'AA==' });
        expect([status, body['entity']]).toEqual([400, 'approval']);
        expect(body['message']).toMatch(/^body\.type /);
      }
      const other = from === 'bitcoin' ? 'permit2' : 'psbt';
      const mismatch = await post(venue(), made.id, { type: other, signed_data: 'AA==' });
      expect([400, 422]).toContain(mismatch.status);
      expect(venue().state()).toBe(before);
    },
  );

  test(
    'of an intent that is not there is refused',
    { tags: ['server:swap-affiliate.approvals.unknown-intent'] },
    async () => {
      const made = await intend(venue());
      const json = await signedBody(venue().user('ethereum'), made);
      const before = venue().state();
      const unknown = '00000000-0000-4000-8000-000000000000';
      expect(await post(venue(), unknown, json)).toMatchObject({
        status: 404,
        body: { code: 404, entity: 'intent' },
      });
      expect(venue().state()).toBe(before);
    },
  );

  test.each<Chain>(['ethereum', 'solana'])(
    'from %s is taken once',
    { tags: ['server:swap-affiliate.approvals.one-per-intent'] },
    async (from) => {
      const to = from === 'solana' ? 'ethereum' : 'solana';
      const made = await intend(venue(), from, to);
      expect((await approve(venue(), made, from)).status).toBe(200);
      const before = venue().state();
      const { status, body } = await approve(venue(), made, from);
      expect([status, body['message']]).toEqual([
        422,
        `The intent ${made.id} has an approval already.`,
      ]);
      expect(venue().state()).toBe(before);
    },
  );
});

describe('a permit2 approval whose owner has not approved permit2', () => {
  test(
    'is refused with the code 25, and the intent stays Initiated',
    { tags: ['server:swap-affiliate.approvals.code-25'] },
    async () => {
      const venue = await openSwapVenue();
      const user = venue.user('ethereum');
      venue.chains.revoke(USDC_ETHEREUM, user.address);
      const made = await intend(venue);
      const before = venue.state();
      const { status, body } = await approve(venue, made, 'ethereum');
      expect(status).toBe(422);
      expect(body).toEqual({
        code: 25,
        message: expect.stringContaining('permit2') as string,
        entity: 'approval',
      });
      expect(venue.state()).toBe(before);
      expect((await statusOf(venue, made.id))['status']).toBe('Initiated');
    },
  );

  test(
    'is taken as it is once the owner has approved on-chain',
    { tags: ['server:swap-affiliate.approvals.code-25-retry'] },
    async () => {
      const venue = await openSwapVenue();
      const user = venue.user('ethereum');
      venue.chains.revoke(USDC_ETHEREUM, user.address);
      const made = await intend(venue);
      const json = await signedBody(user, made);
      expect((await post(venue, made.id, json)).body['code']).toBe(25);
      venue.chains.approve(USDC_ETHEREUM, user.address);
      expect(await post(venue, made.id, json)).toMatchObject({ status: 200 });
      expect((await statusOf(venue, made.id))['status']).toBe('ApprovalAdded');
    },
  );
});
