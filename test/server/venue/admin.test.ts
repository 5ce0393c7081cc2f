import { describe, expect, test } from 'vitest';
import { Decimal } from '../../../src/model/decimal.ts';
import { US_PER_HOUR } from '../../../src/platform/time.ts';
import { openVenue, sharedVenue, type HttpAnswer, type TestVenue } from '../kit.ts';

const TOKEN = 'a-token-of-the-venue';

const BY_HAND = { others: 'byHand' } as const;

const open = async (chains = {}): Promise<TestVenue> =>
  openVenue({ setup: { adminToken: TOKEN }, chains });

/** For what leaves no trace, and so can be asked of one venue again and again. */
const shared = sharedVenue({ setup: { adminToken: TOKEN }, chains: BY_HAND });

const ask = async (
  venue: TestVenue,
  method: string,
  path: string,
  json?: unknown,
): Promise<HttpAnswer> =>
  venue.call(method, `/admin/${path}`, {
    headers: { authorization: `Bearer ${TOKEN}` },
    json,
  });

const errorOf = ({ status, body }: HttpAnswer): unknown => {
  const { error } = body as { readonly error?: { readonly code: number } };
  return [status, error?.code];
};

/** What all accounts together have of a currency, in wallets and for spot trading. */
const total = ({ trading }: TestVenue, currency: string): string => {
  const { ledger, wallets } = trading.exchange;
  let sum = new Decimal(0);
  for (const each of [ledger, wallets]) {
    const index = each.currency(currency);
    for (const { account } of trading.members.all) {
      sum = sum.plus(each.available(account, index)).plus(each.reserved(account, index));
    }
  }
  return sum.toFixed();
};

describe('deposits', () => {
  test('come into the wallet, where the member sees them among its transactions', async () => {
    const venue = await open();
    const answer = await ask(venue, 'POST', 'deposits', {
      member: 'demo',
      currency: 'BTC',
      amount: '0.5',
    });
    expect(answer).toMatchObject({
      status: 200,
      body: { member: 'demo', currency: 'BTC', amount: '0.5', place: 'wallet' },
    });
    const { id } = answer.body as { readonly id: string };
    const balance = await venue.call('GET', '/api/3/wallet/balance/BTC', { as: 'demo' });
    expect(balance.body).toMatchObject({ available: '0.5' });
    const transaction = await venue.call('GET', `/api/3/wallet/transactions/${id}`, { as: 'demo' });
    expect(transaction.body).toMatchObject({
      type: 'DEPOSIT',
      status: 'SUCCESS',
      native: { amount: '0.5', currency: 'BTC' },
    });
  });

  test('come into the spot balance, and sockets receive it', async () => {
    const venue = await open();
    const socket = await venue.tradingSocket('demo');
    await socket.request('spot_balance_subscribe', { mode: 'updates' });
    await ask(venue, 'POST', 'deposits', {
      member: 'demo@example.com',
      currency: 'USDT',
      amount: 250,
      place: 'spot',
    });
    const received = await socket.until(
      ({ method, params }) =>
        method === 'spot_balance' && JSON.stringify(params).includes('1000250'),
    );
    expect(received['params']).toMatchObject([{ currency: 'USDT', available: '1000250' }]);
  });

  test.each([
    [{ member: 'nobody', currency: 'BTC', amount: '1' }, 22004],
    [{ member: 'demo', currency: 'DOGE', amount: '1' }, 2002],
    [{ member: 'demo', currency: 'BTC', amount: '0' }, 10001],
    [{ member: 'demo', currency: 'BTC', amount: '-1' }, 10001],
    [{ member: 'demo', currency: 'BTC', amount: 'much' }, 10001],
    [{ member: 'demo', currency: 'BTC' }, 10001],
    [{ member: 'demo', currency: 'BTC', amount: '1', place: 'pocket' }, 10001],
  ])('of %j are refused, and nothing changes', async (json, code) => {
    const venue = shared();
    const before = total(venue, 'BTC');
    expect(errorOf(await ask(venue, 'POST', 'deposits', json))).toEqual([400, code]);
    expect(total(venue, 'BTC')).toBe(before);
  });

  test('are all that makes the sum of a currency grow', async () => {
    const venue = await open();
    const before = new Decimal(total(venue, 'BTC'));
    for (const [place, amount] of [
      ['wallet', '0.1'],
      ['spot', '0.02'],
    ]) {
      await ask(venue, 'POST', 'deposits', { member: 'other', currency: 'BTC', amount, place });
    }
    expect(total(venue, 'BTC')).toBe(before.plus('0.12').toFixed());
  });
});

