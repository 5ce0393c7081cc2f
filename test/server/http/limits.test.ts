import { describe, expect, test } from 'vitest';
import { SlidingWindows } from '../../../src/wire/sliding-window.ts';
import { US_PER_SECOND } from '../../../src/platform/time.ts';
import type { Right } from '../../../src/wire/trading/rights.ts';
import { basic } from '../accounts/signer.ts';
import { openVenue, type TestVenue } from '../kit.ts';
import { RawClient } from './raw.ts';
import { eachRow } from '../../conformance/each-row.ts';

const limited = async (): Promise<TestVenue> => openVenue({ limits: true });

/** How often a call is answered otherwise than by 429, of so many at one time on one connection. */
async function answered(
  venue: TestVenue,
  call: string,
  times: number,
  as?: string,
  from?: string,
): Promise<number> {
  const lines = [`${call} HTTP/1.1`, 'Host: here'];
  if (as !== undefined) lines.push(`Authorization: ${basic(as, `${as}-secret`).authorization}`);
  const client = new RawClient(venue.venue.port, from);
  client.write(`${lines.join('\r\n')}\r\n\r\n`.repeat(times));
  const answers = await client.until(times);
  return answers.filter(({ status }) => status !== 429).length;
}

const AGAIN_IN_600_MS = 'More came within a second than the limit allows; try again in 600 ms';

