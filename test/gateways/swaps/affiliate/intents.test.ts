import { describe, expect, test } from 'vitest';
import {
  ServiceError,
  type AffiliateSwapClient,
  type AgreedTerms,
  type TokenToAllow,
} from '../../../../src/clients.ts';
import { micros, US_PER_DAY } from '../../../../src/platform/time.ts';
import { DEFAULT_SWAP_TERMS } from '../../../../src/swaps/intents/terms.ts';
import {
  openSwapVenue,
  sharedSwapVenue,
  USDC_ETHEREUM,
  type SwapVenue,
} from '../../../server/swaps/kit.ts';
import { CHAINS, quoteBody, type Chain } from '../../../server/swaps/affiliate/kit.ts';
import { answer, openRawService } from '../../trading/kit/raw-service.ts';
import { affiliateClient, affiliateClientOf, networkOf, signerOf, thrownBy } from '../kit.ts';
import { eachRow } from '../../../conformance/each-row.ts';

const byHand = { resolver: { byHand: true } };
const EVERY = Object.keys(CHAINS) as Chain[];
const elsewhere = (from: Chain): Chain => (from === 'solana' ? 'ethereum' : 'solana');

/** Makes an intent, with what its user agrees to. */
async function intend(
  venue: SwapVenue,
  client: AffiliateSwapClient,
  from: Chain = 'ethereum',
  retail?: string,
) {
  const to = elsewhere(from);
  const user = venue.user(from);
  const { amount, swap_type: _, ...terms } = quoteBody(from, to);
  const quote = await client.getBestQuote({ ...terms, amount: String(amount) });
  const destination = venue.user(to).address;
  const intent = await client.createIntent({
    quote_id: quote.id,
    refund_address: user.address,
    user_destination_address: destination,
    user_source_address: user.address,
    user_source_public_key: user.publicKey,
    retail_user_id: retail,
  });
  const agreed: AgreedTerms = {
    network: networkOf(from),
    token: quote.source_token,
    lots: quote.source_amount_lots,
    from: user.address,
    destination: {
      network: quote.dest_chain,
      token: quote.dest_token,
      address: destination,
      leastLots: quote.min_dest_amount_lots,
    },
  };
  return { quote, intent, agreed, signer: signerOf(user), id: intent.intent_id };
}

