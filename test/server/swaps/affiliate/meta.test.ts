import { describe, expect, test } from 'vitest';
import { HIDDEN, openSwapVenue, SWAP_TOKENS, sharedSwapVenue } from '../kit.ts';
import { affiliate, intend, quoteBody } from './kit.ts';

const LISTED = SWAP_TOKENS.filter(({ listed }) => listed);

describe('the door of the Affiliate surface', () => {
  const venue = sharedSwapVenue();

  test(
    'stands below /affiliate/v1, and answers in JSON, errors too',
    { tags: ['server:swap-affiliate.conv.paths'] },
    async () => {
      expect(await affiliate(venue(), 'GET', '/networks')).toMatchObject({ status: 200 });
      for (const path of ['/v1/networks/', '/affiliate/networks', '/affiliate/v2/networks']) {
        const headers = { 'x-api-key': 'affiliate-key-of-the-test' };
        const { status } = await fetch(venue().base + path, { headers });
        expect([401, 404]).toContain(status);
      }
      const unknown = await fetch(`${venue().base}/affiliate/v1/nothing`);
      expect(unknown.status).toBe(404);
      expect(unknown.headers.get('content-type')).toMatch(/^application\/json/);
      const noJson = await affiliate(venue(), 'POST', '/quotes/best', { text: 'amount=1' });
      expect(noJson).toMatchObject({ status: 400, body: { message: 'body must be JSON' } });
    },
  );

  test.each([
    ['without a key', {}],
    ['with an empty key', { 'x-api-key': '' }],
    ['with a key that nobody has', { 'x-api-key': 'no-such-key' }],
    ['with the key as a token of another header', { authorization: 'affiliate-key-of-the-test' }],
  ])(
    'is shut %s, on every call',
    { tags: ['server:swap-affiliate.auth.missing-key', 'server:swap-affiliate.auth.api-key'] },
    async (_, headers) => {
      const before = venue().state();
      for (const [method, path] of [
        ['GET', '/networks'],
        ['GET', '/tokens'],
        ['POST', '/quotes/best'],
        ['POST', '/intents'],
        ['POST', '/intents/some/approvals'],
        ['GET', '/intents/some/status'],
        ['GET', '/swaps/history?wallet=x'],
      ] as const) {
        const json = method === 'POST' ? quoteBody() : undefined;
        const answer = await affiliate(venue(), method, path, { headers, json });
        expect(answer).toMatchObject({ status: 401, body: { code: 401, entity: 'key' } });
      }
      expect(venue().state()).toBe(before);
    },
  );

  test(
    'opens for the plain key in X-Api-Key, without any signature',
    { tags: ['server:swap-affiliate.auth.api-key-header'] },
    async () => {
      const headers = { 'X-Api-Key': 'affiliate-key-of-the-test' };
      expect(await affiliate(venue(), 'GET', '/networks', { headers })).toMatchObject({
        status: 200,
      });
    },
  );

  test(
    'words errors as a number, a short message and what they are about',
    { tags: ['server:swap-affiliate.error.body-shape'] },
    async () => {
      const errors = [
        [await affiliate(venue(), 'GET', '/nothing'), 404, 'request'],
        [await affiliate(venue(), 'GET', '/intents/none/status'), 404, 'intent'],
        [await affiliate(venue(), 'POST', '/quotes/best', { json: {} }), 400, 'quote'],
        [await affiliate(venue(), 'GET', '/tokens?limit=x'), 400, 'token'],
      ] as const;
      for (const [{ status, body }, code, entity] of errors) {
        expect(status).toBe(code);
        expect(body).toEqual({
          code,
          message: expect.stringMatching(/^\S.{5,}/) as string,
          entity,
        });
      }
    },
  );

  test('takes no body of a request for an answer of its own', async () => {
    const json = { kind: 'failure', status: 200, body: { mine: true } };
    expect(await affiliate(venue(), 'POST', '/quotes/best', { json })).toMatchObject({
      status: 400,
    });
  });
});

describe('networks', () => {
  const venue = sharedSwapVenue();

  test(
    'are an array of records',
    {
      tags: [
        'server:swap-affiliate.meta.get-networks',
        'server:swap-affiliate.meta.network-record',
      ],
    },
    async () => {
      const { body } = await affiliate(venue(), 'GET', '/networks');
      expect(body).toEqual(
        [
          [1, 'Ethereum', 'EVM'],
          [2, 'Tron', 'TRON'],
          [3, 'Bitcoin', 'BITCOIN'],
          [4, 'Solana', 'SOLANA'],
        ].map(([id, name, type]) => ({
          id,
          name,
          type,
          supports_optimized_swap: false,
          icon_url: '',
          supports_custom_tokens: name === 'Solana',
        })),
      );
    },
  );

  test(
    'that support custom tokens swap those that are not listed, others do not',
    { tags: ['server:swap-affiliate.meta.custom-tokens'] },
    async () => {
      const unlisted = 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB';
      const { text } = await affiliate(venue(), 'GET', '/tokens');
      expect(text).not.toContain(unlisted);
      const custom = { ...quoteBody(), dest_token: unlisted };
      expect(await affiliate(venue(), 'POST', '/quotes/best', { json: custom })).toMatchObject({
        status: 200,
        body: { dest_token: unlisted },
      });
      const hidden = SWAP_TOKENS.find(({ id }) => id === HIDDEN)?.contract;
      const json = { ...quoteBody('solana', 'ethereum'), dest_token: hidden };
      expect(await affiliate(venue(), 'POST', '/quotes/best', { json })).toMatchObject({
        status: 422,
      });
    },
  );
});

