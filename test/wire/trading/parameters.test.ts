import { describe, expect, expectTypeOf, test } from 'vitest';
import { type Decimal, decimal } from '../../../src/model/decimal.ts';
import { PERIODS } from '../../../src/model/period.ts';
import {
  decodePath,
  decodeRequest,
  encodeRequest,
  fillPath,
  pathMembers,
  type Answer,
  type Arguments,
  type Call,
} from '../../../src/wire/trading/call.ts';
import { readForm, writeForm } from '../../../src/wire/trading/json.ts';
import { boundNumber, boundTime } from '../../../src/wire/trading/paging.ts';
import { parseTime } from '../../../src/wire/time.ts';
import { V2_CALLS } from '../../../src/wire/trading/v2/calls/table.ts';
import { symbolsOf } from '../../../src/wire/trading/v3/calls/order-params.ts';
import { V3_CALLS, V3_PREFIX } from '../../../src/wire/trading/v3/calls/table.ts';
import { plain } from './arbitrary.ts';

const inPlace = (call: Call, given: Readonly<Record<string, unknown>>) =>
  call.method === 'GET' ? { query: given, body: undefined } : { query: {}, body: given };

/** Parameters as a call reads them, or the fault. */
function read(call: Call, given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const outcome = decodeRequest(call, inPlace(call, given));
  return outcome.kind === 'ok'
    ? (plain(outcome.value) as Record<string, unknown>)
    : { ...outcome.fault };
}

const ORDER = { symbol: 'BTCUSDT', side: 'buy', quantity: '0.0015', price: '16731.00' };

