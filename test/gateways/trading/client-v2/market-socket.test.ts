import { describe, expect, test } from 'vitest';
import { US_PER_SECOND } from '../../../../src/platform/time.ts';
import { CURRENCIES, MarketHarness } from '../../../server/market/harness.ts';
import { OPENED, openVenue } from '../../../server/kit.ts';
import { openSubscriptionsV2 } from '../kit/accounts.ts';
import { openLineV2, type Line } from '../kit/lines.ts';
import { d } from '../kit/values.ts';
import type { MarketSocketV2 } from '../../../../src/gateways/trading/socket/v2.ts';
import { eachRow } from '../../../conformance/each-row.ts';

const BITCOIN = { symbol: 'BTCUSDT' } as const;
const later = (us: number) => OPENED + us;

type Stand = Line<MarketSocketV2> & { readonly floor: MarketHarness };

/** A market data socket without a key. */
async function open(): Promise<Stand> {
  const venue = await openVenue({ exchange: { currencies: CURRENCIES } });
  const line = await openLineV2(venue, 'market', 'demo', { credentials: undefined });
  return { ...line, floor: new MarketHarness(venue) };
}

/** A trade of 0.1 BTC at a price, as it is read. */
const trade = (price: string, us = 0) => ({
  id: expect.any(Number) as number,
  price: d(price),
  quantity: d('0.1'),
  side: 'buy',
  timestamp: later(us),
});

describe('questions to the market data socket of version 2', () => {
  test(
    'currencies, one or all, are the records of REST',
    {
      tags: [
        'client:trading-v2.stream-public.get-currency',
        'client:trading-v2.stream-public.get-currencies',
      ],
    },
    async () => {
      const { socket, relay, floor } = await open();
      const { rest } = await openSubscriptionsV2(floor.venue);
      const one = await socket.request('getCurrency', { currency: 'USDT' });
      expect(relay.sent).toEqual({ method: 'getCurrency', params: { currency: 'USDT' } });
      expect(one).toEqual(await rest.getCurrency({ currency: 'USDT' }));
      expect(one).toMatchObject({ id: 'USDT', payoutFee: d('1.5'), precisionPayout: 6 });
      const all = await socket.request('getCurrencies');
      expect(relay.sent).toEqual({ method: 'getCurrencies', params: {} });
      expect(all).toEqual(await rest.getCurrencies());
      expect(all).toHaveLength(3);
    },
  );

  test(
    'symbols, one or all, are the records of REST',
    {
      tags: [
        'client:trading-v2.stream-public.get-symbol',
        'client:trading-v2.stream-public.get-symbols',
      ],
    },
    async () => {
      const { socket, relay, floor } = await open();
      const { rest } = await openSubscriptionsV2(floor.venue);
      const one = await socket.request('getSymbol', { symbol: 'ETHBTC' });
      expect(relay.sent).toEqual({ method: 'getSymbol', params: { symbol: 'ETHBTC' } });
      expect(one).toEqual({
        id: 'ETHBTC',
        baseCurrency: 'ETH',
        quoteCurrency: 'BTC',
        quantityIncrement: d('0.0001'),
        tickSize: d('0.000001'),
        takeLiquidityRate: d('0.002'),
        provideLiquidityRate: d('0.001'),
        feeCurrency: 'BTC',
        marginTrading: false,
      });
      const all = await socket.request('getSymbols');
      expect(relay.sent).toEqual({ method: 'getSymbols', params: {} });
      expect(all).toEqual(await rest.getSymbols());
      expect(all).toContainEqual(one);
      await expect(socket.request('getSymbol', { symbol: 'X' })).rejects.toMatchObject({
        code: 'service-refused',
        serviceCode: 2001,
      });
    },
  );

  test(
    'trades come with their symbol, by the parameters that are given',
    { tags: ['client:trading-v2.stream-public.get-trades'] },
    async () => {
      const { socket, relay, floor } = await open();
      for (const price of ['100', '101', '102']) {
        floor.trade('BTCUSDT', 'buy', price, '0.1');
        floor.venue.pass(US_PER_SECOND);
      }
      const all = await socket.request('getTrades', BITCOIN);
      expect(relay.sent).toEqual({ method: 'getTrades', params: BITCOIN });
      expect(all).toEqual({
        data: [trade('102', 2 * US_PER_SECOND), trade('101', US_PER_SECOND), trade('100')],
        symbol: 'BTCUSDT',
      });
      const page = { ...BITCOIN, by: 'timestamp', sort: 'ASC', limit: 1, offset: 1 } as const;
      const from = { kind: 'time', at: OPENED } as const;
      const some = await socket.request('getTrades', { ...page, from });
      expect(some.data).toEqual([trade('101', US_PER_SECOND)]);
      expect(relay.sent?.params).toEqual({ ...page, from: '2026-01-05T10:00:00Z' });
    },
  );
});

