import { describe, expect, test } from 'vitest';
import { V2_CALLS, V2_PREFIX } from '../../../src/wire/trading/v2/calls/table.ts';
import { V3_CALLS, V3_PREFIX } from '../../../src/wire/trading/v3/calls/table.ts';
import { US_PER_SECOND } from '../../../src/platform/time.ts';
import { openVenue, sharedVenue, type TestVenue } from '../kit.ts';
import { eachRow } from '../../conformance/each-row.ts';

type Record_ = Readonly<Record<string, unknown>>;

const venue = sharedVenue();

/** Every call of a table, its path filled with something. */
const callsOf = (calls: Readonly<Record<string, { method: string; path: string }>>) =>
  Object.values(calls).map(({ method, path }) => ({ method, path: path.replace(/\{\w+\}/g, '1') }));

const listOf = (body: unknown): readonly Record_[] => body as readonly Record_[];

describe('paths', () => {
  test(
    'every call of version 3 is served below /api/3 and nowhere else',
    { tags: ['server:trading-v3.conv.path-prefix'] },
    async () => {
      for (const { method, path } of callsOf(V3_CALLS)) {
        const served = await venue().call(method, V3_PREFIX + path);
        expect([method, path, served.status]).not.toEqual([method, path, 404]);
        const bare = await venue().call(method, path);
        expect([method, path, bare.status]).toEqual([method, path, 404]);
      }
    },
  );

  test(
    'every call of version 2 is served below /api/2 and nowhere else',
    { tags: ['server:trading-v2.conv.path-prefix'] },
    async () => {
      for (const { method, path } of callsOf(V2_CALLS)) {
        const served = await venue().call(method, V2_PREFIX + path);
        expect([method, path, served.status]).not.toEqual([method, path, 404]);
        const bare = await venue().call(method, path);
        expect([method, path, bare.status]).toEqual([method, path, 404]);
      }
    },
  );

  test.each(['public', 'trading', 'wallet'])(
    'version 3 has a socket for %s',
    { tags: ['server:trading-v3.conv.stream-addresses'] },
    async (name) => {
      const our = await openVenue();
      const socket = await our.socket(`/api/3/ws/${name}`);
      expect(await socket.request('nothing')).toHaveProperty('error');
    },
  );

  test.each(['public', 'trading', 'account'])(
    'version 2 has a socket for %s',
    { tags: ['server:trading-v2.conv.stream-addresses'] },
    async (name) => {
      const our = await openVenue();
      const socket = await our.socket(`/api/2/ws/${name}`);
      expect(await socket.request('nothing')).toHaveProperty('error');
    },
  );

  test(
    'one venue serves version 3 and version 2',
    { tags: ['server:trading-v3.conv.version-coexistence'] },
    async () => {
      for (const version of [3, 2]) {
        const { status } = await venue().call('GET', `/api/${version}/public/symbol`);
        expect(status).toBe(200);
      }
    },
  );

  test(
    'an order of one version is an order of the other',
    { tags: ['server:trading-v3.conv.version-shared-state'] },
    async () => {
      const our = await openVenue();
      await our.call('POST', '/api/2/order', {
        as: 'demo',
        json: { ...buy('shared-state-1'), clientOrderId: 'shared-state-1' },
      });
      const seen = await our.call('GET', '/api/3/spot/order/shared-state-1', { as: 'demo' });
      expect(seen).toMatchObject({ status: 200, body: { client_order_id: 'shared-state-1' } });
      await our.call('DELETE', '/api/3/spot/order/shared-state-1', { as: 'demo' });
      const left = await our.call('GET', '/api/2/order', { as: 'demo' });
      expect(left.body).toEqual([]);
    },
  );
});

const buy = (id: string) => ({
  client_order_id: id,
  symbol: 'BTCUSDT',
  side: 'buy',
  quantity: '1',
  price: '10',
});

