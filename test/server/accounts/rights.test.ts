import { describe, expect, test } from 'vitest';
import { RIGHTS, type Right } from '../../../src/wire/trading/rights.ts';
import { V3_CALLS } from '../../../src/wire/trading/v3/calls/table.ts';
import { ALL_RIGHTS, openVenue, sharedVenue, type TestVenue } from '../kit.ts';

const without = (right: Right): string => `all-but-${right}`;
const only = (right: Right): string => `only-${right}`;

/** The members that each have one right, and those that lack one. */
function joinRights(venue: TestVenue): void {
  for (const right of ALL_RIGHTS) {
    venue.join(only(right), { rights: [right] });
    venue.join(without(right), { rights: ALL_RIGHTS.filter((one) => one !== right) });
  }
}

const FORBIDDEN = { error: { code: 1003, message: 'Action is forbidden for this API key' } };

const venue = sharedVenue();
let joined = false;

/** A key without the right is refused, one that has nothing else is let in. */
async function expectRight(right: Right, method: string, path: string): Promise<void> {
  if (!joined) joinRights(venue());
  joined = true;
  const rejected = await venue().call(method, path, { as: without(right) });
  expect([method, path, rejected.status, rejected.body]).toMatchObject([
    method,
    path,
    403,
    FORBIDDEN,
  ]);
  const passed = await venue().call(method, path, { as: only(right) });
  expect([method, path, [401, 403, 404].includes(passed.status)]).toEqual([method, path, false]);
}

describe('version 3', () => {
  test.each([
    ...['spot/balance', 'spot/balance/BTC', 'spot/order', 'spot/order/an-order-id'],
    ...['margin/order', 'margin/order/an-order-id', 'margin/config'],
    ...['margin/history/order', 'margin/history/trade'],
  ])(
    'GET %s asks for the right to read',
    { tags: ['server:trading-v3.auth.right-read'] },
    async (path) => {
      await expectRight('read', 'GET', `/api/3/${path}`);
    },
  );

  test.each([
    ['POST', 'spot/order'],
    ['POST', 'spot/order/list'],
    ['POST', 'margin/order'],
    ['POST', 'margin/order/list'],
    ['PATCH', 'margin/order/an-order-id'],
    ['DELETE', 'margin/order'],
    ['DELETE', 'margin/order/an-order-id'],
  ])(
    '%s %s asks for the right to trade',
    { tags: ['server:trading-v3.auth.right-trade'] },
    async (method, path) => {
      await expectRight('trade', method, `/api/3/${path}`);
    },
  );

  const PAYMENT = [
    ...['wallet/balance', 'wallet/balance/BTC', 'wallet/transactions', 'wallet/transactions/a'],
    ...['wallet/crypto/address', 'wallet/crypto/address/recent-deposit'],
    ...['wallet/crypto/address/recent-withdraw', 'wallet/crypto/address/check-mine'],
    ...['wallet/crypto/address/white-list', 'wallet/amount-locks', 'wallet/airdrops'],
    ...['wallet/crypto/fee/estimate', 'wallet/crypto/fee/levels', 'transfer-convert/config'],
    ...['sub-account/acl', 'sub-account/balance/1', 'sub-account/crypto/address/1/BTC'],
  ];

  test.each([
    ...PAYMENT.map((path) => ['GET', path] as const),
    ['POST', 'wallet/crypto/address'],
    ['POST', 'wallet/transfer'],
    ['POST', 'wallet/convert'],
    ['POST', 'sub-account/acl'],
  ] as const)(
    '%s %s asks for the right to payment information',
    { tags: ['server:trading-v3.auth.right-payment-info'] },
    async (method, path) => {
      await expectRight('payment', method, `/api/3/${path}`);
    },
  );

  test.each([
    ['POST', 'wallet/crypto/withdraw'],
    ['PUT', 'wallet/crypto/withdraw/1'],
    ['DELETE', 'wallet/crypto/withdraw/1'],
    ['POST', 'wallet/internal/withdraw'],
    ['POST', 'sub-account/transfer'],
    ['POST', 'sub-account/transfer/sub-to-super'],
    ['POST', 'sub-account/transfer/sub-to-sub'],
  ])(
    '%s %s asks for the right to withdraw',
    { tags: ['server:trading-v3.auth.right-withdraw'] },
    async (method, path) => {
      await expectRight('withdraw', method, `/api/3/${path}`);
    },
  );

  test('every call that asks for a right refuses who has it not', async () => {
    for (const { method, path, access } of Object.values(V3_CALLS)) {
      if (!(access in RIGHTS)) continue;
      await expectRight(access as Right, method, `/api/3${path.replace(/\{\w+\}/g, '1')}`);
    }
  });

  test(
    'a right that a key lacks is answered with 1003 and 403',
    { tags: ['server:trading-v3.error.1003', 'server:trading-v3.error.1003-status'] },
    async () => {
      const our = await openVenue();
      our.join('reader', { rights: ['read'] });
      const { status, body } = await our.call('POST', '/api/3/spot/order', {
        as: 'reader',
        json: {},
      });
      expect([status, body]).toMatchObject([403, FORBIDDEN]);
    },
  );

  test(
    'keys of one account open it for different things',
    { tags: ['server:trading-v3.auth.several-keys'] },
    async () => {
      const our = await openVenue();
      const account = our.join('owner', { rights: ['trade'], spot: { BTC: '7' } });
      our.trading.members.grant({
        key: 'reader',
        secret: 'reader-secret',
        account,
        rights: new Set<Right>(['read']),
      });
      const json = { symbol: 'BTCUSDT', side: 'sell', quantity: '2', price: '90000' };
      const placed = await our.call('POST', '/api/3/spot/order', { as: 'owner', json });
      expect(placed.status).toBe(200);
      const balance = await our.call('GET', '/api/3/spot/balance/BTC', { as: 'reader' });
      expect(balance.body).toMatchObject({ available: expect.stringMatching(/^5(\.0*)?$/) });
      expect((await our.call('GET', '/api/3/spot/balance', { as: 'owner' })).status).toBe(403);
      expect((await our.call('POST', '/api/3/spot/order', { as: 'reader', json })).status).toBe(
        403,
      );
    },
  );
});

