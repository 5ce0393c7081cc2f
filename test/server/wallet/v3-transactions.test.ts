import { describe, expect, test } from 'vitest';
import { decimal } from '../../../src/model/decimal.ts';
import { isRejection } from '../../../src/model/rejections.ts';
import {
  openHarness,
  OUTSIDE,
  SECOND,
  type WalletHarness,
  type Query,
  type TransactionRow,
} from './harness.ts';

const TRANSACTIONS = '/api/3/wallet/transactions';

/** The transactions of `ann` from her third on: her wallet began with three credits. */
async function busy(): Promise<{ branch: WalletHarness; ids: Readonly<Record<string, string>> }> {
  const branch = await openHarness({ others: 'byHand' });
  const withdraw = async (more: object) => {
    const asked = { currency: 'BTC', amount: '1', address: OUTSIDE, ...more };
    const { id } = await branch.ok<{ id: string }>(
      'ann',
      'POST',
      '/api/3/wallet/crypto/withdraw',
      asked,
    );
    branch.pass(SECOND);
    return id;
  };
  const pending = await withdraw({});
  const waiting = await withdraw({ auto_commit: false });
  const failed = await withdraw({ payment_id: '5' });
  const tron = await withdraw({ currency: 'USDT', network_code: 'TRX' });
  const move = { currency: 'USDT', amount: '5', source: 'wallet', destination: 'spot' };
  await branch.ok('ann', 'POST', '/api/3/wallet/transfer', move);
  const back = { ...move, source: 'spot', destination: 'derivatives' };
  const [home = '', on = ''] = await branch.ok<string[]>(
    'ann',
    'POST',
    '/api/3/wallet/transfer',
    back,
  );
  await branch.ok('ann', 'DELETE', `/api/3/wallet/crypto/withdraw/${waiting}`);
  branch.pass(SECOND);
  branch.venue.trading.chains.attempt(pending);
  return { branch, ids: { pending, waiting, failed, tron, home, on } };
}

const list = (branch: WalletHarness, query: Query = {}) =>
  branch.ok<TransactionRow[]>('ann', 'GET', TRANSACTIONS, query);

const names = (rows: readonly TransactionRow[]) =>
  rows.map(({ id, subtype }) => `${id} ${subtype}`);

