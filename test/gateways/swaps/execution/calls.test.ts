import { describe, expect, test } from 'vitest';
import { Decimal } from '../../../../src/clients.ts';
import { micros, US_PER_SECOND } from '../../../../src/platform/time.ts';
import { DEFAULT_SWAP_TERMS } from '../../../../src/swaps/intents/terms.ts';
import {
  BTC,
  openSwapVenue,
  sharedSwapVenue,
  SWAP_TOKENS,
  USDC_ETHEREUM,
  USDC_SOLANA,
  WETH,
} from '../../../server/swaps/kit.ts';
import { executionClientOf } from '../kit.ts';

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
const TERMS = {
  from: { token_id: USDC_ETHEREUM },
  to: { token_id: USDC_SOLANA },
  amount: '250.5',
  slippage_bps: '50',
} as const;

const contractOf = (id: number): string =>
  SWAP_TOKENS.find((token) => token.id === id)?.contract ?? '';

describe('networks and tokens', () => {
  const venue = sharedSwapVenue();

  test(
    'are read, networks by number and tokens by address',
    { tags: ['client:swap-execution.meta.get-networks', 'client:swap-execution.conv.identifiers'] },
    async () => {
      const networks = await executionClientOf(venue()).getNetworks();
      expect(networks.map(({ id, name, type }) => [id, name, type])).toEqual([
        [1, 'Ethereum', 'EVM'],
        [2, 'Tron', 'TRON'],
        [3, 'Bitcoin', 'BITCOIN'],
        [4, 'Solana', 'SOLANA'],
      ]);
      const { data } = await executionClientOf(venue()).getTokens({ q: 'usdc', network_id: 4 });
      expect(data).toMatchObject([{ network_id: 4, contract_address: contractOf(USDC_SOLANA) }]);
    },
  );

  test('are listed in pages', { tags: ['client:swap-execution.meta.get-tokens'] }, async () => {
    const { data, pagination } = await executionClientOf(venue()).getTokens({
      limit: 2,
      offset: 1,
    });
    expect(data).toMatchObject([{ token_id: WETH, symbol: 'ETH', decimals: 18 }, {}]);
    const total = SWAP_TOKENS.filter(({ listed }) => listed).length;
    expect(pagination).toEqual({ limit: 2, offset: 1, pages: Math.ceil(total / 2), total });
  });

  test(
    'give the ids that quotes and intents take',
    { tags: ['client:swap-execution.meta.token-id-usable'] },
    async () => {
      const client = executionClientOf(venue());
      const [network] = await client.getNetworks();
      const { data } = await client.getTokens({ q: 'USDC' });
      const from = data.find(({ network_id: id }) => id === network?.id);
      const to = data.find(({ network_id: id }) => id === 4);
      if (from === undefined || to === undefined) throw new Error('the tokens are listed');
      const request = {
        ...TERMS,
        from: { token_id: from.token_id },
        to: { network_id: to.network_id, token: to.contract_address },
      };
      const quote = await client.getQuote(request);
      expect([quote.from.token_id, quote.to.token_id]).toEqual([USDC_ETHEREUM, USDC_SOLANA]);
      const intent = await client.createIntent({
        ...request,
        from: { ...request.from, address: venue().user('ethereum').address },
        to: { ...request.to, address: venue().user('solana').address },
        refund_address: venue().user('ethereum').address,
      });
      expect(intent.approval_type).toBe('permit2');
    },
  );

  test(
    'health is true, and false where the service says so',
    { tags: ['client:swap-execution.meta.get-health'] },
    async () => {
      const own = await openSwapVenue();
      const client = executionClientOf(own);
      expect(await client.isHealthy()).toBe(true);
      own.service.isHealthy = false;
      expect(await client.isHealthy()).toBe(false);
    },
  );
});