describe('an intent', () => {
  const venue = sharedSwapVenue(byHand);

  test(
    'says what to sign until when',
    {
      tags: [
        'client:swap-affiliate.intents.post-intents',
        'client:swap-affiliate.intents.result',
        'client:swap-affiliate.intents.deadline-secs',
      ],
    },
    async () => {
      const { intent } = await intend(venue(), affiliateClientOf(venue()));
      expect(intent).toEqual({
        intent_id: expect.stringMatching(/^[\da-f-]{36}$/) as string,
        deadline_secs: micros(venue().scheduler.now() + DEFAULT_SWAP_TERMS.intentUs),
        secret_hash: expect.stringMatching(/^0x[\da-f]{64}$/) as string,
        approval_mechanism: 'permit2',
        params_to_sign: expect.any(Object) as object,
      });
    },
  );

  test.each<[Chain, string, readonly string[]]>([
    [
      'ethereum',
      'permit2',
      [
        'additional_data',
        'escrow_contract_address',
        'nonce',
        'permit2_contract_address',
        'resolver_deposit_address',
      ],
    ],
    ['bitcoin', 'psbt', ['inputs', 'memo', 'psbt']],
    ['solana', 'cosign', ['transaction']],
  ])(
    'from %s has the parameters of %s',
    { tags: ['client:swap-affiliate.intents.params-to-sign'] },
    async (from, form, members) => {
      const { intent } = await intend(venue(), affiliateClientOf(venue()), from);
      expect(intent.approval_mechanism).toBe(form);
      expect(Object.keys(intent.params_to_sign).sort()).toEqual(members);
    },
  );

  test(
    'from Bitcoin has neither deadline nor secret',
    { tags: ['client:swap-affiliate.intents.result-bitcoin'] },
    async () => {
      const { intent } = await intend(venue(), affiliateClientOf(venue()), 'bitcoin');
      expect(Object.keys(intent).sort()).toEqual([
        'approval_mechanism',
        'intent_id',
        'params_to_sign',
      ]);
    },
  );

  test(
    'has a status with lots as bigint and null for what is not reached',
    {
      tags: [
        'client:swap-affiliate.intents.get-status',
        'client:swap-affiliate.intents.status-record',
        'client:swap-affiliate.intents.metadata',
        'client:swap-affiliate.state.initiated',
      ],
    },
    async () => {
      const client = affiliateClientOf(venue());
      const { id, quote } = await intend(venue(), client);
      expect(await client.getStatus(id)).toEqual({
        intent_id: id,
        status: 'Initiated',
        state: 'created',
        isFinal: false,
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
        source_amount_lots: 250_500_000n,
        source_chain: 1,
        source_token: quote.source_token,
        dest_amount_decimals: 6,
        dest_chain: 4,
        dest_token: quote.dest_token,
        min_dest_amount_lots: quote.min_dest_amount_lots,
        max_dest_amount_lots: quote.max_dest_amount_lots,
      });
    },
  );

  test.each(EVERY)(
    'from %s is approved by the form that it asks for',
    {
      tags: [
        'client:swap-affiliate.approvals.post-approvals',
        'client:swap-affiliate.intents.client-branches-on-form',
        'client:swap-affiliate.state.approval-added',
      ],
    },
    async (from) => {
      const client = affiliateClientOf(venue());
      const { id, intent, agreed, signer } = await intend(venue(), client, from);
      await client.approve(intent, agreed, signer);
      expect(await client.getStatus(id)).toMatchObject({
        status: 'ApprovalAdded',
        state: 'approved',
      });
    },
  );

  test.each(['htlc', 'psbt'])(
    'of Bitcoin may be called %s',
    { tags: ['client:swap-affiliate.intents.bitcoin-form-value'] },
    async (approval_mechanism) => {
      const client = affiliateClientOf(venue());
      const { id, intent, agreed, signer } = await intend(venue(), client, 'bitcoin');
      await client.approve({ ...intent, approval_mechanism }, agreed, signer);
      expect(await client.getStatus(id)).toMatchObject({ status: 'ApprovalAdded' });
    },
  );

  test(
    'of a form that nobody knows is refused, and nothing is sent',
    { tags: ['client:swap-affiliate.intents.client-branches-on-form'] },
    async () => {
      const client = affiliateClientOf(venue());
      const { id, intent, agreed, signer } = await intend(venue(), client);
      const strange = { ...intent, approval_mechanism: 'telepathy' };
      const error = await thrownBy(client.approve(strange, agreed, signer));
      expect(error).toMatchObject({ code: 'approval-refused' });
      expect(await client.getStatus(id)).toMatchObject({ status: 'Initiated' });
    },
  );

  test(
    'is found in the history of its retail user',
    {
      tags: [
        'client:swap-affiliate.intents.retail-user-id',
        'client:swap-affiliate.history.get-history',
        'client:swap-affiliate.history.retail-id',
      ],
    },
    async () => {
      const client = affiliateClientOf(venue());
      const { id } = await intend(venue(), client, 'ethereum', 'anna');
      const history = await client.getHistory({ retail_id: 'anna' });
      expect(history).toMatchObject({ limit: 10, offset: 0, total: 1, pages: 1 });
      expect(history.items).toEqual([await client.getStatus(id)]);
      expect((await client.getHistory({ retail_id: 'nobody' })).items).toEqual([]);
    },
  );
});

