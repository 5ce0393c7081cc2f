import { describe, expect, test } from 'vitest';
import {
  openHarness,
  MINUTE,
  OUTSIDE,
  SECOND,
  type WalletHarness,
  type TransactionRow,
} from './harness.ts';

const WITHDRAW = '/api/3/wallet/crypto/withdraw';

const REQUEST = { currency: 'BTC', amount: '1', address: OUTSIDE } as const;

const withdraw = async (branch: WalletHarness, change: object = {}): Promise<string> => {
  const { id } = await branch.ok<{ id: string }>('ann', 'POST', WITHDRAW, {
    ...REQUEST,
    ...change,
  });
  return id;
};

const transaction = (branch: WalletHarness, id: string, as = 'ann') =>
  branch.ok<TransactionRow>(as, 'GET', `/api/3/wallet/transactions/${id}`);

const statusOf = async (branch: WalletHarness, id: string) =>
  (await transaction(branch, id)).status;

describe('a withdrawal', () => {
  test(
    'by the network that is named holds its amount and that network’s fee, and is one id',
    { tags: ['server:trading-v3.wallet.post-withdraw'] },
    async () => {
      const branch = await openHarness();
      const change = { currency: 'USDT', network_code: 'TRX', public_comment: 'rent' };
      const id = await withdraw(branch, change);
      expect(await transaction(branch, id)).toMatchObject({
        status: 'PENDING',
        type: 'WITHDRAW',
        subtype: 'BLOCKCHAIN',
        native: {
          tx_id: id,
          currency: 'USDT',
          amount: '1',
          fee: '1',
          network_code: 'TRX',
          address: OUTSIDE,
          public_comment: 'rent',
        },
      });
      expect(await branch.balance('ann', 'USDT')).toBe('9998 2');
      const included = await withdraw(branch, { ...change, include_fee: true, amount: '10' });
      expect(await transaction(branch, included)).toMatchObject({
        native: { amount: '9', fee: '1' },
      });
      expect(await branch.balance('ann', 'USDT')).toBe('9988 12');
    },
  );

  test.each(['payment_id', 'paymentId'])('may carry a payment id as %s', async (member) => {
    const branch = await openHarness();
    const id = await withdraw(branch, { currency: 'XRP', [member]: '77' });
    expect(await transaction(branch, id)).toMatchObject({
      status: 'PENDING',
      native: { payment_id: '77' },
    });
  });

  test.each([
    ['text', '1.5'],
    ['a JSON number', 1.5],
  ])(
    'may name its amount as %s',
    { tags: ['server:trading-v3.wallet.withdraw-amount-forms'] },
    async (_form, amount) => {
      const branch = await openHarness();
      const id = await withdraw(branch, { amount });
      expect(await transaction(branch, id)).toMatchObject({ native: { amount: '1.5' } });
    },
  );

  test('has a comment of at most 255 characters', async () => {
    const branch = await openHarness();
    await withdraw(branch, { public_comment: 'x'.repeat(255) });
    const long = { ...REQUEST, public_comment: 'x'.repeat(256) };
    expect(await branch.rejected('ann', 'POST', WITHDRAW, long)).toEqual([400, 10001]);
  });

  test('costs what its fee level does, the usual one where that is named', async () => {
    const branch = await openHarness();
    const feeOf = async (level: string) =>
      (await transaction(branch, await withdraw(branch, { fee_level_id: level }))).native;
    expect(await feeOf('fast')).toMatchObject({ fee: '0.002' });
    expect(await feeOf('usual')).toMatchObject({ fee: '0.0005' });
    const unknown = { ...REQUEST, fee_level_id: 'slow' };
    expect(await branch.rejected('ann', 'POST', WITHDRAW, unknown)).toEqual([400, 10001]);
  });

  test.each([
    [{ amount: '10' }, 20001],
    [{ amount: '0' }, 10001],
    [{ amount: '0.0001', include_fee: true }, 10001],
    [{ currency: 'GBP' }, 2002],
    [{ currency: 'EUR' }, 20018],
    [{ currency: 'USDT', amount: '50001' }, 20003],
    [{ network_code: 'TRX' }, 10001],
    [{ address: '' }, 10001],
    [{ address: 'nowhere' }, 10001],
    [{ use_offchain: 'required' }, 20014],
    [{ use_offchain: 'perhaps' }, 10001],
    [{ amount: undefined }, 10001],
  ])('with %j is refused and holds nothing', async (change, code) => {
    const branch = await openHarness();
    const asked = { ...REQUEST, ...change };
    expect(await branch.rejected('ann', 'POST', WITHDRAW, asked)).toEqual([400, code]);
    expect(await branch.balance('ann', 'BTC')).toBe('10 0');
  });

  test.each([
    [{ payment_id: '5' }, 'INVALID_PAYMENT_ID'],
    [{ amount: '1.0000001' }, 'BAD_PRECISION'],
  ])('with %j is taken in and fails with %s', async (change, error_code) => {
    const branch = await openHarness();
    const id = await withdraw(branch, change);
    expect(await transaction(branch, id)).toMatchObject({
      status: 'FAILED',
      native: { error_code },
    });
    expect(await branch.balance('ann', 'BTC')).toBe('10 0');
  });
});