describe('pages of version 3', () => {
  test.each([
    ['getPriceHistory', { limit: 1, period: 'M30', sort: 'DESC' }],
    ['getTrades', { by: 'timestamp', sort: 'DESC', limit: 10 }],
    ['getTradesOfSymbol', { by: 'timestamp', sort: 'DESC', limit: 10, offset: 0 }],
    ['getOrderBooks', { depth: 100 }],
    ['getOrderBook', { depth: 100 }],
    ['getCandles', { period: 'M30', sort: 'DESC', limit: 10 }],
    ['getCandlesOfSymbol', { period: 'M30', sort: 'DESC', limit: 100, offset: 0 }],
    ['getPremiumIndexCandlesOfSymbol', { period: 'M30', sort: 'DESC', limit: 100, offset: 0 }],
    ['getOpenInterestCandles', { period: 'M30', sort: 'DESC', limit: 10 }],
    ['getOpenInterestCandlesOfSymbol', { period: 'M30', sort: 'DESC', limit: 100, offset: 0 }],
    ['getSpotOrderHistory', { by: 'timestamp', sort: 'DESC', limit: 100, offset: 0 }],
    ['getMarginOrderHistory', { by: 'id', sort: 'DESC', limit: 100, offset: 0 }],
    ['getMarginTradeHistory', { by: 'id', sort: 'DESC', limit: 100, offset: 0 }],
    [
      'getTransactions',
      { order_by: 'created_at', sort: 'DESC', limit: 100, offset: 0, group_transactions: false },
    ],
  ] as const)('%s has the defaults %j', (name, defaults) => {
    expect(read(V3_CALLS[name], {})).toEqual(defaults);
  });

  const edges: readonly (readonly [keyof typeof V3_CALLS, string, number, number])[] = [
    ['getPriceHistory', 'limit', 1, 1_000],
    ['getTrades', 'limit', 1, 1_000],
    ['getTradesOfSymbol', 'offset', 0, 100_000],
    ['getCandles', 'limit', 1, 1_000],
    ['getCandlesOfSymbol', 'offset', 0, 100_000],
    ['getPremiumIndexCandlesOfSymbol', 'limit', 1, 1_000],
    ['getPremiumIndexCandlesOfSymbol', 'offset', 0, 100_000],
    ['getOpenInterestCandles', 'limit', 1, 1_000],
    ['getOpenInterestCandlesOfSymbol', 'offset', 0, 100_000],
    ['getMarginOrderHistory', 'limit', 1, 1_000],
    ['getMarginOrderHistory', 'offset', 0, 100_000],
    ['getMarginTradeHistory', 'limit', 1, 1_000],
    ['getTransactions', 'limit', 1, 1_000],
  ];

  test.each(edges)('%s takes %s from %i to %i', (name, member, min, max) => {
    const call = V3_CALLS[name];
    for (const value of [min, max]) {
      expect(read(call, { [member]: String(value) })[member]).toBe(value);
      expect(read(call, { [member]: value })[member]).toBe(value);
    }
    for (const value of [min - 1, max + 1, '1.5', '', 'many', '1e2', true]) {
      expect(read(call, { [member]: value })).toMatchObject({ code: 10001, member });
    }
  });

  test.each(PERIODS)('the period %s is known', (period) => {
    expect(read(V3_CALLS.getCandles, { period }).period).toBe(period);
  });

  test.each([
    ['period', 'M2'],
    ['period', 'm1'],
    ['sort', 'asc'],
    ['sort', 'UP'],
    ['from', 'yesterday'],
    ['till', '2024-02-30'],
  ])('%s may not be %s', (member, value) => {
    expect(read(V3_CALLS.getCandles, { [member]: value })).toMatchObject({ code: 10001, member });
  });

  test('by may be id or timestamp, and nothing else', () => {
    expect(read(V3_CALLS.getSpotTradeHistory, { by: 'id' }).by).toBe('id');
    expect(read(V3_CALLS.getSpotTradeHistory, { by: 'price' })).toMatchObject({
      code: 10001,
      member: 'by',
      description: 'by must be one of id, timestamp',
    });
  });

  test('bounds are the same instant as ISO, as milliseconds, and percent-encoded', () => {
    const at = parseTime('2023-11-14T22:13:20.000Z');
    for (const from of ['2023-11-14T22:13:20Z', '1700000000000', 1_700_000_000_000]) {
      const outcome = decodeRequest(V3_CALLS.getSpotTradeHistory, {
        query: { from },
        body: undefined,
      });
      if (outcome.kind === 'fault' || outcome.value.from === undefined) throw new Error('it reads');
      expect(boundTime(outcome.value.from)).toBe(at);
    }
    const query = readForm('from=2023-11-14T22%3A13%3A20.000Z&till=2023-11-15');
    expect(read(V3_CALLS.getCandles, query)).toMatchObject({
      from: at,
      till: parseTime('2023-11-15T00:00:00Z'),
    });
  });

  test('bounds of ids are numbers', () => {
    const outcome = decodeRequest(V3_CALLS.getMarginTradeHistory, {
      query: { by: 'id', from: '5', till: '9' },
      body: undefined,
    });
    if (outcome.kind === 'fault') throw new Error('it reads');
    const { from, till } = outcome.value;
    if (from === undefined || till === undefined) throw new Error('both are given');
    expect([boundNumber(from), boundNumber(till)]).toEqual([5, 9]);
    expect(boundNumber({ kind: 'time', at: parseTime('2024-01-01') ?? (0 as never) })).toBe(
      undefined,
    );
    expect(read(V3_CALLS.getMarginTradeHistory, { by: 'id', till: '2024-01-02' })).toMatchObject({
      code: 10001,
      member: 'till',
    });
    expect(read(V3_CALLS.getMarginTradeHistory, { by: 'timestamp', till: '2024-01-02' })).toEqual(
      expect.objectContaining({ till: { kind: 'time', at: parseTime('2024-01-02') } }),
    );
    expect(read(V3_CALLS.getMarginTradeHistory, { from: '99999999999999999' })).toMatchObject({
      member: 'from',
    });
  });
});

describe('what a list is ordered by, where nobody says so', () => {
  test.each([
    [{}, 'id'],
    [{ from: '5', till: 999_999_999_999 }, 'id'],
    [{ from: '2024-01-02' }, 'timestamp'],
    [{ till: '2024-01-02T03:04:05Z' }, 'timestamp'],
    [{ from: 1_700_000_000_000 }, 'timestamp'],
    [{ till: '1700000000000' }, 'timestamp'],
    [{ by: 'id', from: 1_700_000_000_000 }, 'id'],
    [{ by: 'timestamp', from: 5 }, 'timestamp'],
  ])('%j of a margin history means by %s', (given, expected) => {
    expect(read(V3_CALLS.getMarginOrderHistory, given).by).toBe(expected);
  });
});

