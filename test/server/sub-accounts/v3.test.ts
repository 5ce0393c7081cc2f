import { describe, expect, test } from 'vitest';
import {
  openHarness,
  type WalletHarness,
  type Query,
  type TransactionRow,
} from '../wallet/harness.ts';

const SUB = '/api/3/sub-account';

/** `ann` with two sub-accounts, the first of which has 100 USDT. */
async function family(): Promise<{ branch: WalletHarness; bot: number; spare: number }> {
  const branch = await openHarness();
  const bot = branch.sub('bot', 'ann');
  const spare = branch.sub('spare', 'ann');
  branch.credit('bot', 'USDT', '100');
  return { branch, bot, spare };
}

const statuses = async (branch: WalletHarness) => {
  const { result } = await branch.ok<{ result: Query[] }>('ann', 'GET', SUB);
  return result.map(({ status }) => status);
};

describe('sub-accounts', () => {
  test(
    'are listed in a result, with email and status',
    { tags: ['server:trading-v3.sub.get-list'] },
    async () => {
      const { branch, bot, spare } = await family();
      expect(await branch.ok('ann', 'GET', SUB)).toEqual({
        result: [
          { sub_account_id: String(bot), email: 'bot@example.com', status: 'active' },
          { sub_account_id: String(spare), email: 'spare@example.com', status: 'new' },
        ],
      });
      expect(await branch.ok('bob', 'GET', SUB)).toEqual({ result: [] });
    },
  );

  test('are frozen, several at once', { tags: ['server:trading-v3.sub.post-freeze'] }, async () => {
    const { branch, bot, spare } = await family();
    const ids = { sub_account_ids: `${bot},${spare}` };
    expect(await branch.ok('ann', 'POST', `${SUB}/freeze`, ids)).toEqual({ result: true });
    expect(await statuses(branch)).toEqual(['disable', 'disable']);
    expect(await branch.rejected('bot', 'GET', '/api/3/wallet/balance')).toEqual([400, 10021]);
  });

  test(
    'that are frozen or disabled are not frozen again, and none of those named with them',
    { tags: ['server:trading-v3.error.21004'] },
    async () => {
      const { branch, bot, spare } = await family();
      await branch.ok('ann', 'POST', `${SUB}/freeze`, { sub_account_ids: String(bot) });
      const both = { sub_account_ids: `${spare},${bot}` };
      const again = await branch.venue.call('POST', `${SUB}/freeze`, { as: 'ann', json: both });
      expect(again).toMatchObject({
        status: 400,
        body: { error: { code: 21004, message: 'Sub account is already frozen or disabled' } },
      });
      expect(await statuses(branch)).toEqual(['disable', 'new']);
    },
  );

  test(
    'are made active again, but not where one is disabled for good',
    { tags: ['server:trading-v3.sub.post-activate'] },
    async () => {
      const { branch, bot, spare } = await family();
      const ids = { sub_account_ids: String(bot) };
      await branch.ok('ann', 'POST', `${SUB}/freeze`, ids);
      expect(await branch.ok('ann', 'POST', `${SUB}/activate`, ids)).toEqual({ result: true });
      expect(await statuses(branch)).toEqual(['active', 'new']);
      expect(await branch.balance('bot', 'USDT')).toBe('100 0');
      branch.venue.trading.act(({ subAccounts }, at) =>
        subAccounts.disable(branch.account('ann'), [spare], at),
      );
      const disabled = { sub_account_ids: String(spare) };
      expect(await branch.ok('ann', 'POST', `${SUB}/activate`, disabled)).toEqual({
        result: false,
      });
      expect(await statuses(branch)).toEqual(['active', 'disable']);
    },
  );

  test.each(['freeze', 'activate'])('are not named wrongly to %s', async (verb) => {
    const { branch } = await family();
    const rejection = (ids: object) => branch.rejected('ann', 'POST', `${SUB}/${verb}`, ids);
    expect(await rejection({})).toEqual([400, 10001]);
    expect(await rejection({ sub_account_ids: '' })).toEqual([400, 10001]);
    expect(await rejection({ sub_account_ids: 'bot' })).toEqual([400, 10001]);
    expect(await rejection({ sub_account_ids: String(branch.account('bob')) })).toEqual([
      400, 22004,
    ]);
    expect(await statuses(branch)).toEqual(['active', 'new']);
  });
});