describe('a quote', () => {
  const venue = sharedSwapVenue();

  test(
    'has all its members, lots as bigint that are amount x 10^decimals, its end as a time',
    {
      tags: [
        'client:swap-execution.quotes.post-quotes',
        'client:swap-execution.quotes.record',
        'client:swap-execution.quotes.record-from',
        'client:swap-execution.quotes.record-mid',
        'client:swap-execution.quotes.record-to',
        'client:swap-execution.quotes.id-uuid',
        'client:swap-execution.quotes.expires-at',
        'client:swap-execution.conv.slippage-string',
        'client:swap-execution.conv.decimals-integer',
        'client:swap-execution.conv.paths',
      ],
    },
    async () => {
      const quote = await executionClientOf(venue()).getQuote(TERMS);
      expect(quote).toEqual({
        id: expect.stringMatching(UUID) as string,
        from: {
          network_id: 1,
          token: contractOf(USDC_ETHEREUM),
          token_id: USDC_ETHEREUM,
          amount_lots: 250_500_000n,
          amount_decimals: 6,
        },
        mid: {
          token_id: null,
          token: null,
          token_min_amount: null,
          token_max_amount: null,
          token_decimals: null,
        },
        to: {
          network_id: 4,
          token: contractOf(USDC_SOLANA),
          token_id: USDC_SOLANA,
          min_amount_lots: expect.any(BigInt) as bigint,
          max_amount_lots: expect.any(BigInt) as bigint,
          amount_decimals: 6,
        },
        slippage_bps: '50',
        expires_at: micros(venue().scheduler.now() + DEFAULT_SWAP_TERMS.quoteUs),
      });
      expect(quote.to.min_amount_lots).toBeLessThanOrEqual(quote.to.max_amount_lots);
    },
  );

  test(
    'of amounts that no double holds loses no digit on either way',
    {
      tags: [
        'client:swap-execution.conv.amount-number',
        'client:swap-execution.conv.lots-number-in-quote',
        'client:swap-execution.conv.lots-beyond-2-53',
      ],
    },
    async () => {
      const client = executionClientOf(venue());
      for (const amount of ['12.345678901234567891', '0.123456789012345679']) {
        for (const given of [amount, new Decimal(amount)]) {
          const quote = await client.getQuote({
            ...TERMS,
            from: { token_id: WETH },
            amount: given,
          });
          expect(quote.from.amount_lots).toBe(BigInt(amount.replace('.', '').replace(/^0+/, '')));
          expect(quote.from.amount_decimals).toBe(18);
        }
      }
    },
  );

  test(
    'names tokens by id, or by network and address',
    {
      tags: [
        'client:swap-execution.conv.selector-token-id',
        'client:swap-execution.conv.selector-network-token',
      ],
    },
    async () => {
      const client = executionClientOf(venue());
      const byAddress = {
        from: { network_id: 1, token: contractOf(USDC_ETHEREUM) },
        to: { network_id: 4, token: contractOf(USDC_SOLANA) },
      };
      for (const sides of [byAddress, { from: TERMS.from, to: byAddress.to }, {}]) {
        const quote = await client.getQuote({ ...TERMS, ...sides });
        expect([quote.from.token_id, quote.to.token_id]).toEqual([USDC_ETHEREUM, USDC_SOLANA]);
      }
    },
  );

  test.each<[string, object]>([
    ['from', { from: {} }],
    ['from', { from: { network_id: 1 } }],
    ['to', { to: { token: 'x' } }],
    ['amount', { amount: 250.5 }],
    ['amount', { amount: '0' }],
    ['slippage_bps', { slippage_bps: 50 }],
    ['affiliate_reward', { affiliate_reward: '1' }],
    ['from.prize', { from: { token_id: 10, prize: 1 } }],
  ])('with a wrong %s is not sent: %j', async (field, change) => {
    const call = executionClientOf(venue()).getQuote({ ...TERMS, ...change });
    await expect(call).rejects.toMatchObject({ code: 'request-invalid', field });
  });

  test(
    'that is valid is kept, and one that has expired or is about to is asked for again',
    { tags: ['client:swap-execution.quotes.client-refresh'] },
    async () => {
      const own = await openSwapVenue();
      const client = executionClientOf(own);
      const quote = await client.getQuote(TERMS);
      expect(await client.freshQuote(TERMS, quote)).toBe(quote);
      own.pass(DEFAULT_SWAP_TERMS.quoteUs - US_PER_SECOND);
      expect(await client.freshQuote(TERMS, quote)).toBe(quote);
      own.pass(1);
      const next = await client.freshQuote(TERMS, quote);
      expect(next.id).not.toBe(quote.id);
      expect(next.expires_at).toBeGreaterThan(own.scheduler.now());
      expect((await client.freshQuote(TERMS, undefined)).id).not.toBe(next.id);
    },
  );
});