describe('parameters of orders', () => {
  test('an order has its defaults', () => {
    expect(read(V3_CALLS.createSpotOrder, ORDER)).toEqual({
      symbol: 'BTCUSDT',
      side: 'buy',
      type: 'limit',
      quantity: 'decimal 0.0015',
      price: 'decimal 16731',
      strict_validate: false,
      post_only: false,
    });
    expect(read(V3_CALLS.createMarginOrder, ORDER)).toMatchObject({
      reduce_only: false,
      close_position: false,
      margin_mode: 'isolated',
    });
    expect(read(V2_CALLS.createOrder, ORDER)).toMatchObject({ type: 'limit', timeInForce: 'GTC' });
  });

  test('numbers may be text or JSON numbers, booleans text or JSON booleans', () => {
    const given = {
      ...ORDER,
      quantity: 0.0015,
      price: 1e-7,
      post_only: 'true',
      strict_validate: 0,
    };
    expect(read(V3_CALLS.createSpotOrder, given)).toMatchObject({
      quantity: 'decimal 0.0015',
      price: 'decimal 0.0000001',
      post_only: true,
      strict_validate: false,
    });
  });

  test('a form is read as a JSON body is', () => {
    const form = readForm('symbol=BTCUSDT&side=buy&quantity=0.0015&price=16731.00&post_only=True');
    expect(read(V3_CALLS.createSpotOrder, form)).toEqual(
      read(V3_CALLS.createSpotOrder, { ...ORDER, post_only: true }),
    );
    const orders = [ORDER, { ...ORDER, side: 'sell' }];
    const list = { contingency_type: 'oneCancelOther', orders };
    expect(read(V3_CALLS.createSpotOrderList, readForm(writeForm(list)))).toEqual(
      read(V3_CALLS.createSpotOrderList, list),
    );
    expect(
      read(V3_CALLS.createSpotOrderList, readForm('orders=no&contingency_type=allOrNone')),
    ).toMatchObject({ code: 10001, member: 'orders' });
  });

  test('unknown parameters and those of the path are of no account', () => {
    const given = { ...ORDER, hello: [1], leverage: 'x' };
    expect(read(V3_CALLS.createSpotOrder, given)).toEqual(read(V3_CALLS.createSpotOrder, ORDER));
    expect(
      read(V3_CALLS.replaceSpotOrder, { client_order_id: 5, quantity: '1', price: '2' }),
    ).toEqual({ quantity: 'decimal 1', price: 'decimal 2', strict_validate: false });
  });

  test.each([
    [{ ...ORDER, symbol: undefined }, 10001, 'symbol', 'symbol is required'],
    [{ ...ORDER, side: undefined }, 10001, 'side', 'side is required'],
    [{ ...ORDER, side: 'long' }, 10001, 'side', 'side must be one of sell, buy'],
    [
      { ...ORDER, quantity: 'many' },
      2010,
      'quantity',
      'quantity must be a decimal number such as "61837.63"',
    ],
    [{ ...ORDER, quantity: true }, 2010, 'quantity', 'quantity must be a decimal number'],
    [{ ...ORDER, quantity: '' }, 2010, 'quantity', expect.any(String)],
    [{ ...ORDER, price: 'x' }, 2020, 'price', expect.any(String)],
    [{ ...ORDER, stop_price: '0x10' }, 2020, 'stop_price', expect.any(String)],
    [{ ...ORDER, type: 'LIMIT' }, 20049, 'type', expect.stringContaining('limit, market')],
    [{ ...ORDER, time_in_force: 'GTX' }, 20048, 'time_in_force', expect.any(String)],
    [{ ...ORDER, post_only: 'yes' }, 10001, 'post_only', 'post_only must be true or false'],
    [{ ...ORDER, expire_time: 'soon' }, 10001, 'expire_time', expect.any(String)],
    [{ ...ORDER, client_order_id: 'short' }, 10001, 'client_order_id', expect.any(String)],
    [{ ...ORDER, client_order_id: 'a'.repeat(33) }, 10001, 'client_order_id', expect.any(String)],
    [{ ...ORDER, client_order_id: 'ünicode-id' }, 10001, 'client_order_id', expect.any(String)],
    [{ ...ORDER, take_rate: 'x' }, 10001, 'take_rate', expect.any(String)],
  ])('%j is refused', (given, code, member, description) => {
    expect(read(V3_CALLS.createSpotOrder, given)).toMatchObject({ code, member, description });
  });

  test.each([8, 32])('a client order id of %i characters passes', (length) => {
    const client_order_id = 'aZ0_-'.repeat(7).slice(0, length);
    expect(read(V3_CALLS.createSpotOrder, { ...ORDER, client_order_id })).toMatchObject({
      client_order_id,
    });
  });

  test('an unknown margin mode has its own code', () => {
    const given = { ...ORDER, margin_mode: 'portfolio' };
    expect(read(V3_CALLS.createFuturesOrder, given)).toMatchObject({
      code: 2024,
      member: 'margin_mode',
    });
  });

  test('the error of an order in a list names the order', () => {
    const list = { contingency_type: 'oneCancelOther', orders: [ORDER, { ...ORDER, price: 'x' }] };
    expect(read(V3_CALLS.createSpotOrderList, list)).toMatchObject({
      code: 2020,
      member: 'orders[1].price',
      description: expect.stringMatching(/^orders\[1\]\.price must be a decimal number/),
    });
    expect(read(V3_CALLS.createSpotOrderList, { contingency_type: 'x', orders: [] })).toMatchObject(
      {
        code: 10001,
        member: 'contingency_type',
      },
    );
  });

  test('symbols come as a comma list, under either name', () => {
    const params = decodeRequest(V3_CALLS.getSpotOrderHistory, {
      query: readForm('symbols=BTCUSDT,%20ETHBTC,&symbol=ETHUSDT'),
      body: undefined,
    });
    if (params.kind === 'fault') throw new Error('it reads');
    expect(symbolsOf(params.value)).toEqual(['ETHUSDT', 'BTCUSDT', 'ETHBTC']);
    expect(symbolsOf({})).toEqual([]);
    const repeated = readForm('symbols=BTCUSDT&symbols=ETHBTC');
    expect(read(V3_CALLS.getTickers, repeated).symbols).toEqual(['BTCUSDT', 'ETHBTC']);
    expect(read(V3_CALLS.getTickers, { symbols: ['BTCUSDT'] }).symbols).toEqual(['BTCUSDT']);
    expect(read(V3_CALLS.getTickers, { symbols: [5] })).toMatchObject({ member: 'symbols' });
  });

  test('a symbol of version 2 may be in small letters', () => {
    expect(read(V2_CALLS.createOrder, { ...ORDER, symbol: 'ethbtc' }).symbol).toBe('ETHBTC');
  });
});

