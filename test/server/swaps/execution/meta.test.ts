import { describe, expect, test } from 'vitest';
import {
  BTC,
  COIN,
  HIDDEN,
  openSwapVenue,
  sharedSwapVenue,
  SOL,
  UNLISTED,
  USDC_ETHEREUM,
  WETH,
} from '../kit.ts';

type Records = readonly Readonly<Record<string, unknown>>[];

const venue = sharedSwapVenue();

describe('liveness', () => {
  test(
    'says so and nothing else',
    { tags: ['server:swap-execution.meta.get-health', 'server:swap-execution.meta.health-body'] },
    async () => {
      expect(await venue().call('GET', '/v1/health')).toEqual({
        status: 200,
        text: '{"status":"ok"}',
        body: { status: 'ok' },
      });
    },
  );

  test(
    'has issues where whoever runs it says so',
    { tags: ['server:swap-execution.meta.get-health', 'server:swap-execution.error.internal-500'] },
    async () => {
      const own = await openSwapVenue();
      own.service.isHealthy = false;
      expect(await own.call('GET', '/v1/health')).toMatchObject({
        status: 500,
        body: { code: 500, type: 'internal_error', message: 'The service has issues' },
      });
      expect(await own.call('GET', '/v1/system/live')).toMatchObject({ status: 500, text: '' });
      own.service.isHealthy = true;
      expect(await own.call('GET', '/v1/system/live')).toMatchObject({ status: 200, text: '' });
    },
  );
});

describe('networks', () => {
  test(
    'are a list of records with their ids',
    { tags: ['server:swap-execution.meta.get-networks'] },
    async () => {
      const { status, body } = await venue().call('GET', '/v1/networks');
      expect(status).toBe(200);
      const rest = { supports_optimized_swap: false, icon_url: '' };
      expect(body).toEqual([
        { id: 1, name: 'Ethereum', type: 'EVM', supports_custom_tokens: false, ...rest },
        { id: 2, name: 'Tron', type: 'TRON', supports_custom_tokens: false, ...rest },
        { id: 3, name: 'Bitcoin', type: 'BITCOIN', supports_custom_tokens: false, ...rest },
        { id: 4, name: 'Solana', type: 'SOLANA', supports_custom_tokens: true, ...rest },
      ]);
    },
  );
});

describe('tokens', () => {
  const ids = async (query = ''): Promise<unknown[]> => {
    const { body } = await venue().call('GET', `/v1/tokens${query}`);
    return (body['data'] as Records).map((token) => token['token_id']);
  };

  test('are records in pages', { tags: ['server:swap-execution.meta.get-tokens'] }, async () => {
    const { status, body } = await venue().call('GET', '/v1/tokens?limit=2&offset=1');
    expect(status).toBe(200);
    expect(body['pagination']).toEqual({ limit: 2, offset: 1, pages: 4, total: 8 });
    expect(body['data']).toHaveLength(2);
    expect((body['data'] as Records)[0]).toEqual({
      token_id: WETH,
      network_id: 1,
      name: 'ETH',
      contract_address: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
      symbol: 'ETH',
      decimals: 18,
      icon_url: '',
      wrapped_token_address: null,
    });
    const { body: all } = await venue().call('GET', '/v1/tokens');
    expect(all['pagination']).toEqual({ limit: 100, offset: 0, pages: 1, total: 8 });
    expect(all['data'] as Records).toContainEqual(
      expect.objectContaining({
        token_id: COIN,
        wrapped_token_address: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
      }),
    );
  });

  test(
    'can be searched in symbol, name and address, and by network',
    { tags: ['server:swap-execution.meta.get-tokens'] },
    async () => {
      expect(await ids('?network_id=3')).toEqual([BTC]);
      expect(await ids('?q=so1111')).toEqual([SOL]);
      expect(await ids('?q=tether')).toEqual([12]);
      expect(await ids('?q=usdc&network_id=1')).toEqual([USDC_ETHEREUM]);
      expect(await ids('?q=nothing')).toEqual([]);
    },
  );

  test(
    'leave out what is not on the list',
    { tags: ['server:swap-execution.meta.get-tokens'] },
    async () => {
      const all = await ids();
      expect(all).not.toContain(UNLISTED);
      expect(all).not.toContain(HIDDEN);
    },
  );

  test.each([
    ['limit=0', 'query.limit must be 1 to 1000'],
    ['limit=1001', 'query.limit must be 1 to 1000'],
    ['offset=-1', 'query.offset must be a whole number'],
    ['network_id=one', 'query.network_id must be a whole number'],
  ])(
    'are refused for the page or network %s',
    { tags: ['server:swap-execution.meta.get-tokens'] },
    async (query, message) => {
      expect(await venue().call('GET', `/v1/tokens?${query}`)).toMatchObject({
        status: 400,
        body: { code: 400, type: 'validation_error', message },
      });
    },
  );
});

