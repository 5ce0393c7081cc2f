import { describe, expect, test } from 'vitest';
import { faultPlan } from '../../../src/server/faults/plan.ts';
import { OPENED, openVenue, type HttpAnswer, type TestVenue } from '../kit.ts';
import { RawClient } from '../http/raw.ts';
import { basic, v3 } from '../accounts/signer.ts';
import { eachRow } from '../../conformance/each-row.ts';

const ORDER = '/api/3/spot/order';
const order = (id: string) => ({
  client_order_id: id,
  symbol: 'BTCUSDT',
  side: 'buy',
  quantity: '1',
  price: '10',
});

const place = async (venue: TestVenue, id: string): Promise<HttpAnswer> =>
  venue.call('POST', ORDER, { as: 'demo', json: order(id) });

/** The ids of the orders that stand, as the service knows them inside. */
const standing = (venue: TestVenue): readonly string[] => {
  const account = venue.trading.members.key('demo')?.account ?? -1;
  return venue.trading.past(account).active.map(({ clientOrderId }) => clientOrderId);
};

describe('errors on demand', () => {
  eachRow('', [
    ['server:trading-v3.error.http-500 server:trading-v3.error.500', 500, 'Internal Server Error'],
    ['server:trading-v3.error.http-503 server:trading-v3.error.503', 503, 'Service Unavailable'],
    ['server:trading-v3.error.http-504 server:trading-v3.error.504', 504, 'Gateway Timeout'],
    ['', 429, 'Too many requests'],
  ])('a request can be answered with %d', async (status, message) => {
    const venue = await openVenue({
      faults: { http: [{ path: ORDER, fault: { kind: 'answer', status } }] },
    });
    const answer = await place(venue, 'never-done-1');
    expect([answer.status, answer.body]).toMatchObject([
      status,
      { error: { code: status, message }, path: ORDER, status },
    ]);
    expect(answer.headers.get('retry-after')).toBe(status === 429 ? '1' : null);
    expect(standing(venue)).toEqual([]);
    expect((await venue.call('GET', '/api/3/spot/fee', { as: 'demo' })).status).toBe(200);
  });

  test('an error of a proxy before the service is no JSON', async () => {
    const venue = await openVenue({
      faults: { http: [{ fault: { kind: 'answer', status: 502 } }] },
    });
    const { status, body, headers } = await place(venue, 'never-done-1');
    expect([status, body]).toEqual([502, '<html><body><h1>502 Bad Gateway</h1></body></html>']);
    expect(headers.get('content-type')).toMatch(/^text\/html/);
  });

  test('an error may hide that the request was done', async () => {
    const venue = await openVenue({
      faults: { http: [{ when: 'after', method: 'POST', fault: { kind: 'answer', status: 504 } }] },
    });
    const { status, body } = await place(venue, 'done-at-last');
    expect([status, body]).toMatchObject([504, { error: { code: 504 } }]);
    const found = await venue.call('GET', `${ORDER}/done-at-last`, { as: 'demo' });
    expect(found).toMatchObject({ status: 200, body: { status: 'new' } });
  });
});

describe('a connection that is cut', () => {
  test('before: nothing is done', async () => {
    const venue = await openVenue({
      faults: { http: [{ method: 'POST', count: 1, fault: { kind: 'cut' } }] },
    });
    await expect(place(venue, 'never-done-1')).rejects.toThrow('fetch failed');
    expect(standing(venue)).toEqual([]);
    expect((await place(venue, 'done-after-1')).status).toBe(200);
  });

  test('after: it is done, and no answer is sent', async () => {
    const venue = await openVenue({
      faults: { http: [{ when: 'after', method: 'POST', count: 1, fault: { kind: 'cut' } }] },
    });
    await expect(place(venue, 'done-untold')).rejects.toThrow('fetch failed');
    expect(standing(venue)).toEqual(['done-untold']);
    const again = await place(venue, 'done-untold');
    expect(again).toMatchObject({ status: 400, body: { error: { code: 20008 } } });
  });

  test('not one byte of the answer is sent', async () => {
    const venue = await openVenue({
      faults: { http: [{ when: 'after', fault: { kind: 'cut' } }] },
    });
    const client = new RawClient(venue.venue.port);
    client.send(['GET /api/3/public/symbol HTTP/1.1', 'Host: here']);
    await client.closed();
    expect([client.answers, client.unread]).toEqual([[], '']);
  });
});

