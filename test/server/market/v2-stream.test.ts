import { describe, expect, test } from 'vitest';
import { US_PER_MINUTE, US_PER_SECOND } from '../../../src/platform/time.ts';
import { isoText } from '../../../src/wire/time.ts';
import { openVenue, OPENED, type Frame, type TestSocket } from '../kit.ts';
import { CURRENCIES, MarketHarness, forget } from './harness.ts';
import { eachRow } from '../../conformance/each-row.ts';

const at = (us: number): string => isoText((OPENED + us) as typeof OPENED);

interface Stand {
  readonly floor: MarketHarness;
  readonly socket: TestSocket;
}

async function open(): Promise<Stand> {
  const venue = await openVenue({ exchange: { currencies: CURRENCIES } });
  return { floor: new MarketHarness(venue), socket: await venue.socket('/api/2/ws/public') };
}

const params = (frames: readonly Frame[]): unknown[] => frames.map((frame) => frame['params']);

describe('questions', () => {
  eachRow('server:trading-v2.stream-public.', [
    ['get-currency', 'getCurrency', { currency: 'usdt' }, '/currency/USDT'],
    ['get-currencies', 'getCurrencies', {}, '/currency'],
    ['get-symbol', 'getSymbol', { symbol: 'ethbtc' }, '/symbol/ETHBTC'],
    ['get-symbols', 'getSymbols', {}, '/symbol'],
  ])('%s gives the record of REST', async (method, given, path) => {
    const { floor, socket } = await open();
    const record = await floor.get(`/api/2/public${path}`);
    expect(await socket.request(method, given)).toEqual({
      jsonrpc: '2.0',
      result: record,
      id: 1,
    });
  });

  test(
    'getTrades gives trades and symbol, with the bounds of REST',
    { tags: ['server:trading-v2.stream-public.get-trades'] },
    async () => {
      const { floor, socket } = await open();
      for (const price of ['100', '101', '102']) floor.trade('BTCUSDT', 'buy', price, '0.1');
      const data = (await floor.get('/api/2/public/trades/BTCUSDT')) as { id: number }[];
      expect(await socket.request('getTrades', { symbol: 'btcusdt' })).toMatchObject({
        result: { data, symbol: 'BTCUSDT' },
      });
      const [last] = data;
      expect(
        await socket.request('getTrades', {
          symbol: 'BTCUSDT',
          by: 'id',
          sort: 'ASC',
          from: data[1]?.id,
          limit: 1,
          offset: 1,
        }),
      ).toMatchObject({ result: { data: [last] } });
      const beyond = { symbol: 'BTCUSDT', by: 'timestamp', from: 9_000_000_000_000_000 };
      expect(await socket.request('getTrades', beyond)).toMatchObject({ error: { code: 10001 } });
    },
  );

  test.each(['getCurrency', 'getSymbol', 'getTrades', 'subscribeTicker', 'unsubscribeTicker'])(
    '%s of what is unknown is refused',
    async (method) => {
      const { socket } = await open();
      expect(await socket.request(method, { currency: 'X', symbol: 'X' })).toMatchObject({
        error: { code: method === 'getCurrency' ? 2002 : 2001 },
      });
    },
  );
});

