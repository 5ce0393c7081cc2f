import { describe, expect, test } from 'vitest';
import { openHarness, OUTSIDE, type WalletHarness } from '../wallet/harness.ts';

/** `bot`, a sub-account of `ann` that trades and may withdraw, with one order that rests. */
async function trading(): Promise<{ branch: WalletHarness; bot: number }> {
  const branch = await openHarness();
  const bot = branch.sub('bot', 'ann');
  branch.credit('bot', 'USDT', '1000');
  await branch.ok('ann', 'POST', '/api/3/sub-account/acl', {
    sub_account_ids: String(bot),
    withdraw_enabled: true,
  });
  const move = { currency: 'USDT', amount: '400', source: 'wallet', destination: 'spot' };
  await branch.ok('bot', 'POST', '/api/3/wallet/transfer', move);
  await branch.ok('bot', 'POST', '/api/3/spot/order', {
    symbol: 'BTCUSDT',
    side: 'buy',
    quantity: '0.01',
    price: '10000',
    client_order_id: 'resting-order',
  });
  return { branch, bot };
}

const freeze = {
  2: (branch: WalletHarness, bot: number) =>
    branch.ok('ann', 'POST', '/api/2/sub-acc/freeze', { ids: String(bot) }),
  3: (branch: WalletHarness, bot: number) =>
    branch.ok('ann', 'POST', '/api/3/sub-account/freeze', { sub_account_ids: String(bot) }),
} as const;

const activate = (branch: WalletHarness, bot: number) =>
  branch.ok('ann', 'POST', '/api/2/sub-acc/activate', { ids: String(bot) });

describe.each([
  [2, 'freeze-cancels-orders', 'freeze-moves-funds', 'freeze-stops-keys'],
  [3, 'sub-account-freeze-v3', 'sub-account-freeze-v3', 'sub-account-freeze-v3'],
] as const)('freezing by version %i', (version, cancels, moves, stops) => {
  const service = `trading-v${version}.state`;

  test('cancels orders and reports it', { tags: [`server:${service}.${cancels}`] }, async () => {
    const { branch, bot } = await trading();
    const socket = await branch.venue.tradingSocket('bot');
    await socket.request('spot_subscribe');
    await freeze[version](branch, bot);
    const frame = await socket.until((each) => each['method'] === 'spot_order');
    expect(frame).toMatchObject({
      params: { client_order_id: 'resting-order', status: 'canceled', report_type: 'canceled' },
    });
    await activate(branch, bot);
    expect(await branch.ok('bot', 'GET', '/api/3/spot/order')).toEqual([]);
  });

  test(
    'brings what it trades with into its wallet',
    { tags: [`server:${service}.${moves}`] },
    async () => {
      const { branch, bot } = await trading();
      await freeze[version](branch, bot);
      expect(await branch.ok('ann', 'GET', `/api/2/sub-acc/balance/${bot}`)).toEqual({
        result: { main: [{ currency: 'USDT', available: '1000', reserved: '0' }], trading: [] },
      });
    },
  );

  test(
    'stops keys, logins, withdrawals, trading and what waits',
    { tags: [`server:${service}.${stops}`] },
    async () => {
      const { branch, bot } = await trading();
      const wallet = await branch.venue.tradingSocket('bot', '/api/3/ws/wallet');
      const request = { currency: 'USDT', amount: '10', address: OUTSIDE, auto_commit: false };
      const url = '/api/3/wallet/crypto/withdraw';
      const { id } = await branch.ok<{ id: string }>('bot', 'POST', url, request);
      await freeze[version](branch, bot);
      const order = { symbol: 'BTCUSDT', side: 'buy', quantity: '0.01', price: '10000' };
      const calls = [
        ['GET', '/api/3/wallet/balance'],
        ['GET', '/api/2/account/balance'],
        ['POST', '/api/3/spot/order', order],
        ['POST', url, request],
        ['PUT', `${url}/${id}`],
      ] as const;
      for (const [method, path, params] of calls) {
        expect(await branch.rejected('bot', method, path, params)).toEqual([400, 10021]);
      }
      const stopped = { error: { code: 10021 } };
      expect(await wallet.request('wallet_balances')).toMatchObject(stopped);
      for (const [path, params] of [
        ['/api/3/ws/wallet', { type: 'BASIC', api_key: 'bot', secret_key: 'bot-secret' }],
        ['/api/2/ws/account', { algo: 'BASIC', pKey: 'bot', sKey: 'bot-secret' }],
      ] as const) {
        const socket = await branch.venue.socket(path);
        expect(await socket.request('login', params)).toMatchObject(stopped);
      }
      await activate(branch, bot);
      await branch.ok('bot', 'PUT', `${url}/${id}`);
      await branch.ok('bot', 'POST', '/api/3/wallet/transfer', {
        currency: 'USDT',
        amount: '400',
        source: 'wallet',
        destination: 'spot',
      });
      await branch.ok('bot', 'POST', '/api/3/spot/order', order);
    },
  );
});

test('a pending order of a frozen sub-account is not completed', async () => {
  const { branch, bot } = await trading();
  await freeze[3](branch, bot);
  const order = { symbol: 'BTCUSDT', side: 'sell', quantity: '0.01', price: '10000' };
  await branch.ok('demo', 'POST', '/api/3/spot/order', order);
  const rows = await branch.ok<{ available: string }[]>('demo', 'GET', '/api/3/spot/history/trade');
  expect(rows).toEqual([]);
});
