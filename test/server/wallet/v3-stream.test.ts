import { describe, expect, test } from 'vitest';
import type { Frame, TestSocket } from '../kit.ts';
import {
  openHarness,
  OUTSIDE,
  SECOND,
  type WalletHarness,
  type TransactionRow,
} from './harness.ts';
import { eachRow } from '../../conformance/each-row.ts';

const WALLET = '/api/3/ws/wallet';

const login = (branch: WalletHarness, as = 'ann') => branch.venue.tradingSocket(as, WALLET);

const withdraw = (branch: WalletHarness, change: object = {}) =>
  branch.ok<{ id: string }>('ann', 'POST', '/api/3/wallet/crypto/withdraw', {
    currency: 'BTC',
    amount: '1',
    address: OUTSIDE,
    ...change,
  });

const paramsOf = (frames: readonly Frame[]) => frames.map(({ params }) => params);

const reported = async (socket: TestSocket, method: string) => {
  await socket.settle();
  return paramsOf(socket.received(method));
};

describe('the wallet socket', () => {
  test(
    'lets in who logs in, and nobody else',
    { tags: ['server:trading-v3.stream-wallet.login'] },
    async () => {
      const branch = await openHarness();
      const socket = await branch.venue.socket(WALLET);
      const before = await socket.request('wallet_balances');
      expect(before).toMatchObject({ error: { code: 1001 } });
      const wrong = { type: 'BASIC', api_key: 'ann', secret_key: 'guess' };
      expect(await socket.request('login', wrong)).toMatchObject({ error: { code: 1002 } });
      expect(await socket.request('wallet_balances')).toMatchObject({ error: { code: 1001 } });
      const right = { type: 'BASIC', api_key: 'ann', secret_key: 'ann-secret' };
      expect(await socket.request('login', right)).toMatchObject({ jsonrpc: '2.0', result: true });
      expect(await socket.request('wallet_balances')).toHaveProperty('result');
    },
  );

  test('asks for the right to see payments', async () => {
    const branch = await openHarness();
    branch.join('trader', ['read', 'trade', 'withdraw']);
    const socket = await login(branch, 'trader');
    for (const method of ['wallet_balances', 'subscribe_transactions', 'get_transactions']) {
      expect(await socket.request(method)).toMatchObject({ error: { code: 1003 } });
    }
  });
});

describe('the feed of transactions', () => {
  test(
    'sends one transaction when it is created, tried, and done',
    {
      tags: [
        'server:trading-v3.stream-wallet.subscribe-transactions',
        'server:trading-v3.stream-wallet.notif-transaction-update',
      ],
    },
    async () => {
      const branch = await openHarness();
      const socket = await login(branch);
      await withdraw(branch);
      expect(await socket.request('subscribe_transactions')).toMatchObject({ result: true });
      expect(await reported(socket, 'transaction_update')).toEqual([]);
      const { id } = await withdraw(branch);
      await branch.ok('bob', 'POST', '/api/3/wallet/transfer', {
        currency: 'BTC',
        amount: '1',
        source: 'wallet',
        destination: 'spot',
      });
      branch.pass(7 * SECOND);
      const updates = (await reported(socket, 'transaction_update')) as TransactionRow[];
      const second = updates.filter(({ native }) => native.tx_id === id);
      const states = second.map(({ status, native }) => `${status} ${native.hash === undefined}`);
      expect(states).toEqual(['CREATED true', 'PENDING true', 'PENDING false', 'SUCCESS false']);
      // The withdrawal from before was tried and done, and nobody else’s was told.
      expect(updates).toHaveLength(6);
      const last = await branch.ok('ann', 'GET', `/api/3/wallet/transactions/${id}`);
      expect(second.at(-1)).toEqual(last);
    },
  );

  test(
    'ends when it is unsubscribed',
    { tags: ['server:trading-v3.stream-wallet.unsubscribe-transactions'] },
    async () => {
      const branch = await openHarness();
      const socket = await login(branch);
      await socket.request('subscribe_transactions');
      await socket.request('subscribe_transactions');
      await withdraw(branch);
      expect(await reported(socket, 'transaction_update')).toHaveLength(2);
      expect(await socket.request('unsubscribe_transactions')).toMatchObject({ result: true });
      await withdraw(branch);
      expect(await reported(socket, 'transaction_update')).toHaveLength(2);
    },
  );
});

