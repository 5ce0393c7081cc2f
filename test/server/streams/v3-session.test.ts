import { describe, expect, test } from 'vitest';
import { Decimal } from '../../../src/model/decimal.ts';
import { revoke } from '../../../src/server/trading/accounts/stopping.ts';
import { openVenue } from '../kit.ts';
import { ask, askList, BUY, rejection, SELL, reported } from './trading-markets.ts';

const ROW = 'server:trading-v3.stream-trading';
const order = { ...BUY, symbol: 'BTCUSDT' } as const;

describe('frames of the trading socket', () => {
  test(
    'replies have result or error, notifications method and params, all of them jsonrpc',
    { tags: [`${ROW}.envelope`] },
    async () => {
      const venue = await openVenue();
      const socket = await venue.tradingSocket('demo');
      const subscribed = await socket.request('spot_subscribe');
      const rejected = await socket.request('spot_balance', { currency: 'XXX' });
      await ask(socket, 'spot_new_order', order);
      expect(Object.keys(subscribed)).toEqual(['jsonrpc', 'result', 'id']);
      expect(Object.keys(rejected)).toEqual(['jsonrpc', 'error', 'id']);
      const [notice] = socket.received('spot_order');
      expect(Object.keys(notice ?? {})).toEqual(['jsonrpc', 'method', 'params']);
      expect(new Set(socket.frames.map(({ jsonrpc }) => jsonrpc))).toEqual(new Set(['2.0']));
    },
  );

  test('params may be absent or null', { tags: [`${ROW}.params-optional`] }, async () => {
    const venue = await openVenue();
    const socket = await venue.tradingSocket('demo');
    socket.send({ method: 'spot_get_orders', id: 'absent' });
    socket.send({ method: 'spot_get_orders', params: null, id: 'null' });
    await socket.settle();
    expect(socket.frames.slice(-2)).toEqual([
      { jsonrpc: '2.0', result: [], id: 'absent' },
      { jsonrpc: '2.0', result: [], id: 'null' },
    ]);
  });

  test(
    'an id comes back as it was written, and without one there is no reply',
    { tags: [`${ROW}.id-echo`] },
    async () => {
      const venue = await openVenue();
      const socket = await venue.tradingSocket('demo');
      const texts: string[] = [];
      socket.raw.on('message', (data: Buffer) => texts.push(data.toString('utf8')));
      for (const id of ['7', '"7"', '12345678901234567890', '"ä\\"b"', '-1.5']) {
        socket.send(`{"method":"spot_get_orders","id":${id}}`);
      }
      socket.send({ method: 'spot_get_orders' });
      socket.send({ method: 'spot_cancel_order', params: { client_order_id: 'nothing-01' } });
      socket.send({ method: 'spot_get_orders', id: null });
      await socket.settle();
      expect(texts.map((text) => text.slice(text.indexOf('"id":')))).toEqual([
        '"id":7}',
        '"id":"7"}',
        '"id":12345678901234567890}',
        '"id":"ä\\"b"}',
        '"id":-1.5}',
      ]);
      const silent = await venue.socket('/api/3/ws/trading');
      silent.send({
        method: 'login',
        params: { type: 'BASIC', api_key: 'demo', secret_key: 'demo-secret' },
      });
      await silent.settle();
      expect(silent.frames).toEqual([{ jsonrpc: '2.0', result: true }]);
    },
  );

  test(
    'an error has code, message and description, as over REST',
    { tags: [`${ROW}.error-envelope`] },
    async () => {
      const venue = await openVenue();
      const socket = await venue.tradingSocket('demo');
      const poor = { ...order, quantity: '99999' };
      const error = await rejection(socket, 'spot_new_order', poor);
      const { body } = await venue.call('POST', '/api/3/spot/order', { as: 'demo', json: poor });
      expect(error).toEqual((body as { error: unknown }).error);
      expect(error).toMatchObject({ code: 20001, message: 'Insufficient funds' });
      expect(typeof error['description']).toBe('string');
    },
  );

  test(
    'a method that the socket does not have is 10001',
    { tags: [`${ROW}.unknown-method`] },
    async () => {
      const venue = await openVenue();
      const socket = await venue.tradingSocket('demo');
      const reply = await socket.request('spot_fly');
      expect(reply).toMatchObject({ error: { code: 10001 }, id: reply['id'] });
      expect(await rejection(socket, 'subscribe')).toMatchObject({ code: 10001 });
    },
  );

  test.each([
    ['no JSON', '{"method":', undefined],
    ['no object', '[1]', undefined],
    ['a method that is no text', '{"method":1,"id":5}', 5],
    ['an id that is no scalar', '{"method":"spot_get_orders","id":{}}', undefined],
    ['params that are no object', '{"method":"spot_new_order","params":[],"id":6}', 6],
    ['nothing at all', '', undefined],
  ])('%s is answered with 10001, and the socket goes on', async (_what, frame, id) => {
    const venue = await openVenue();
    const socket = await venue.tradingSocket('demo');
    socket.send(frame);
    await socket.settle();
    const reply = socket.frames.at(-1);
    expect(reply).toMatchObject({ jsonrpc: '2.0', error: { code: 10001 } });
    expect(reply?.['id']).toBe(id);
    expect(await ask(socket, 'spot_get_orders')).toEqual([]);
  });
});