describe('tokens', () => {
  const venue = sharedSwapVenue();

  const list = async (query: string) => {
    const { status, body } = await affiliate(venue(), 'GET', `/tokens${query}`);
    expect(status).toBe(200);
    return body as {
      readonly data: readonly Readonly<Record<string, unknown>>[];
      readonly pagination: Readonly<Record<string, number>>;
    };
  };
  const symbols = async (query: string) => (await list(query)).data.map(({ symbol }) => symbol);

  test(
    'are data and pagination, with numbers for networks and text for addresses',
    {
      tags: [
        'server:swap-affiliate.meta.get-tokens',
        'server:swap-affiliate.meta.token-record',
        'server:swap-affiliate.conv.identifiers',
      ],
    },
    async () => {
      const { data, pagination } = await list('');
      expect(data[0]).toEqual({
        network_id: 1,
        name: 'USDC',
        contract_address: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
        symbol: 'USDC',
        icon_url: '',
        wrapped_token_address: null,
      });
      expect(data.map(({ contract_address }) => contract_address)).toEqual(
        LISTED.map(({ contract }) => contract),
      );
      expect(pagination).toEqual({ limit: 100, offset: 0, pages: 1, total: LISTED.length });
    },
  );

  test(
    'that must be wrapped first say by which contract, others null',
    { tags: ['server:swap-affiliate.meta.token-wrapped'] },
    async () => {
      const { data } = await list('');
      const wrapped = data.filter(({ wrapped_token_address: address }) => address !== null);
      expect(wrapped).toMatchObject([
        { symbol: 'ETH', wrapped_token_address: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2' },
      ]);
    },
  );

  test(
    'come in pages that make up the list',
    {
      tags: [
        'server:swap-affiliate.meta.pagination-object',
        'server:swap-affiliate.meta.tokens-limit-offset',
      ],
    },
    async () => {
      const all = await symbols('');
      const total = all.length;
      const pages = Math.ceil(total / 3);
      const found: unknown[] = [];
      for (let offset = 0; offset < total; offset += 3) {
        const { data, pagination } = await list(`?limit=3&offset=${offset}`);
        expect(data).toHaveLength(Math.min(3, total - offset));
        expect(pagination).toEqual({ limit: 3, offset, pages, total });
        found.push(...data.map(({ symbol }) => symbol));
      }
      expect(found).toEqual(all);
      expect(await list(`?offset=${total}`)).toMatchObject({ data: [], pagination: { total } });
    },
  );

  test(
    'refuse a limit beyond 1 to 100 and an offset beyond 0 to 100000',
    { tags: ['server:swap-affiliate.meta.tokens-page-bounds'] },
    async () => {
      for (const query of [
        'limit=0',
        'limit=101',
        'limit=1.5',
        'limit=x',
        'offset=-1',
        'offset=100001',
      ]) {
        const { status, body } = await affiliate(venue(), 'GET', `/tokens?${query}`);
        expect([status, body['code']]).toEqual([400, 400]);
        expect(body['message']).toContain(query.split('=')[0]);
      }
      expect((await list('?limit=100&offset=100000')).data).toEqual([]);
    },
  );

  test(
    'are found by symbol, name and contract address, in capital or small letters',
    { tags: ['server:swap-affiliate.meta.tokens-q'] },
    async () => {
      expect(await symbols('?q=uSdT')).toEqual(['USDT']);
      expect(await symbols('?q=tether')).toEqual(['USDT']);
      expect(await symbols('?q=0xdac17f958d2e')).toEqual(['USDT']);
      expect(await symbols('?q=nothing-like-it')).toEqual([]);
      expect(await symbols('?q=')).toEqual(await symbols(''));
    },
  );

  test(
    'are those of a network where one is asked for',
    { tags: ['server:swap-affiliate.meta.tokens-network-filter'] },
    async () => {
      const { data } = await list('?network_id=4');
      expect(data.map(({ symbol }) => symbol)).toEqual(['USDC', 'SOL']);
      expect(await symbols('?network_id=99')).toEqual([]);
      expect((await affiliate(venue(), 'GET', '/tokens?network_id=x')).status).toBe(400);
    },
  );
});

describe('the liveness of the service', () => {
  const live = async (base: string) => {
    const response = await fetch(`${base}/v1/system/live`);
    return [response.status, await response.text()];
  };

  test(
    'is answered with 200 and no data',
    { tags: ['server:swap-affiliate.meta.get-system-live'] },
    async () => {
      const venue = await openSwapVenue();
      expect(await live(venue.base)).toEqual([200, '']);
    },
  );

  test(
    'is answered with 500 where the system has issues',
    { tags: ['server:swap-affiliate.meta.system-live-500'] },
    async () => {
      const venue = await openSwapVenue();
      await intend(venue);
      venue.service.isHealthy = false;
      expect(await live(venue.base)).toEqual([500, '']);
      venue.service.isHealthy = true;
      expect(await live(venue.base)).toEqual([200, '']);
    },
  );
});