describe('money between an account and its sub-accounts', () => {
  const transfer = (branch: WalletHarness, id: number, type: string, amount = '30') =>
    branch.ok<{ result: string }>('ann', 'POST', `${SUB}/transfer`, {
      sub_account_id: id,
      amount,
      currency: 'USDT',
      type,
    });

  test.each([
    ['to_sub_account', '9970 0', '130 0', 'WITHDRAW'],
    ['from_sub_account', '10030 0', '70 0', 'DEPOSIT'],
  ])(
    'goes %s at once and is one id',
    { tags: ['server:trading-v3.sub.post-transfer'] },
    async (type, mine, theirs, kind) => {
      const { branch, bot } = await family();
      const { result } = await transfer(branch, bot, type);
      const url = `/api/3/wallet/transactions/${result}`;
      expect(await branch.ok('ann', 'GET', url)).toMatchObject({
        type: kind,
        subtype: 'SUB_ACCOUNT',
        operation_type: 'INTERNAL',
        status: 'SUCCESS',
      });
      expect(await branch.balance('ann', 'USDT')).toBe(mine);
      expect(await branch.balance('bot', 'USDT')).toBe(theirs);
    },
  );

  test(
    'is given up by the sub-account itself',
    { tags: ['server:trading-v3.sub.post-transfer-sub-to-super'] },
    async () => {
      const { branch } = await family();
      const url = `${SUB}/transfer/sub-to-super`;
      const gift = { amount: '40', currency: 'USDT' };
      const { result } = await branch.ok<{ result: string }>('bot', 'POST', url, gift);
      const [row] = await branch.ok<TransactionRow[]>('bot', 'GET', '/api/3/wallet/transactions');
      expect(row?.native.tx_id).toBe(result);
      expect(await branch.balance('bot', 'USDT')).toBe('60 0');
      expect(await branch.balance('ann', 'USDT')).toBe('10040 0');
      expect(await branch.rejected('ann', 'POST', url, gift)).toEqual([400, 600]);
    },
  );

  test(
    'is given by one sub-account to another',
    { tags: ['server:trading-v3.sub.post-transfer-sub-to-sub'] },
    async () => {
      const { branch, bot, spare } = await family();
      const url = `${SUB}/transfer/sub-to-sub`;
      const gift = { sub_account_id: spare, amount: '40', currency: 'USDT' };
      const { result } = await branch.ok<{ result: string }>('bot', 'POST', url, gift);
      expect(result).toMatch(/^[0-9a-f-]{36}$/);
      expect(await branch.balance('bot', 'USDT')).toBe('60 0');
      expect(await branch.balance('spare', 'USDT')).toBe('40 0');
      const own = { ...gift, sub_account_id: bot };
      expect(await branch.rejected('bot', 'POST', url, own)).toEqual([400, 22004]);
    },
  );

  test(
    'is refused beyond what there is, whichever way',
    { tags: ['server:trading-v3.sub.transfer-insufficient'] },
    async () => {
      const { branch, bot, spare } = await family();
      const gift = { amount: '100.000001', currency: 'USDT' };
      const asks = [
        ['ann', '/transfer', { ...gift, sub_account_id: bot, type: 'from_sub_account' }],
        [
          'ann',
          '/transfer',
          { ...gift, amount: '10001', sub_account_id: bot, type: 'to_sub_account' },
        ],
        ['bot', '/transfer/sub-to-super', gift],
        ['bot', '/transfer/sub-to-sub', { ...gift, sub_account_id: spare }],
      ] as const;
      for (const [as, path, params] of asks) {
        expect(await branch.rejected(as, 'POST', SUB + path, params)).toEqual([400, 20001]);
      }
      expect(await branch.balance('bot', 'USDT')).toBe('100 0');
      expect(await branch.balance('ann', 'USDT')).toBe('10000 0');
    },
  );

  test('does not go to a frozen sub-account, but what that has may be fetched', async () => {
    const { branch, bot } = await family();
    await branch.ok('ann', 'POST', `${SUB}/freeze`, { sub_account_ids: String(bot) });
    const asked = { sub_account_id: bot, amount: '1', currency: 'USDT', type: 'to_sub_account' };
    expect(await branch.rejected('ann', 'POST', `${SUB}/transfer`, asked)).toEqual([400, 10021]);
    await transfer(branch, bot, 'from_sub_account', '100');
    expect(await branch.balance('ann', 'USDT')).toBe('10100 0');
  });

  test('asks for the right to withdraw', async () => {
    const { branch, bot } = await family();
    branch.join('half', ['read', 'trade', 'payment']);
    const asked = { sub_account_id: bot, amount: '1', currency: 'USDT', type: 'to_sub_account' };
    for (const path of ['/transfer', '/transfer/sub-to-super', '/transfer/sub-to-sub']) {
      expect(await branch.rejected('half', 'POST', SUB + path, asked)).toEqual([403, 1003]);
    }
    expect(await branch.ok('half', 'GET', SUB)).toEqual({ result: [] });
  });
});

