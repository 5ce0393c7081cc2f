import { describe, expect, test } from 'vitest';
import { OPENED } from '../../../server/kit.ts';
import { openHarness, SECOND, type WalletHarness } from '../../../server/wallet/harness.ts';
import { openSubscriptions, type Subscriptions } from '../kit/accounts.ts';
import { d } from '../kit/values.ts';

const SUB = '/api/3/sub-account';

/** A client of `ann`, who has the sub-accounts `bot`, with 100 USDT, and `spare`. */
async function family(
  as = 'ann',
): Promise<
  Subscriptions & Readonly<Record<'bot' | 'spare', number>> & { readonly branch: WalletHarness }
> {
  const branch = await openHarness();
  const bot = branch.sub('bot', 'ann');
  const spare = branch.sub('spare', 'ann');
  branch.credit('bot', 'USDT', '100');
  return { ...(await openSubscriptions(branch.venue, as)), branch, bot, spare };
}

describe('sub-accounts', () => {
  test(
    'are read in a result and bare alike',
    { tags: ['client:trading-v3.sub.get-list'] },
    async () => {
      const { rest, relay, bot, spare } = await family();
      expect(await rest.getSubAccounts()).toEqual({
        result: [
          { sub_account_id: bot, email: 'bot@example.com', status: 'active' },
          { sub_account_id: spare, email: 'spare@example.com', status: 'new' },
        ],
      });
      expect(relay.sent).toEqual([`GET ${SUB}`]);
      const bare = [
        { sub_account_id: '12', email: 'a@example.com', status: 'disable' },
        { sub_account_id: 13, email: 'b@example.com', status: 'disabled' },
      ];
      relay.answer(bare);
      const read = {
        result: bare.map((one) => ({ ...one, sub_account_id: Number(one.sub_account_id) })),
      };
      expect(await rest.getSubAccounts()).toEqual(read);
      relay.answer({ result: bare });
      expect(await rest.getSubAccounts()).toEqual(read);
    },
  );

  test(
    'are frozen and activated, several at once',
    { tags: ['client:trading-v3.sub.post-freeze', 'client:trading-v3.sub.post-activate'] },
    async () => {
      const { rest, relay, bot, spare } = await family();
      const both = [String(bot), String(spare)];
      const statuses = async () => (await rest.getSubAccounts()).result.map(({ status }) => status);
      expect(await rest.freezeSubAccounts({ sub_account_ids: both })).toEqual({ result: true });
      expect(relay.sent).toEqual([`POST ${SUB}/freeze`, { sub_account_ids: `${bot},${spare}` }]);
      expect(await statuses()).toEqual(['disable', 'disable']);
      expect(await rest.activateSubAccounts({ sub_account_ids: both })).toEqual({ result: true });
      expect(relay.sent).toEqual([`POST ${SUB}/activate`, { sub_account_ids: `${bot},${spare}` }]);
      expect(await statuses()).toEqual(['active', 'active']);
    },
  );
});

describe('money between an account and its sub-accounts', () => {
  const gift = { amount: '40', currency: 'USDT' };
  const UUID = expect.stringMatching(/^[0-9a-f-]{36}$/) as string;

  test.each([
    ['to_sub_account', '9960 0', '140 0'],
    ['from_sub_account', '10040 0', '60 0'],
  ] as const)(
    'goes %s',
    { tags: ['client:trading-v3.sub.post-transfer'] },
    async (type, mine, theirs) => {
      const { rest, relay, branch, bot } = await family();
      const asked = { sub_account_id: bot, ...gift, type };
      expect(await rest.transferWithSubAccount(asked)).toEqual({ result: UUID });
      expect(relay.sent).toEqual([`POST ${SUB}/transfer`, asked]);
      expect(await branch.balance('ann', 'USDT')).toBe(mine);
      expect(await branch.balance('bot', 'USDT')).toBe(theirs);
    },
  );

  test(
    'is given up by the sub-account itself',
    { tags: ['client:trading-v3.sub.post-transfer-sub-to-super'] },
    async () => {
      const { rest, relay, branch } = await family('bot');
      expect(await rest.transferToSuperAccount(gift)).toEqual({ result: UUID });
      expect(relay.sent).toEqual([`POST ${SUB}/transfer/sub-to-super`, gift]);
      expect(await branch.balance('ann', 'USDT')).toBe('10040 0');
    },
  );

  test(
    'is given by one sub-account to another',
    { tags: ['client:trading-v3.sub.post-transfer-sub-to-sub'] },
    async () => {
      const { rest, relay, branch, spare } = await family('bot');
      const asked = { sub_account_id: spare, ...gift };
      expect(await rest.transferBetweenSubAccounts(asked)).toEqual({ result: UUID });
      expect(relay.sent).toEqual([`POST ${SUB}/transfer/sub-to-sub`, asked]);
      expect(await branch.balance('spare', 'USDT')).toBe('40 0');
    },
  );
});