describe('other parameters', () => {
  test('a withdrawal takes its amount as text or number and its comment up to 255 characters', () => {
    const given = { currency: 'BTC', amount: '0.5', address: 'a' };
    expect(read(V3_CALLS.withdraw, { ...given, amount: 0.5 })).toEqual(
      read(V3_CALLS.withdraw, given),
    );
    expect(read(V3_CALLS.withdraw, given)).toMatchObject({
      include_fee: false,
      auto_commit: true,
      use_offchain: 'never',
    });
    const comment = 'c'.repeat(255);
    expect(read(V3_CALLS.withdraw, { ...given, public_comment: comment })).toMatchObject({
      public_comment: comment,
    });
    expect(read(V3_CALLS.withdraw, { ...given, public_comment: `${comment}c` })).toMatchObject({
      code: 10001,
      member: 'public_comment',
      description: 'public_comment must have at most 255 characters',
    });
    expect(read(V2_CALLS.withdraw, { ...given, publicComment: `${comment}c` })).toMatchObject({
      member: 'publicComment',
    });
  });

  test('the leverage of a futures account is required, that of a margin account is not', () => {
    expect(read(V3_CALLS.setIsolatedMarginAccount, { margin_balance: '0' })).toEqual({
      margin_balance: 'decimal 0',
      strict_validate: false,
    });
    expect(read(V3_CALLS.setIsolatedFuturesAccount, { margin_balance: '5' })).toMatchObject({
      member: 'leverage',
    });
    expect(read(V3_CALLS.setIsolatedMarginAccount, { margin_balance: '-1' })).toMatchObject({
      member: 'margin_balance',
      description: 'margin_balance must not be negative',
    });
  });

  test('converted candles need their currency, sub-account calls their ids', () => {
    expect(read(V3_CALLS.getConvertedCandles, {})).toMatchObject({ member: 'target_currency' });
    expect(read(V3_CALLS.freezeSubAccounts, {})).toMatchObject({
      code: 10001,
      member: 'sub_account_ids',
    });
    expect(read(V2_CALLS.freezeSubAccounts, {})).toMatchObject({ code: 10001, member: 'ids' });
    expect(read(V2_CALLS.getOrder, { wait: 60_001 })).toMatchObject({ member: 'wait' });
    expect(read(V2_CALLS.getOrder, { wait: '60000' }).wait).toBe(60_000);
  });

  test('a list that has to name something may not be empty', () => {
    const { activateSubAccounts } = V3_CALLS;
    expect(read(activateSubAccounts, { sub_account_ids: '5,6' }).sub_account_ids).toEqual([
      '5',
      '6',
    ]);
    expect(read(activateSubAccounts, { sub_account_ids: ' ,' })).toMatchObject({
      code: 10001,
      description: 'sub_account_ids must name at least one',
    });
    expect(read(V2_CALLS.freezeSubAccounts, { ids: '' })).toMatchObject({ member: 'ids' });
  });

  test('a body that is a list is read as one', () => {
    const row = { currency: 'BTC', amount: '1' };
    const bulk = decodeRequest(V3_CALLS.estimateFeesInBulk, { query: {}, body: [row, row] });
    expect(bulk.kind === 'ok' ? bulk.value.length : bulk).toBe(2);
    const wrong = decodeRequest(V3_CALLS.estimateFeesInBulk, { query: {}, body: [row, {}] });
    expect(wrong).toMatchObject({ fault: { code: 10001, member: '[1].currency' } });
    const none = decodeRequest(V3_CALLS.estimateFeesInBulk, { query: {}, body: undefined });
    expect(none).toMatchObject({
      fault: { code: 10001, description: 'the message must be an array' },
    });
  });
});

