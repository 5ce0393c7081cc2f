import { expect, test } from 'vitest';
import { micros } from '../../../src/platform/time.ts';
import type { Right } from '../../../src/wire/trading/rights.ts';
import { OPENED, openVenue, type TestVenue } from '../kit.ts';

const DISABLED = { status: 400, body: { error: { code: 10021, message: 'User disabled' } } };

/** A sub-account of `demo` with a key of its own; gives its number. */
function subordinate(venue: TestVenue): number {
  const { exchange, members, now } = venue.trading;
  const superAccount = members.key('demo')?.account ?? -1;
  const identity = { email: 'sub@example.com', username: 'sub' };
  const account = exchange.subAccounts.open(superAccount, identity, now.call(venue.trading));
  members.join({ name: 'sub', email: 'sub@example.com', account });
  const rights = new Set<Right>(['read', 'trade', 'payment', 'withdraw']);
  members.grant({ key: 'sub', secret: 'sub-secret', account, rights });
  return account;
}

test(
  'keys of an account are listed with name, rights and time, without their secrets',
  { tags: ['server:trading-v3.wallet.get-user-api-keys'] },
  async () => {
    const venue = await openVenue();
    const account = venue.join('owner', { rights: ['read', 'trade'] });
    venue.pass(1_500_000);
    venue.trading.members.grant({
      key: 'second',
      secret: 'second-secret',
      account,
      name: 'For withdrawals',
      rights: new Set<Right>(['withdraw']),
    });
    const answer = await venue.call('GET', '/api/3/user/api-keys', { as: 'owner' });
    expect([answer.status, answer.body]).toEqual([
      200,
      [
        {
          key: 'owner',
          name: 'owner',
          access: ['Orderbook, History, Trading balance', 'Place/cancel orders'],
          created_at: '2026-01-05T10:00:00Z',
        },
        {
          key: 'second',
          name: 'For withdrawals',
          access: ['Withdraw cryptocurrencies'],
          created_at: '2026-01-05T10:00:01.5Z',
        },
      ],
    ]);
  },
);

test('a key may be older than the venue', async () => {
  const venue = await openVenue();
  const account = venue.join('owner');
  const createdAt = micros(OPENED - 86_400_000_000);
  const rights = new Set<Right>();
  venue.trading.members.grant({ key: 'old', secret: 'old-secret', account, rights, createdAt });
  const { body } = await venue.call('GET', '/api/3/user/api-keys', { as: 'old' });
  expect(body).toContainEqual(expect.objectContaining({ created_at: '2026-01-04T10:00:00Z' }));
});

test(
  'keys of a frozen account open nothing until it is active again',
  { tags: ['server:trading-v3.error.10021'] },
  async () => {
    const venue = await openVenue();
    const id = subordinate(venue);
    const json = { sub_account_ids: String(id) };
    const open = async () => venue.call('GET', '/api/3/spot/balance', { as: 'sub' });
    expect((await open()).status).toBe(200);
    await venue.call('POST', '/api/3/sub-account/freeze', { as: 'demo', json });
    expect(await open()).toMatchObject(DISABLED);
    expect(await venue.call('GET', '/api/2/trading/balance', { as: 'sub' })).toMatchObject(
      DISABLED,
    );
    expect(await venue.call('GET', '/api/3/user/api-keys', { as: 'sub' })).toMatchObject(DISABLED);
    await venue.call('POST', '/api/3/sub-account/activate', { as: 'demo', json });
    expect((await open()).status).toBe(200);
  },
);

test('a wrong secret gets no message that an account is frozen', async () => {
  const venue = await openVenue();
  const json = { sub_account_ids: String(subordinate(venue)) };
  await venue.call('POST', '/api/3/sub-account/freeze', { as: 'demo', json });
  const authorization = `Basic ${Buffer.from('sub:wrong').toString('base64')}`;
  const headers = { authorization };
  const { status, body } = await venue.call('GET', '/api/3/spot/balance', { headers });
  expect([status, body]).toMatchObject([401, { error: { code: 1002 } }]);
});