describe('members', () => {
  test('are listed with what they have', async () => {
    const venue = await open();
    const { body } = await ask(venue, 'GET', 'members');
    expect(body).toMatchObject([
      { name: 'demo', email: 'demo@example.com', wallet: [], derivatives: [] },
      { name: 'other' },
    ]);
    const one = await ask(venue, 'GET', 'members?member=other@example.com');
    expect(one.body).toMatchObject([
      {
        name: 'other',
        spot: expect.arrayContaining([{ currency: 'USDT', available: '1000000', reserved: '0' }]),
      },
    ]);
    expect((await ask(venue, 'GET', 'members?member=nobody')).body).toEqual([]);
    expect(JSON.stringify(body)).not.toContain('secret');
  });
});

describe('symbols', () => {
  test('are closed for orders and opened again', async () => {
    const venue = await open();
    const order = { symbol: 'BTCUSDT', side: 'buy', quantity: '0.001', price: '50000' };
    const closed = await ask(venue, 'POST', 'symbols', { symbol: 'BTCUSDT', status: 'suspended' });
    expect(closed.body).toEqual({ symbol: 'BTCUSDT', status: 'suspended' });
    const rejected = await venue.call('POST', '/api/3/spot/order', { as: 'demo', json: order });
    expect(errorOf(rejected)).toEqual([400, 20010]);
    const shown = await venue.call('GET', '/api/3/public/symbol/BTCUSDT');
    expect(shown.body).toMatchObject({ status: 'suspended' });
    await ask(venue, 'POST', 'symbols', { symbol: 'BTCUSDT', status: 'working' });
    const taken = await venue.call('POST', '/api/3/spot/order', { as: 'demo', json: order });
    expect(taken.status).toBe(200);
  });

  test('that do not exist, and statuses that do not, are refused', async () => {
    const venue = shared();
    const symbols = async (json: unknown) => errorOf(await ask(venue, 'POST', 'symbols', json));
    expect(await symbols({ symbol: 'XRPUSDT', status: 'working' })).toEqual([400, 2001]);
    expect(await symbols({ symbol: 'BTCUSDT', status: 'closed' })).toEqual([400, 10001]);
  });
});

describe('chains', () => {
  test('bring a deposit that is credited when it is confirmed', async () => {
    const venue = await open(BY_HAND);
    const sent = await ask(venue, 'POST', 'chains/deposits', {
      member: 'demo',
      currency: 'BTC',
      amount: '1',
    });
    const { id } = sent.body as { readonly id: string };
    const decide = async (confirmations: number) =>
      ask(venue, 'POST', 'chains/decisions', {
        member: 'demo',
        id,
        decision: 'confirm',
        confirmations,
      });
    expect((await decide(1)).body).toEqual({ id, status: 'PENDING' });
    expect(
      (await venue.call('GET', '/api/3/wallet/balance/BTC', { as: 'demo' })).body,
    ).toMatchObject({ available: '0' });
    expect((await decide(2)).body).toEqual({ id, status: 'SUCCESS' });
    expect(
      (await venue.call('GET', '/api/3/wallet/balance/BTC', { as: 'demo' })).body,
    ).toMatchObject({ available: '1' });
  });

  test('lose a deposit', async () => {
    const venue = await open(BY_HAND);
    const sent = await ask(venue, 'POST', 'chains/deposits', {
      member: 'demo',
      currency: 'BTC',
      network: 'BTC',
      amount: '1',
    });
    const { id } = sent.body as { readonly id: string };
    const lost = await ask(venue, 'POST', 'chains/decisions', {
      member: 'demo',
      id,
      decision: 'dismiss',
    });
    expect(lost.body).toEqual({ id, status: 'FAILED' });
  });

  /** Puts money into a wallet and withdraws a part of it; gives the id. */
  async function withdrawal(venue: TestVenue): Promise<string> {
    await ask(venue, 'POST', 'deposits', { member: 'demo', currency: 'BTC', amount: '2' });
    const { body } = await venue.call('POST', '/api/3/wallet/crypto/withdraw', {
      as: 'demo',
      json: { currency: 'BTC', amount: '1', address: 'an-address-outside' },
    });
    return (body as { readonly id: string }).id;
  }

  test('carry a withdrawal out when asked to', async () => {
    const venue = await open(BY_HAND);
    const id = await withdrawal(venue);
    venue.pass(US_PER_HOUR);
    const decide = async (decision: string) =>
      ask(venue, 'POST', 'chains/decisions', { member: 'demo', id, decision });
    expect((await decide('attempt')).body).toEqual({ id, status: 'PENDING' });
    expect((await decide('carry')).body).toEqual({ id, status: 'SUCCESS' });
    expect(
      (await venue.call('GET', '/api/3/wallet/balance/BTC', { as: 'demo' })).body,
    ).toMatchObject({ available: '1', reserved: '0' });
    expect((await decide('carry')).status).toBe(400);
  });

  test('fail a withdrawal, whose money comes back', async () => {
    const venue = await open(BY_HAND);
    const id = await withdrawal(venue);
    const failed = await ask(venue, 'POST', 'chains/decisions', {
      member: 'demo',
      id,
      decision: 'fail',
      error: 'INVALID_ADDRESS',
    });
    expect(failed.body).toEqual({ id, status: 'FAILED' });
    expect(
      (await venue.call('GET', '/api/3/wallet/balance/BTC', { as: 'demo' })).body,
    ).toMatchObject({ available: '2', reserved: '0' });
  });

  test.each([
    ['deposits', { member: 'nobody', currency: 'BTC', amount: '1' }, 22004],
    ['deposits', { member: 'demo', currency: 'DOGE', amount: '1' }, 2002],
    ['deposits', { member: 'demo', currency: 'BTC', network: 'XRP', amount: '1' }, 10001],
    ['decisions', { member: 'nobody', id: 'x', decision: 'confirm' }, 22004],
    ['decisions', { member: 'demo', id: 'x', decision: 'confirm' }, 20004],
    ['decisions', { member: 'demo', id: 'x', decision: 'wait' }, 10001],
  ])('%s of %j are refused', async (what, json, code) => {
    const venue = shared();
    const [, got] = errorOf(await ask(venue, 'POST', `chains/${what}`, json)) as number[];
    expect([what, got]).toEqual([what, code]);
  });

  test('decide on the transactions of the named member alone', async () => {
    const venue = await open(BY_HAND);
    const id = await withdrawal(venue);
    const stranger = await ask(venue, 'POST', 'chains/decisions', {
      member: 'other',
      id,
      decision: 'fail',
    });
    expect(errorOf(stranger)).toEqual([400, 20004]);
  });
});

