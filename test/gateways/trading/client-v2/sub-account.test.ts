import { describe, expect, test } from 'vitest';
import type { Right } from '../../../../src/wire/trading/rights.ts';
import { ALL_RIGHTS } from '../../../server/kit.ts';
import { openHarness, type WalletHarness } from '../../../server/wallet/harness.ts';
import { openSubscriptionsV2, type SubscriptionsV2 } from '../kit/accounts.ts';
import { d } from '../kit/values.ts';

const SUB = '/api/2/sub-acc';

type Family = SubscriptionsV2 &
  Readonly<Record<'bot' | 'spare' | 'third', number>> & { readonly branch: WalletHarness };

/** A client of `ann`, who has the sub-accounts `bot`, with 100 USDT, `spare` and `third`. */
async function family(): Promise<Family> {
  const branch = await openHarness();
  const [bot = 0, spare = 0, third = 0] = ['bot', 'spare', 'third'].map((name) =>
    branch.sub(name, 'ann'),
  );
  branch.credit('bot', 'USDT', '100');
  // A read that came to nothing is not asked again: the clock of these tests stands still.
  const subscriptions = await openSubscriptionsV2(branch.venue, 'ann', {
    retries: { attempts: 1 },
  });
  return { ...subscriptions, branch, bot, spare, third };
}

const UUID = expect.stringMatching(/^[0-9a-f-]{36}$/) as string;

describe('sub-accounts in version 2', () => {
  test(
    'are listed, new, active or disabled',
    { tags: ['client:trading-v2.sub.get-list', 'client:trading-v2.state.sub-account-values'] },
    async () => {
      const { rest, relay, bot, spare, third } = await family();
      await rest.freezeSubAccounts({ ids: [String(third)] });
      expect(await rest.getSubAccounts()).toEqual({
        result: [
          { id: bot, email: 'bot@example.com', status: 'active' },
          { id: spare, email: 'spare@example.com', status: 'new' },
          { id: third, email: 'third@example.com', status: 'disable' },
        ],
      });
      expect(relay.sent).toEqual([`GET ${SUB}`]);
      relay.answer({ result: [{ id: '7', email: 'x@example.com', status: 'sleeping' }] });
      await expect(rest.getSubAccounts()).rejects.toMatchObject({
        code: 'answer-invalid',
        field: 'result[0].status',
      });
    },
  );

  test(
    'are frozen and activated, several at once',
    { tags: ['client:trading-v2.sub.post-freeze', 'client:trading-v2.sub.post-activate'] },
    async () => {
      const { rest, relay, bot, spare } = await family();
      const ids = [String(bot), String(spare)];
      const statuses = async () => (await rest.getSubAccounts()).result.map(({ status }) => status);
      expect(await rest.freezeSubAccounts({ ids })).toEqual({ result: true });
      expect(relay.sent).toEqual([`POST ${SUB}/freeze`, { ids: `${bot},${spare}` }]);
      expect(await statuses()).toEqual(['disable', 'disable', 'new']);
      expect(await rest.activateSubAccounts({ ids })).toEqual({ result: true });
      expect(relay.sent).toEqual([`POST ${SUB}/activate`, { ids: `${bot},${spare}` }]);
      expect(await statuses()).toEqual(['active', 'active', 'new']);
    },
  );

  test.each([
    ['deposit', '9970 0', '130 0'],
    ['withdraw', '10030 0', '70 0'],
  ] as const)(
    'are paid or pay by %s',
    { tags: ['client:trading-v2.sub.post-transfer'] },
    async (type, mine, theirs) => {
      const { rest, relay, branch, bot } = await family();
      const asked = { subAccountId: bot, amount: '30', currency: 'USDT', type };
      expect(await rest.transferWithSubAccount(asked)).toEqual({ result: UUID });
      expect(relay.sent).toEqual([`POST ${SUB}/transfer`, asked]);
      expect(await branch.balance('ann', 'USDT')).toBe(mine);
      expect(await branch.balance('bot', 'USDT')).toBe(theirs);
    },
  );

  test('show what they may do', { tags: ['client:trading-v2.sub.get-acl'] }, async () => {
    const { rest, relay, bot, spare } = await family();
    const asked = { subAccountIds: [String(bot), String(spare)] };
    expect(await rest.getSubAccountRights(asked)).toEqual({
      result: [
        { subAccountId: bot, isPayoutEnabled: false, description: '' },
        { subAccountId: spare, isPayoutEnabled: false, description: '' },
      ],
    });
    expect(relay.sent).toEqual([`GET ${SUB}/acl?subAccountIds=${bot}%2C${spare}`]);
    relay.answer({ result: [{ subAccountId: '9', isPayoutEnabled: 'true', description: null }] });
    expect(await rest.getSubAccountRights(asked)).toEqual({
      result: [{ subAccountId: 9, isPayoutEnabled: true }],
    });
  });

  test(
    'are allowed to withdraw, which is echoed',
    { tags: ['client:trading-v2.sub.put-acl'] },
    async () => {
      const { rest, relay, bot } = await family();
      const change = { isPayoutEnabled: true, description: 'trusted' };
      const after = { result: [{ subAccountId: bot, ...change }] };
      const asked = { subAccountUserId: String(bot), ...change };
      expect(await rest.setSubAccountRights(asked)).toEqual(after);
      expect(relay.sent).toEqual([`PUT ${SUB}/acl/${bot}`, change]);
      expect(await rest.getSubAccountRights({ subAccountIds: [String(bot)] })).toEqual(after);
    },
  );

  test(
    'show what they have, frozen ones too',
    { tags: ['client:trading-v2.sub.get-balance'] },
    async () => {
      const { rest, relay, branch, bot } = await family();
      const move = { currency: 'USDT', amount: '30', type: 'bankToExchange' };
      await branch.ok('bot', 'POST', '/api/2/account/transfer', move);
      const usdt = (available: string) => [
        { currency: 'USDT', available: d(available), reserved: d('0') },
      ];
      const of = { subAccountUserID: String(bot) };
      expect(await rest.getSubAccountBalances(of)).toEqual({
        result: { main: usdt('70'), trading: usdt('30') },
      });
      expect(relay.sent).toEqual([`GET ${SUB}/balance/${bot}`]);
      await rest.freezeSubAccounts({ ids: [String(bot)] });
      expect(await rest.getSubAccountBalances(of)).toEqual({
        result: { main: usdt('100'), trading: [] },
      });
    },
  );

  test(
    'have a deposit address',
    { tags: ['client:trading-v2.sub.get-deposit-address'] },
    async () => {
      const { rest, relay, branch, bot } = await family();
      const asked = { subAccountUserID: String(bot), currency: 'XRP' };
      const { result } = await rest.getSubAccountAddress(asked);
      expect(relay.sent).toEqual([`GET ${SUB}/deposit-address/${bot}/XRP`]);
      expect(result).toEqual(await branch.ok('bot', 'GET', '/api/2/account/crypto/address/XRP'));
      expect(result.paymentId).toMatch(/^\d+$/);
    },
  );
});