describe('a late answer', () => {
  test.each(['before', 'after'] as const)('%s: it comes when its time has', async (when) => {
    const venue = await openVenue({
      faults: { http: [{ when, method: 'POST', fault: { kind: 'delay', delayMs: 5_000 } }] },
    });
    const client = new RawClient(venue.venue.port);
    const body = JSON.stringify(order('late-order-1'));
    const { authorization } = basic('demo', 'demo-secret');
    client.send(
      [
        ...[`POST ${ORDER} HTTP/1.1`, 'Host: here', `Authorization: ${authorization}`],
        ...['Content-Type: application/json', `Content-Length: ${body.length}`],
      ],
      body,
    );
    await venue.call('GET', '/api/3/public/symbol');
    await expect.poll(() => venue.faults?.waiting, { timeout: 20_000 }).toBe(1);
    expect(standing(venue)).toEqual(when === 'before' ? [] : ['late-order-1']);
    venue.pass(4_999_999);
    await venue.call('GET', '/api/3/public/symbol');
    expect(client.answers).toEqual([]);
    venue.pass(1);
    const [answer] = await client.until(1);
    expect(answer).toMatchObject({ status: 200, body: { status: 'new' } });
    const createdAt = when === 'before' ? '2026-01-05T10:00:05Z' : '2026-01-05T10:00:00Z';
    expect(answer?.body).toMatchObject({ created_at: createdAt });
  });
});

test(
  'in maintenance every call of the service is answered with 503',
  { tags: ['server:trading-v3.error.http-503'] },
  async () => {
    const venue = await openVenue({ faults: { maintenance: true } });
    for (const path of ['/api/3/public/symbol', '/api/2/public/symbol', '/api/3/nothing', ORDER]) {
      const { status, body } = await venue.call('GET', path, { as: 'demo' });
      expect([status, body]).toMatchObject([
        503,
        { error: { code: 503, message: 'Service Unavailable' } },
      ]);
    }
    expect((await place(venue, 'never-done-1')).status).toBe(503);
    venue.faults?.play(faultPlan.parse({}));
    expect(standing(venue)).toEqual([]);
    expect((await place(venue, 'open-again-1')).status).toBe(200);
  },
);

describe('a clock that is wrong', () => {
  const signed = async (venue: TestVenue, timestamp: number): Promise<number> => {
    const headers = v3({ target: ORDER, timestamp });
    return (await venue.call('GET', ORDER, { headers })).status;
  };

  test.each([90_000, -90_000])(
    'by %d ms applies to signatures and to the times in answers',
    async (clockSkewMs) => {
      const venue = await openVenue({ faults: { clockSkewMs } });
      const now = OPENED / 1_000;
      expect(await signed(venue, now)).toBe(401);
      expect(await signed(venue, now + clockSkewMs)).toBe(200);
      const reported = new Date(now + clockSkewMs).toISOString().replace('.000Z', 'Z');
      const placed = await place(venue, 'wrong-clock-1');
      expect(placed.body).toMatchObject({ created_at: reported });
      const rejected = await venue.call('GET', '/api/3/nothing');
      expect(rejected.body).toMatchObject({ timestamp: reported });
    },
  );

  test.each([90_000, -90_000])(
    'may be set by %d ms while the service runs',
    async (clockSkewMs) => {
      const venue = await openVenue({ faults: {}, limits: true });
      const now = OPENED / 1_000;
      expect(await signed(venue, now)).toBe(200);
      venue.faults?.play(faultPlan.parse({ clockSkewMs }));
      expect(await signed(venue, now)).toBe(401);
      expect(await signed(venue, now + clockSkewMs)).toBe(200);
      expect((await place(venue, 'wrong-clock-1')).status).toBe(200);
      // Limits count by the time that really passes.
      venue.pass(1_000_000);
      expect(await signed(venue, now + clockSkewMs)).toBe(200);
    },
  );

  test('lets what waits for its time happen when it would have', async () => {
    const venue = await openVenue({ faults: { clockSkewMs: -60_000 } });
    const expire_time = new Date(OPENED / 1_000 - 60_000 + 5_000).toISOString();
    const json = { ...order('good-till-then'), time_in_force: 'GTD', expire_time };
    await venue.call('POST', ORDER, { as: 'demo', json });
    venue.pass(4_999_999);
    expect(standing(venue)).toEqual(['good-till-then']);
    venue.pass(1);
    expect(standing(venue)).toEqual([]);
  });
});

