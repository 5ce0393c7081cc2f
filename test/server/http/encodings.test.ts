import { expect, test } from 'vitest';
import { sharedVenue } from '../kit.ts';
import { ask } from './raw.ts';

const venue = sharedVenue();

const ORDER = '/api/3/spot/order';
const PERP = '/api/3/futures/account/isolated/ETHUSDT_PERP';

/** A resting order with that id; each test has ids of its own. */
async function place(id: string, more: Readonly<Record<string, string>> = {}): Promise<void> {
  const json = { client_order_id: id, symbol: 'BTCUSDT', side: 'buy', quantity: '1', price: '9' };
  const { status, body } = await venue().call('POST', ORDER, {
    as: 'demo',
    json: { ...json, ...more },
  });
  expect([status, body]).toEqual([200, expect.objectContaining({ status: 'new' })]);
}

const placed = { symbol: 'BTCUSDT', side: 'buy', quantity: '1.00000', price: '10.00' };
const fields = { symbol: 'BTCUSDT', side: 'buy', quantity: '1', price: '10' };

test(
  'a POST takes its parameters from a JSON body',
  { tags: ['server:trading-v3.conv.post-params-json-body'] },
  async () => {
    const json = { ...fields, post_only: true };
    const { status, body } = await venue().call('POST', ORDER, { as: 'demo', json });
    expect([status, body]).toEqual([200, expect.objectContaining({ ...placed, post_only: true })]);
  },
);

test(
  'a POST takes its parameters from a form too',
  { tags: ['server:trading-v3.conv.post-params-form-body'] },
  async () => {
    const form = { ...fields, post_only: 'true' };
    const { status, body } = await venue().call('POST', ORDER, { as: 'demo', form });
    expect([status, body]).toEqual([200, expect.objectContaining({ ...placed, post_only: true })]);
  },
);

test.each([
  ['JSON that says it is a form', 'application/x-www-form-urlencoded', JSON.stringify(fields)],
  ['JSON that says it is text', 'text/plain;charset=UTF-8', ` ${JSON.stringify(fields)}`],
  ['JSON of a vendor', 'application/vnd.api+json', JSON.stringify(fields)],
  ['JSON with its letters named', 'Application/JSON; charset=utf-8', JSON.stringify(fields)],
  ['a form that says it is text', 'text/plain', new URLSearchParams(fields).toString()],
])('%s is read for what it is', async (_, type, text) => {
  const headers = { 'content-type': type };
  const { status, body } = await venue().call('POST', ORDER, { as: 'demo', text, headers });
  expect([status, body]).toEqual([200, expect.objectContaining(placed)]);
});

test(
  'a GET takes its parameters from the query',
  { tags: ['server:trading-v3.conv.get-params-in-query'] },
  async () => {
    await place('get-in-query-1');
    await place('get-in-query-2', { symbol: 'ETHUSDT' });
    const { body } = await venue().call('GET', `${ORDER}?symbol=ETHUSDT`, { as: 'demo' });
    const ids = (body as readonly { client_order_id: string }[]).map((one) => one.client_order_id);
    expect(ids).toEqual(['get-in-query-2']);
  },
);

test(
  'neither is a POST read from the query nor a GET from a body',
  { tags: ['server:trading-v3.conv.other-param-passing-unsupported'] },
  async () => {
    const query = new URLSearchParams(fields).toString();
    const posted = await venue().call('POST', `${ORDER}?${query}`, { as: 'demo', json: {} });
    expect(posted).toMatchObject({ status: 400, body: { error: { code: 10001 } } });
    const half = await venue().call('POST', `${ORDER}?price=11`, { as: 'demo', json: fields });
    expect(half).toMatchObject({ status: 200, body: { price: '10.00' } });
    // A client that sends the body of a GET all the same: fetch does not.
    const text = JSON.stringify({ symbols: 'ETHBTC' });
    const { body } = await getWithBody('/api/3/public/symbol', text);
    expect(Object.keys(body as object).length).toBeGreaterThan(1);
  },
);

test(
  'a GET that is signed and says that nothing is JSON works',
  { tags: ['server:trading-v3.conv.get-with-content-type'] },
  async () => {
    const headers = { 'content-type': 'application/json' };
    const { status, body } = await venue().call('GET', '/api/3/spot/balance/BTC', {
      as: 'demo',
      headers,
    });
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({ available: expect.any(String) }),
    ]);
  },
);

test(
  'parameters that nobody knows are left out',
  { tags: ['server:trading-v3.conv.unknown-params-ignored'] },
  async () => {
    const json = { ...fields, speed: '1s', until: 5, nested: { a: [1] } };
    const posted = await venue().call('POST', ORDER, { as: 'demo', json });
    expect(posted).toMatchObject({ status: 200, body: placed });
    const path = '/api/3/public/symbol?symbols=ETHBTC&until=5&symbols[]=BTCUSDT';
    const { status, body } = await venue().call('GET', path);
    expect([status, Object.keys(body as object)]).toEqual([200, ['ETHBTC']]);
  },
);