describe('what the market data socket of version 2 follows', () => {
  test('a ticker', { tags: ['client:trading-v2.stream-public.subscribe-ticker'] }, async () => {
    const { socket, relay, reported, floor } = await open();
    expect(await socket.request('subscribeTicker', BITCOIN)).toBe(true);
    expect(relay.sent).toEqual({ method: 'subscribeTicker', params: BITCOIN });
    floor.trade('BTCUSDT', 'buy', '100', '0.1');
    floor.venue.pass(US_PER_SECOND);
    await relay.settle();
    const none = { ask: null, bid: null, last: null, open: null, low: null, high: null };
    const price = d('100');
    const empty = { volume: d('0'), volumeQuote: d('0'), timestamp: OPENED, ...BITCOIN };
    expect(reported.at(0)).toEqual(['ticker', { ...none, ...empty }]);
    expect(reported.at(-1)).toEqual([
      'ticker',
      {
        ...none,
        last: price,
        open: price,
        low: price,
        high: price,
        volume: d('0.1'),
        volumeQuote: d('10'),
        timestamp: later(US_PER_SECOND),
        ...BITCOIN,
      },
    ]);
  });

  test(
    'a book: whole, and then each change, of which a size of 0 takes a level away',
    { tags: ['client:trading-v2.stream-public.subscribe-orderbook'] },
    async () => {
      const { socket, relay, reported, floor } = await open();
      const order = floor.rest('BTCUSDT', 'sell', '101', '1');
      floor.rest('BTCUSDT', 'buy', '99', '2');
      expect(await socket.request('subscribeOrderbook', BITCOIN)).toBe(true);
      expect(relay.sent).toEqual({ method: 'subscribeOrderbook', params: BITCOIN });
      floor.venue.pass(2_000);
      floor.cancel('demo', order);
      floor.rest('BTCUSDT', 'buy', '98', '1');
      await relay.settle();
      const level = (price: string, size: string) => ({ price: d(price), size: d(size) });
      const change = { ...BITCOIN, timestamp: later(2_000) };
      expect(reported).toEqual([
        [
          'snapshotOrderbook',
          {
            ask: [level('101', '1')],
            bid: [level('99', '2')],
            ...BITCOIN,
            sequence: 2,
            timestamp: OPENED,
          },
        ],
        ['updateOrderbook', { ask: [level('101', '0')], bid: [], ...change, sequence: 3 }],
        ['updateOrderbook', { ask: [], bid: [level('98', '1')], ...change, sequence: 4 }],
      ]);
      reported.length = 0;
      const wire = { ask: [{ price: '0.054590', size: '0.000' }], bid: [], symbol: 'ETHBTC' };
      relay.emit({
        jsonrpc: '2.0',
        method: 'updateOrderbook',
        params: { ...wire, sequence: 8073830 },
      });
      await relay.settle();
      expect(reported).toEqual([
        [
          'updateOrderbook',
          { ask: [level('0.05459', '0')], bid: [], symbol: 'ETHBTC', sequence: 8_073_830 },
        ],
      ]);
    },
  );

  test(
    'trades: as many past ones as are asked for, and then each',
    { tags: ['client:trading-v2.stream-public.subscribe-trades'] },
    async () => {
      const { socket, relay, reported, floor } = await open();
      for (const price of ['100', '101', '102']) floor.trade('BTCUSDT', 'buy', price, '0.1');
      const asked = { ...BITCOIN, limit: 2 };
      expect(await socket.request('subscribeTrades', asked)).toBe(true);
      expect(relay.sent).toEqual({ method: 'subscribeTrades', params: asked });
      floor.trade('BTCUSDT', 'buy', '103', '0.1');
      await relay.settle();
      expect(reported).toEqual([
        ['snapshotTrades', { data: [trade('101'), trade('102')], ...BITCOIN }],
        ['updateTrades', { data: [trade('103')], ...BITCOIN }],
      ]);
    },
  );

  test(
    'candles: as many past ones as are asked for, and then the open one',
    { tags: ['client:trading-v2.stream-public.subscribe-candles'] },
    async () => {
      const { socket, relay, reported, floor } = await open();
      for (const price of ['100', '101']) {
        floor.trade('BTCUSDT', 'buy', price, '0.1');
        floor.venue.pass(5 * US_PER_SECOND);
      }
      const asked = { ...BITCOIN, period: 'M1', limit: 2 } as const;
      expect(await socket.request('subscribeCandles', asked)).toBe(true);
      expect(relay.sent).toEqual({ method: 'subscribeCandles', params: asked });
      floor.trade('BTCUSDT', 'buy', '99', '0.1');
      await relay.settle();
      const candle = { timestamp: OPENED, open: d('100'), max: d('101') };
      const of = { ...BITCOIN, period: 'M1' };
      const first = { close: d('101'), min: d('100'), volume: d('0.2'), volumeQuote: d('20.1') };
      const second = { close: d('99'), min: d('99'), volume: d('0.3'), volumeQuote: d('30') };
      expect(reported).toEqual([
        ['snapshotCandles', { data: [{ ...candle, ...first }], ...of }],
        ['updateCandles', { data: [{ ...candle, ...second }], ...of }],
      ]);
    },
  );

  const ENDS = [
    ['unsubscribe-ticker', 'subscribeTicker', 'unsubscribeTicker', BITCOIN],
    ['unsubscribe-orderbook', 'subscribeOrderbook', 'unsubscribeOrderbook', BITCOIN],
    ['unsubscribe-trades', 'subscribeTrades', 'unsubscribeTrades', BITCOIN],
    ['unsubscribe-candles', 'subscribeCandles', 'unsubscribeCandles', { ...BITCOIN, period: 'M1' }],
  ] as const;

  eachRow('client:trading-v2.stream-public.', ENDS)(
    'until it asks for the end',
    async (begin, end, asked) => {
      const { socket, relay, reported, floor } = await open();
      const moved = async (): Promise<number> => {
        reported.length = 0;
        floor.trade('BTCUSDT', 'buy', '100', '0.1');
        floor.venue.pass(US_PER_SECOND);
        await relay.settle();
        return reported.length;
      };
      await socket.request(begin, asked);
      expect(await moved()).toBeGreaterThan(0);
      expect(await socket.request(end, asked)).toBe(true);
      expect(relay.sent).toEqual({ method: end, params: asked });
      expect(await moved()).toBe(0);
    },
  );
});