describe('a withdrawal in two phases', () => {
  const waiting = { auto_commit: false };

  test(
    'is sent when it is committed, once, and not taken back after',
    { tags: ['server:trading-v3.wallet.put-withdraw'] },
    async () => {
      const branch = await openHarness();
      const id = await withdraw(branch, waiting);
      branch.pass(MINUTE);
      expect(await statusOf(branch, id)).toBe('CREATED');
      const url = `${WITHDRAW}/${id}`;
      expect(await branch.ok('ann', 'PUT', url)).toEqual({ result: true });
      expect(await statusOf(branch, id)).toBe('PENDING');
      branch.pass(MINUTE);
      expect(await statusOf(branch, id)).toBe('SUCCESS');
      expect(await branch.balance('ann', 'BTC')).toBe('8.9995 0');
      expect(await branch.ok('ann', 'PUT', url)).toEqual({ result: true });
      expect(await branch.balance('ann', 'BTC')).toBe('8.9995 0');
      expect(await branch.rejected('ann', 'DELETE', url)).toEqual([400, 20006]);
    },
  );

  test(
    'gives back what it holds when it is rolled back, once, and is not sent after',
    { tags: ['server:trading-v3.wallet.delete-withdraw'] },
    async () => {
      const branch = await openHarness();
      const url = `${WITHDRAW}/${await withdraw(branch, waiting)}`;
      expect(await branch.balance('ann', 'BTC')).toBe('8.9995 1.0005');
      expect(await branch.ok('ann', 'DELETE', url)).toEqual({ result: true });
      expect(await branch.balance('ann', 'BTC')).toBe('10 0');
      expect(await branch.ok('ann', 'DELETE', url)).toEqual({ result: true });
      expect(await branch.balance('ann', 'BTC')).toBe('10 0');
      expect(await branch.rejected('ann', 'PUT', url)).toEqual([400, 20007]);
    },
  );

  test(
    'can be committed or rolled back for an hour; a commit after that does not send it',
    { tags: ['server:trading-v3.wallet.withdraw-two-phase-hour'] },
    async () => {
      const branch = await openHarness();
      const ids = [
        await withdraw(branch, waiting),
        await withdraw(branch, waiting),
        await withdraw(branch, waiting),
      ];
      branch.pass(60 * MINUTE - 1);
      await branch.ok('ann', 'PUT', `${WITHDRAW}/${ids[0] ?? ''}`);
      await branch.ok('ann', 'DELETE', `${WITHDRAW}/${ids[1] ?? ''}`);
      branch.pass(1);
      expect(await branch.rejected('ann', 'PUT', `${WITHDRAW}/${ids[2] ?? ''}`)).toEqual([
        400, 20007,
      ]);
      branch.pass(MINUTE);
      const statuses = await Promise.all(ids.map((id) => statusOf(branch, id)));
      expect(statuses).toEqual(['SUCCESS', 'ROLLED_BACK', 'ROLLED_BACK']);
      expect(await branch.balance('ann', 'BTC')).toBe('8.9995 0');
    },
  );

  test(
    'is rolled back automatically at the end of its hour',
    { tags: ['server:trading-v3.wallet.withdraw-two-phase-late'] },
    async () => {
      const branch = await openHarness();
      const id = await withdraw(branch, waiting);
      branch.pass(60 * MINUTE);
      expect(await transaction(branch, id)).toMatchObject({
        status: 'ROLLED_BACK',
        updated_at: '2026-01-05T11:00:00Z',
      });
      expect(await branch.balance('ann', 'BTC')).toBe('10 0');
      expect(await branch.ok('ann', 'DELETE', `${WITHDRAW}/${id}`)).toEqual({ result: true });
    },
  );

  test.each(['PUT', 'DELETE'])('that is not the caller’s cannot be ended by %s', async (method) => {
    const branch = await openHarness();
    const id = await withdraw(branch, waiting);
    expect(await branch.rejected('bob', method, `${WITHDRAW}/${id}`)).toEqual([400, 20005]);
    expect(await statusOf(branch, id)).toBe('CREATED');
  });
});

