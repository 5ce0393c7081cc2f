import { describe, expect, test } from 'vitest';
import { sharedSwapVenue } from '../kit.ts';
import { affiliate, CHAINS, intend, intentBody, quoteBody, statusOf, type Chain } from './kit.ts';

const EVERY = Object.keys(CHAINS) as Chain[];
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

describe('an intent', () => {
  const venue = sharedSwapVenue();

  const quoted = async (from: Chain, to: Chain = from === 'solana' ? 'ethereum' : 'solana') => {
    const { body } = await affiliate(venue(), 'POST', '/quotes/best', {
      json: quoteBody(from, to),
    });
    return intentBody(venue(), String(body['id']), from, to);
  };
  const post = async (json: object) => affiliate(venue(), 'POST', '/intents', { json });

  test(
    'is made of a quote and says what has to be signed until when, in whole seconds',
    {
      tags: [
        'server:swap-affiliate.intents.post-intents',
        'server:swap-affiliate.intents.result',
        'server:swap-affiliate.intents.deadline-secs',
      ],
    },
    async () => {
      const { status, body } = await post({ ...(await quoted('ethereum')), retail_user_id: 'r-1' });
      expect(status).toBe(200);
      expect(body).toEqual({
        intent_id: expect.stringMatching(UUID) as string,
        deadline_secs: expect.any(Number) as number,
        secret_hash: expect.stringMatching(/^0x[\da-f]{64}$/) as string,
        approval_mechanism: 'permit2',
        params_to_sign: expect.any(Object) as object,
      });
      const deadline = Number(body['deadline_secs']);
      expect(Number.isInteger(deadline)).toBe(true);
      expect(deadline).toBeGreaterThan(venue().seconds);
      expect(deadline).toBeLessThan(venue().seconds + 86_400);
    },
  );

  test.each<[Chain, string, readonly string[]]>([
    [
      'ethereum',
      'permit2',
      [
        'escrow_contract_address',
        'permit2_contract_address',
        'resolver_deposit_address',
        'nonce',
        'additional_data',
      ],
    ],
    [
      'tron',
      'permit2',
      [
        'escrow_contract_address',
        'permit2_contract_address',
        'resolver_deposit_address',
        'nonce',
        'additional_data',
      ],
    ],
    ['bitcoin', 'psbt', ['psbt', 'inputs', 'memo']],
    ['solana', 'cosign', ['transaction']],
  ])(
    'from %s asks for %s with its members',
    {
      tags: [
        'server:swap-affiliate.intents.form-by-chain',
        'server:swap-affiliate.intents.params-to-sign',
        'server:swap-affiliate.intents.bitcoin-form-value',
      ],
    },
    async (from, form, members) => {
      const { body } = await post(await quoted(from));
      expect(body['approval_mechanism']).toBe(form);
      const params = body['params_to_sign'] as Readonly<Record<string, unknown>>;
      expect(Object.keys(params).sort()).toEqual([...members].sort());
      if (form === 'permit2') {
        expect(Object.keys(params['additional_data'] as object)).toEqual(
          expect.arrayContaining([
            ...['domain', 'types', 'witness', 'witness_type_string', 'witness_hash'],
          ]),
        );
        expect(typeof params['nonce'] === 'number' || /^\d+$/.test(String(params['nonce']))).toBe(
          true,
        );
      }
    },
  );

  test(
    'from Bitcoin has neither deadline nor secret',
    { tags: ['server:swap-affiliate.intents.result-bitcoin'] },
    async () => {
      const { body } = await post(await quoted('bitcoin'));
      expect(Object.keys(body).sort()).toEqual([
        'approval_mechanism',
        'intent_id',
        'params_to_sign',
      ]);
    },
  );

  test.each(EVERY)(
    'from %s needs a public key on Bitcoin and Solana alone',
    { tags: ['server:swap-affiliate.intents.public-key-required'] },
    async (from) => {
      const { user_source_public_key: _, ...without } = await quoted(from);
      const before = venue().state();
      const { status, body } = await post(without);
      if (from === 'ethereum' || from === 'tron') {
        expect(status).toBe(200);
        return;
      }
      expect([status, body['message']]).toEqual([400, 'body.user_source_public_key is required']);
      expect(venue().state()).toBe(before);
    },
  );

  test.each(['quote_id', 'refund_address', 'user_destination_address', 'user_source_address'])(
    'without %s is refused',
    { tags: ['server:swap-affiliate.intents.members-required'] },
    async (member) => {
      const whole = await quoted('ethereum');
      const before = venue().state();
      for (const value of [undefined, null, '']) {
        expect(await post({ ...whole, [member]: value })).toMatchObject({
          status: 400,
          body: { message: `body.${member} is required`, entity: 'intent' },
        });
      }
      expect(venue().state()).toBe(before);
      expect((await post(whole)).status).toBe(200);
    },
  );

  test(
    'on a quote that is not there, or is of another partner, is refused',
    { tags: ['server:swap-affiliate.intents.unknown-quote'] },
    async () => {
      const whole = await quoted('ethereum');
      const before = venue().state();
      const unknown = { ...whole, quote_id: '00000000-0000-4000-8000-000000000000' };
      const rejection = { status: 422, body: { code: 422, entity: 'quote' } };
      expect(await post(unknown)).toMatchObject(rejection);
      const headers = { 'x-api-key': 'another-affiliate-key' };
      const foreign = await affiliate(venue(), 'POST', '/intents', { json: whole, headers });
      expect(foreign).toMatchObject(rejection);
      expect(venue().state()).toBe(before);
    },
  );

  test(
    'may name a retail user, which changes nothing but the history',
    { tags: ['server:swap-affiliate.intents.retail-user-id'] },
    async () => {
      const known = await intend(venue(), 'ethereum', 'solana', { retail_user_id: 'somebody' });
      const nameless = await intend(venue());
      const differing = Object.keys(known.intent).filter((name) => !(name in nameless.intent));
      expect(differing).toEqual([]);
      const ids = async (query: string) => {
        const { body } = await affiliate(venue(), 'GET', `/swaps/history?${query}`);
        return (body['items'] as { intent_id: string }[]).map(({ intent_id }) => intent_id);
      };
      expect(await ids('retail_id=somebody')).toEqual([known.id]);
      const wallet = venue().user('ethereum').address;
      expect(await ids(`wallet=${wallet}&limit=100`)).toEqual(
        expect.arrayContaining([known.id, nameless.id]),
      );
    },
  );
});