describe('what a super account may see and say', () => {
  const rights = (id: number, change: object = {}) => ({
    sub_account_id: String(id),
    deposit_address_generation_enabled: false,
    withdraw_enabled: false,
    description: '',
    created_at: '2026-01-05T10:00:00Z',
    updated_at: '2026-01-05T10:00:00Z',
    ...change,
  });

  test(
    'is what its sub-accounts may do, but for frozen ones',
    { tags: ['server:trading-v3.sub.get-acl'] },
    async () => {
      const { branch, bot, spare } = await family();
      const acl = () =>
        branch.ok('ann', 'GET', `${SUB}/acl`, { sub_account_ids: `${bot},${spare}` });
      expect(await acl()).toEqual({ result: [rights(bot), rights(spare)] });
      await branch.ok('ann', 'POST', `${SUB}/freeze`, { sub_account_ids: String(bot) });
      expect(await acl()).toEqual({ result: [rights(spare)] });
      branch.join('half', ['read', 'trade', 'withdraw']);
      const half = `${SUB}/acl?sub_account_ids=${bot}`;
      expect(await branch.rejected('half', 'GET', half)).toEqual([403, 1003]);
    },
  );

  test(
    'is changed for several at once and holds from then on',
    { tags: ['server:trading-v3.sub.post-acl'] },
    async () => {
      const { branch, bot, spare } = await family();
      const address = [
        'bot',
        'POST',
        '/api/3/wallet/crypto/address',
        { currency: 'USDT' },
      ] as const;
      const withdrawal = [
        'bot',
        'POST',
        '/api/3/wallet/crypto/withdraw',
        { currency: 'USDT', amount: '10', address: 'outside' },
      ] as const;
      expect(await branch.rejected(...address)).toEqual([401, 403]);
      expect(await branch.rejected(...withdrawal)).toEqual([401, 403]);
      branch.pass(1_000_000);
      const changed = {
        deposit_address_generation_enabled: true,
        withdraw_enabled: true,
        description: 'trusted',
      };
      const after = { ...changed, updated_at: '2026-01-05T10:00:01Z' };
      const set = (params: object) => branch.ok('ann', 'POST', `${SUB}/acl`, params);
      expect(await set({ sub_account_ids: `${bot},${spare}`, ...changed })).toEqual({
        result: [rights(bot, after), rights(spare, after)],
      });
      await branch.ok(...address);
      await branch.ok(...withdrawal);
      // What is left out stays as it is.
      expect(await set({ sub_account_ids: String(bot), withdraw_enabled: 'false' })).toEqual({
        result: [rights(bot, { ...after, withdraw_enabled: false })],
      });
      expect(await branch.rejected(...withdrawal)).toEqual([401, 403]);
      expect(await set({ sub_account_ids: String(bot), description: 'watched' })).toMatchObject({
        result: [{ withdraw_enabled: false, description: 'watched' }],
      });
      const stranger = { sub_account_ids: 'bot', description: 'watched' };
      expect(await branch.rejected('ann', 'POST', `${SUB}/acl`, stranger)).toEqual([400, 10001]);
      expect(await branch.rejected('ann', 'GET', `${SUB}/acl`, stranger)).toEqual([400, 10001]);
    },
  );

  test(
    'is what a sub-account has, in its wallet and for spot trading',
    { tags: ['server:trading-v3.sub.get-balance'] },
    async () => {
      const { branch, bot } = await family();
      const move = { currency: 'USDT', amount: '30', source: 'wallet', destination: 'spot' };
      await branch.ok('bot', 'POST', '/api/3/wallet/transfer', move);
      expect(await branch.ok('ann', 'GET', `${SUB}/balance/${bot}`)).toEqual({
        result: {
          wallet: [{ currency: 'USDT', available: '70', reserved: '0' }],
          spot: [{ currency: 'USDT', available: '30', reserved: '0' }],
        },
      });
      expect(await branch.rejected('bob', 'GET', `${SUB}/balance/${bot}`)).toEqual([400, 22004]);
      expect(await branch.rejected('ann', 'GET', `${SUB}/balance/bot`)).toEqual([400, 10001]);
    },
  );

  test(
    'is the deposit address of a sub-account',
    { tags: ['server:trading-v3.sub.get-address'] },
    async () => {
      const { branch, bot } = await family();
      const url = `${SUB}/crypto/address/${bot}/USDT`;
      const answer = await branch.ok<{ result: { address: string } }>('ann', 'GET', url);
      expect(answer).toEqual({
        result: { currency: 'USDT', address: expect.any(String), network_code: 'ETH' },
      });
      const own = { currency: 'USDT' };
      const [first] = await branch.ok<Query[]>('bot', 'GET', '/api/3/wallet/crypto/address', own);
      expect(first).toEqual(answer.result);
      expect(await branch.rejected('ann', 'GET', `${SUB}/crypto/address/${bot}/GBP`)).toEqual([
        400, 2002,
      ]);
      expect(await branch.rejected('ann', 'GET', `${SUB}/crypto/address/bot/USDT`)).toEqual([
        400, 10001,
      ]);
    },
  );
});