describe('version 3', () => {
  test(
    'rate and burst together pass in any second, and the next is refused',
    { tags: ['server:trading-v3.limit.window-model'] },
    async () => {
      const venue = await limited();
      const call = 'GET /api/3/spot/balance';
      expect(await answered(venue, call, 20, 'demo')).toBe(20);
      venue.pass(US_PER_SECOND / 2);
      expect(await answered(venue, call, 40, 'demo')).toBe(30);
      // Half a second later the first 20 have left the window, the 30 have not.
      venue.pass(US_PER_SECOND / 2 - 1);
      expect(await answered(venue, call, 1, 'demo')).toBe(0);
      venue.pass(1);
      expect(await answered(venue, call, 30, 'demo')).toBe(20);
      venue.pass(US_PER_SECOND);
      expect(await answered(venue, call, 60, 'demo')).toBe(50);
    },
  );

  test(
    'one call too many is answered with 429 and when to come again',
    { tags: ['server:trading-v3.error.429'] },
    async () => {
      const venue = await limited();
      await answered(venue, 'GET /api/3/spot/fee', 50, 'demo');
      venue.pass(400_000);
      const { status, body, headers } = await venue.call('GET', '/api/3/spot/fee', { as: 'demo' });
      expect([status, body]).toMatchObject([
        429,
        { error: { code: 429, message: 'Too many requests', description: AGAIN_IN_600_MS } },
      ]);
      expect(headers.get('retry-after')).toBe('1');
    },
  );

  test(
    'every request counts once, whatever is answered',
    { tags: ['server:trading-v3.limit.counted-per-call'] },
    async () => {
      const venue = await limited();
      for (const path of ['spot/balance', 'spot/balance/NONE', 'nothing', 'margin/config']) {
        expect(await answered(venue, `GET /api/3/${path}`, 12, 'demo')).toBe(12);
      }
      expect(await answered(venue, 'GET /api/3/spot/balance', 1)).toBe(1);
      expect(await answered(venue, 'GET /api/3/spot/balance', 5, 'demo')).toBe(1);
    },
  );

  test(
    'requests of one address count together, whoever sends them',
    { tags: ['server:trading-v3.limit.scope-ip'] },
    async () => {
      const venue = await limited();
      expect(await answered(venue, 'GET /api/3/spot/balance', 20, 'demo')).toBe(20);
      expect(await answered(venue, 'GET /api/3/spot/balance', 20, 'other')).toBe(20);
      expect(await answered(venue, 'GET /api/3/spot/balance', 5)).toBe(5);
      expect(await answered(venue, 'GET /api/3/spot/balance', 10, 'demo')).toBe(5);
      expect(await answered(venue, 'GET /api/3/spot/balance', 60, 'demo', '127.0.0.2')).toBe(50);
    },
  );

  test(
    'requests of one account count together, by whatever key, connection and address',
    { tags: ['server:trading-v3.limit.scope-account'] },
    async () => {
      const venue = await limited();
      const account = venue.trading.members.key('demo')?.account ?? -1;
      venue.trading.members.grant({
        key: 'second',
        secret: 'second-secret',
        account,
        rights: new Set<Right>(['payment']),
      });
      const call = 'GET /api/3/sub-account/acl?sub_account_ids=1';
      expect(await answered(venue, call, 25, 'demo')).toBe(25);
      expect(await answered(venue, call, 20, 'second')).toBe(20);
      expect(await answered(venue, call, 30, 'demo', '127.0.0.2')).toBe(5);
      expect(await answered(venue, call, 30, 'second', '127.0.0.3')).toBe(0);
      expect(await answered(venue, call, 30, 'other', '127.0.0.3')).toBe(30);
    },
  );

  eachRow('', [
    ['server:trading-v3.limit.ip-default', 'GET /api/3/spot/balance', 50],
    ['server:trading-v3.limit.ip-default', 'GET /api/3/margin/config', 50],
    ['server:trading-v3.limit.ip-default', 'GET /api/3/no/such/path', 50],
    ['server:trading-v3.limit.ip-public', 'GET /api/3/public/symbol/BTCUSDT', 80],
    ['server:trading-v3.limit.ip-wallet', 'GET /api/3/wallet/balance', 20],
    [
      'server:trading-v3.limit.ip-transfer-convert-config',
      'GET /api/3/transfer-convert/config',
      20,
    ],
    ['server:trading-v3.limit.ip-spot-order', 'GET /api/3/spot/order/an-order-id', 750],
    ['server:trading-v3.limit.ip-margin', 'GET /api/3/margin/order/an-order-id', 750],
    ['server:trading-v3.limit.ip-margin', 'GET /api/3/margin/account', 750],
    ['server:trading-v3.limit.ip-margin', 'DELETE /api/3/margin/position', 750],
    ['server:trading-v3.limit.ip-futures', 'GET /api/3/futures/order', 750],
    ['server:trading-v3.limit.ip-futures', 'GET /api/3/futures/account', 750],
    ['server:trading-v3.limit.ip-futures', 'DELETE /api/3/futures/position', 750],
  ])('%s passes %d times a second', async (call, times) => {
    const venue = await limited();
    expect(await answered(venue, call, times, 'demo')).toBe(times);
    expect(await answered(venue, call, 1, 'demo')).toBe(0);
    venue.pass(US_PER_SECOND);
    expect(await answered(venue, call, 1, 'demo')).toBe(1);
  });

  test(
    'the most specific row counts, its patterns count together, and a path fits its own',
    { tags: ['server:trading-v3.limit.counter-sharing'] },
    async () => {
      const venue = await limited();
      expect(await answered(venue, 'GET /api/3/spot/order', 400, 'demo')).toBe(400);
      expect(await answered(venue, 'GET /api/3/spot/order/an-order-id', 400, 'demo')).toBe(350);
      // Nothing of that counted in the row for everything else.
      expect(await answered(venue, 'GET /api/3/spot/balance', 60, 'demo')).toBe(50);
      expect(await answered(venue, 'GET /api/3/margin/order', 400, 'demo')).toBe(400);
      expect(await answered(venue, 'GET /api/3/margin/account', 400, 'demo')).toBe(350);
    },
  );

  eachRow('', [
    ['server:trading-v3.limit.account-wallet', 'GET /api/3/wallet/balance', 20],
    ['server:trading-v3.limit.account-wallet', 'GET /api/3/transfer-convert/config', 20],
    ['server:trading-v3.limit.account-sub-account', 'GET /api/3/sub-account', 50],
  ] as const)('%s: 50 a second of an account, from wherever they come', async (call, ofAddress) => {
    const venue = await limited();
    const passed: number[] = [];
    for (const from of ['127.0.0.1', '127.0.0.2', '127.0.0.3']) {
      passed.push(await answered(venue, call, 60, 'demo', from));
    }
    expect(passed).toEqual([
      ofAddress,
      Math.min(ofAddress, 50 - ofAddress),
      50 - passed[0] - passed[1],
    ]);
    expect(passed.reduce((sum, count) => sum + count)).toBe(50);
    // Where this account is refused, its address is not used up.
    expect(await answered(venue, call, 60, 'other', '127.0.0.3')).toBe(ofAddress - passed[2]);
  });

  test('wrong secrets cannot be tried faster than the address may call', async () => {
    const venue = await limited();
    const authorization = `Basic ${Buffer.from('demo:guess').toString('base64')}`;
    const tries = Array.from({ length: 60 }, async () =>
      venue.call('GET', '/api/3/spot/balance', { headers: { authorization } }),
    );
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(50);
    expect(await answered(venue, 'GET /api/3/spot/balance', 1, 'demo')).toBe(0);
  });

  test('without limits nothing is counted', async () => {
    const venue = await openVenue();
    expect(await answered(venue, 'GET /api/3/wallet/balance', 200, 'demo')).toBe(200);
  });
});