describe('subscriptions', () => {
  test(
    'subscribeTicker starts a v2 ticker, sent every second in which it changes',
    { tags: ['server:trading-v2.stream-public.subscribe-ticker'] },
    async () => {
      const { floor, socket } = await open();
      expect(await socket.request('subscribeTicker', { symbol: 'btcusdt' })).toMatchObject({
        result: true,
      });
      const before = await floor.get('/api/2/public/ticker/BTCUSDT');
      floor.trade('BTCUSDT', 'buy', '100', '0.1');
      floor.venue.pass(US_PER_SECOND);
      const after = await floor.get('/api/2/public/ticker/BTCUSDT');
      floor.venue.pass(2 * US_PER_SECOND);
      await socket.settle();
      expect(params(socket.received('ticker'))).toEqual([before, after]);
    },
  );

  test(
    'subscribeOrderbook starts a snapshot and then each change',
    { tags: ['server:trading-v2.stream-public.subscribe-orderbook'] },
    async () => {
      const { floor, socket } = await open();
      const order = floor.rest('BTCUSDT', 'sell', '101', '1');
      floor.rest('BTCUSDT', 'buy', '99', '2');
      expect(await socket.request('subscribeOrderbook', { symbol: 'BTCUSDT' })).toMatchObject({
        result: true,
      });
      floor.venue.pass(2_000);
      floor.cancel('demo', order);
      floor.rest('BTCUSDT', 'buy', '98', '1');
      await socket.settle();
      const level = (price: string, size: string) => ({ price, size });
      expect(params(socket.received('snapshotOrderbook'))).toEqual([
        {
          ask: [level('101.00', '1.00000')],
          bid: [level('99.00', '2.00000')],
          symbol: 'BTCUSDT',
          sequence: 2,
          timestamp: at(0),
        },
      ]);
      expect(params(socket.received('updateOrderbook'))).toEqual([
        {
          ask: [level('101.00', '0.00000')],
          bid: [],
          symbol: 'BTCUSDT',
          sequence: 3,
          timestamp: at(2_000),
        },
        {
          ask: [],
          bid: [level('98.00', '1.00000')],
          symbol: 'BTCUSDT',
          sequence: 4,
          timestamp: at(2_000),
        },
      ]);
      expect(socket.frames.map(({ method }) => method)).toEqual([
        undefined,
        'snapshotOrderbook',
        'updateOrderbook',
        'updateOrderbook',
      ]);
      await socket.request('subscribeOrderbook', { symbol: 'ETHBTC' });
      await socket.settle();
      expect(params(socket.received('snapshotOrderbook')).at(1)).toEqual({
        ask: [],
        bid: [],
        symbol: 'ETHBTC',
        sequence: 0,
        timestamp: at(2_000),
      });
    },
  );

  test(
    'subscribeTrades starts with past trades and goes on with each',
    { tags: ['server:trading-v2.stream-public.subscribe-trades'] },
    async () => {
      const { floor, socket } = await open();
      for (const price of ['100', '101', '102']) floor.trade('BTCUSDT', 'buy', price, '0.1');
      await socket.request('subscribeTrades', { symbol: 'BTCUSDT', limit: 2 });
      floor.trade('BTCUSDT', 'sell', '99', '0.2');
      await socket.settle();
      const all = (await floor.get('/api/2/public/trades/BTCUSDT?sort=ASC')) as unknown[];
      expect(params(socket.received('snapshotTrades'))).toEqual([
        { data: all.slice(1, 3), symbol: 'BTCUSDT' },
      ]);
      expect(params(socket.received('updateTrades'))).toEqual([
        { data: all.slice(3), symbol: 'BTCUSDT' },
      ]);
      forget(socket);
      await socket.request('subscribeTrades', { symbol: 'BTCUSDT' });
      await socket.settle();
      expect(params(socket.received('snapshotTrades'))).toEqual([{ data: all, symbol: 'BTCUSDT' }]);
    },
  );

  test(
    'subscribeCandles starts with past candles and goes on with the open one',
    { tags: ['server:trading-v2.stream-public.subscribe-candles'] },
    async () => {
      const { floor, socket } = await open();
      for (const price of ['100', '101', '102']) {
        floor.trade('BTCUSDT', 'buy', price, '0.1');
        await floor.pass(US_PER_MINUTE, socket);
      }
      const asked = { symbol: 'BTCUSDT', period: 'M1', limit: 2 };
      expect(await socket.request('subscribeCandles', asked)).toMatchObject({ result: true });
      floor.trade('BTCUSDT', 'sell', '99', '0.2');
      await socket.settle();
      const all = await floor.get('/api/2/public/candles/BTCUSDT?period=M1');
      expect(params(socket.received('snapshotCandles'))).toEqual([
        { data: (all as unknown[]).slice(1, 3), symbol: 'BTCUSDT', period: 'M1' },
      ]);
      expect(params(socket.received('updateCandles'))).toEqual([
        { data: (all as unknown[]).slice(3), symbol: 'BTCUSDT', period: 'M1' },
      ]);
    },
  );

  const ENDS = [
    ['unsubscribe-ticker', 'Ticker', {}],
    ['unsubscribe-orderbook', 'Orderbook', {}],
    ['unsubscribe-trades', 'Trades', {}],
    ['unsubscribe-candles', 'Candles', { period: 'M1' }],
  ] as const;

  eachRow('server:trading-v2.stream-public.', ENDS)('unsubscribe%s ends it', async (name, more) => {
    const { floor, socket } = await open();
    const moved = async (): Promise<number> => {
      forget(socket);
      floor.trade('BTCUSDT', 'buy', '100', '0.1');
      floor.venue.pass(US_PER_SECOND);
      await socket.settle();
      return socket.frames.length;
    };
    const asked = { symbol: 'BTCUSDT', ...more };
    await socket.request(`subscribe${name}`, asked);
    expect(await moved()).toBeGreaterThan(0);
    expect(await socket.request(`unsubscribe${name}`, asked)).toMatchObject({ result: true });
    expect(await moved()).toBe(0);
    expect(await socket.request(`unsubscribe${name}`, asked)).toMatchObject({ result: true });
  });

  test('candles of several periods are followed apart', async () => {
    const { floor, socket } = await open();
    await socket.request('subscribeCandles', { symbol: 'BTCUSDT' });
    await socket.request('subscribeCandles', { symbol: 'BTCUSDT', period: 'D1' });
    await socket.request('unsubscribeCandles', { symbol: 'BTCUSDT' });
    floor.trade('BTCUSDT', 'buy', '100', '0.1');
    await socket.settle();
    expect(params(socket.received('updateCandles'))).toMatchObject([{ period: 'D1' }]);
  });

  test(
    'replies, errors and notifications carry the version of JSON-RPC',
    { tags: ['server:trading-v2.stream-public.envelope'] },
    async () => {
      const { floor, socket } = await open();
      floor.trade('BTCUSDT', 'buy', '100', '0.1');
      await socket.request('subscribeTrades', { symbol: 'BTCUSDT' });
      await socket.request('subscribeTrades', { symbol: 'X' });
      floor.trade('BTCUSDT', 'buy', '100', '0.1');
      await socket.settle();
      expect(socket.frames.map((frame) => Object.keys(frame))).toEqual([
        ['jsonrpc', 'result', 'id'],
        ['jsonrpc', 'method', 'params'],
        ['jsonrpc', 'error', 'id'],
        ['jsonrpc', 'method', 'params'],
      ]);
      for (const frame of socket.frames) expect(frame['jsonrpc']).toBe('2.0');
    },
  );

  test('a socket that closes leaves nothing behind', async () => {
    const { floor, socket } = await open();
    const { market } = floor.venue.trading.news;
    const { size } = market;
    for (const name of ['Ticker', 'Orderbook', 'Trades', 'Candles']) {
      await socket.request(`subscribe${name}`, { symbol: 'BTCUSDT' });
    }
    expect(market.size).toBe(size + 1);
    socket.raw.close();
    await expect.poll(() => market.size).toBe(size);
  });
});