describe('paths', () => {
  test(
    'begin with /v1, and answers are JSON',
    { tags: ['server:swap-execution.conv.paths'] },
    async () => {
      const response = await fetch(`${venue().base}/v1/health`);
      expect(response.headers.get('content-type')).toContain('application/json');
      expect((await fetch(`${venue().base}/health`)).status).toBe(404);
      for (const path of ['/v1/quotes', '/v1/intents']) {
        expect(await venue().call('POST', path, { text: 'a=1' })).toMatchObject({
          status: 400,
          body: { message: 'body must be JSON' },
        });
      }
    },
  );

  test(
    'that nobody serves are answered with 404 in the shape of the surface',
    { tags: ['server:swap-execution.error.not-found-404'] },
    async () => {
      for (const [method, path] of [
        ['GET', '/v1/nothing'],
        ['DELETE', '/v1/quotes'],
        ['GET', '/v1/quotes'],
      ] as const) {
        expect(await venue().call(method, path)).toMatchObject({
          status: 404,
          body: { code: 404, type: 'not_found', message: `There is no ${method} ${path}` },
        });
      }
    },
  );

  test(
    'have no history of swaps',
    { tags: ['server:swap-execution.intents.get-swaps-history'] },
    async () => {
      expect(await venue().call('GET', '/v1/swaps?limit=10')).toMatchObject({
        status: 404,
        body: { message: 'There is no GET /v1/swaps' },
      });
    },
  );

  test(
    'take as many requests as come, within the nonces of an hour',
    { tags: ['server:swap-execution.limit.rate-limits'] },
    async () => {
      const asked = Array.from({ length: 60 }, () => venue().call('GET', '/v1/networks'));
      const statuses = (await Promise.all(asked)).map(({ status }) => status);
      expect(new Set(statuses)).toEqual(new Set([200]));
    },
  );
});

describe('what goes wrong inside', () => {
  test(
    'is answered with 500 and no details',
    { tags: ['server:swap-execution.error.internal-500'] },
    async () => {
      const own = await openSwapVenue();
      Object.defineProperty(own.service, 'networks', {
        get: () => {
          throw new Error('a secret of the inside');
        },
      });
      const answer = await own.call('GET', '/v1/networks');
      expect(answer).toMatchObject({
        status: 500,
        body: { code: 500, type: 'internal_error', message: 'Internal error' },
      });
      expect(answer.text).not.toContain('secret');
    },
  );

  test(
    'has the shape of all errors: code, type, message',
    { tags: ['server:swap-execution.error.body-shape'] },
    async () => {
      const huge = JSON.stringify({ amount: 'x'.repeat(1 << 20) });
      for (const [status, answer] of [
        [400, await venue().call('POST', '/v1/quotes', { json: {} })],
        [401, await venue().call('GET', '/v1/networks', { apiKey: 'nobody' })],
        [404, await venue().call('GET', '/v1/intents/none')],
        [413, await venue().call('POST', '/v1/quotes', { text: huge })],
      ] as const) {
        expect(answer.status).toBe(status);
        expect(Object.keys(answer.body)).toEqual(['code', 'type', 'message']);
        expect(answer.body['code']).toBe(status);
      }
    },
  );
});