describe('what a super account may see and say', () => {
  const rights = (id: number, change: object = {}) => ({
    sub_account_id: id,
    deposit_address_generation_enabled: false,
    withdraw_enabled: false,
    description: '',
    created_at: OPENED,
    updated_at: OPENED,
    ...change,
  });

  test(
    'is what sub-accounts may do, in a result or bare',
    { tags: ['client:trading-v3.sub.get-acl'] },
    async () => {
      const { rest, relay, bot, spare } = await family();
      const both = { sub_account_ids: [String(bot), String(spare)] };
      const all = { result: [rights(bot), rights(spare)] };
      expect(await rest.getSubAccountRights(both)).toEqual(all);
      expect(relay.sent).toEqual([`GET ${SUB}/acl?sub_account_ids=${bot}%2C${spare}`]);
      const times = { created_at: '2026-01-05T10:00:00Z', updated_at: '2026-01-05T10:00:00.000Z' };
      relay.answer([
        { ...rights(bot), sub_account_id: String(bot), ...times, description: null },
        { ...rights(spare), ...times },
      ]);
      const { description: _, ...silent } = rights(bot);
      expect(await rest.getSubAccountRights(both)).toEqual({ result: [silent, rights(spare)] });
    },
  );

  test('is changed for several at once', { tags: ['client:trading-v3.sub.post-acl'] }, async () => {
    const { rest, relay, branch, bot, spare } = await family();
    branch.pass(SECOND);
    const change = {
      deposit_address_generation_enabled: true,
      withdraw_enabled: true,
      description: 'trusted',
    };
    const after = { ...change, updated_at: OPENED + SECOND };
    const both = { sub_account_ids: [String(bot), String(spare)] };
    expect(await rest.setSubAccountRights({ ...both, ...change })).toEqual({
      result: [rights(bot, after), rights(spare, after)],
    });
    const sent = { sub_account_ids: `${bot},${spare}`, ...change };
    expect(relay.sent).toEqual([`POST ${SUB}/acl`, sent]);
  });

  test(
    'is what a sub-account has, in its wallet and for spot trading',
    { tags: ['client:trading-v3.sub.get-balance'] },
    async () => {
      const { rest, relay, branch, bot } = await family();
      const move = { currency: 'USDT', amount: '30.5', source: 'wallet', destination: 'spot' };
      await branch.ok('bot', 'POST', '/api/3/wallet/transfer', move);
      const usdt = { currency: 'USDT', reserved: d('0') };
      expect(await rest.getSubAccountBalances({ sub_account_id: String(bot) })).toEqual({
        result: {
          wallet: [{ ...usdt, available: d('69.5') }],
          spot: [{ ...usdt, available: d('30.5') }],
        },
      });
      expect(relay.sent).toEqual([`GET ${SUB}/balance/${bot}`]);
    },
  );

  test(
    'is the deposit address of a sub-account',
    { tags: ['client:trading-v3.sub.get-address'] },
    async () => {
      const { rest, relay, branch, bot } = await family();
      const asked = { sub_account_id: String(bot), currency: 'USDT' };
      const { result } = await rest.getSubAccountAddress(asked);
      expect(relay.sent).toEqual([`GET ${SUB}/crypto/address/${bot}/USDT`]);
      expect(result).toEqual({
        currency: 'USDT',
        address: expect.any(String) as string,
        network_code: 'ETH',
      });
      const url = '/api/3/wallet/crypto/address';
      const [own] = await branch.ok<unknown[]>('bot', 'GET', url, { currency: 'USDT' });
      expect(result).toEqual(own);
    },
  );
});