describe('money that stays inside the service', () => {
  test('reaches the owner of the address at once and for free where that is asked for', async () => {
    const branch = await openHarness();
    const made = { currency: 'BTC' };
    const [address] = await branch.ok<{ address: string }[]>(
      'bob',
      'GET',
      '/api/3/wallet/crypto/address',
      made,
    );
    const change = { address: address?.address, use_offchain: 'required', auto_commit: false };
    const id = await withdraw(branch, change);
    expect(await branch.balance('bob', 'BTC')).toBe('10 0');
    await branch.ok('ann', 'PUT', `${WITHDRAW}/${id}`);
    expect(await branch.balance('bob', 'BTC')).toBe('11 0');
    expect(await branch.balance('ann', 'BTC')).toBe('9 0');
    expect(await transaction(branch, id)).toMatchObject({
      subtype: 'OFFCHAIN',
      status: 'SUCCESS',
      operation_type: 'INTERNAL',
    });
  });

  test(
    'can be read beforehand, by currency, address, payment id and network',
    { tags: ['server:trading-v3.wallet.post-check-offchain'] },
    async () => {
      const branch = await openHarness();
      const check = (params: object, as = 'ann') =>
        branch.ok(as, 'POST', '/api/3/wallet/crypto/check-offchain-available', params);
      const addressOf = async (currency: string) => {
        const url = '/api/3/wallet/crypto/address';
        return branch.ok<{ address: string; payment_id?: string }>('bob', 'POST', url, {
          currency,
        });
      };
      const { address } = await addressOf('BTC');
      const yes = { result: true };
      const no = { result: false };
      expect(await check({ currency: 'BTC', address })).toEqual(yes);
      expect(await check({ currency: 'BTC', address }, 'bob')).toEqual(no);
      expect(await check({ currency: 'BTC', address: OUTSIDE })).toEqual(no);
      expect(await check({ currency: 'USDT', address })).toEqual(no);
      const usdt = { currency: 'USDT', address: (await addressOf('USDT')).address };
      expect(await check({ ...usdt, network_code: 'ETH' })).toEqual(yes);
      expect(await check({ ...usdt, network_code: 'TRX' })).toEqual(no);
      const xrp = await addressOf('XRP');
      expect(await check({ currency: 'XRP', ...xrp })).toEqual(yes);
      expect(await check({ currency: 'XRP', ...xrp, payment_id: '1' })).toEqual(no);
      const url = '/api/3/wallet/crypto/check-offchain-available';
      const gbp = { currency: 'GBP', address };
      expect(await branch.rejected('ann', 'POST', url, gbp)).toEqual([400, 2002]);
    },
  );

  test.each([
    ['email', 'bob@example.com'],
    ['username', 'bob'],
  ])(
    'reaches another user by %s at once',
    { tags: ['server:trading-v3.wallet.post-internal-withdraw'] },
    async (by, identifier) => {
      const branch = await openHarness();
      const { result } = await branch.ok<{ result: string }>(
        'ann',
        'POST',
        '/api/3/wallet/internal/withdraw',
        { currency: 'BTC', amount: '0.25', by, identifier, public_comment: 'thanks' },
      );
      expect(await transaction(branch, result)).toMatchObject({
        type: 'WITHDRAW',
        subtype: 'OFFCHAIN',
        status: 'SUCCESS',
        native: { amount: '0.25', public_comment: 'thanks' },
      });
      expect(await branch.balance('ann', 'BTC')).toBe('9.75 0');
      expect(await branch.balance('bob', 'BTC')).toBe('10.25 0');
    },
  );

  test.each([
    [{ identifier: 'nobody' }, 22004],
    [{ identifier: 'ann' }, 10001],
    [{ amount: '11' }, 20001],
    [{ by: 'phone' }, 10001],
  ])('with %j is refused', async (change, code) => {
    const branch = await openHarness();
    const asked = { currency: 'BTC', amount: '1', by: 'username', identifier: 'bob', ...change };
    const url = '/api/3/wallet/internal/withdraw';
    expect(await branch.rejected('ann', 'POST', url, asked)).toEqual([400, code]);
    expect(await branch.balance('ann', 'BTC')).toBe('10 0');
  });
});