describe('where parameters stand', () => {
  const both = { query: { symbol: 'FROMQUERY' }, body: { symbol: 'FROMBODY' } };
  const symbolOf = (call: Call): unknown => {
    const outcome = decodeRequest(call, both);
    return outcome.kind === 'ok' ? (outcome.value as { symbol?: string }).symbol : outcome.fault;
  };

  test('GET reads the query alone, POST and PATCH the body alone, DELETE and PUT both', () => {
    expect(symbolOf(V3_CALLS.getSpotOrders)).toBe('FROMQUERY');
    expect(symbolOf(V3_CALLS.cancelSpotOrders)).toBe('FROMBODY');
    const { createSpotOrder, replaceSpotOrder, setIsolatedMarginAccount } = V3_CALLS;
    expect(decodeRequest(createSpotOrder, { query: ORDER, body: undefined })).toMatchObject({
      fault: { member: 'symbol' },
    });
    const price = { query: { price: '1' }, body: {} };
    expect(read(replaceSpotOrder, {})).toEqual({ strict_validate: false });
    expect(decodeRequest(replaceSpotOrder, price)).toMatchObject({
      value: { strict_validate: false },
    });
    for (const sources of [
      { query: { margin_balance: '5' }, body: undefined },
      { query: {}, body: { margin_balance: '5' } },
      { query: { margin_balance: '5' }, body: {} },
    ]) {
      expect(decodeRequest(setIsolatedMarginAccount, sources)).toMatchObject({ kind: 'ok' });
    }
    expect(
      decodeRequest(V3_CALLS.cancelSpotOrders, { query: { symbol: 'A' }, body: '' }),
    ).toMatchObject({ value: { symbol: 'A' } });
  });

  test('a request is written into the query of GET and DELETE, else into a JSON body', () => {
    expect(
      encodeRequest(V3_CALLS.getCandlesOfSymbol, V3_PREFIX, {
        path: { symbol: 'BTCUSDT' },
        params: { period: 'H1', limit: 5, from: parseTime('2023-11-14T22:13:20Z') },
      }),
    ).toEqual({
      method: 'GET',
      path: '/api/3/public/candles/BTCUSDT',
      query: 'period=H1&from=2023-11-14T22%3A13%3A20Z&limit=5',
      body: '',
    });
    expect(
      encodeRequest(V3_CALLS.createSpotOrder, V3_PREFIX, {
        path: {},
        params: {
          symbol: 'BTCUSDT',
          side: 'buy',
          quantity: decimal('0.0015'),
          price: '16731.00',
          post_only: true,
        },
      }),
    ).toEqual({
      method: 'POST',
      path: '/api/3/spot/order',
      query: '',
      body: '{"symbol":"BTCUSDT","side":"buy","quantity":"0.0015","price":"16731.00","post_only":true}',
    });
    expect(
      encodeRequest(V3_CALLS.cancelSpotOrders, V3_PREFIX, {
        path: {},
        params: { symbol: 'BTCUSDT' },
      }),
    ).toMatchObject({ query: 'symbol=BTCUSDT', body: '' });
    expect(
      encodeRequest(V3_CALLS.commitWithdrawal, V3_PREFIX, { path: { id: 'a/b c' }, params: {} }),
    ).toEqual({
      method: 'PUT',
      path: '/api/3/wallet/crypto/withdraw/a%2Fb%20c',
      query: '',
      body: '',
    });
    expect(
      encodeRequest(V3_CALLS.estimateFeesInBulk, V3_PREFIX, {
        path: {},
        params: [{ currency: 'BTC', amount: '1', network_code: undefined }],
      }).body,
    ).toBe('[{"currency":"BTC","amount":"1"}]');
  });

  test('what cannot be sent is a mistake of the program', () => {
    expect(() =>
      encodeRequest(V3_CALLS.createSpotOrder, V3_PREFIX, {
        path: {},
        params: { symbol: 'BTCUSDT', side: 'buy', client_order_id: 'short' },
      }),
    ).toThrow(/client_order_id must have 8 to 32/);
    expect(() => fillPath('/a/{b}', { b: '' })).toThrow(/needs a b/);
    expect(() => fillPath('/a/{b}', {})).toThrow(/needs a b/);
  });
});