/** A venue where one order a second was placed and canceled: the ids, oldest first. */
async function history(count: number): Promise<{ our: TestVenue; ids: readonly string[] }> {
  const our = await openVenue();
  const ids = Array.from({ length: count }, (_, i) => `history-${i + 1}`);
  for (const id of ids) {
    await our.call('POST', '/api/3/spot/order', { as: 'demo', json: buy(id) });
    await our.call('DELETE', `/api/3/spot/order/${id}`, { as: 'demo' });
    our.pass(US_PER_SECOND);
  }
  return { our, ids };
}

const HISTORY = '/api/3/spot/history/order';

async function found(our: TestVenue, query: string): Promise<readonly unknown[]> {
  const { status, body } = await our.call('GET', `${HISTORY}?${query}`, { as: 'demo' });
  expect([status, body]).toEqual([200, expect.any(Array)]);
  return listOf(body).map((order) => order['client_order_id']);
}

describe('times', () => {
  test(
    'times are read and written as ISO 8601 in UTC',
    { tags: ['server:trading-v3.conv.timestamp-iso'] },
    async () => {
      const { our } = await history(3);
      expect(await found(our, 'from=2026-01-05T10:00:01Z')).toEqual(['history-3', 'history-2']);
      const { body } = await our.call('GET', HISTORY, { as: 'demo' });
      expect(listOf(body).map((order) => order['created_at'])).toEqual([
        '2026-01-05T10:00:02Z',
        '2026-01-05T10:00:01Z',
        '2026-01-05T10:00:00Z',
      ]);
    },
  );

  test(
    'times are read as Unix milliseconds too',
    { tags: ['server:trading-v3.conv.timestamp-unix-ms'] },
    async () => {
      const { our } = await history(3);
      const from = Date.UTC(2026, 0, 5, 10, 0, 1);
      expect(await found(our, `from=${from}`)).toEqual(['history-3', 'history-2']);
      const json = { ...buy('good-till-then'), time_in_force: 'GTD', expire_time: from + 60_000 };
      const { body } = await our.call('POST', '/api/3/spot/order', { as: 'demo', json });
      expect(body).toMatchObject({ expire_time: '2026-01-05T10:01:01Z' });
    },
  );

  test(
    'a date alone is its midnight in UTC',
    { tags: ['server:trading-v3.conv.date-only', 'server:trading-v3.conv.date-only-reading'] },
    async () => {
      const { our, ids } = await history(1);
      expect(await found(our, 'from=2026-01-05')).toEqual(ids);
      expect(await found(our, 'from=2026-01-06')).toEqual([]);
      expect(await found(our, 'till=2026-01-05')).toEqual([]);
      const json = { ...buy('good-till-day'), time_in_force: 'GTD', expire_time: '2026-01-07' };
      const { body } = await our.call('POST', '/api/3/spot/order', { as: 'demo', json });
      expect(body).toMatchObject({ expire_time: '2026-01-07T00:00:00Z' });
    },
  );

  test(
    'an encoded ISO time selects what the same milliseconds do',
    { tags: ['server:trading-v3.conv.from-till-both-forms'] },
    async () => {
      const { our } = await history(4);
      const ms = Date.UTC(2026, 0, 5, 10, 0, 1);
      const iso = encodeURIComponent(new Date(ms).toISOString());
      expect(iso).toBe('2026-01-05T10%3A00%3A01.000Z');
      const one = await found(our, `from=${iso}`);
      expect(one).toHaveLength(3);
      expect(await found(our, `from=${ms}`)).toEqual(one);
      expect(await found(our, `till=${iso}`)).toEqual(await found(our, `till=${ms}`));
    },
  );

  test(
    'bounds are times by time, and numbers by id',
    { tags: ['server:trading-v3.conv.from-till-type'] },
    async () => {
      const { our } = await history(3);
      const { body } = await our.call('GET', `${HISTORY}?sort=ASC`, { as: 'demo' });
      const [, second] = listOf(body).map((order) => Number(order['id']));
      expect(await found(our, `by=id&from=${second}&sort=ASC`)).toEqual(['history-2', 'history-3']);
      expect(await found(our, `by=timestamp&from=2026-01-05T10:00:02Z`)).toEqual(['history-3']);
      const mixed = await our.call('GET', `${HISTORY}?by=id&from=2026-01-05T10:00:02Z`, {
        as: 'demo',
      });
      expect(mixed).toMatchObject({ status: 400, body: { error: { code: 10001 } } });
    },
  );

  test(
    'times of orders end where their fraction has no more digits',
    { tags: ['server:trading-v3.conv.iso-fraction-trimmed'] },
    async () => {
      const our = await openVenue();
      our.pass(100_000);
      const tenth = await our.call('POST', '/api/3/spot/order', {
        as: 'demo',
        json: buy('tenth-of-a-second'),
      });
      expect(tenth.body).toMatchObject({ created_at: '2026-01-05T10:00:00.1Z' });
      our.pass(25_000);
      const fine = await our.call('POST', '/api/3/spot/order', {
        as: 'demo',
        json: buy('fine-1234'),
      });
      expect(fine.body).toMatchObject({ created_at: '2026-01-05T10:00:00.125Z' });
    },
  );
});