describe('who may do what', () => {
  test('what a login opens is the account of its key', { tags: [`${ROW}.login`] }, async () => {
    const venue = await openVenue();
    venue.join('poor', { spot: { USDT: '7' } });
    const socket = await venue.socket('/api/3/ws/trading');
    expect(await rejection(socket, 'spot_balances')).toMatchObject({ code: 1001 });
    const params = { type: 'BASIC', api_key: 'poor', secret_key: 'poor-secret' };
    expect(await ask(socket, 'login', params)).toBe(true);
    const balances = await askList(socket, 'spot_balances');
    expect(balances).toContainEqual(expect.objectContaining({ currency: 'USDT', available: '7' }));
  });

  test('a second login replaces the first, whose notifications end', async () => {
    const venue = await openVenue();
    const socket = await venue.tradingSocket('demo');
    await ask(socket, 'spot_subscribe');
    const other = { type: 'basic', api_key: 'other', secret_key: 'other-secret' };
    await ask(socket, 'login', other);
    const demo = await venue.tradingSocket('demo');
    await ask(demo, 'spot_new_order', order);
    await ask(socket, 'spot_new_order', { ...order, price: '1' });
    expect(socket.received('spot_order')).toEqual([]);
    expect(await askList(socket, 'spot_get_orders')).toHaveLength(1);
  });

  test('a login that fails leaves the one before as it was', async () => {
    const venue = await openVenue();
    const socket = await venue.tradingSocket('demo');
    const wrong = { type: 'BASIC', api_key: 'other', secret_key: 'no' };
    expect(await rejection(socket, 'login', wrong)).toMatchObject({ code: 1002 });
    expect(await ask(socket, 'spot_get_orders')).toEqual([]);
  });

  test(
    'a method asks for the right of its REST counterpart',
    { tags: [`${ROW}.rights`] },
    async () => {
      const venue = await openVenue();
      venue.join('reader', { rights: ['read'] });
      venue.join('writer', { rights: ['trade'] });
      const reader = await venue.tradingSocket('reader');
      const writer = await venue.tradingSocket('writer');
      const forbidden = { code: 1003, message: 'Action is forbidden for this API key' };
      for (const method of ['spot_new_order', 'margin_cancel_orders', 'futures_replace_order']) {
        expect(await rejection(reader, method, order)).toMatchObject(forbidden);
      }
      for (const method of ['spot_balances', 'spot_subscribe', 'margin_get_accounts']) {
        expect(await rejection(writer, method)).toMatchObject(forbidden);
      }
      expect(await ask(reader, 'spot_subscribe')).toBe(true);
      expect(await ask(writer, 'spot_new_order', order)).toMatchObject({ status: 'new' });
    },
  );

  test(
    'nobody receives reports of another account',
    { tags: [`${ROW}.own-account-only`] },
    async () => {
      const venue = await openVenue();
      const mine = await venue.tradingSocket('demo');
      const theirs = await venue.tradingSocket('other');
      for (const socket of [mine, theirs]) {
        await ask(socket, 'spot_subscribe');
        await ask(socket, 'spot_balance_subscribe', { mode: 'updates' });
      }
      const before = theirs.frames.length;
      await ask(mine, 'spot_new_order', { ...order, client_order_id: 'mine-00001' });
      await theirs.settle();
      expect(theirs.frames).toHaveLength(before);
      expect(await ask(theirs, 'spot_get_orders')).toEqual([]);
      const cancel = { client_order_id: 'mine-00001' };
      expect(await rejection(theirs, 'spot_cancel_order', cancel)).toMatchObject({ code: 20002 });
      await ask(theirs, 'spot_new_order', { ...SELL, symbol: 'BTCUSDT' });
      await mine.settle();
      expect(reported(theirs, 'spot_order').map((one) => one['side'])).toEqual(['sell', 'sell']);
      expect(reported(mine, 'spot_order').map((one) => one['side'])).toEqual(['buy', 'buy']);
    },
  );

  test('a session whose key is revoked gets a notice, no more data, and rejections', async () => {
    const venue = await openVenue();
    const socket = await venue.tradingSocket('demo');
    await ask(socket, 'spot_subscribe');
    await ask(socket, 'spot_new_order', { ...order, client_order_id: 'order-0001' });
    const before = socket.received('spot_order').length;
    revoke(venue.trading, 'demo');
    await socket.settle();
    expect(socket.frames.at(-1)).toMatchObject({ jsonrpc: '2.0', error: { code: 1002 } });
    await ask(await venue.tradingSocket('other'), 'spot_new_order', { ...SELL, symbol: 'BTCUSDT' });
    expect(await rejection(socket, 'spot_get_orders')).toMatchObject({ code: 1002 });
    expect(socket.received('spot_order')).toHaveLength(before);
  });
});