describe('the feed of balances', () => {
  const empty = { currency: 'XRP', available: '0', reserved: '0' };

  test(
    'begins with all balances that are not zero, after the reply',
    {
      tags: [
        'server:trading-v3.stream-wallet.subscribe-wallet-balances',
        'server:trading-v3.stream-wallet.notif-wallet-balances',
      ],
    },
    async () => {
      const branch = await openHarness();
      const socket = await login(branch);
      const reply = await socket.request('subscribe_wallet_balances');
      expect(reply).toMatchObject({ result: true });
      expect(await reported(socket, 'wallet_balances')).toEqual([
        [
          { currency: 'BTC', available: '10', reserved: '0' },
          { currency: 'USDT', available: '10000', reserved: '0' },
          { currency: 'XRP', available: '1000', reserved: '0' },
        ],
      ]);
      const [snapshot] = socket.received('wallet_balances');
      expect(socket.frames.indexOf(reply)).toBeLessThan(socket.frames.indexOf(snapshot ?? {}));
    },
  );

  test(
    'then sends each balance that changes alone, also when it becomes zero',
    { tags: ['server:trading-v3.stream-wallet.notif-wallet-balance-update'] },
    async () => {
      const branch = await openHarness();
      const socket = await login(branch);
      await socket.request('subscribe_wallet_balances');
      await withdraw(branch);
      const move = { currency: 'XRP', amount: '1000', source: 'wallet', destination: 'spot' };
      await branch.ok('ann', 'POST', '/api/3/wallet/transfer', move);
      await branch.ok('ann', 'POST', '/api/3/wallet/transfer', {
        ...move,
        amount: '1',
        source: 'spot',
        destination: 'derivatives',
      });
      expect(await reported(socket, 'wallet_balance_update')).toEqual([
        { currency: 'BTC', available: '8.9995', reserved: '1.0005' },
        empty,
      ]);
      expect(socket.received('wallet_balances')).toHaveLength(1);
    },
  );

  test(
    'ends when it is unsubscribed',
    { tags: ['server:trading-v3.stream-wallet.unsubscribe-wallet-balances'] },
    async () => {
      const branch = await openHarness();
      const socket = await login(branch);
      await socket.request('subscribe_wallet_balances');
      await withdraw(branch);
      expect(await reported(socket, 'wallet_balance_update')).toHaveLength(1);
      expect(await socket.request('unsubscribe_wallet_balances')).toMatchObject({ result: true });
      await withdraw(branch);
      expect(await reported(socket, 'wallet_balance_update')).toHaveLength(1);
    },
  );
});

describe('a question on the wallet socket', () => {
  test(
    'for balances is answered with those that are not zero',
    { tags: ['server:trading-v3.stream-wallet.wallet-balances'] },
    async () => {
      const branch = await openHarness();
      branch.join('poor', ['payment'], { USDT: '5' });
      const socket = await login(branch, 'poor');
      expect(await socket.request('wallet_balances')).toMatchObject({
        result: [{ currency: 'USDT', available: '5', reserved: '0' }],
      });
    },
  );

  test(
    'for one balance is answered with it',
    { tags: ['server:trading-v3.stream-wallet.wallet-balance'] },
    async () => {
      const branch = await openHarness();
      const socket = await login(branch);
      await withdraw(branch);
      expect((await socket.request('wallet_balance', { currency: 'BTC' }))['result']).toEqual({
        currency: 'BTC',
        available: '8.9995',
        reserved: '1.0005',
      });
      const unknown = await socket.request('wallet_balance', { currency: 'GBP' });
      expect(unknown).toMatchObject({ error: { code: 2002 } });
      expect(await socket.request('wallet_balance')).toMatchObject({ error: { code: 10001 } });
    },
  );

  eachRow('', [
    ['server:trading-v3.stream-wallet.transactions', 'transactions'],
    ['server:trading-v3.stream-wallet.get-transactions', 'get_transactions'],
  ])('for transactions is answered as REST does, filters and all: %s', async (method) => {
    const branch = await openHarness();
    const socket = await login(branch);
    const { id } = await withdraw(branch);
    await withdraw(branch, { currency: 'USDT' });
    const url = '/api/3/wallet/transactions';
    const all = await socket.request(method, null);
    expect(all['result']).toEqual(await branch.ok('ann', 'GET', url));
    expect(all['result']).toHaveLength(5);
    const query = { types: 'WITHDRAW', currencies: 'BTC' };
    const some = await socket.request(method, query);
    expect(some['result']).toEqual(await branch.ok('ann', 'GET', url, query));
    expect(some).toMatchObject({ result: [{ native: { tx_id: id } }] });
    const filters = { tx_ids: [id], sort: 'ASC', limit: 5, order_by: 'updated_at' };
    expect((await socket.request(method, filters))['result']).toHaveLength(1);
    expect(await socket.request(method, { currencies: 'GBP' })).toMatchObject({
      error: { code: 2002 },
    });
    expect(await socket.request(method, { limit: 1_001 })).toMatchObject({
      error: { code: 10001 },
    });
  });
});
