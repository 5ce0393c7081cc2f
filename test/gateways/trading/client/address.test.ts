import { createHmac } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import { TradingClient, TradingClientV2, type ClientSettings } from '../../../../src/clients.ts';
import { micros } from '../../../../src/platform/time.ts';
import { VirtualScheduler } from '../../../../src/platform/virtual-scheduler.ts';
import { sharedVenue } from '../../../server/kit.ts';
import { openPrefixed } from '../kit/prefixed.ts';
import { answer, openRawService, type RawRequest } from '../kit/raw-service.ts';

const HS256 = { key: 'demo', secret: 'demo-secret', scheme: 'hs256' } as const;
const BASIC = { ...HS256, scheme: 'basic' } as const;
const NOW_MS = 1_767_607_200_123;

/** What a header says behind its scheme, taken apart without the project's own code. */
const credentialsOf = ({ headers }: RawRequest): readonly string[] =>
  Buffer.from((headers['authorization'] ?? '').slice('HS256 '.length), 'base64')
    .toString('utf8')
    .split(':');

const hex = (message: string): string =>
  createHmac('sha256', HS256.secret).update(message, 'utf8').digest('hex');

describe('a service whose addresses have paths of their own', () => {
  const venue = sharedVenue();

  /** A host for REST and one for sockets, before the same venue. */
  const openFronts = async (standard: string) => {
    const rest = await openPrefixed(venue().base, '/rest/of/it', standard);
    const streams = await openPrefixed(venue().base, '/streams', `${standard}/ws`);
    const settings = {
      baseUrl: `http://${rest.host}/rest/of/it`,
      wsUrl: `ws://${streams.host}/streams/`,
      scheduler: venue().scheduler,
    };
    return { rest, streams, settings };
  };

  test('is called and received there by a client of version 3', async () => {
    const { rest, streams, settings } = await openFronts('/api/3');
    const client = new TradingClient({ ...settings, credentials: BASIC });
    onTestFinished(() => client.close());
    expect(client.url).toBe(settings.baseUrl);
    const balance = await client.rest.getSpotBalance({ currency: 'BTC' });
    expect(balance.available.toFixed()).toBe('100');
    await client.clockSkewUs();
    const sockets = [client.marketSocket({}), client.tradingSocket({}), client.walletSocket({})];
    await Promise.all(sockets.map((socket) => socket.open()));
    expect(rest.targets[0]).toBe('/rest/of/it/spot/balance/BTC');
    expect(rest.targets.every((target) => target.startsWith('/rest/of/it/'))).toBe(true);
    expect(streams.targets.toSorted()).toEqual([
      '/streams/public',
      '/streams/trading',
      '/streams/wallet',
    ]);
  });

  test('is called and received there by a client of version 2', async () => {
    const { rest, streams, settings } = await openFronts('/api/2');
    const client = new TradingClientV2({ ...settings, credentials: BASIC });
    onTestFinished(() => client.close());
    expect(client.url).toBe(settings.baseUrl);
    await client.rest.getOrders();
    const sockets = [client.marketSocket({}), client.tradingSocket({}), client.accountSocket({})];
    await Promise.all(sockets.map((socket) => socket.open()));
    expect(rest.targets).toEqual(['/rest/of/it/order']);
    expect(streams.targets.toSorted()).toEqual([
      '/streams/account',
      '/streams/public',
      '/streams/trading',
    ]);
  });

  test('may have no path at all', async () => {
    const service = await openRawService(answer(200, []));
    const client = new TradingClient({ baseUrl: service.url, wsUrl: 'ws://127.0.0.1:1' });
    onTestFinished(() => client.close());
    await client.rest.getTradesOfSymbol({ symbol: 'X' });
    expect(service.last.target).toBe('/public/trades/X');
  });
});

describe('a signature covers the path as it is sent, that of the address included', () => {
  const open = async () => {
    const service = await openRawService(answer(200, []));
    const settings = {
      baseUrl: `${service.url}/desk%20a/v/`,
      wsUrl: 'ws://127.0.0.1:1/ws',
      credentials: HS256,
      scheduler: new VirtualScheduler(micros(NOW_MS * 1_000)),
    };
    return { service, settings };
  };

  test('in version 3', async () => {
    const { service, settings } = await open();
    const client = new TradingClient(settings);
    onTestFinished(() => client.close());
    await client.rest.getSpotOrderHistory({ symbol: ['A'], limit: 3 });
    const target = '/desk%20a/v/spot/history/order?symbol=A&limit=3';
    expect(service.last.target).toBe(target);
    expect(credentialsOf(service.last)[1]).toBe(hex(`GET${target}${NOW_MS}`));
  });

  test('in version 2', async () => {
    const { service, settings } = await open();
    const client = new TradingClientV2(settings);
    onTestFinished(() => client.close());
    await client.rest.getOrders({ symbol: 'A' });
    const target = '/desk%20a/v/order?symbol=A';
    expect(service.last.target).toBe(target);
    const at = String(Math.floor(NOW_MS / 1_000));
    expect(credentialsOf(service.last)[2]).toBe(hex(`GET${at}${target}`));
  });
});

describe('an address of no use is refused', () => {
  const REST = 'https://api.example.com/api/3';
  const SOCKETS = 'wss://stream.example.com/ws';

  test.each<[string, string, Partial<Record<'url' | 'baseUrl' | 'wsUrl', string>>]>([
    ['url', 'must be an address such as https://api.example.com', {}],
    ['url', 'must have no path: give addresses with paths as baseUrl and wsUrl', { url: REST }],
    [
      'url',
      'must be left out where baseUrl and wsUrl say where the service is',
      { url: 'https://api.example.com', baseUrl: REST, wsUrl: SOCKETS },
    ],
    ['wsUrl', 'must be there beside baseUrl', { baseUrl: REST }],
    ['baseUrl', 'must be there beside wsUrl', { wsUrl: SOCKETS }],
    [
      'baseUrl',
      'must be an address such as https://api.example.com/api/3',
      { baseUrl: SOCKETS, wsUrl: SOCKETS },
    ],
    [
      'wsUrl',
      'must be an address such as wss://api.example.com/api/3/ws',
      { baseUrl: REST, wsUrl: REST },
    ],
    [
      'baseUrl',
      'must end with its path: nothing may follow from ? or # on',
      { baseUrl: `${REST}?key=hidden`, wsUrl: SOCKETS },
    ],
    [
      'wsUrl',
      'must hold no user name and no password; give them as credentials',
      { baseUrl: REST, wsUrl: 'wss://me:hidden@stream.example.com/ws' },
    ],
  ])('%s %s', (field, words, address) => {
    const make = (): TradingClient => new TradingClient(address as unknown as ClientSettings);
    expect(make).toThrow(
      expect.objectContaining({
        code: 'config-invalid',
        field,
        message: `The setting ${field} of the client ${words}.`,
      }) as Error,
    );
  });
});