describe('which requests a rule strikes', () => {
  const statuses = async (
    venue: TestVenue,
    count: number,
    path = '/api/3/public/symbol/BTCUSDT',
  ): Promise<readonly number[]> => {
    const found: number[] = [];
    for (let i = 0; i < count; i += 1) found.push((await venue.call('GET', path)).status);
    return found;
  };

  test('so many after so many others', async () => {
    const venue = await openVenue({
      faults: { http: [{ skip: 2, count: 3, fault: { kind: 'answer', status: 503 } }] },
    });
    expect(await statuses(venue, 7)).toEqual([200, 200, 503, 503, 503, 200, 200]);
    expect(venue.faults?.state.http).toEqual([{ occasions: 7, strikes: 3 }]);
  });

  test('by chance, and by the same chance with the same seed', async () => {
    const faults = (seed: number) => ({
      seed,
      http: [{ probability: 0.5, fault: { kind: 'answer', status: 500 } as const }],
    });
    const one = await statuses(await openVenue({ faults: faults(7) }), 40);
    expect(one.filter((status) => status === 500).length).toBeGreaterThan(8);
    expect(one.filter((status) => status === 200).length).toBeGreaterThan(8);
    expect(await statuses(await openVenue({ faults: faults(7) }), 40)).toEqual(one);
    expect(await statuses(await openVenue({ faults: faults(8) }), 40)).not.toEqual(one);
  });

  test('by path and method; the first that strikes decides', async () => {
    const venue = await openVenue({
      faults: {
        http: [
          { path: '/api/3/public/symbol/BTCUSDT', fault: { kind: 'answer', status: 500 } },
          { path: '/api/3/public/symbol*', fault: { kind: 'answer', status: 503 } },
          { method: 'DELETE', fault: { kind: 'answer', status: 429 } },
        ],
      },
    });
    expect(await statuses(venue, 1)).toEqual([500]);
    expect(await statuses(venue, 1, '/api/3/public/symbol/BTCUSDT/')).toEqual([500]);
    expect(await statuses(venue, 1, '/api/3/public/symbol/ETHBTC')).toEqual([503]);
    expect(await statuses(venue, 1, '/api/3/public/symbol?symbols=ETHBTC')).toEqual([503]);
    expect(await statuses(venue, 1, '/api/3/public/ticker')).toEqual([200]);
    expect((await venue.call('DELETE', ORDER, { as: 'demo' })).status).toBe(429);
    expect(await statuses(venue, 1, '/nothing')).toEqual([404]);
  });

  test('before and after apart', async () => {
    const venue = await openVenue({
      faults: {
        http: [
          { when: 'after', skip: 1, fault: { kind: 'answer', status: 504 } },
          { when: 'before', skip: 2, fault: { kind: 'answer', status: 503 } },
        ],
      },
    });
    expect(await statuses(venue, 4)).toEqual([200, 504, 503, 503]);
    // What was never let in had no occasion to go wrong after.
    expect(venue.faults?.state.http).toEqual([
      { occasions: 2, strikes: 1 },
      { occasions: 4, strikes: 2 },
    ]);
  });
});

test('a venue that closes lets nothing wait', async () => {
  const venue = await openVenue({
    faults: { http: [{ fault: { kind: 'delay', delayMs: 60_000 } }] },
  });
  const client = new RawClient(venue.venue.port);
  client.send(['GET /api/3/public/symbol HTTP/1.1', 'Host: here']);
  await expect.poll(() => venue.faults?.waiting, { timeout: 20_000 }).toBe(1);
  await venue.venue.close();
  await client.closed();
  expect(venue.faults?.waiting).toBe(0);
});
