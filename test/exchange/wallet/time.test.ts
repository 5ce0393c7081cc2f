import { expect, test } from 'vitest';
import { decimal } from '../../../src/model/decimal.ts';
import { lots, ticks } from '../../../src/model/units.ts';
import { micros, US_PER_HOUR } from '../../../src/platform/time.ts';
import { WalletHarness, given } from './harness.ts';

test('of what happens at one time orders expire first, then withdrawals lapse, then locks end', () => {
  const branch = new WalletHarness();
  const account = branch.account({ USDT: '1000', BTC: '1' });
  const endsAt = micros(branch.at + US_PER_HOUR);
  const lock = { currency: 'USDT', amount: decimal('1'), endsAt, description: '' };
  given(branch.wallet.lock(account, lock, branch.at));
  branch.withdrawn(account, '0.1', 'BTC', { autoCommit: false });
  given(branch.transfer(account, '500', 'USDT', 'wallet', 'spot'));
  branch.exchange.place(
    account,
    {
      symbol: 'BTCUSDT',
      clientOrderId: 'expiring',
      side: 'buy',
      type: 'limit',
      timeInForce: 'GTD',
      expireAt: endsAt,
      lots: lots(1),
      ticks: ticks(100),
      postOnly: false,
    },
    branch.at,
  );
  branch.reported();
  expect(branch.exchange.nextExpiryAt).toBe(endsAt);
  branch.exchange.advance(micros(endsAt + 5));
  expect(branch.reported()).toEqual([
    'expired expiring',
    `#3 ${account} WITHDRAW/BLOCKCHAIN ROLLED_BACK out 0.1 BTC fee 0.0005`,
    `spot ${account} USDT 500 0`,
    `wallet ${account} BTC 1 0`,
    `wallet ${account} USDT 500 0`,
  ]);
  expect(branch.exchange.now).toBe(endsAt + 5);
});

test('what lapses does so at its own time, also when a request comes long after', () => {
  const branch = new WalletHarness();
  const account = branch.account({ BTC: '1' });
  const created = branch.at;
  const first = branch.withdrawn(account, '0.1', 'BTC', { autoCommit: false });
  branch.at = micros(created + 1_000);
  const second = branch.withdrawn(account, '0.1', 'BTC', { autoCommit: false });
  branch.at = micros(created + 5 * US_PER_HOUR);
  // All of it is there again for the request that comes after.
  given(branch.transfer(account, '1', 'BTC', 'wallet', 'spot'));
  const times = [first, second].map(
    (txId) => given(branch.wallet.transaction(account, txId)).updatedAt,
  );
  expect(times).toEqual([created + US_PER_HOUR, created + 1_000 + US_PER_HOUR]);
});