describe('an intent', () => {
  const venue = sharedSwapVenue();
  const requestFrom = (from: string, token: number) => {
    const user = venue().user(from);
    const to = from === 'solana' ? 'ethereum' : 'solana';
    return {
      from: { token_id: token, address: user.address, public_key: user.publicKey },
      to: {
        token_id: to === 'solana' ? USDC_SOLANA : USDC_ETHEREUM,
        address: venue().user(to).address,
      },
      refund_address: user.address,
      amount: token === BTC ? '0.01' : '250.5',
      slippage_bps: '50',
    };
  };

  test(
    'is made on a quote, and says what to sign until when',
    {
      tags: [
        'client:swap-execution.intents.post-intents',
        'client:swap-execution.intents.result',
        'client:swap-execution.intents.deadline-unit',
      ],
    },
    async () => {
      const client = executionClientOf(venue());
      const quote = await client.getQuote(TERMS);
      const request = { ...requestFrom('ethereum', USDC_ETHEREUM), quote_id: quote.id };
      const intent = await client.createIntent(request);
      expect(intent).toEqual({
        id: expect.stringMatching(UUID) as string,
        deadline_at: micros(venue().scheduler.now() + DEFAULT_SWAP_TERMS.intentUs),
        secret_hash: expect.stringMatching(/^0x[\da-f]{64}$/) as string,
        approval_type: 'permit2',
        params_to_sign: expect.objectContaining({ nonce: expect.anything() as unknown }) as object,
      });
      await expect(client.createIntent(request)).rejects.toMatchObject({ code: 'service-refused' });
    },
  );

  test(
    'needs no quote where the provider asks for none',
    { tags: ['client:swap-execution.intents.quote-id'] },
    async () => {
      const client = executionClientOf(venue());
      const intent = await client.createIntent(requestFrom('ethereum', USDC_ETHEREUM));
      expect(intent.id).toMatch(UUID);
      const strict = await openSwapVenue({ terms: { quoteRequired: ['ethereum'] } });
      const rejected = executionClientOf(strict).createIntent(
        requestFrom('ethereum', USDC_ETHEREUM),
      );
      await expect(rejected).rejects.toMatchObject({ code: 'service-refused' });
    },
  );

  test(
    'from Bitcoin has a PSBT with the inputs to sign, and no deadline',
    {
      tags: [
        'client:swap-execution.intents.result-bitcoin',
        'client:swap-execution.approvals.htlc-params',
      ],
    },
    async () => {
      const intent = await executionClientOf(venue()).createIntent(requestFrom('bitcoin', BTC));
      expect(intent).toEqual({
        id: expect.stringMatching(UUID) as string,
        approval_type: 'htlc',
        params_to_sign: {
          psbt: expect.stringMatching(/^cHNidP/) as string,
          inputs: expect.arrayContaining([0]) as number[],
          memo: expect.stringContaining(intent.id) as string,
        },
      });
    },
  );

  test(
    'has a status with lots as bigint, and null for what is not reached',
    {
      tags: [
        'client:swap-execution.intents.get-intent',
        'client:swap-execution.intents.status-record',
        'client:swap-execution.intents.metadata-record',
        'client:swap-execution.intents.metadata-tx-nulls',
        'client:swap-execution.intents.metadata-before-deposit',
        'client:swap-execution.conv.lots-string-in-status',
        'client:swap-execution.state.created',
      ],
    },
    async () => {
      const client = executionClientOf(venue());
      const quote = await client.getQuote(TERMS);
      const request = { ...requestFrom('ethereum', USDC_ETHEREUM), quote_id: quote.id };
      const { id } = await client.createIntent(request);
      expect(await client.getIntent(id)).toEqual({
        intent_id: id,
        status: 'Created',
        state: 'created',
        isFinal: false,
        from_amount_lots: 250_500_000n,
        from_network_id: 1,
        from_token: contractOf(USDC_ETHEREUM),
        from_token_id: USDC_ETHEREUM,
        to_network_id: 4,
        to_token: contractOf(USDC_SOLANA),
        to_token_id: USDC_SOLANA,
        to_min_amount_lots: quote.to.min_amount_lots,
        to_max_amount_lots: quote.to.max_amount_lots,
        swap_metadata: {
          id: expect.any(String) as string,
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
      });
    },
  );

  test.each(['', '.', '..', 'a\uD800'])('is not asked for by %j', async (id) => {
    const client = executionClientOf(venue());
    await expect(client.getIntent(id)).rejects.toMatchObject({
      code: 'request-invalid',
      field: 'intent_id',
    });
  });
});