describe('pages', () => {
  test(
    'limit, offset, sort, by, from and till cut a page',
    { tags: ['server:trading-v3.conv.pagination-params'] },
    async () => {
      const { our } = await history(5);
      expect(await found(our, 'limit=2')).toEqual(['history-5', 'history-4']);
      expect(await found(our, 'limit=2&offset=1')).toEqual(['history-4', 'history-3']);
      expect(await found(our, 'limit=2&sort=ASC')).toEqual(['history-1', 'history-2']);
      const span = 'from=2026-01-05T10:00:01Z&till=2026-01-05T10:00:03Z';
      expect(await found(our, `${span}&by=timestamp`)).toHaveLength(3);
      expect(await found(our, `${span}&by=timestamp&offset=2`)).toEqual(['history-2']);
    },
  );

  eachRow('', [
    ['server:trading-v3.conv.sort-values', 'sort=UP'],
    ['server:trading-v3.conv.by-values', 'by=price'],
    ['server:trading-v3.limit.pagination-out-of-bounds', 'limit=1001'],
    ['server:trading-v3.limit.pagination-out-of-bounds', 'limit=0'],
    ['server:trading-v3.limit.pagination-out-of-bounds', 'limit=-1'],
    ['server:trading-v3.limit.pagination-out-of-bounds', 'offset=100001'],
    ['server:trading-v3.limit.pagination-out-of-bounds', 'offset=-1'],
  ])('%s is refused', async (query) => {
    const { status, body } = await venue().call('GET', `${HISTORY}?${query}`, { as: 'demo' });
    expect([status, body]).toMatchObject([400, { error: { code: 10001 } }]);
  });

  test.each(['sort=ASC', 'sort=DESC', 'by=id', 'by=timestamp', 'limit=1000', 'offset=100000'])(
    '%s is taken',
    async (query) => {
      const { status } = await venue().call('GET', `${HISTORY}?${query}`, { as: 'demo' });
      expect(status).toBe(200);
    },
  );

  test(
    'version 2 pages alike, newest first',
    { tags: ['server:trading-v2.conv.pagination'] },
    async () => {
      const { our } = await history(5);
      const ids = async (query: string): Promise<readonly unknown[]> => {
        const { body } = await our.call('GET', `/api/2/history/order?${query}`, { as: 'demo' });
        return listOf(body).map((order) => order['clientOrderId']);
      };
      expect(await ids('limit=2')).toEqual(['history-5', 'history-4']);
      expect(await ids('limit=2&offset=1')).toEqual(['history-4', 'history-3']);
      expect(await ids('limit=0')).toEqual([]);
      const trades = await our.call('GET', '/api/2/history/trades?by=price', { as: 'demo' });
      expect(trades).toMatchObject({ status: 400, body: { error: { code: 10001 } } });
      const sorted = await our.call('GET', '/api/2/history/trades?sort=UP', { as: 'demo' });
      expect(sorted).toMatchObject({ status: 400, body: { error: { code: 10001 } } });
    },
  );
});
