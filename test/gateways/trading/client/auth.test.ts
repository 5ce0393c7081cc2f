import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { TradingCredentials } from '../../../../src/clients.ts';
import { micros } from '../../../../src/platform/time.ts';
import { VirtualScheduler } from '../../../../src/platform/virtual-scheduler.ts';
import { openVenue, sharedVenue } from '../../../server/kit.ts';
import { answer, openRawService, type RawRequest } from '../kit/raw-service.ts';
import { clientOf } from './client-of.ts';

const SECRET = 'a secret with : and €';
const HS256: TradingCredentials = { key: 'desk', secret: SECRET, scheme: 'hs256' };
const NOW_MS = 1_767_607_200_123;

/** What a header says, taken apart without the project's own code. */
function credentialsOf({ headers }: RawRequest): { scheme: string; parts: string[] } {
  const [scheme = '', encoded = ''] = (headers['authorization'] ?? '').split(' ');
  return { scheme, parts: Buffer.from(encoded, 'base64').toString('utf8').split(':') };
}

const hex = (message: string): string =>
  createHmac('sha256', SECRET).update(message, 'utf8').digest('hex');

/** A client at a fixed time, and the service that hears it. */
async function listen(credentials: TradingCredentials = HS256) {
  const service = await openRawService(answer(200, []));
  const scheduler = new VirtualScheduler(micros(NOW_MS * 1_000 + 999));
  return { service, rest: clientOf(service.url, { credentials, scheduler }).rest };
}

const ORDER = { symbol: 'X', side: 'buy', quantity: '1', price: '2' } as const;

describe('requests of a client', () => {
  test(
    'to public calls carry no credentials',
    { tags: ['client:trading-v3.auth.public-no-auth'] },
    async () => {
      const { service, rest } = await listen();
      await rest.getTradesOfSymbol({ symbol: 'X' });
      expect(service.last.headers).not.toHaveProperty('authorization');
    },
  );

  test('carry key and secret with Basic', { tags: ['client:trading-v3.auth.basic'] }, async () => {
    const { service, rest } = await listen({ key: 'desk', secret: SECRET, scheme: 'basic' });
    await rest.getSpotBalances();
    const encoded = Buffer.from(`desk:${SECRET}`, 'utf8').toString('base64');
    expect(service.last.headers['authorization']).toBe(`Basic ${encoded}`);
  });

  test(
    'carry key, signature and milliseconds with HS256',
    {
      tags: [
        'client:trading-v3.auth.hs256-scheme',
        'client:trading-v3.auth.hs256-credentials',
        'client:trading-v3.auth.hs256-timestamp-ms',
        'client:trading-v3.auth.hs256-signature-hex',
        'client:trading-v3.auth.hs256-lowercase',
      ],
    },
    async () => {
      const { service, rest } = await listen();
      await rest.getSpotBalances();
      const { scheme, parts } = credentialsOf(service.last);
      expect([scheme, parts.length, parts[0], parts[2]]).toEqual([
        'HS256',
        3,
        'desk',
        '1767607200123',
      ]);
      expect(parts[1]).toMatch(/^[0-9a-f]{64}$/);
      expect(parts[1]).toBe(hex(`GET/api/3/spot/balance${NOW_MS}`));
    },
  );

  test(
    'sign the whole path, and the query as it is sent',
    {
      tags: [
        'client:trading-v3.auth.hs256-query-part',
        'client:trading-v3.auth.hs256-raw-query',
        'client:trading-v3.auth.hs256-path-full',
      ],
    },
    async () => {
      const { service, rest } = await listen();
      await rest.getSpotOrderHistory({ symbol: ['A B', 'C+Ü'], limit: 3 });
      const { target } = service.last;
      expect(target).toBe('/api/3/spot/history/order?symbol=A+B%2CC%2B%C3%9C&limit=3');
      expect(credentialsOf(service.last).parts[1]).toBe(hex(`GET${target}${NOW_MS}`));
      await rest.getSpotOrderHistory();
      expect(service.last.target).toBe('/api/3/spot/history/order');
      const message = `GET/api/3/spot/history/order${NOW_MS}`;
      expect(credentialsOf(service.last).parts[1]).toBe(hex(message));
    },
  );

  test(
    'sign the body byte for byte, and nothing where there is none',
    {
      tags: [
        'client:trading-v3.auth.hs256-message-order',
        'client:trading-v3.auth.hs256-body-part',
        'client:trading-v3.auth.hs256-raw-body',
      ],
    },
    async () => {
      const { service, rest } = await listen();
      const ask = async (call: () => Promise<unknown>): Promise<RawRequest> => {
        // The answer does not matter here, and it fits none of them.
        await call().catch(() => undefined);
        return service.last;
      };
      const requests = [
        await ask(() => rest.createSpotOrder({ ...ORDER, symbol: 'Ü€' })),
        await ask(() => rest.replaceSpotOrder({ client_order_id: 'of-old-1', quantity: '3' })),
        await ask(() => rest.setIsolatedMarginAccount({ symbol: 'X', margin_balance: '5' })),
        await ask(() => rest.commitWithdrawal({ id: 'x' })),
        await ask(() => rest.cancelSpotOrders({ symbol: 'X' })),
      ];
      expect(requests.map(({ method, target, body }) => [method, target, body])).toEqual([
        ['POST', '/api/3/spot/order', '{"symbol":"Ü€","side":"buy","quantity":"1","price":"2"}'],
        ['PATCH', '/api/3/spot/order/of-old-1', '{"quantity":"3"}'],
        ['PUT', '/api/3/margin/account/isolated/X', '{"margin_balance":"5"}'],
        ['PUT', '/api/3/wallet/crypto/withdraw/x', ''],
        ['DELETE', '/api/3/spot/order?symbol=X', ''],
      ]);
      for (const request of requests) {
        const { method, target, body } = request;
        const signature = credentialsOf(request).parts[1];
        expect(signature, target).toBe(hex(`${method}${target}${body}${NOW_MS}`));
      }
    },
  );

  test(
    'sign a window and name it where there is one',
    { tags: ['client:trading-v3.auth.hs256-window'] },
    async () => {
      const { service, rest } = await listen({ ...HS256, windowMs: 2_500 });
      await rest.getSpotBalances();
      const { parts } = credentialsOf(service.last);
      expect([parts.length, parts[3]]).toEqual([4, '2500']);
      expect(parts[1]).toBe(hex(`GET/api/3/spot/balance${NOW_MS}2500`));
    },
  );

  test('are not sent where the client has no credentials', async () => {
    const service = await openRawService(answer(200, []));
    const { rest } = clientOf(service.url, { credentials: undefined });
    await expect(rest.getSpotBalances()).rejects.toMatchObject({
      code: 'request-invalid',
      field: 'credentials',
      message: 'getSpotBalances was not sent: it needs credentials, and the client has none.',
    });
    expect(service.requests).toEqual([]);
  });
});