describe('the rights of a key', () => {
  const CALLS = [
    ['payment', 'GET', '/api/3/wallet/balance'],
    ['payment', 'GET', '/api/3/wallet/transactions'],
    ['payment', 'POST', '/api/3/wallet/transfer'],
    ['payment', 'POST', '/api/3/wallet/convert'],
    ['payment', 'GET', '/api/3/wallet/crypto/address'],
    ['payment', 'GET', '/api/3/wallet/crypto/fee/estimate'],
    ['payment', 'GET', '/api/3/wallet/amount-locks'],
    ['payment', 'GET', '/api/3/transfer-convert/config'],
    ['withdraw', 'POST', WITHDRAW],
    ['withdraw', 'PUT', `${WITHDRAW}/x`],
    ['withdraw', 'DELETE', `${WITHDRAW}/x`],
    ['withdraw', 'POST', '/api/3/wallet/internal/withdraw'],
  ] as const;

  test.each(CALLS)('%s is asked for by %s %s', async (right, method, path) => {
    const branch = await openHarness();
    const others = (['read', 'trade', 'payment', 'withdraw'] as const).filter(
      (each) => each !== right,
    );
    branch.join('half', others);
    branch.join('only', [right]);
    expect(await branch.rejected('half', method, path)).toEqual([403, 1003]);
    const { status, body } = await branch.venue.call(method, path, { as: 'only' });
    expect([status, body]).not.toMatchObject([403, { error: { code: 1003 } }]);
  });
});

test('a withdrawal that its network carries out pays its fee to the house and has its transaction', async () => {
  const branch = await openHarness();
  const id = await withdraw(branch);
  branch.pass(2 * SECOND);
  const tried = await transaction(branch, id);
  expect(tried).toMatchObject({ status: 'PENDING', native: { hash: expect.any(String) } });
  expect(tried.attempt_hashes).toEqual([tried.native.hash]);
  expect(tried.updated_at).toBe('2026-01-05T10:00:00Z');
  expect(tried.last_activity_at).toBe('2026-01-05T10:00:02Z');
  branch.pass(5 * SECOND);
  expect(await transaction(branch, id)).toMatchObject({
    status: 'SUCCESS',
    native: { hash: tried.native.hash },
    attempt_hashes: [tried.native.hash],
    updated_at: '2026-01-05T10:00:07Z',
  });
  expect(await branch.balance('ann', 'BTC')).toBe('8.9995 0');
  expect(branch.house('BTC')).toBe('0.0005');
});
