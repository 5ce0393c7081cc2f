import { describe, expect, test } from 'vitest';
import { openHarness, type WalletHarness, type Query } from '../wallet/harness.ts';

const SUB = '/api/2/sub-acc';

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

const disable = (branch: WalletHarness, ...ids: readonly number[]) =>
  branch.venue.trading.act(({ subAccounts }, at) =>
    subAccounts.disable(branch.account('ann'), ids, at),
  );

describe('sub-accounts in version 2', () => {
  test(
    'are listed with email and status',
    { tags: ['server:trading-v2.sub.get-list', 'server:trading-v2.state.sub-account-values'] },
    async () => {
      const { branch, bot, spare } = await family();
      const third = branch.sub('third', 'ann');
      await branch.ok('ann', 'POST', `${SUB}/freeze`, { ids: String(third) });
      expect(await branch.ok('ann', 'GET', SUB)).toEqual({
        result: [
          { id: bot, email: 'bot@example.com', status: 'active' },
          { id: spare, email: 'spare@example.com', status: 'new' },
          { id: third, email: 'third@example.com', status: 'disable' },
        ],
      });
    },
  );

  test(
    'are frozen, several at once, and show disable',
    {
      tags: [
        'server:trading-v2.sub.post-freeze',
        'server:trading-v2.state.sub-account-frozen-status',
      ],
    },
    async () => {
      const { branch, bot, spare } = await family();
      const ids = { ids: `${bot},${spare}` };
      expect(await branch.ok('ann', 'POST', `${SUB}/freeze`, ids)).toEqual({ result: true });
      expect(await statuses(branch)).toEqual(['disable', 'disable']);
    },
  );

  test(
    'are made active again',
    { tags: ['server:trading-v2.sub.post-activate', 'server:trading-v2.state.activate-frozen'] },
    async () => {
      const { branch, bot } = await family();
      const ids = { ids: String(bot) };
      await branch.ok('ann', 'POST', `${SUB}/freeze`, ids);
      expect(await branch.ok('ann', 'POST', `${SUB}/activate`, ids)).toEqual({ result: true });
      expect(await statuses(branch)).toEqual(['active', 'new']);
      expect(await branch.balance('bot', 'USDT')).toBe('100 0');
    },
  );

  test(
    'are not made active where they are disabled',
    { tags: ['server:trading-v2.state.activate-disabled-false'] },
    async () => {
      const { branch, bot, spare } = await family();
      disable(branch, bot);
      const ids = { ids: `${bot},${spare}` };
      expect(await branch.ok('ann', 'POST', `${SUB}/activate`, ids)).toEqual({ result: false });
      expect(await statuses(branch)).toEqual(['disable', 'new']);
      expect(await branch.rejected('bot', 'GET', '/api/2/account/balance')).toEqual([400, 10021]);
    },
  );

  test(
    'are in use once money comes, can be activated at once, and disabled when they are frozen',
    { tags: ['server:trading-v2.state.sub-account-other-moves'] },
    async () => {
      const { branch, bot, spare } = await family();
      const third = branch.sub('third', 'ann');
      expect(await statuses(branch)).toEqual(['active', 'new', 'new']);
      branch.credit('spare', 'USDT', '1');
      await branch.ok('ann', 'POST', `${SUB}/activate`, { ids: String(third) });
      expect(await statuses(branch)).toEqual(['active', 'active', 'active']);
      await branch.ok('ann', 'POST', `${SUB}/freeze`, { ids: String(bot) });
      disable(branch, bot);
      const ids = { ids: String(bot) };
      expect(await branch.ok('ann', 'POST', `${SUB}/activate`, ids)).toEqual({ result: false });
      expect(spare).toBeGreaterThan(bot);
    },
  );

  test('are not frozen twice', { tags: ['server:trading-v2.error.21004'] }, async () => {
    const { branch, bot, spare } = await family();
    await branch.ok('ann', 'POST', `${SUB}/freeze`, { ids: String(bot) });
    disable(branch, spare);
    for (const ids of [`${bot}`, `${spare}`]) {
      const again = await branch.venue.call('POST', `${SUB}/freeze`, { as: 'ann', json: { ids } });
      expect(again).toMatchObject({
        status: 400,
        body: { error: { code: 21004, message: 'Sub account is already frozen or disabled' } },
      });
    }
  });

  test.each(['freeze', 'activate'])(
    'are not named wrongly to %s',
    { tags: ['server:trading-v2.error.10001'] },
    async (verb) => {
      const { branch } = await family();
      const rejection = (ids: object) => branch.rejected('ann', 'POST', `${SUB}/${verb}`, ids);
      expect(await rejection({})).toEqual([400, 10001]);
      expect(await rejection({ ids: '' })).toEqual([400, 10001]);
      expect(await rejection({ ids: 'bot' })).toEqual([400, 10001]);
    },
  );

  test(
    'that are unknown are an internal error, as the service has it',
    { tags: ['server:trading-v2.error.500'] },
    async () => {
      const { branch } = await family();
      const stranger = branch.account('bob');
      const error = [500, 500];
      expect(await branch.rejected('ann', 'POST', `${SUB}/freeze`, { ids: `${stranger}` })).toEqual(
        error,
      );
      expect(await branch.rejected('ann', 'GET', `${SUB}/balance/${stranger}`)).toEqual(error);
      expect(await branch.rejected('ann', 'GET', `${SUB}/acl?subAccountIds=${stranger}`)).toEqual(
        error,
      );
    },
  );

  test(
    'are answered only to who has a key',
    { tags: ['server:trading-v2.error.1002'] },
    async () => {
      const { branch, bot } = await family();
      const headers = { authorization: `Basic ${btoa('ann:guess')}` };
      const calls = [
        ['GET', SUB],
        ['POST', `${SUB}/freeze`],
        ['POST', `${SUB}/activate`],
        ['GET', `${SUB}/balance/${bot}`],
      ] as const;
      for (const [method, path] of calls) {
        const answer = await branch.venue.call(method, path, { headers });
        expect(answer).toMatchObject({
          status: 401,
          body: { error: { code: 1002, message: 'Authorization is required or has been failed' } },
        });
      }
    },
  );

  test(
    'are answered only to who has the right of the call',
    { tags: ['server:trading-v2.error.1003'] },
    async () => {
      const { branch, bot } = await family();
      branch.join('payer', ['read', 'trade', 'payment']);
      branch.join('sender', ['read', 'trade', 'withdraw']);
      const calls = [
        ['payer', 'POST', `${SUB}/transfer`],
        ['sender', 'GET', `${SUB}/acl?subAccountIds=${bot}`],
        ['sender', 'PUT', `${SUB}/acl/${bot}`],
        ['sender', 'GET', `${SUB}/balance/${bot}`],
      ] as const;
      for (const [as, method, path] of calls) {
        const answer = await branch.venue.call(method, path, { as });
        expect(answer).toMatchObject({
          status: 403,
          body: { error: { code: 1003, message: 'Action is forbidden for this API key' } },
        });
      }
      expect(await branch.ok('sender', 'GET', SUB)).toEqual({ result: [] });
    },
  );

  test.each([
    ['deposit', '9970 0', '130 0'],
    ['withdraw', '10030 0', '70 0'],
  ])(
    'are paid or pay by %s',
    {
      tags: [
        'server:trading-v2.sub.post-transfer',
        'server:trading-v2.sub.post-transfer-direction',
      ],
    },
    async (type, mine, theirs) => {
      const { branch, bot } = await family();
      const asked = { subAccountId: bot, amount: '30', currency: 'USDT', type };
      const url = `${SUB}/transfer`;
      const { result } = await branch.ok<{ result: string }>('ann', 'POST', url, asked);
      expect(await branch.ok('ann', 'GET', `/api/2/account/transactions/${result}`)).toMatchObject({
        id: result,
        type: type === 'deposit' ? 'withdraw' : 'deposit',
        status: 'success',
      });
      expect(await branch.balance('ann', 'USDT')).toBe(mine);
      expect(await branch.balance('bot', 'USDT')).toBe(theirs);
      branch.join('half', ['read', 'trade', 'payment']);
      expect(await branch.rejected('half', 'POST', url, asked)).toEqual([403, 1003]);
    },
  );

  test.each([
    ['deposit', '10001'],
    ['withdraw', '101'],
  ])(
    'cannot move by %s more than there is',
    { tags: ['server:trading-v2.error.20001'] },
    async (type, amount) => {
      const { branch, bot } = await family();
      const json = { subAccountId: bot, amount, currency: 'USDT', type };
      const answer = await branch.venue.call('POST', `${SUB}/transfer`, { as: 'ann', json });
      expect(answer).toMatchObject({
        status: 400,
        body: { error: { code: 20001, message: 'Insufficient funds' } },
      });
      expect(await branch.balance('bot', 'USDT')).toBe('100 0');
    },
  );

  test('show what they may do', { tags: ['server:trading-v2.sub.get-acl'] }, async () => {
    const { branch, bot, spare } = await family();
    const query = { subAccountIds: `${bot},${spare}` };
    expect(await branch.ok('ann', 'GET', `${SUB}/acl`, query)).toEqual({
      result: [
        { subAccountId: bot, isPayoutEnabled: false, description: '' },
        { subAccountId: spare, isPayoutEnabled: false, description: '' },
      ],
    });
    expect(await branch.rejected('ann', 'GET', `${SUB}/acl`)).toEqual([400, 10001]);
    branch.join('half', ['read', 'trade', 'withdraw']);
    const half = `${SUB}/acl?subAccountIds=${bot}`;
    expect(await branch.rejected('half', 'GET', half)).toEqual([403, 1003]);
  });

  test(
    'are not shown where they are frozen or disabled',
    { tags: ['server:trading-v2.sub.acl-empty-when-frozen'] },
    async () => {
      const { branch, bot, spare } = await family();
      await branch.ok('ann', 'POST', `${SUB}/freeze`, { ids: String(bot) });
      disable(branch, spare);
      const query = { subAccountIds: `${bot},${spare}` };
      expect(await branch.ok('ann', 'GET', `${SUB}/acl`, query)).toEqual({ result: [] });
    },
  );

  test(
    'are allowed to withdraw, which is echoed',
    { tags: ['server:trading-v2.sub.put-acl'] },
    async () => {
      const { branch, bot } = await family();
      const change = { isPayoutEnabled: true, description: 'trusted' };
      const url = `${SUB}/acl/${bot}`;
      const after = { result: [{ subAccountId: bot, ...change }] };
      expect(await branch.ok('ann', 'PUT', url, change)).toEqual(after);
      const query = { subAccountIds: String(bot) };
      expect(await branch.ok('ann', 'GET', `${SUB}/acl`, query)).toEqual(after);
      // What is left out stays as it is.
      expect(await branch.ok('ann', 'PUT', url, {})).toEqual(after);
      await branch.ok('bot', 'POST', '/api/2/account/crypto/withdraw', {
        currency: 'USDT',
        amount: '1',
        address: 'outside',
      });
      expect(await branch.rejected('ann', 'PUT', `${SUB}/acl/bot`, change)).toEqual([400, 10001]);
    },
  );

  test(
    'are not allowed anything while they are frozen',
    { tags: ['server:trading-v2.error.10021'] },
    async () => {
      const { branch, bot } = await family();
      await branch.ok('ann', 'POST', `${SUB}/freeze`, { ids: String(bot) });
      const json = { isPayoutEnabled: true, description: 'trusted' };
      const answer = await branch.venue.call('PUT', `${SUB}/acl/${bot}`, { as: 'ann', json });
      expect(answer).toMatchObject({
        status: 400,
        body: { error: { code: 10021, message: 'User disabled' } },
      });
    },
  );

  test(
    'show what they have, frozen or disabled too',
    { tags: ['server:trading-v2.sub.get-balance'] },
    async () => {
      const { branch, bot, spare } = await family();
      const move = { currency: 'USDT', amount: '30', type: 'bankToExchange' };
      await branch.ok('bot', 'POST', '/api/2/account/transfer', move);
      const balances = () => branch.ok('ann', 'GET', `${SUB}/balance/${bot}`);
      const usdt = (available: string) => [{ currency: 'USDT', available, reserved: '0' }];
      expect(await balances()).toEqual({ result: { main: usdt('70'), trading: usdt('30') } });
      await branch.ok('ann', 'POST', `${SUB}/freeze`, { ids: String(bot) });
      expect(await balances()).toEqual({ result: { main: usdt('100'), trading: [] } });
      disable(branch, bot);
      expect(await balances()).toEqual({ result: { main: usdt('100'), trading: [] } });
      expect(await branch.ok('ann', 'GET', `${SUB}/balance/${spare}`)).toEqual({
        result: { main: [], trading: [] },
      });
      branch.join('half', ['read', 'trade', 'withdraw']);
      expect(await branch.rejected('half', 'GET', `${SUB}/balance/${bot}`)).toEqual([403, 1003]);
      expect(await branch.rejected('ann', 'GET', `${SUB}/balance/bot`)).toEqual([400, 10001]);
    },
  );

  test(
    'have a deposit address',
    { tags: ['server:trading-v2.sub.get-deposit-address'] },
    async () => {
      const { branch, bot } = await family();
      const url = `${SUB}/deposit-address/${bot}/XRP`;
      const answer = await branch.ok('ann', 'GET', url);
      expect(answer).toEqual({
        result: { address: expect.any(String), paymentId: expect.any(String) },
      });
      expect(await branch.ok('bot', 'GET', '/api/2/account/crypto/address/XRP')).toEqual(
        (answer as { result: object }).result,
      );
      expect(await branch.rejected('ann', 'GET', `${SUB}/deposit-address/bot/XRP`)).toEqual([
        400, 10001,
      ]);
    },
  );

  test(
    'show their address to who may see payments',
    { tags: ['server:trading-v2.sub.deposit-address-right'] },
    async () => {
      const { branch, bot } = await family();
      const { members } = branch.venue.trading;
      const account = branch.account('ann');
      const url = `${SUB}/deposit-address/${bot}/XRP`;
      const grant = (key: string, ...rights: ('read' | 'trade' | 'payment' | 'withdraw')[]) => {
        members.grant({ key, secret: `${key}-secret`, account, rights: new Set(rights) });
      };
      grant('payer', 'payment');
      grant('sender', 'read', 'trade', 'withdraw');
      await branch.ok('payer', 'GET', url);
      expect(await branch.rejected('sender', 'GET', url)).toEqual([403, 1003]);
    },
  );
});