describe('tables of calls', () => {
  const tables: readonly (readonly [string, Readonly<Record<string, Call>>])[] = [
    ['v3', V3_CALLS],
    ['v2', V2_CALLS],
  ];

  test.each(tables)('no two calls of %s answer one method and path', (_, calls) => {
    const routes = Object.values(calls).map(
      ({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`,
    );
    expect(routes.filter((route, at) => routes.indexOf(route) !== at)).toEqual([]);
  });

  test.each(tables)('public calls of %s are public, and no others', (_, calls) => {
    for (const { path, access } of Object.values(calls)) {
      expect([path, access === 'public']).toEqual([path, path.startsWith('/public/')]);
    }
  });

  test('members of a path are read, those of a few words by their code', () => {
    const { closeFuturesPosition, cancelSpotOrder } = V3_CALLS;
    const given = { margin_mode: 'isolated', symbol: 'BTCUSDT_PERP' };
    expect(decodePath(closeFuturesPosition, given)).toEqual({ kind: 'ok', value: given });
    expect(decodePath(closeFuturesPosition, { ...given, margin_mode: 'both' })).toMatchObject({
      fault: {
        code: 2024,
        member: 'margin_mode',
        description: 'margin_mode must be one of isolated, cross',
      },
    });
    expect(decodePath(cancelSpotOrder, {})).toMatchObject({
      fault: { code: 10001, member: 'client_order_id' },
    });
  });

  test('arguments and answers have the types of their row', () => {
    type Params = Arguments<typeof V3_CALLS.getMarginTradeHistory>['params'];
    expectTypeOf<Params['by']>().toEqualTypeOf<'id' | 'timestamp' | undefined>();
    expectTypeOf<Params['order_id']>().toEqualTypeOf<number | undefined>();
    type Path = Arguments<typeof V3_CALLS.closeFuturesPosition>['path'];
    expectTypeOf<keyof Path>().toEqualTypeOf<'margin_mode' | 'symbol'>();
    type Order = Answer<typeof V3_CALLS.getSpotOrder>;
    expectTypeOf<Order['side']>().toEqualTypeOf<'buy' | 'sell'>();
    expectTypeOf<Order['price']>().toEqualTypeOf<Decimal | undefined>();
    const params: Params = { by: 'id' };
    expect(encodeRequest(V3_CALLS.getMarginTradeHistory, V3_PREFIX, { path: {}, params })).toEqual({
      method: 'GET',
      path: '/api/3/margin/history/trade',
      query: 'by=id',
      body: '',
    });
  });

  test('the calls of a series of futures have their own paths', () => {
    const { getIndexPriceCandles, getIndexPriceCandlesOfSymbol } = V3_CALLS;
    const ofSymbol = encodeRequest(getIndexPriceCandlesOfSymbol, V3_PREFIX, {
      path: { symbol: 'BTCUSDT_PERP' },
      params: {},
    });
    expect(ofSymbol.path).toBe('/api/3/public/futures/candles/index_price/BTCUSDT_PERP');
    const ofAll = encodeRequest(getIndexPriceCandles, V3_PREFIX, { path: {}, params: {} });
    expect(ofAll.path).toBe('/api/3/public/futures/candles/index_price');
    expect(() =>
      encodeRequest(getIndexPriceCandlesOfSymbol, V3_PREFIX, {
        // @ts-expect-error the path needs a symbol
        path: {},
        // @ts-expect-error a limit is no text
        params: { limit: 'x' },
      }),
    ).toThrow();
  });

  test('members of a path are those in braces', () => {
    expect(pathMembers('/futures/position/{margin_mode}/{symbol}')).toEqual([
      'margin_mode',
      'symbol',
    ]);
    expect(pathMembers('/spot/order')).toEqual([]);
  });
});