describe('the order of things', () => {
  test(
    'the notification comes before the reply of the request that caused it',
    { tags: [`${ROW}.report-before-reply`] },
    async () => {
      const venue = await openVenue();
      const socket = await venue.tradingSocket('demo');
      await ask(socket, 'spot_subscribe');
      const id = { client_order_id: 'order-0001' };
      const requests: [string, object][] = [
        ['spot_new_order', { ...order, ...id }],
        [
          'spot_replace_order',
          { ...id, new_client_order_id: 'order-0002', quantity: '1', price: '5' },
        ],
        ['spot_cancel_order', { client_order_id: 'order-0002' }],
      ];
      for (const [method, params] of requests) {
        const received = socket.received('spot_order').length;
        const reply = await socket.request(method, params);
        const notices = socket.received('spot_order');
        expect(notices).toHaveLength(received + 1);
        const [notice] = notices.slice(-1);
        expect(socket.frames.indexOf(notice)).toBe(socket.frames.indexOf(reply) - 1);
      }
    },
  );

  test('requests are done in the order in which they come', { tags: [`${ROW}.fifo`] }, async () => {
    const venue = await openVenue();
    const socket = await venue.tradingSocket('demo');
    const name = (i: number): string => `order-${String(i).padStart(4, '0')}`;
    for (let i = 0; i < 50; i += 1) {
      socket.send({
        method: 'spot_new_order',
        params: { ...order, client_order_id: name(i) },
        id: `+${i}`,
      });
      socket.send({
        method: 'spot_cancel_order',
        params: { client_order_id: name(i) },
        id: `-${i}`,
      });
    }
    await socket.settle();
    const ids = socket.frames.slice(1).map(({ id }) => id);
    expect(ids).toEqual(Array.from({ length: 50 }, (_, i) => [`+${i}`, `-${i}`]).flat());
    expect(socket.frames.every((frame) => !('error' in frame))).toBe(true);
  });
});

test('a session of a sub-account that is frozen gets a notice and the end of its orders, and works again when it is active', async () => {
  const venue = await openVenue();
  const { exchange, members } = venue.trading;
  const owner = members.key('demo')?.account ?? -1;
  const at = venue.trading.now();
  const account = exchange.subAccounts.open(owner, { email: 'bot@example.com' }, at);
  members.join({ name: 'bot', email: 'bot@example.com', account });
  const rights = new Set(['read', 'trade'] as const);
  members.grant({ key: 'bot', secret: 'bot-secret', account, rights });
  exchange.deposit(account, 'USDT', new Decimal('5000'));
  const socket = await venue.tradingSocket('bot');
  await ask(socket, 'spot_subscribe');
  await ask(socket, 'spot_new_order', order);
  const ids = { sub_account_ids: String(account) };
  await venue.call('POST', '/api/3/sub-account/freeze', { as: 'demo', json: ids });
  await socket.settle();
  expect(reported(socket, 'spot_order').at(-1)).toMatchObject({ report_type: 'canceled' });
  expect(socket.frames.at(-1)).toMatchObject({ jsonrpc: '2.0', error: { code: 10021 } });
  expect(await rejection(socket, 'spot_get_orders')).toMatchObject({ code: 10021 });
  await venue.call('POST', '/api/3/sub-account/activate', { as: 'demo', json: ids });
  expect(await ask(socket, 'spot_get_orders')).toEqual([]);
});
