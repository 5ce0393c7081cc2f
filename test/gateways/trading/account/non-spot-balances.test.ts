import { expect, test, vi } from 'vitest';
import { TradingNonSpotBalances } from '../../../../src/gateways/trading/account/non-spot-balances.ts';
import type { TradingClient } from '../../../../src/gateways/trading/client/client.ts';
import type { WalletListener } from '../../../../src/gateways/trading/socket/wallet.ts';
import { decimal } from '../../../../src/model/decimal.ts';
import type { NonSpotBalanceReport } from '../../../../src/model/non-spot-balance.ts';
import { micros } from '../../../../src/platform/time.ts';
import { VirtualScheduler } from '../../../../src/platform/virtual-scheduler.ts';

const of = (currency: string, available: string) => ({
  currency,
  available: decimal(available),
  reserved: decimal('0'),
});

test('a balance that changed before all were reported does not stand for all balances', async () => {
  const scheduler = new VirtualScheduler(micros(0));
  let received: WalletListener = {};
  const client = {
    walletSocket: (listener: WalletListener) => {
      received = listener;
      return {
        open: () => Promise.resolve(),
        close: () => Promise.resolve(),
        request: (method: string) =>
          Promise.resolve(method === 'wallet_balances' ? [of('USDT', '90'), of('BTC', '2')] : true),
      };
    },
  } as unknown as TradingClient;
  const reported: NonSpotBalanceReport[] = [];
  const nonSpotBalances = new TradingNonSpotBalances({
    client,
    scheduler,
    socket: undefined,
    trading: () => undefined,
    warn: () => undefined,
    ask: (question) => question(),
  });
  nonSpotBalances.follow('wallet', {
    reported: (report) => reported.push(report),
    failed: (error) => {
      throw error;
    },
  });
  // It is asked for two seconds after it was granted.
  await vi.waitFor(() => {
    expect(scheduler.nextAt).toBe(2_000_000);
  });
  received.notification?.('wallet_balance_update', [of('USDT', '90')], micros(1));
  scheduler.advanceTo(micros(3_000_000));
  await vi.waitFor(() => {
    expect(reported).toHaveLength(2);
  });
  received.notification?.('wallet_balance_update', [of('BTC', '1')], micros(3_000_001));
  const shown = reported.map(({ isWhole, balances }) => [isWhole, ...balances.map((one) => `${one.available.toFixed()} ${one.currency}`)]); // prettier-ignore
  expect(shown).toEqual([
    [false, '90 USDT'],
    [true, '90 USDT', '2 BTC'],
    [false, '1 BTC'],
  ]);
});