const V2_RIGHTS: readonly (readonly [Right, string, string])[] = [
  ['read', 'GET', 'trading/balance'],
  ['payment', 'GET', 'account/balance'],
  ['payment', 'GET', 'account/crypto/address/BTC'],
  ['payment', 'POST', 'account/crypto/address/BTC'],
  ['payment', 'GET', 'account/crypto/addresses/BTC'],
  ['payment', 'GET', 'account/crypto/used-addresses/BTC'],
  ['withdraw', 'POST', 'account/crypto/withdraw'],
  ['withdraw', 'PUT', 'account/crypto/withdraw/1'],
  ['withdraw', 'DELETE', 'account/crypto/withdraw/1'],
  ['payment', 'POST', 'account/crypto/transfer-convert'],
  ['payment', 'GET', 'account/crypto/estimate-withdraw-levels'],
  ['payment', 'GET', 'account/crypto/is-mine/an-address'],
  ['payment', 'POST', 'account/transfer'],
  ['withdraw', 'POST', 'account/transfer/internal'],
  ['payment', 'GET', 'account/transactions'],
  ['payment', 'GET', 'account/transactions/1'],
  ['withdraw', 'POST', 'sub-acc/transfer'],
  ['payment', 'GET', 'sub-acc/acl'],
  ['payment', 'PUT', 'sub-acc/acl/1'],
  ['payment', 'GET', 'sub-acc/balance/1'],
];

describe('version 2', () => {
  test.each(V2_RIGHTS)(
    'the right to %s is asked for by %s %s',
    { tags: ['server:trading-v2.auth.rights'] },
    async (right, method, path) => {
      await expectRight(right, method, `/api/2/${path}`);
    },
  );

  test.each([
    ['POST', 'sub-acc/transfer', 'withdraw'],
    ['GET', 'sub-acc/acl', 'payment'],
    ['PUT', 'sub-acc/acl/1', 'payment'],
    ['GET', 'sub-acc/balance/1', 'payment'],
  ] as const)(
    '%s %s is forbidden for a key without its right',
    { tags: ['server:trading-v2.error.1003'] },
    async (method, path, right) => {
      const our = await openVenue();
      joinRights(our);
      const answer = await our.call(method, `/api/2/${path}`, { as: without(right) });
      expect(answer).toMatchObject({ status: 403, body: FORBIDDEN });
    },
  );

  test.each(['GET sub-acc', 'POST sub-acc/freeze', 'POST sub-acc/activate'])(
    '%s asks for any key',
    { tags: ['server:trading-v2.auth.rights'] },
    async (call) => {
      const our = await openVenue();
      our.join('powerless', { rights: [] });
      const [method = '', path = ''] = call.split(' ');
      const { status } = await our.call(method, `/api/2/${path}`, { as: 'powerless' });
      expect([200, 400]).toContain(status);
    },
  );
});