describe('the venue believes a client', () => {
  const venue = sharedVenue();

  test.each(['basic', 'hs256'] as const)('with %s', async (scheme) => {
    const credentials = { key: 'demo', secret: 'demo-secret', scheme };
    const { rest } = clientOf(venue().base, { credentials, scheduler: venue().scheduler });
    expect(String((await rest.getSpotBalance({ currency: 'BTC' })).available)).toBe('100');
  });

  test(
    'within a window of milliseconds: 10,000 where none is named, 60,000 at most',
    { tags: ['client:trading-v3.auth.hs256-window-unit'] },
    async () => {
      const { base, scheduler } = await openVenue();
      const late = (lateMs: number, windowMs?: number) => {
        const behind = new VirtualScheduler(micros(scheduler.now() - lateMs * 1_000));
        const credentials = {
          key: 'demo',
          secret: 'demo-secret',
          scheme: 'hs256' as const,
          windowMs,
        };
        return clientOf(base, { credentials, scheduler: behind }).rest.getSpotBalance({
          currency: 'BTC',
        });
      };
      const rejected = { code: 'service-refused', serviceCode: 1002, httpStatus: 401 };
      expect((await late(10_000)).available.toFixed()).toBe('100');
      await expect(late(10_001)).rejects.toMatchObject(rejected);
      expect((await late(2_500, 2_500)).available.toFixed()).toBe('100');
      await expect(late(2_501, 2_500)).rejects.toMatchObject(rejected);
      expect((await late(60_000, 60_000)).available.toFixed()).toBe('100');
      expect(() => late(0, 60_001)).toThrow(
        'The setting credentials.windowMs of the client must be a whole number from 1 to 60000.',
      );
    },
  );
});