describe('gifts and locks', () => {
  test('an airdrop waits until its member claims it', async () => {
    const venue = await open();
    const offered = await ask(venue, 'POST', 'airdrops', {
      member: 'demo',
      currency: 'ETH',
      amount: '0.25',
    });
    expect(offered.body).toEqual({ id: 1, currency: 'ETH', amount: '0.25' });
    const claimed = await venue.call('POST', '/api/3/wallet/airdrops/1/claim', { as: 'demo' });
    expect(claimed.body).toEqual({ result: true });
    expect(
      (await venue.call('GET', '/api/3/wallet/balance/ETH', { as: 'demo' })).body,
    ).toMatchObject({ available: '0.25' });
  });

  test('a lock holds an amount back until it is ended', async () => {
    const venue = await open();
    await ask(venue, 'POST', 'deposits', { member: 'demo', currency: 'ETH', amount: '2' });
    const locked = await ask(venue, 'POST', 'locks', {
      member: 'demo',
      currency: 'ETH',
      amount: '1.5',
      until: '2026-02-01T00:00:00Z',
    });
    expect(locked.body).toMatchObject({ amount: '1.5', until: '2026-02-01T00:00:00Z' });
    const balance = async () =>
      (await venue.call('GET', '/api/3/wallet/balance/ETH', { as: 'demo' })).body;
    expect(await balance()).toMatchObject({ available: '0.5' });
    const { id } = locked.body as { readonly id: number };
    expect((await ask(venue, 'DELETE', `locks?id=${id}`)).status).toBe(200);
    expect(await balance()).toMatchObject({ available: '2' });
    expect((await ask(venue, 'DELETE', `locks?id=${id}`)).status).toBe(400);
  });

  test.each([
    ['airdrops', { member: 'nobody', currency: 'ETH', amount: '1' }, 22004],
    ['airdrops', { member: 'demo', currency: 'DOGE', amount: '1' }, 2002],
    ['airdrops', { member: 'demo', currency: 'ETH', amount: '0' }, 10001],
    ['locks', { member: 'nobody', currency: 'ETH', amount: '1', until: '2027-01-01' }, 22004],
    ['locks', { member: 'demo', currency: 'ETH', amount: '1', until: '2020-01-01' }, 10001],
    ['locks', { member: 'demo', currency: 'ETH', amount: '1', until: '2027-01-01' }, 20001],
  ])('%s of %j are refused', async (what, json, code) => {
    const venue = shared();
    const [, got] = errorOf(await ask(venue, 'POST', what, json)) as number[];
    expect([what, got]).toEqual([what, code]);
  });
});