describe('the status of an intent', () => {
  const venue = sharedSwapVenue();

  test(
    'has what the quote has, and the stages that were reached',
    {
      tags: [
        'server:swap-affiliate.intents.get-status',
        'server:swap-affiliate.intents.status-record',
        'server:swap-affiliate.intents.metadata',
      ],
    },
    async () => {
      const { id, quote } = await intend(venue());
      expect(await statusOf(venue(), id)).toEqual({
        intent_id: id,
        status: 'Initiated',
        swap_metadata: {
          id,
          proxy_address: null,
          user_deposit_tx: null,
          fulfill_tx: null,
          swap_tx: null,
          created_at: '2026-01-05T10:00:00Z',
          user_deposited_at: null,
          fulfilled_at: null,
          swapped_at: null,
          refunded_at: null,
        },
        source_amount_decimals: 6,
        source_amount_lots: '250500000',
        source_chain: 1,
        source_token: quote['source_token'],
        dest_amount_decimals: 6,
        dest_chain: 4,
        dest_token: quote['dest_token'],
        min_dest_amount_lots: quote['min_dest_amount_lots'],
        max_dest_amount_lots: quote['max_dest_amount_lots'],
      });
    },
  );

  test(
    'that is not there, or of another partner, is an error',
    { tags: ['server:swap-affiliate.intents.get-status-unknown'] },
    async () => {
      const { id } = await intend(venue());
      const headers = { 'x-api-key': 'another-affiliate-key' };
      for (const answer of [
        await affiliate(venue(), 'GET', '/intents/none/status'),
        await affiliate(venue(), 'GET', `/intents/${id}/status`, { headers }),
      ]) {
        expect(answer).toMatchObject({ status: 404, body: { code: 404, entity: 'intent' } });
      }
    },
  );
});
