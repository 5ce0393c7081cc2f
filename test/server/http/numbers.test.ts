import { describe, expect, test } from 'vitest';
import { Decimal } from '../../../src/model/decimal.ts';
import { openVenue, sharedVenue, type TestVenue } from '../kit.ts';
import { eachRow } from '../../conformance/each-row.ts';

const venue = sharedVenue();

const DECIMAL = /^-?\d+(\.\d+)?$/;

/** Members that are money, quantities, rates and the like, whatever record they are in. */
const FINANCIAL = [
  ...['price', 'quantity', 'quantity_cumulative', 'price_average', 'stop_price', 'fee'],
  ...['available', 'reserved', 'reserved_margin', 'cross_margin_reserved'],
  ...['take_rate', 'make_rate', 'tick_size', 'quantity_increment', 'max_initial_leverage'],
  ...['ask', 'bid', 'last', 'low', 'high', 'open', 'close', 'min', 'max', 'volume', 'volume_quote'],
  ...['payout_fee', 'precision_payout', 'precision_transfer', 'qty', 'amount', 'cumQuantity'],
  ...['quantityIncrement', 'tickSize', 'takeLiquidityRate', 'provideLiquidityRate', 'volumeQuote'],
  ...['payoutFee', 'size', 'avgPrice', 'stopPrice', 'leverage', 'margin_balance'],
];

/** All values of members with these names, at any depth, by name. */
function membersOf(value: unknown, names: readonly string[]): [string, unknown][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]): [string, unknown][] =>
    names.includes(name) && (typeof member !== 'object' || member === null)
      ? [[name, member]]
      : membersOf(member, names),
  );
}

const order = (side: string, price: string, more: object = {}) => ({
  symbol: 'BTCUSDT',
  side,
  quantity: '0.5',
  price,
  ...more,
});

/** Two members trade, and one has an order left in the book. */
async function traded(our: TestVenue): Promise<void> {
  for (const [as, json] of [
    ['other', order('sell', '20000')],
    ['demo', order('buy', '20000')],
    ['demo', order('buy', '19000')],
    ['other', order('sell', '21000')],
  ] as const) {
    const { status } = await our.call('POST', '/api/3/spot/order', { as, json });
    expect(status).toBe(200);
  }
  const json = { currency: 'USDT', amount: '1', source: 'spot', destination: 'wallet' };
  await our.call('POST', '/api/3/wallet/transfer', { as: 'demo', json });
}

const V3_READINGS = [
  '/api/3/public/currency',
  '/api/3/public/symbol',
  '/api/3/public/ticker',
  '/api/3/public/trades',
  '/api/3/public/candles',
  '/api/3/public/price/ticker',
  '/api/3/spot/balance',
  '/api/3/spot/order',
  '/api/3/spot/fee',
  '/api/3/spot/history/order',
  '/api/3/spot/history/trade',
  '/api/3/wallet/balance',
];
const V2_READINGS = [
  '/api/2/public/symbol',
  '/api/2/public/ticker',
  '/api/2/public/trades/BTCUSDT',
  '/api/2/public/orderbook/BTCUSDT',
  '/api/2/public/candles/BTCUSDT',
  '/api/2/trading/balance',
  '/api/2/order',
  '/api/2/history/order',
  '/api/2/history/trades',
];

