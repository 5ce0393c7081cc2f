import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { AffiliateSwapClient, Decimal } from '../../../../src/clients.ts';
import { micros } from '../../../../src/platform/time.ts';
import { DEFAULT_SWAP_TERMS } from '../../../../src/swaps/intents/terms.ts';
import {
  AFFILIATE_KEY,
  openSwapVenue,
  sharedSwapVenue,
  SWAP_TOKENS,
} from '../../../server/swaps/kit.ts';
import { quoteBody, type Chain } from '../../../server/swaps/affiliate/kit.ts';
import { answer, openRawService } from '../../trading/kit/raw-service.ts';
import { affiliateClient, affiliateClientOf, thrownBy } from '../kit.ts';

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
const WETH = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2';
const UNLISTED = 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB';

const termsOf = (from: Chain = 'ethereum', to: Chain = 'solana') => {
  const { swap_type: _, amount, ...terms } = quoteBody(from, to);
  return { ...terms, amount: String(amount) };
};
const INTENT = {
  quote_id: 'q-1',
  refund_address: 'back',
  user_destination_address: 'theirs',
  user_source_address: 'mine',
};

describe('every request of the Affiliate surface', () => {
  test(
    'goes below /affiliate/v1 with the plain key that the client was given once, and no signature',
    {
      tags: [
        'client:swap-affiliate.conv.paths',
        'client:swap-affiliate.auth.api-key',
        'client:swap-affiliate.auth.api-key-header',
      ],
    },
    async () => {
      const service = await openRawService(answer(400, {}));
      const client = affiliateClient(service.url, { apiKey: 'given-once' });
      const calls = [
        client.getNetworks(),
        client.getTokens(),
        client.getBestQuote(termsOf()),
        client.createIntent(INTENT),
        client.addApproval('i-1', { form: 'permit2', signature: '0x00' }),
        client.getStatus('i-1'),
        client.getHistory({ retail_id: 'r' }),
      ];
      await Promise.allSettled(calls);
      expect(service.requests).toHaveLength(calls.length);
      for (const { target, headers, body } of service.requests) {
        expect(target).toMatch(/^\/affiliate\/v1\//);
        expect(headers['x-api-key']).toBe('given-once');
        expect(Object.keys(headers).filter((name) => name.startsWith('x-'))).toEqual(['x-api-key']);
        if (body !== '') expect(() => JSON.parse(body) as unknown).not.toThrow();
      }
    },
  );

  test(
    'has no field for a reward, and none can be given',
    { tags: ['client:swap-affiliate.conv.no-reward-field'] },
    async () => {
      const service = await openRawService(answer(400, {}));
      const client = affiliateClient(service.url);
      await Promise.allSettled([client.getBestQuote(termsOf()), client.createIntent(INTENT)]);
      const sent = service.requests.map(({ body }) =>
        Object.keys(JSON.parse(body) as object).sort(),
      );
      expect(sent.sort()).toEqual(
        [
          [
            'amount',
            'dest_chain',
            'dest_token',
            'slippage_bps',
            'source_chain',
            'source_token',
            'swap_type',
          ],
          Object.keys(INTENT).sort(),
        ].sort(),
      );
      const quote = async () =>
        client.getBestQuote({ ...termsOf(), affiliate_reward: '1' } as never);
      const intent = async () => client.createIntent({ ...INTENT, reward: '1' } as never);
      for (const call of [quote, intent]) {
        expect(await thrownBy(call())).toMatchObject({ code: 'request-invalid' });
      }
      expect(service.requests).toHaveLength(2);
    },
  );

  test('shows the key nowhere but in its header', async () => {
    const service = await openRawService((request, socket) => {
      const message = `key ${request.headers['x-api-key']} is unknown`;
      answer(401, { code: 401, message, entity: 'key' })(request, socket);
    });
    const client = affiliateClient(service.url);
    const error = await thrownBy(client.getNetworks());
    for (const shown of [client, error]) {
      expect(inspect(shown, { depth: 9, showHidden: true })).not.toContain(AFFILIATE_KEY);
    }
    expect(error).toMatchObject({ serviceMessage: 'key [secret] is unknown' });
    for (const apiKey of ['', 'with blank', 'line\nbreak']) {
      expect(() => new AffiliateSwapClient({ url: service.url, apiKey })).toThrow(
        expect.objectContaining({ code: 'config-invalid', field: 'apiKey' }) as Error,
      );
    }
  });
});

describe('networks and tokens', () => {
  const venue = sharedSwapVenue();

  test(
    'are read with all members',
    {
      tags: [
        'client:swap-affiliate.meta.get-networks',
        'client:swap-affiliate.meta.network-record',
      ],
    },
    async () => {
      const networks = await affiliateClientOf(venue()).getNetworks();
      expect(networks).toHaveLength(4);
      expect(networks[0]).toEqual({
        id: 1,
        name: 'Ethereum',
        type: 'EVM',
        supports_optimized_swap: false,
        icon_url: '',
        supports_custom_tokens: false,
      });
    },
  );

  test(
    'of a network that supports custom tokens need not be listed to be quoted',
    { tags: ['client:swap-affiliate.meta.custom-tokens'] },
    async () => {
      const client = affiliateClientOf(venue());
      const custom = (await client.getNetworks()).find((one) => one.supports_custom_tokens);
      expect(custom?.name).toBe('Solana');
      const { data } = await client.getTokens({ network_id: custom?.id });
      expect(data.map(({ contract_address }) => contract_address)).not.toContain(UNLISTED);
      const quote = await client.getBestQuote({ ...termsOf(), dest_token: UNLISTED });
      expect(quote.dest_token).toBe(UNLISTED);
    },
  );

  test(
    'are read as data and pagination',
    {
      tags: [
        'client:swap-affiliate.meta.get-tokens',
        'client:swap-affiliate.meta.token-record',
        'client:swap-affiliate.meta.pagination-object',
        'client:swap-affiliate.conv.identifiers',
      ],
    },
    async () => {
      const { data, pagination } = await affiliateClientOf(venue()).getTokens();
      const total = SWAP_TOKENS.filter(({ listed }) => listed).length;
      expect(pagination).toEqual({ limit: 100, offset: 0, pages: 1, total });
      expect(data).toHaveLength(total);
      expect(data[0]).toEqual({
        network_id: 1,
        name: 'USDC',
        symbol: 'USDC',
        icon_url: '',
        contract_address: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
        wrapped_token_address: null,
      });
    },
  );

  test(
    'say by which contract they must be wrapped',
    { tags: ['client:swap-affiliate.meta.token-wrapped'] },
    async () => {
      const { data } = await affiliateClientOf(venue()).getTokens({ q: 'Ether', network_id: 1 });
      expect(data.map((one) => one.wrapped_token_address)).toContain(WETH);
    },
  );

  test(
    'are asked for by page',
    { tags: ['client:swap-affiliate.meta.tokens-limit-offset'] },
    async () => {
      const client = affiliateClientOf(venue());
      const all = await client.getTokens();
      const page = await client.getTokens({ limit: 2, offset: 3 });
      expect(page.data).toEqual(all.data.slice(3, 5));
      expect(page.pagination).toMatchObject({ limit: 2, offset: 3 });
    },
  );

  test('are searched by a word', { tags: ['client:swap-affiliate.meta.tokens-q'] }, async () => {
    const { data } = await affiliateClientOf(venue()).getTokens({ q: 'tether' });
    expect(data.map(({ symbol }) => symbol)).toEqual(['USDT']);
  });

  test(
    'are filtered by network',
    { tags: ['client:swap-affiliate.meta.tokens-network-filter'] },
    async () => {
      const { data } = await affiliateClientOf(venue()).getTokens({ network_id: 4 });
      expect(data.map(({ symbol }) => symbol)).toEqual(['USDC', 'SOL']);
    },
  );
});

test(
  'the service is live, or not where it answers 500',
  {
    tags: [
      'client:swap-affiliate.meta.get-system-live',
      'client:swap-affiliate.meta.system-live-500',
    ],
  },
  async () => {
    const venue = await openSwapVenue();
    const client = affiliateClientOf(venue);
    expect(await client.isLive()).toBe(true);
    venue.service.isHealthy = false;
    expect(await client.isLive()).toBe(false);
  },
);

describe('a best quote', () => {
  const venue = sharedSwapVenue();

  test(
    'is read with all members, lots as bigint that are amount x 10^decimals',
    {
      tags: [
        'client:swap-affiliate.quotes.post-quotes-best',
        'client:swap-affiliate.quotes.record',
        'client:swap-affiliate.quotes.expiry',
        'client:swap-affiliate.quotes.swap-type',
        'client:swap-affiliate.conv.lots-string',
        'client:swap-affiliate.conv.decimals-integer',
      ],
    },
    async () => {
      const client = affiliateClientOf(venue());
      const quote = await client.getBestQuote({ ...termsOf(), retail_user_id: 'r-1' });
      expect(quote).toEqual({
        id: expect.stringMatching(UUID) as string,
        source_chain: 1,
        source_token: termsOf().source_token,
        dest_chain: 4,
        dest_token: termsOf().dest_token,
        intermediate_token: null,
        intermediate_token_amount_min: null,
        intermediate_token_amount_max: null,
        intermediate_token_decimals: null,
        source_amount_lots: 250_500_000n,
        source_amount_decimals: 6,
        min_dest_amount_lots: expect.any(BigInt) as bigint,
        max_dest_amount_lots: expect.any(BigInt) as bigint,
        dest_amount_decimals: 6,
        slippage_bps: '50',
        swap_type: 'standard',
        expiry: micros(venue().scheduler.now() + DEFAULT_SWAP_TERMS.quoteUs),
      });
    },
  );

  test(
    'is asked for with the amount as a JSON number and basis points as text',
    { tags: ['client:swap-affiliate.conv.amount-number'] },
    async () => {
      const service = await openRawService(answer(400, {}));
      const amount = new Decimal('12.345678901234567891');
      const raw = affiliateClient(service.url);
      await raw.getBestQuote({ ...termsOf(), amount, slippage_bps: '5' }).catch(() => undefined);
      expect(service.last.body).toContain('"amount":12.345678901234567891,');
      expect(service.last.body).toContain('"slippage_bps":"5"');
      const client = affiliateClientOf(venue());
      const quote = await client.getBestQuote({ ...termsOf(), source_token: WETH, amount });
      expect(quote.source_amount_lots).toBe(12_345_678_901_234_567_891n);
    },
  );

  test(
    'names its route',
    { tags: ['client:swap-affiliate.quotes.intermediate-fields'] },
    async () => {
      const terms = { ...termsOf('bitcoin'), dest_chain: 1, dest_token: WETH };
      const quote = await affiliateClientOf(venue()).getBestQuote(terms);
      expect(quote).toMatchObject({
        intermediate_token: termsOf().source_token,
        intermediate_token_amount_min: expect.any(BigInt) as bigint,
        intermediate_token_amount_max: expect.any(BigInt) as bigint,
        intermediate_token_decimals: 6,
      });
    },
  );

  test(
    'that has expired is asked for again before an intent is made of it',
    { tags: ['client:swap-affiliate.quotes.client-refresh'] },
    async () => {
      const own = await openSwapVenue();
      const client = affiliateClientOf(own);
      const quote = await client.getBestQuote(termsOf());
      expect(await client.freshQuote(termsOf(), quote)).toBe(quote);
      own.pass(DEFAULT_SWAP_TERMS.quoteUs + 1_000);
      const next = await client.freshQuote(termsOf(), quote);
      expect(next.id).not.toBe(quote.id);
      const user = own.user('ethereum').address;
      const users = {
        refund_address: user,
        user_source_address: user,
        user_destination_address: own.user('solana').address,
      };
      const expired = client.createIntent({ ...users, quote_id: quote.id });
      expect(await thrownBy(expired)).toMatchObject({
        code: 'service-refused',
        description: 'quote',
      });
      const intent = await client.createIntent({ ...users, quote_id: next.id });
      expect(intent.intent_id).toMatch(UUID);
    },
  );
});

describe('errors', () => {
  const venue = sharedSwapVenue();

  test(
    'have a number, a message and the affected field',
    { tags: ['client:swap-affiliate.error.body-shape'] },
    async () => {
      const client = affiliateClientOf(venue());
      expect(await thrownBy(client.getStatus('none'))).toMatchObject({
        code: 'service-refused',
        serviceCode: 404,
        httpStatus: 404,
        class: 'bad-request',
        description: 'intent',
        serviceMessage: 'There is no intent none.',
      });
      const stranger = affiliateClient(venue().base, { apiKey: 'nobodys' });
      expect(await thrownBy(stranger.getNetworks())).toMatchObject({
        code: 'service-refused',
        serviceCode: 401,
        class: 'authorization',
        description: 'key',
      });
    },
  );
});
