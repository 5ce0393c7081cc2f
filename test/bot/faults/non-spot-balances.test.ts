import { merge } from 'rxjs';
import { expect, test } from 'vitest';
import type { Context } from '../../../src/strategy/context.ts';
import type { MemberSettings } from '../../../src/server/simulation/settings.ts';
import { venueSettings } from '../venue-settings.ts';
import { openHarness } from './harness.ts';

// By the real clock, over sockets: the bot is live at the venue of this machine.

test('a transfer changes both balances, also one of which the bot received nothing', async () => {
  const { context, own, hop, until, bot } = await openHarness();
  const seen = { spot: '', wallet: '', derivatives: '' };
  const { account } = context;
  for (const accountType of ['spot', 'wallet', 'derivatives'] as const) {
    account.balances('USDT', accountType).subscribe(({ available }) => {
      seen[accountType] = available.toFixed();
    });
  }
  await until(() => {
    expect(seen).toEqual({ spot: '1000000', wallet: '5000', derivatives: '0' });
  });
  const move = (source: 'wallet' | 'derivatives', destination: 'spot' | 'derivatives') =>
    own.rest.transfer({ currency: 'USDT', amount: '1000', source, destination });
  await move('wallet', 'derivatives');
  await until(() => {
    expect(seen).toEqual({ spot: '1000000', wallet: '4000', derivatives: '1000' });
  });
  hop.refuses = (path) => path.includes('/ws/');
  hop.cut('/ws/wallet');
  hop.cut('/ws/trading');
  await move('derivatives', 'spot');
  await move('wallet', 'spot');
  expect(seen).toEqual({ spot: '1000000', wallet: '4000', derivatives: '1000' });
  hop.refuses = () => false;
  await until(() => {
    expect(seen).toEqual({ spot: '1002000', wallet: '3000', derivatives: '0' });
  });
  expect(bot.balances()).toContainEqual(
    { account: 'main', accountType: 'wallet', currency: 'USDT', available: '3000', reserved: '0' }, // prettier-ignore
  );
});

test('nothing is asked of the wallet and of derivatives before somebody looks, and an operator is shown both', async () => {
  const { bot, hop, own } = await openHarness();
  await own.rest.transfer({ currency: 'USDT', amount: '7', source: 'wallet', destination: 'derivatives' }); // prettier-ignore
  expect(hop.paths).toEqual(expect.not.arrayContaining([expect.stringContaining('/ws/wallet')]));
  expect(bot.balances().map(({ accountType }) => accountType)).not.toContain('wallet');
  const lines = await bot.allBalances();
  const usdt = lines.filter((one) => 'available' in one && one.currency === 'USDT');
  expect(usdt).toMatchObject([
    { accountType: 'spot', available: '1000000' },
    { accountType: 'wallet', available: '4993', reserved: '0' },
    { accountType: 'derivatives', available: '7', reserved: '0', reservedMargin: '0' },
  ]);
  expect(bot.balances()).toEqual(lines);
  expect(hop.paths.filter((path) => path.includes('/ws/wallet'))).toHaveLength(1);
});

const withoutPayment = (): readonly MemberSettings[] =>
  venueSettings(['bot', 'other']).members.map((member) => ({
    ...member,
    keys: member.keys.map((key) => ({ ...key, rights: ['read', 'trade'] })),
  }));

test('the status says why wallet balances are not shown, and strategies that do not use them run on', async () => {
  const venue = { members: withoutPayment() };
  const { bot, logs } = await openHarness({ venue });
  expect(await bot.allBalances()).toContainEqual({
    account: 'main',
    accountType: 'wallet',
    why: expect.stringMatching(
      /^The service does not report the wallet balances: .* Give the key the right "Payment information"/,
    ) as string,
  });
  expect(bot.status().strategies[0]?.session).toBe('running');
  expect(logs.join('\n')).toMatch(/The service does not report the wallet balances: .*\(main\)/);
});

test('a strategy fails that asks for balances to which its key has no right', async () => {
  const listen = ({ account }: Context<unknown>) =>
    merge(account.balances('USDT', 'wallet'), account.balances('USDT', 'derivatives'));
  const { bot, logs, until } = await openHarness({ venue: { members: withoutPayment() }, listen });
  await until(() => {
    expect(bot.status().strategies[0]?.session).toBe('failed');
  });
  expect(logs.join('\n')).toMatch(
    /puppet failed and is stopped: The service does not report the wallet balances/,
  );
});
