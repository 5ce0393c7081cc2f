import { describe, expect, test } from 'vitest';
import { decimal } from '../../../src/model/decimal.ts';
import type { TestSocket } from '../kit.ts';
import { openHarness, OUTSIDE, SECOND, type WalletHarness } from './harness.ts';

const ACCOUNT = '/api/2/ws/account';

const login = (branch: WalletHarness, as = 'ann') => branch.venue.tradingSocket(as, ACCOUNT);

const withdraw = (branch: WalletHarness, change: object = {}) =>
  branch.ok<{ id: string }>('ann', 'POST', '/api/2/account/crypto/withdraw', {
    currency: 'BTC',
    amount: '1',
    address: OUTSIDE,
    ...change,
  });

const reported = async (socket: TestSocket, method: string) => {
  await socket.settle();
  return socket.received(method).map(({ params }) => params);
};

interface Row {
  readonly id: string;
  readonly index: number;
  readonly status: string;
}

const rows = async (socket: TestSocket, method: string, params: object = {}) =>
  (await socket.request(method, params))['result'] as readonly Row[];

describe('the account socket of version 2', () => {
  test(
    'answers with the balances of the account that are not zero',
    { tags: ['server:trading-v2.stream-account.get-balance'] },
    async () => {
      const branch = await openHarness();
      const socket = await login(branch);
      await withdraw(branch);
      expect((await socket.request('getBalance'))['result']).toEqual([
        { currency: 'BTC', available: '8.9995', reserved: '1.0005' },
        { currency: 'USDT', available: '10000', reserved: '0' },
        { currency: 'XRP', available: '1000', reserved: '0' },
      ]);
    },
  );

  test(
    'finds transactions between two times, the latest first',
    { tags: ['server:trading-v2.stream-account.find-transactions'] },
    async () => {
      const branch = await openHarness();
      const socket = await login(branch);
      branch.pass(SECOND);
      const first = await withdraw(branch);
      branch.pass(SECOND);
      const second = await withdraw(branch, { currency: 'USDT' });
      branch.pass(SECOND);
      await withdraw(branch);
      const between = { from: '2026-01-05T10:00:01Z', till: '2026-01-05T10:00:02Z' };
      const found = await rows(socket, 'findTransactions', between);
      expect(found.map(({ id }) => id)).toEqual([second.id, first.id]);
      const rising = await rows(socket, 'findTransactions', { ...between, sort: 'ASC' });
      expect(rising.map(({ id }) => id)).toEqual([first.id, second.id]);
      const usdt = await rows(socket, 'findTransactions', { ...between, currency: 'USDT' });
      expect(usdt.map(({ id }) => id)).toEqual([second.id]);
      const page = await rows(socket, 'findTransactions', { ...between, limit: 1, offset: 1 });
      expect(page.map(({ id }) => id)).toEqual([first.id]);
      expect(await socket.request('findTransactions', { currency: 'GBP' })).toMatchObject({
        error: { code: 2002 },
      });
    },
  );

  test(
    'loads transactions between two indexes, the first first',
    { tags: ['server:trading-v2.stream-account.load-transactions'] },
    async () => {
      const branch = await openHarness({ others: 'byHand' });
      const socket = await login(branch);
      const first = await withdraw(branch);
      const second = await withdraw(branch);
      const all = await rows(socket, 'loadTransactions');
      expect(all.map(({ index }) => index)).toEqual([1, 2, 3, 8, 10]);
      // A change gives the first one a new index, by which it is loaded again.
      branch.venue.trading.chains.attempt(first.id);
      const news = await rows(socket, 'loadTransactions', { from: 9 });
      expect(news.map(({ id, index }) => [id, index])).toEqual([
        [second.id, 10],
        [first.id, 11],
      ]);
      const falling = await rows(socket, 'loadTransactions', { from: 2, till: 10, sort: 'DESC' });
      expect(falling.map(({ index }) => index)).toEqual([10, 3, 2]);
    },
  );

  test('shows senders only to who asks for them', async () => {
    const branch = await openHarness();
    const socket = await login(branch);
    const incoming = { currency: 'BTC', amount: decimal('1'), senders: ['them'] };
    branch.venue.trading.chains.send(branch.account('ann'), incoming);
    for (const method of ['findTransactions', 'loadTransactions']) {
      const shown = await rows(socket, method, { showSenders: true });
      expect(shown.filter((row) => 'senders' in row)).toMatchObject([{ senders: ['them'] }]);
      expect((await rows(socket, method)).some((row) => 'senders' in row)).toBe(false);
    }
  });
});