describe('version 2', () => {
  test(
    '100 calls of market data a second pass, by address',
    { tags: ['server:trading-v2.limit.market-data'] },
    async () => {
      const venue = await limited();
      expect(await answered(venue, 'GET /api/2/public/symbol/BTCUSDT', 60)).toBe(60);
      expect(await answered(venue, 'GET /api/2/public/ticker', 60, 'demo')).toBe(40);
      expect(await answered(venue, 'GET /api/2/public/ticker', 1, 'other')).toBe(0);
      venue.pass(US_PER_SECOND);
      expect(await answered(venue, 'GET /api/2/public/ticker', 1)).toBe(1);
    },
  );

  test(
    '300 calls of trading a second pass, by user',
    { tags: ['server:trading-v2.limit.trading'] },
    async () => {
      const venue = await limited();
      expect(await answered(venue, 'POST /api/2/order', 100, 'demo')).toBe(100);
      expect(await answered(venue, 'DELETE /api/2/order', 100, 'demo')).toBe(100);
      expect(await answered(venue, 'PATCH /api/2/order/an-order-id', 50, 'demo')).toBe(50);
      expect(await answered(venue, 'DELETE /api/2/margin/order', 60, 'demo')).toBe(50);
      expect(await answered(venue, 'DELETE /api/2/order/an-order-id', 1, 'demo')).toBe(0);
      expect(await answered(venue, 'DELETE /api/2/order', 1, 'other')).toBe(1);
    },
  );

  test(
    '10 other calls a second pass, by user, history among them',
    { tags: ['server:trading-v2.limit.other'] },
    async () => {
      const venue = await limited();
      expect(await answered(venue, 'GET /api/2/trading/balance', 4, 'demo')).toBe(4);
      expect(await answered(venue, 'GET /api/2/history/order', 4, 'demo')).toBe(4);
      expect(await answered(venue, 'GET /api/2/account/balance', 4, 'demo')).toBe(2);
      expect(await answered(venue, 'GET /api/2/order', 1, 'demo')).toBe(0);
      expect(await answered(venue, 'GET /api/2/trading/balance', 12, 'other')).toBe(10);
    },
  );

  test(
    'however far beyond the limit, nobody is suspended',
    { tags: ['server:trading-v2.limit.suspension'] },
    async () => {
      const venue = await limited();
      expect(await answered(venue, 'GET /api/2/trading/balance', 1_000, 'demo')).toBe(10);
      venue.pass(US_PER_SECOND);
      expect(await answered(venue, 'GET /api/2/trading/balance', 10, 'demo')).toBe(10);
    },
  );
});

test('addresses that are silent for two seconds are forgotten', () => {
  const windows = new SlidingWindows<string>({ rate: 20, burst: 30 });
  for (let second = 0; second < 20; second += 1) {
    for (let i = 0; i < 1_000; i += 1) {
      windows.take(`10.${second}.${Math.floor(i / 256)}.${i % 256}`, second * US_PER_SECOND);
    }
    expect(windows.size).toBeLessThanOrEqual(2_000);
  }
});