describe('transactions', () => {
  test(
    'are listed, the newest first, with the names of the service',
    {
      tags: [
        'server:trading-v3.wallet.get-transactions',
        'server:trading-v3.wallet.transaction-subtypes',
      ],
    },
    async () => {
      const { branch } = await busy();
      expect(names(await list(branch))).toEqual([
        '13 WALLET_TO_DERIVATIVES',
        '12 SPOT_TO_WALLET',
        '11 WALLET_TO_SPOT',
        '10 BLOCKCHAIN',
        '9 BLOCKCHAIN',
        '8 BLOCKCHAIN',
        '7 BLOCKCHAIN',
        '3 UNCLASSIFIED',
        '2 UNCLASSIFIED',
        '1 UNCLASSIFIED',
      ]);
      expect(await branch.ok('bob', 'GET', TRANSACTIONS)).toHaveLength(3);
    },
  );

  test.each([
    ['tx_ids', ['pending', 'tron'], '10 7'],
    ['types', 'DEPOSIT', '3 2 1'],
    ['types', 'deposit,WITHDRAW', '10 9 8 7 3 2 1'],
    ['type', 'TRANSFER', '13 12 11'],
    ['subtypes', 'WALLET_TO_SPOT,SPOT_TO_WALLET', '12 11'],
    ['subtype', 'SPOT_TO_WALLET', '12'],
    ['statuses', 'FAILED,ROLLED_BACK', '9 8'],
    ['currencies', 'BTC', '9 8 7 1'],
    ['networks', 'TRX', '10'],
    ['id_from', '11', '13 12 11'],
    ['id_till', '2', '2 1'],
    ['from', '2026-01-05T10:00:03Z', '13 12 11 10'],
    ['from', '1767607203000', '13 12 11 10'],
    ['till', '2026-01-05T10:00:00Z', '7 3 2 1'],
    ['till', '2026-01-05T10:00:01.000001Z', '8 7 3 2 1'],
    ['currencies', '', '13 12 11 10 9 8 7 3 2 1'],
  ])(
    'are filtered by %s %s',
    { tags: ['server:trading-v3.wallet.transactions-filters'] },
    async (name, value, expected) => {
      const { branch, ids } = await busy();
      const asked = Array.isArray(value) ? value.map((each) => ids[each]).join(',') : value;
      const rows = await list(branch, { [name]: asked });
      expect(rows.map(({ id }) => id).join(' ')).toBe(expected);
    },
  );

  test('are all there that are shown with the millisecond that ends the list', async () => {
    const branch = await openHarness();
    branch.pass(1_250_400);
    branch.credit('ann', 'XRP', '1');
    const [newest] = await list(branch, { till: '2026-01-05T10:00:01.25Z' });
    expect(newest).toMatchObject({ id: 7, created_at: '2026-01-05T10:00:01.25Z' });
    expect(await list(branch, { till: '2026-01-05T10:00:01.2503Z' })).toHaveLength(3);
  });

  test('are filtered by both names of a list together', async () => {
    const { branch } = await busy();
    const rows = await list(branch, { type: 'SWAP', types: 'DEPOSIT' });
    expect(rows).toHaveLength(3);
  });

  test.each([
    [{}, '13 12 11'],
    [{ sort: 'ASC' }, '1 2 3'],
    [{ order_by: 'created_at' }, '13 12 11'],
    // The waiting one was rolled back after the transfers, all of them at one time.
    [{ order_by: 'updated_at' }, '8 13 12'],
    // The pending one was tried by a chain at last, which changed no status.
    [{ order_by: 'last_activity_at' }, '7 8 13'],
    [{ order_by: 'id', sort: 'ASC' }, '1 2 3'],
  ])(
    'are ordered by %j',
    { tags: ['server:trading-v3.wallet.transactions-order-by'] },
    async (query, first) => {
      const { branch } = await busy();
      const rows = await list(branch, query);
      expect(
        rows
          .slice(0, 3)
          .map(({ id }) => id)
          .join(' '),
      ).toBe(first);
    },
  );

  test(
    'come a hundred at a time, up to a thousand, from an offset, and by operation only where that is asked for',
    { tags: ['server:trading-v3.wallet.transactions-bounds'] },
    async () => {
      const { branch, ids } = await busy();
      for (let i = 0; i < 1_010; i += 1) branch.credit('ann', 'XRP', '1');
      expect(await list(branch)).toHaveLength(100);
      expect(await list(branch, { limit: '1000' })).toHaveLength(1_000);
      const [second] = await list(branch, { limit: '1', offset: '1' });
      expect(second?.id).toBe(1_022);
      for (const bad of [
        { limit: '1001' },
        { limit: '0' },
        { offset: '100001' },
        { offset: '-1' },
      ]) {
        expect(await branch.rejected('ann', 'GET', TRANSACTIONS, bad)).toEqual([400, 10001]);
      }
      const transfers = { types: 'TRANSFER', limit: '2', sort: 'ASC' };
      const single = await list(branch, transfers);
      expect(single.map(({ id }) => id)).toEqual([11, 12]);
      const grouped = await list(branch, { ...transfers, group_transactions: 'true' });
      expect(grouped.map(({ id }) => id)).toEqual([11, 12, 13]);
      const [, home, on] = grouped;
      expect([home?.native.tx_id, on?.native.tx_id]).toEqual([ids['home'], ids['on']]);
      expect(home?.operation_id).toBe(on?.operation_id);
    },
  );

  test.each([
    [{ types: 'GIFT' }, 10001],
    [{ subtypes: 'GIFT' }, 10001],
    [{ statuses: 'SUCCESS,DONE' }, 10001],
    [{ currencies: 'GBP' }, 2002],
    [{ order_by: 'amount' }, 10001],
    [{ sort: 'UP' }, 10001],
    [{ from: 'yesterday' }, 10001],
  ])('are not listed by %j', async (query, code) => {
    const branch = await openHarness();
    expect(await branch.rejected('ann', 'GET', TRANSACTIONS, query)).toEqual([400, code]);
  });

  test(
    'are shown one by one to their owner',
    { tags: ['server:trading-v3.wallet.get-transaction'] },
    async () => {
      const { branch, ids } = await busy();
      const url = `${TRANSACTIONS}/${ids['tron'] ?? ''}`;
      expect(await branch.ok('ann', 'GET', url)).toMatchObject({
        id: 10,
        native: { currency: 'USDT' },
      });
      expect(await branch.rejected('bob', 'GET', url)).toEqual([400, 20004]);
      expect(await branch.rejected('ann', 'GET', `${TRANSACTIONS}/none`)).toEqual([400, 20004]);
    },
  );
});