test(
  'a member of the body that repeats one of the path is ignored',
  { tags: ['server:trading-v3.conv.path-params-in-body-ignored'] },
  async () => {
    await place('path-in-body-1');
    await place('path-in-body-2');
    const json = {
      client_order_id: 'path-in-body-2',
      symbol: 'ETHUSDT',
      margin_mode: 'cross',
      new_client_order_id: 'path-in-body-3',
      quantity: '2',
      price: '9',
    };
    const replaced = await venue().call('PATCH', `${ORDER}/path-in-body-1`, { as: 'demo', json });
    expect(replaced).toMatchObject({
      status: 200,
      body: { original_client_order_id: 'path-in-body-1', symbol: 'BTCUSDT' },
    });
    const canceled = await venue().call('DELETE', `${ORDER}/path-in-body-3`, {
      as: 'demo',
      json: { client_order_id: 'path-in-body-2', symbol: 'ETHUSDT' },
    });
    expect(canceled).toMatchObject({ status: 200, body: { client_order_id: 'path-in-body-3' } });
    const left = await venue().call('GET', `${ORDER}/path-in-body-2`, { as: 'demo' });
    expect(left).toMatchObject({ status: 200, body: { status: 'new' } });
  },
);

const change = { quantity: '2', price: '8' };

test.each([
  ['JSON', 'patch-as-json', { json: change }],
  ['a form', 'patch-as-form', { form: change }],
])(
  'a PATCH is read as %s',
  { tags: ['server:trading-v3.conv.patch-body-encodings'] },
  async (_, id, sent) => {
    await place(id);
    const { status, body } = await venue().call('PATCH', `${ORDER}/${id}`, { as: 'demo', ...sent });
    const changed = { original_client_order_id: id, quantity: '2.00000', price: '8.00' };
    expect([status, body]).toEqual([200, expect.objectContaining(changed)]);
  },
);

const balance = { margin_balance: '100', leverage: '10' };

test.each([
  ['JSON', PERP, { json: balance }],
  ['a form', PERP, { form: balance }],
  ['a query', `${PERP}?${new URLSearchParams(balance).toString()}`, {}],
  [
    'a query with an empty body',
    `${PERP}?${new URLSearchParams(balance).toString()}`,
    { json: {} },
  ],
])(
  'a PUT is read as %s',
  { tags: ['server:trading-v3.conv.put-param-encodings'] },
  async (_, path, sent) => {
    const moved = await venue().call('POST', '/api/3/wallet/transfer', {
      as: 'demo',
      json: { currency: 'USDT', amount: '100', source: 'spot', destination: 'derivatives' },
    });
    expect(moved.status).toBe(200);
    const put = await venue().call('PUT', path, { as: 'demo', ...sent });
    expect(put).toMatchObject({ status: 200, body: { symbol: 'ETHUSDT_PERP', leverage: '10.00' } });
    const closed = await venue().call('PUT', PERP, {
      as: 'demo',
      json: { margin_balance: '0', leverage: '10' },
    });
    expect(closed.status).toBe(200);
  },
);

const ofEther = { symbol: 'ETHUSDT' };

test.each([
  ['a query', `${ORDER}?symbol=ETHUSDT`, {}],
  ['JSON', ORDER, { json: ofEther }],
  ['a form', ORDER, { form: ofEther }],
  [
    'a form that says it is text',
    ORDER,
    { text: 'symbol=ETHUSDT', headers: { 'content-type': 'text/plain' } },
  ],
])(
  'a DELETE is read as %s',
  { tags: ['server:trading-v3.conv.delete-param-encodings'] },
  async (_, path, sent) => {
    await venue().call('DELETE', ORDER, { as: 'other', json: {} });
    for (const symbol of ['BTCUSDT', 'ETHUSDT']) {
      await venue().call('POST', ORDER, { as: 'other', json: { ...fields, symbol } });
    }
    const { status, body } = await venue().call('DELETE', path, { as: 'other', ...sent });
    expect([status, body]).toEqual([200, [expect.objectContaining(ofEther)]]);
  },
);

test('an empty object is a body without parameters', async () => {
  await venue().call('DELETE', ORDER, { as: 'other', json: {} });
  for (const symbol of ['BTCUSDT', 'ETHUSDT']) {
    await venue().call('POST', ORDER, { as: 'other', json: { ...fields, symbol } });
  }
  const { body } = await venue().call('DELETE', ORDER, { as: 'other', json: {} });
  expect(body).toHaveLength(2);
});

test.each(['/api/3/public/symbol/', '/api/3/public/symbol//', '/api/3//public/symbol'])(
  '%s is the path without it',
  { tags: ['server:trading-v3.conv.trailing-slash'] },
  async (path) => {
    const { status, body } = await venue().call('GET', path);
    expect([status, body]).toEqual([200, expect.objectContaining({ BTCUSDT: expect.anything() })]);
  },
);

test('a path with a slash at its end is signed as it is sent', async () => {
  const { status } = await venue().call('GET', '/api/3/spot/order/', { as: 'demo' });
  expect(status).toBe(200);
});

/** A GET with a body, which fetch refuses to send. */
async function getWithBody(path: string, text: string): Promise<{ readonly body: unknown }> {
  return ask(
    venue().venue.port,
    [
      ...[`GET ${path} HTTP/1.1`, 'Host: here', 'Content-Type: application/json'],
      `Content-Length: ${text.length}`,
    ],
    text,
  );
}