describe('an approval', () => {
  eachRow('', [
    [
      'client:swap-affiliate.approvals.permit2',
      { form: 'permit2', signature: '0xab' } as const,
      { type: 'permit2', signed_data: '0xab' },
    ],
    [
      'client:swap-affiliate.approvals.psbt',
      { form: 'htlc', psbt: 'cHNidP8=' } as const,
      { type: 'psbt', signed_data: 'cHNidP8=' },
    ],
    [
      'client:swap-affiliate.approvals.cosign',
      { form: 'cosign', transaction: 'ab', userAddress: 'me' } as const,
      { type: 'cosign', signed_data: { transaction: 'ab', user_address: 'me' } },
    ],
  ])(
    'is handed over under its type, and answered with the id',
    {
      tags: [
        'client:swap-affiliate.approvals.type-values',
        'client:swap-affiliate.approvals.result-body',
      ],
    },
    async (signed, body) => {
      const service = await openRawService(answer(200, { intent_id: 'i-1' }));
      const added = await affiliateClient(service.url).addApproval('i-1', signed);
      expect(JSON.parse(service.last.body)).toEqual(body);
      expect(service.last.target).toBe('/affiliate/v1/intents/i-1/approvals');
      expect(added).toEqual({ intent_id: 'i-1' });
    },
  );

  test(
    'that permit2 is not allowed for is an error of its own',
    { tags: ['client:swap-affiliate.error.code-25-shape'] },
    async () => {
      const venue = await openSwapVenue(byHand);
      const client = affiliateClientOf(venue);
      const { id, intent, agreed, signer } = await intend(venue, client);
      venue.chains.revoke(USDC_ETHEREUM, agreed.from);
      const error = await thrownBy(client.approve(intent, agreed, signer));
      expect(error).toBeInstanceOf(ServiceError);
      expect(error).toMatchObject({
        code: 'service-refused',
        serviceCode: 25,
        class: 'token-unapproved',
      });
      const other = await thrownBy(client.addApproval(id, { form: 'permit2', signature: '0xab' }));
      expect(other).toMatchObject({ code: 'service-refused', class: 'refused' });
    },
  );

  test(
    'succeeds once permit2 is allowed, by asking again or automatically',
    { tags: ['client:swap-affiliate.approvals.code-25-retry'] },
    async () => {
      const venue = await openSwapVenue(byHand);
      const client = affiliateClientOf(venue);
      const { id, intent, agreed, signer } = await intend(venue, client);
      venue.chains.revoke(USDC_ETHEREUM, agreed.from);
      const asked: TokenToAllow[] = [];
      await client.approve(intent, agreed, signer, {
        allow: async (what) => {
          asked.push(what);
          venue.chains.approve(USDC_ETHEREUM, what.owner);
        },
      });
      expect(asked).toEqual([
        {
          token: agreed.token,
          owner: agreed.from,
          spender: intent.params_to_sign['permit2_contract_address'],
        },
      ]);
      expect(await client.getStatus(id)).toMatchObject({ status: 'ApprovalAdded' });
      const second = await intend(venue, client);
      venue.chains.revoke(USDC_ETHEREUM, agreed.from);
      const call = async () => client.approve(second.intent, second.agreed, second.signer);
      expect(await thrownBy(call())).toMatchObject({ serviceCode: 25 });
      venue.chains.approve(USDC_ETHEREUM, agreed.from);
      await call();
      expect(await client.getStatus(second.id)).toMatchObject({ status: 'ApprovalAdded' });
    },
  );
});