describe('a transaction', () => {
  const one = (branch: WalletHarness, id: string | undefined) =>
    branch.ok<TransactionRow>('ann', 'GET', `${TRANSACTIONS}/${id ?? ''}`);

  test(
    'has its times, status, type, its operation and what moved',
    { tags: ['server:trading-v3.wallet.transaction-record'] },
    async () => {
      const { branch, ids } = await busy();
      const { native, ...record } = await one(branch, ids['pending']);
      expect(record).toEqual({
        id: 7,
        status: 'PENDING',
        type: 'WITHDRAW',
        subtype: 'BLOCKCHAIN',
        created_at: '2026-01-05T10:00:00Z',
        updated_at: '2026-01-05T10:00:00Z',
        last_activity_at: '2026-01-05T10:00:05Z',
        operation_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        operation_type: 'WITHDRAW',
        attempt_hashes: [native.hash],
      });
    },
  );

  test(
    'has what was moved, from where and its state',
    { tags: ['server:trading-v3.wallet.transaction-native'] },
    async () => {
      const { branch, ids } = await busy();
      const { native } = await one(branch, ids['pending']);
      expect(native).toEqual({
        tx_id: ids['pending'],
        index: 18,
        currency: 'BTC',
        amount: '1',
        fee: '0.0005',
        address: OUTSIDE,
        hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        network_code: 'BTC',
      });
      const { chains } = branch.venue.trading;
      const deposit = chains.send(branch.account('ann'), { currency: 'XRP', amount: decimal('3') });
      if (isRejection(deposit)) throw new Error(deposit.message);
      const arrived = await one(branch, deposit);
      expect(arrived.native).toEqual({
        tx_id: deposit,
        index: 19,
        currency: 'XRP',
        amount: '3',
        address: expect.any(String),
        payment_id: expect.stringMatching(/^\d+$/),
        hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        confirmations: 0,
        senders: [expect.any(String)],
        network_code: 'XRP',
      });
      const sent = { currency: 'BTC', amount: '1', by: 'username', identifier: 'bob' };
      const inside = await branch.ok<{ result: string }>(
        'ann',
        'POST',
        '/api/3/wallet/internal/withdraw',
        { ...sent, public_comment: 'hello' },
      );
      const [received] = await branch.ok<TransactionRow[]>('bob', 'GET', TRANSACTIONS);
      expect(received?.native).toMatchObject({
        offchain_id: inside.result,
        public_comment: 'hello',
      });
      expect(await one(branch, ids['failed'])).toMatchObject({
        native: { error_code: 'INVALID_PAYMENT_ID' },
      });
    },
  );

  test(
    'is of one of four types and has one of five statuses',
    { tags: ['server:trading-v3.wallet.transaction-status-values'] },
    async () => {
      const { branch, ids } = await busy();
      const order = { symbol: 'BTCUSDT', type: 'limit', quantity: '1' };
      for (const [side, price] of [
        ['buy', '40000'],
        ['sell', '40002'],
      ]) {
        await branch.ok('demo', 'POST', '/api/3/spot/order', { ...order, side, price });
      }
      const converted = { from_currency: 'BTC', to_currency: 'USDT', amount: '0.5' };
      await branch.ok('ann', 'POST', '/api/3/wallet/convert', converted);
      const asked = { currency: 'BTC', amount: '1', address: OUTSIDE, auto_commit: false };
      await branch.ok('ann', 'POST', '/api/3/wallet/crypto/withdraw', asked);
      const rows = await list(branch);
      expect([...new Set(rows.map(({ type }) => type))].sort()).toEqual([
        'DEPOSIT',
        'SWAP',
        'TRANSFER',
        'WITHDRAW',
      ]);
      expect([...new Set(rows.map(({ status }) => status))].sort()).toEqual([
        'CREATED',
        'FAILED',
        'PENDING',
        'ROLLED_BACK',
        'SUCCESS',
      ]);
      expect(await one(branch, ids['waiting'])).toMatchObject({ status: 'ROLLED_BACK' });
    },
  );

  test(
    'carries what later versions of the service added, whatever it is',
    { tags: ['server:trading-v3.wallet.transaction-version-fields'] },
    async () => {
      const { branch } = await busy();
      for (const row of await list(branch)) {
        expect(row).toMatchObject({
          operation_type: expect.any(String),
          last_activity_at: expect.stringMatching(/^2026-01-05T/),
          attempt_hashes: expect.any(Array),
        });
      }
    },
  );

  test(
    'says what its operation does and by which chain transactions it was tried',
    { tags: ['server:trading-v3.wallet.transaction-version-field-values'] },
    async () => {
      const { branch, ids } = await busy();
      const { chains } = branch.venue.trading;
      chains.attempt(ids['pending'] ?? '');
      const tried = await one(branch, ids['pending']);
      expect(tried.attempt_hashes).toHaveLength(2);
      expect(tried.attempt_hashes[1]).toBe(tried.native.hash);
      const sent = { currency: 'BTC', amount: '1', by: 'username', identifier: 'bob' };
      await branch.ok('ann', 'POST', '/api/3/wallet/internal/withdraw', sent);
      const [inside] = await list(branch);
      expect(inside).toMatchObject({ operation_type: 'INTERNAL', attempt_hashes: [] });
      const kinds = (await list(branch)).map((row) => `${row.subtype} ${row.operation_type}`);
      expect([...new Set(kinds)]).toEqual([
        'OFFCHAIN INTERNAL',
        'WALLET_TO_DERIVATIVES TRANSFER',
        'SPOT_TO_WALLET TRANSFER',
        'WALLET_TO_SPOT TRANSFER',
        'BLOCKCHAIN WITHDRAW',
        'UNCLASSIFIED DEPOSIT',
      ]);
    },
  );

  test(
    'that is a deposit by chain has the risk that it is reversed',
    { tags: ['server:trading-v3.wallet.deposit-commit-risk'] },
    async () => {
      const branch = await openHarness();
      const { chains } = branch.venue.trading;
      const send = (more: object) =>
        chains.send(branch.account('ann'), { currency: 'BTC', amount: decimal('1'), ...more });
      send({});
      send({ commitRisk: { score: 70, rbf: true, lowFee: true } });
      const [risky, plain, credit] = await list(branch);
      expect(risky).toMatchObject({ commit_risk: { score: 70, rbf: true, low_fee: true } });
      expect(plain).toMatchObject({ commit_risk: { score: 0, rbf: false, low_fee: false } });
      expect(credit).not.toHaveProperty('commit_risk');
    },
  );
});