describe('numbers', () => {
  eachRow('server:', [
    ...V3_READINGS.map((path) => ['trading-v3.conv.string-numbers', path] as const),
    ...V2_READINGS.map((path) => ['trading-v2.conv.string-numbers', path] as const),
  ])('%s has decimal numbers as text', async (path) => {
    const our = await openVenue();
    await traded(our);
    const { status, body } = await our.call('GET', path, { as: 'demo' });
    expect(status).toBe(200);
    const members = membersOf(body, FINANCIAL).filter(([, value]) => value !== null);
    expect(members.length).toBeGreaterThan(0);
    for (const [name, value] of members) {
      expect([name, value]).toEqual([name, expect.stringMatching(DECIMAL)]);
    }
  });

  test.each(['quantity', 'price'])(
    '%s of a request is text, and read as a JSON number too',
    { tags: ['server:trading-v3.conv.string-numbers'] },
    async (name) => {
      for (const value of ['12.5', 12.5]) {
        const json = { ...order('buy', '9'), quantity: '1', [name]: value };
        const { body } = await venue().call('POST', '/api/3/spot/order', { as: 'demo', json });
        expect(new Decimal(String((body as Record<string, unknown>)[name])).toString()).toBe(
          '12.5',
        );
      }
    },
  );

  test(
    'an amount of 24 digits is kept whole',
    { tags: ['server:trading-v3.conv.arbitrary-precision'] },
    async () => {
      const our = await openVenue();
      const amount = '123456789012.123456789012';
      our.join('precise', { spot: { USDT: amount } });
      const { body } = await our.call('GET', '/api/3/spot/balance/USDT', { as: 'precise' });
      expect(body).toMatchObject({ available: amount });
      const transfer = {
        currency: 'USDT',
        amount: '123456789012.123456789011',
        source: 'spot',
        destination: 'wallet',
      };
      await our.call('POST', '/api/3/wallet/transfer', { as: 'precise', json: transfer });
      const left = await our.call('GET', '/api/3/spot/balance/USDT', { as: 'precise' });
      expect(new Decimal((left.body as { available: string }).available).toFixed()).toBe(
        '0.000000000001',
      );
    },
  );

  test(
    'a JSON number keeps the digits that a double has not',
    { tags: ['server:trading-v3.conv.arbitrary-precision'] },
    async () => {
      const text =
        '{"symbol":"BTCUSDT","side":"buy","price":9,"quantity":1.000000000000000000001,"strict_validate":true}';
      const headers = { 'content-type': 'application/json' };
      const { body } = await venue().call('POST', '/api/3/spot/order', {
        as: 'demo',
        text,
        headers,
      });
      expect(body).toMatchObject({ error: { code: 2012 } });
    },
  );

  test(
    'counts are JSON numbers, processing times and leverages text',
    { tags: ['server:trading-v3.conv.plain-number-fields'] },
    async () => {
      const { body } = await venue().call('GET', '/api/3/public/currency/BTC');
      const [network] = (body as { networks: readonly unknown[] }).networks;
      expect(network).toMatchObject({ payin_confirmations: expect.any(Number) });
      const times = ['low_processing_time', 'high_processing_time', 'avg_processing_time'];
      for (const [name, value] of membersOf(body, times)) {
        expect([name, value]).toEqual([name, expect.stringMatching(DECIMAL)]);
      }
      for (const [name, value] of membersOf(body, ['account_top_order'])) {
        expect([name, value]).toEqual([name, expect.any(Number)]);
      }
      const symbol = await venue().call('GET', '/api/3/public/symbol/BTCUSDT');
      expect(symbol.body).toMatchObject({ max_initial_leverage: '25.00' });
    },
  );

  test(
    'ids of orders and trades are JSON numbers',
    { tags: ['server:trading-v3.conv.numeric-ids'] },
    async () => {
      const our = await openVenue();
      await traded(our);
      const orders = await our.call('GET', '/api/3/spot/history/order', { as: 'demo' });
      const trades = await our.call('GET', '/api/3/spot/history/trade', { as: 'demo' });
      const tape = await our.call('GET', '/api/3/public/trades/BTCUSDT');
      const ids = [orders, trades, tape].flatMap(({ body }) => membersOf(body, ['id', 'order_id']));
      expect(ids).toHaveLength(5);
      for (const [, id] of ids) expect(id).toEqual(expect.any(Number));
      const socket = await our.socket('/api/3/ws/public');
      socket.send({
        method: 'subscribe',
        ch: 'trades',
        params: { symbols: ['BTCUSDT'], limit: 1 },
      });
      const params = { symbols: ['BTCUSDT'] };
      socket.send({ method: 'subscribe', ch: 'orderbook/full', params });
      socket.send({ method: 'subscribe', ch: 'ticker/1s', params });
      const frame = await socket.until((one) => one['ch'] === 'trades' && 'snapshot' in one);
      const book = await socket.until((one) => one['ch'] === 'orderbook/full' && 'snapshot' in one);
      expect(membersOf(frame, ['i', 't'])).toEqual([
        ['t', expect.any(Number)],
        ['i', expect.any(Number)],
      ]);
      expect(membersOf(book, ['s', 't'])).toEqual([
        ['t', expect.any(Number)],
        ['s', expect.any(Number)],
      ]);
      our.pass(1_000_000);
      const ticker = await socket.until((one) => one['ch'] === 'ticker/1s' && 'data' in one);
      expect(membersOf(ticker, ['L'])).toEqual([['L', expect.any(Number)]]);
    },
  );

  test(
    'padded numbers are read, and prices have the scale of the tick',
    { tags: ['server:trading-v3.conv.padded-decimals'] },
    async () => {
      const json = order('buy', '000100.1000000', { quantity: '0.0500000' });
      const { body } = await venue().call('POST', '/api/3/spot/order', { as: 'demo', json });
      expect(body).toMatchObject({ price: '100.10', quantity: '0.05000' });
    },
  );

  test(
    'times of version 2 are ISO 8601 in UTC',
    { tags: ['server:trading-v2.conv.timestamps'] },
    async () => {
      const our = await openVenue();
      await traded(our);
      for (const path of V2_READINGS.filter((one) => !/symbol|balance/.test(one))) {
        const { body } = await our.call('GET', path, { as: 'demo' });
        const times = membersOf(body, ['timestamp', 'createdAt', 'updatedAt']);
        expect([path, times.length]).not.toEqual([path, 0]);
        for (const [name, value] of times) {
          const text = String(value);
          expect([path, name, text]).toEqual([
            path,
            name,
            expect.stringMatching(/^2026-01-05T.*Z$/),
          ]);
          expect(Number.isFinite(Date.parse(text))).toBe(true);
        }
      }
    },
  );
});