describe('frames of version 2', () => {
  test(
    'replies, errors and notifications are read out of their envelope, and each reply goes to who asked',
    { tags: ['client:trading-v2.stream-public.envelope'] },
    async () => {
      const { socket, relay, reported, failed } = await open();
      relay.answer({
        error: { code: 2001, message: 'Symbol not found', description: 'Try ETHBTC' },
      });
      relay.answer({ result: { data: [], symbol: 'BTCUSDT' } });
      const rejected = socket.request('getTrades', { symbol: 'ETHBTC' });
      const answered = socket.request('getTrades', BITCOIN);
      await expect(rejected).rejects.toMatchObject({
        code: 'service-refused',
        serviceCode: 2001,
        serviceMessage: 'Symbol not found',
        description: 'Try ETHBTC',
      });
      expect(await answered).toEqual({ data: [], symbol: 'BTCUSDT' });
      const params =
        '{"data":[{"id":1,"price":"100.00","quantity":"0.1","side":"buy","timestamp":"2026-01-05T10:00:00Z"}],"symbol":"BTCUSDT"}';
      relay.emit(`{"jsonrpc":"2.0","method":"updateTrades","params":${params}}`);
      await relay.settle();
      expect(reported).toEqual([
        ['updateTrades', { data: [{ ...trade('100'), id: 1 }], ...BITCOIN }],
      ]);
      expect(failed).toEqual([]);
    },
  );

  test('an invalid or unexpected answer is reported and breaks nothing', async () => {
    const { socket, relay, reported, failed } = await open();
    for (const frame of [
      'no JSON',
      '{"jsonrpc":"2.0","result":true,"id":99}',
      '{"jsonrpc":"2.0","method":"unheardOf","params":{}}',
      '{"jsonrpc":"2.0","method":"ticker","params":{"symbol":"BTCUSDT"}}',
    ]) {
      relay.emit(frame);
    }
    await relay.settle();
    expect(reported).toEqual([]);
    expect(failed).toMatchObject(Array.from({ length: 4 }, () => ({ code: 'answer-invalid' })));
    expect(await socket.request('getSymbol', { symbol: 'ETHBTC' })).toMatchObject({ id: 'ETHBTC' });
  });
});