describe('what the client makes of an error of version 2', () => {
  test(
    'nobody who lacks a key is answered',
    { tags: ['client:trading-v2.error.1002'] },
    async () => {
      const { branch } = await family();
      const { rest } = await openSubscriptionsV2(branch.venue, 'ann', {
        credentials: { key: 'ann', secret: 'guess', scheme: 'hs256' },
      });
      await expect(rest.getSubAccounts()).rejects.toMatchObject({
        code: 'service-refused',
        serviceCode: 1002,
        serviceMessage: 'Authorization is required or has been failed',
        httpStatus: 401,
        class: 'authorization',
      });
    },
  );

  test(
    'nobody is who lacks the right of a call',
    { tags: ['client:trading-v2.error.1003'] },
    async () => {
      const { branch, bot } = await family();
      const rights = ALL_RIGHTS.filter((right: Right) => right !== 'payment');
      branch.join('half', rights);
      const { rest } = await openSubscriptionsV2(branch.venue, 'half');
      await expect(
        rest.getSubAccountRights({ subAccountIds: [String(bot)] }),
      ).rejects.toMatchObject({
        code: 'service-refused',
        serviceCode: 1003,
        serviceMessage: 'Action is forbidden for this API key',
        httpStatus: 403,
        class: 'authorization',
      });
    },
  );

  test(
    'a missing or malformed parameter is named',
    { tags: ['client:trading-v2.error.10001'] },
    async () => {
      const { rest, relay } = await family();
      const rejection = {
        code: 'service-refused',
        serviceCode: 10001,
        serviceMessage: 'Validation error',
        description: expect.stringContaining('ids') as string,
        httpStatus: 400,
        class: 'bad-request',
      };
      await expect(rest.freezeSubAccounts({ ids: ['no-number'] })).rejects.toMatchObject(rejection);
      const before = relay.received.length;
      const none = rest.activateSubAccounts({ ids: [] });
      await expect(none).rejects.toMatchObject({ code: 'request-invalid', field: 'ids' });
      expect(relay.received).toHaveLength(before);
    },
  );

  test(
    'a frozen user is one whatever the case of the message is',
    { tags: ['client:trading-v2.error.10021'] },
    async () => {
      const { rest, relay, bot } = await family();
      await rest.freezeSubAccounts({ ids: [String(bot)] });
      const asked = { subAccountUserId: String(bot), isPayoutEnabled: true };
      const rejection = { code: 'service-refused', serviceCode: 10021, httpStatus: 400 };
      const upper = rest.setSubAccountRights(asked);
      await expect(upper).rejects.toMatchObject({ ...rejection, serviceMessage: 'User disabled' });
      relay.answer({ error: { code: 10021, message: 'user disabled' } }, 400);
      const lower = await rest.setSubAccountRights(asked).catch((error: unknown) => error);
      expect(lower).toMatchObject({ ...rejection, serviceMessage: 'user disabled' });
      const first = (await upper.catch((error: unknown) => error)) as { readonly class: string };
      expect(lower).toHaveProperty('class', first.class);
    },
  );

  test('nobody is frozen twice', { tags: ['client:trading-v2.error.21004'] }, async () => {
    const { rest, bot } = await family();
    await rest.freezeSubAccounts({ ids: [String(bot)] });
    await expect(rest.freezeSubAccounts({ ids: [String(bot)] })).rejects.toMatchObject({
      code: 'service-refused',
      serviceCode: 21004,
      serviceMessage: 'Sub account is already frozen or disabled',
      httpStatus: 400,
      class: 'refused',
    });
  });

  test(
    'an unknown sub-account is an error inside: a read came to nothing, of anything else it is not known what became',
    { tags: ['client:trading-v2.error.500'] },
    async () => {
      const { rest, relay, branch } = await family();
      const stranger = String(branch.account('bob'));
      const words = {
        serviceCode: 500,
        serviceMessage: 'Internal Server Error',
        httpStatus: 500,
        class: 'outcome-unknown',
      };
      const read = rest.getSubAccountBalances({ subAccountUserID: stranger });
      await expect(read).rejects.toMatchObject({ code: 'service-unavailable', ...words });
      const before = relay.received.length;
      const frozen = rest.freezeSubAccounts({ ids: [stranger] });
      await expect(frozen).rejects.toMatchObject({ code: 'outcome-unknown', ...words });
      expect(relay.received).toHaveLength(before + 1);
    },
  );

  test('no more than there is is moved', { tags: ['client:trading-v2.error.20001'] }, async () => {
    const { rest, bot } = await family();
    const asked = { subAccountId: bot, amount: '101', currency: 'USDT', type: 'withdraw' } as const;
    await expect(rest.transferWithSubAccount(asked)).rejects.toMatchObject({
      code: 'service-refused',
      serviceCode: 20001,
      serviceMessage: 'Insufficient funds',
      httpStatus: 400,
      class: 'refused',
    });
  });

  test.each([
    [{ error: { code: 20001, message: 'Insufficient funds' } }, 20001, undefined],
    [{ error: { code: '600', message: 'No', description: 'why' } }, 600, 'why'],
    [{ error: { code: 99_999, message: 'New', description: null }, path: '/x' }, 99_999, undefined],
  ])(
    '%j is read',
    { tags: ['client:trading-v2.error.body-shape'] },
    async (body, serviceCode, description) => {
      const { rest, relay } = await family();
      relay.answer(body, 400);
      const error: unknown = await rest.getSubAccounts().catch((caught: unknown) => caught);
      expect(error).toMatchObject({
        code: 'service-refused',
        serviceCode,
        serviceMessage: body.error.message,
        httpStatus: 400,
      });
      expect(error).toHaveProperty('description', description);
    },
  );

  test.each([
    [401, 'authorization'],
    [403, 'authorization'],
    [404, 'bad-request'],
    [429, 'rate-limit'],
    [500, 'outcome-unknown'],
    [503, 'unavailable'],
    [504, 'outcome-unknown'],
  ])(
    'the status %i has its meaning with a code that nobody knows',
    { tags: ['client:trading-v2.error.body-shape'] },
    async (status, kind) => {
      const { rest, relay } = await family();
      relay.answer({ error: { code: 99_999, message: 'New' } }, status);
      await expect(rest.getSubAccounts()).rejects.toMatchObject({
        serviceCode: 99_999,
        httpStatus: status,
        class: kind,
      });
    },
  );
});
