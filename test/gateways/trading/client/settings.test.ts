import { describe, expect, expectTypeOf, test } from 'vitest';
import { TradingClient, type ClientSettings, type RestCall } from '../../../../src/clients.ts';
import { pathMembers, type Call } from '../../../../src/wire/trading/call.ts';
import { V2_CALLS } from '../../../../src/wire/trading/v2/calls/table.ts';
import { V3_CALLS } from '../../../../src/wire/trading/v3/calls/table.ts';
import { openRelay } from '../kit/relay.ts';
import { clientOf } from './client-of.ts';

const URL_OF = 'http://127.0.0.1:1';
const KEY = { key: 'desk', secret: 'x', scheme: 'basic' } as const;

describe('settings of no use are refused', () => {
  test.each<[string, Partial<Record<keyof ClientSettings, unknown>>]>([
    ['url', { url: 'api.example.com' }],
    ['url', { url: 'ftp://api.example.com' }],
    ['url', { url: 'https://api.example.com/api/3' }],
    ['url', { url: 'https://api.example.com/?x=1' }],
    ['url', { url: 'https://u:p@api.example.com' }],
    ['credentials.key', { credentials: { ...KEY, key: 'with:colon' } }],
    ['credentials.key', { credentials: { ...KEY, key: undefined } }],
    ['credentials.secret', { credentials: { ...KEY, secret: '' } }],
    ['credentials.scheme', { credentials: { ...KEY, scheme: 'rsa' } }],
    ['credentials.windowMs', { credentials: { ...KEY, windowMs: 0 } }],
    ['credentials.windowMs', { credentials: { ...KEY, windowMs: 1.5 } }],
    ['timeoutUs', { timeoutUs: 0 }],
    ['connections', { connections: 1.5 }],
    ['bodyBytesMax', { bodyBytesMax: -1 }],
    ['retries.attempts', { retries: { attempts: 0 } }],
  ])('%s of %j', (field, settings) => {
    expect(() => new TradingClient({ url: URL_OF, ...settings } as ClientSettings)).toThrow(
      expect.objectContaining({ code: 'config-invalid', field }) as Error,
    );
  });

  test('an address may end with a slash', () => {
    expect(new TradingClient({ url: 'https://api.example.com/' }).url).toBe(
      'https://api.example.com',
    );
  });
});

describe('arguments', () => {
  test('no member of a path has the name of a parameter', () => {
    for (const call of Object.values<Call>({ ...V3_CALLS, ...V2_CALLS })) {
      const params = 'shape' in call.params ? Object.keys(call.params.shape as object) : ['params'];
      expect(pathMembers(call.path).filter((name) => params.includes(name))).toEqual([]);
    }
  });

  test('a call without any takes none, and one without required ones may be called so', () => {
    type V3 = typeof V3_CALLS;
    expectTypeOf<Parameters<RestCall<V3['getSpotFees']>>>().toEqualTypeOf<[]>();
    type OfOneSymbol = Parameters<RestCall<V3['getSpotOrders']>>;
    expectTypeOf<[]>().toExtend<OfOneSymbol>();
    expectTypeOf<[{ symbol: string }]>().toExtend<OfOneSymbol>();
    expectTypeOf<[{ symbol: number }]>().not.toExtend<OfOneSymbol>();
    expectTypeOf<Parameters<RestCall<V3['getSpotOrder']>>>().toEqualTypeOf<
      [given: { readonly client_order_id: string }]
    >();
    type Order = Parameters<RestCall<V3['createSpotOrder']>>[0];
    expectTypeOf<Order['symbol']>().toEqualTypeOf<string>();
  });

  test.each<[string, string | undefined, unknown, string]>([
    ['getSpotOrder', 'client_order_id', {}, 'client_order_id is required and must be text'],
    ['getSpotOrder', 'client_order_id', undefined, 'client_order_id is required and must be text'],
    [
      'getSpotOrder',
      'client_order_id',
      { client_order_id: '' },
      'client_order_id is required and must be text',
    ],
    [
      'getSpotOrder',
      'client_order_id',
      { client_order_id: '..' },
      'client_order_id must not be ..',
    ],
    [
      'getSpotOrder',
      'client_order_id',
      { client_order_id: '\uD800' },
      'client_order_id is not sound Unicode text',
    ],
    [
      'getSpotOrder',
      'symbol',
      { client_order_id: 'x', symbol: 'X' },
      'there is no argument symbol; there are client_order_id',
    ],
    ['getSpotFees', 'symbol', { symbol: 'X' }, 'there is no argument symbol; there are none'],
    ['getSpotOrders', undefined, 'X', 'the arguments must be one object'],
    ['getSpotOrders', undefined, ['X'], 'the arguments must be one object'],
    [
      'createSpotOrder',
      'price',
      { symbol: 'X', side: 'buy', price: '1e5' },
      'price must be a decimal',
    ],
    [
      'estimateFeesInBulk',
      '[0].amont',
      [{ currency: 'X', amont: '1' }],
      'there is no argument [0].amont; did you mean amount?',
    ],
  ])(
    'of %s that do not fit are refused before anything is sent: %s',
    async (name, field, given, words) => {
      const relay = await openRelay();
      const { rest } = clientOf(relay.url);
      const call = rest[name as keyof typeof rest] as (given: unknown) => Promise<unknown>;
      const error = await call(given).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: 'request-invalid', field });
      expect((error as Error).message).toContain(`${name} was not sent: ${words}`);
      expect(relay.received).toEqual([]);
    },
  );

  test('members of paths are encoded, so that none leads elsewhere', async () => {
    const relay = await openRelay();
    const { rest } = clientOf(relay.url);
    relay.answer({});
    await rest.getSpotOrder({ client_order_id: 'a/../b?c=d#e%' }).catch(() => undefined);
    expect(relay.sent).toEqual(['GET /api/3/spot/order/a%2F..%2Fb%3Fc%3Dd%23e%25']);
  });

  test('a list that has a path too is given as params', async () => {
    const relay = await openRelay();
    const { rest } = clientOf(relay.url);
    relay.answer([]);
    const params = [{ currency: 'X', amount: '1' }];
    await rest.estimateLabelledDepositFees({ label_id: 'l', params });
    expect(relay.sent).toEqual([
      'POST /api/3/wallet/crypto/fee/deposit/label/l/estimate/bulk',
      params,
    ]);
  });
});