describe('the history', () => {
  test(
    'is asked for by wallets, by page, and of active swaps alone',
    {
      tags: [
        'client:swap-affiliate.history.wallet-repeat',
        'client:swap-affiliate.history.active-filter',
        'client:swap-affiliate.history.limit-offset',
      ],
    },
    async () => {
      const venue = await openSwapVenue(byHand);
      const client = affiliateClientOf(venue);
      const [one, two, three] = [
        await intend(venue, client, 'ethereum'),
        await intend(venue, client, 'tron'),
        await intend(venue, client, 'bitcoin'),
      ];
      await client.approve(one.intent, one.agreed, one.signer);
      venue.service.manualActions.decline(one.id, 'no');
      const wallet = [one.agreed.from, two.agreed.from];
      const idsOf = async (query: Parameters<AffiliateSwapClient['getHistory']>[0]) =>
        (await client.getHistory(query)).items.map(({ intent_id }) => intent_id);
      expect(await idsOf({ wallet })).toEqual([two.id, one.id]);
      expect(await idsOf({ wallet: [three.agreed.from] })).toEqual([three.id]);
      expect(await idsOf({ wallet, active: true })).toEqual([two.id]);
      expect(await idsOf({ wallet, limit: 1, offset: 1 })).toEqual([one.id]);
      expect(await client.getHistory({ wallet, limit: 1, offset: 1 })).toMatchObject({
        limit: 1,
        offset: 1,
        total: 2,
        pages: 2,
      });
      const neither = client.getHistory({ active: true });
      expect(await thrownBy(neither)).toMatchObject({ code: 'request-invalid', field: 'wallet' });
    },
  );

  test(
    'repeats the parameter once for each wallet',
    { tags: ['client:swap-affiliate.history.wallet-repeat'] },
    async () => {
      const service = await openRawService(answer(400, {}));
      const client = affiliateClient(service.url);
      await client.getHistory({ wallet: ['a', 'b'], active: true }).catch(() => undefined);
      const query = new URLSearchParams(service.last.target.split('?')[1]);
      expect(query.getAll('wallet')).toEqual(['a', 'b']);
      expect(query.get('active')).toBe('true');
    },
  );
});

describe('the states of an intent', () => {
  const walked = async () => {
    const venue = await openSwapVenue(byHand);
    const client = affiliateClientOf(venue);
    const { id, intent, agreed, signer } = await intend(venue, client);
    await client.approve(intent, agreed, signer);
    const { manualActions } = venue.service;
    return { venue, client, id, manualActions };
  };

  test(
    'are read on the way to the end',
    {
      tags: [
        'client:swap-affiliate.state.accepted',
        'client:swap-affiliate.state.user-deposited',
        'client:swap-affiliate.state.fulfilled',
      ],
    },
    async () => {
      const { client, id, manualActions } = await walked();
      manualActions.advance(id);
      expect(await client.getStatus(id)).toMatchObject({ status: 'Accepted', state: 'verified' });
      manualActions.advance(id);
      expect(await client.getStatus(id)).toMatchObject({
        status: 'UserDeposited',
        state: 'deposited',
        isFinal: false,
      });
      manualActions.advance(id);
      const end = { status: 'Fulfilled', state: 'finished', isFinal: true };
      expect(await client.follow(id)).toMatchObject(end);
    },
  );

  test(
    'end where the resolver declines',
    { tags: ['client:swap-affiliate.state.declined'] },
    async () => {
      const { client, id, manualActions } = await walked();
      manualActions.decline(id, 'no');
      const end = { status: 'Declined', state: 'failed', isFinal: true };
      expect(await client.follow(id)).toMatchObject(end);
    },
  );

  test('end at the deadline', { tags: ['client:swap-affiliate.state.expired'] }, async () => {
    const { venue, client, id } = await walked();
    venue.pass(US_PER_DAY);
    const end = { status: 'Expired', state: 'expired', isFinal: true };
    expect(await client.follow(id)).toMatchObject(end);
  });

  test(
    'distinguish a refund that was requested from one that was made',
    {
      tags: [
        'client:swap-affiliate.state.refund-requested',
        'client:swap-affiliate.state.refunded',
      ],
    },
    async () => {
      const { client, id, manualActions } = await walked();
      manualActions.advance(id);
      manualActions.advance(id);
      manualActions.requestRefund(id, 'no');
      expect(await client.getStatus(id)).toMatchObject({
        status: 'RefundRequested',
        state: 'refundRequested',
        isFinal: false,
      });
      manualActions.advance(id);
      const end = { status: 'Refunded', state: 'refunded', isFinal: true };
      expect(await client.follow(id)).toMatchObject(end);
    },
  );
});