describe('the feed of transactions of version 2', () => {
  test(
    'sends one transaction whenever it changes',
    { tags: ['server:trading-v2.stream-account.subscribe-transactions'] },
    async () => {
      const branch = await openHarness();
      const socket = await login(branch);
      expect(await socket.request('subscribeTransactions')).toMatchObject({ result: true });
      const { id } = await withdraw(branch);
      branch.pass(7 * SECOND);
      const updates = (await reported(socket, 'updateTransaction')) as Row[];
      expect(updates.map(({ status }) => status)).toEqual([
        'created',
        'pending',
        'pending',
        'success',
      ]);
      const url = `/api/2/account/transactions/${id}`;
      expect(updates.at(-1)).toEqual(await branch.ok('ann', 'GET', url));
    },
  );

  test(
    'ends when it is unsubscribed',
    { tags: ['server:trading-v2.stream-account.unsubscribe-transactions'] },
    async () => {
      const branch = await openHarness();
      const socket = await login(branch);
      await socket.request('subscribeTransactions');
      await withdraw(branch);
      expect(await reported(socket, 'updateTransaction')).toHaveLength(2);
      expect(await socket.request('unsubscribeTransactions')).toMatchObject({ result: true });
      await withdraw(branch);
      expect(await reported(socket, 'updateTransaction')).toHaveLength(2);
    },
  );
});

describe('the feed of balances of version 2', () => {
  test(
    'sends all balances that are not zero, at first and after each change',
    { tags: ['server:trading-v2.stream-account.subscribe-balance'] },
    async () => {
      const branch = await openHarness();
      const socket = await login(branch);
      expect(await socket.request('subscribeBalance')).toMatchObject({ result: true });
      const move = { currency: 'XRP', amount: '1000', type: 'bankToExchange' };
      await branch.ok('ann', 'POST', '/api/2/account/transfer', move);
      const others = [
        { currency: 'BTC', available: '10', reserved: '0' },
        { currency: 'USDT', available: '10000', reserved: '0' },
      ];
      expect(await reported(socket, 'balance')).toEqual([
        [...others, { currency: 'XRP', available: '1000', reserved: '0' }],
        others,
      ]);
    },
  );

  test(
    'ends when it is unsubscribed',
    { tags: ['server:trading-v2.stream-account.unsubscribe-balance'] },
    async () => {
      const branch = await openHarness();
      const socket = await login(branch);
      await socket.request('subscribeBalance');
      await withdraw(branch);
      expect(await reported(socket, 'balance')).toHaveLength(2);
      expect(await socket.request('unsubscribeBalance')).toMatchObject({ result: true });
      await withdraw(branch);
      expect(await reported(socket, 'balance')).toHaveLength(2);
    },
  );

  test('says nothing of money that is not in the account', async () => {
    const branch = await openHarness();
    const socket = await login(branch);
    await branch.ok('ann', 'POST', '/api/2/account/transfer', {
      currency: 'USDT',
      amount: '9000',
      type: 'bankToExchange',
    });
    await socket.request('subscribeBalance');
    const order = { symbol: 'BTCUSDT', side: 'buy', type: 'limit', quantity: '0.1', price: '100' };
    await branch.ok('ann', 'POST', '/api/3/spot/order', order);
    expect(await reported(socket, 'balance')).toHaveLength(1);
  });
});
