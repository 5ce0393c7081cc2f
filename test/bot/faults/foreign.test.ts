import { expect, test } from 'vitest';
import { openHarness } from './harness.ts';

const rules = (foreignOrders: 'adopt' | 'cancel') => ({
  settings: {
    reconciliation: { everyUs: 200_000, foreignOrders, lostAfterUs: 700_000 },
  },
});

const BY_HAND = {
  symbol: 'BTCUSDT',
  side: 'buy',
  price: '48000',
  quantity: '0.01',
  client_order_id: 'by-hand-1',
} as const;

test('orders of others are canceled where the rules say so', async () => {
  const { own, until, prove, logs } = await openHarness(rules('cancel'));
  await own.rest.createSpotOrder(BY_HAND);
  await until(async () => {
    expect(await own.rest.getSpotOrders()).toEqual([]);
  });
  expect(logs.join('\n')).toMatch(/by-hand-1.*canceled/);
  await prove(['by-hand-1']);
});

test('orders of others are taken in where the rules say so, and their fills count', async () => {
  const { own, other, until, prove, bot } = await openHarness(rules('adopt'));
  await own.rest.createSpotOrder(BY_HAND);
  await until(() => {
    expect(bot.orders()).toMatchObject([{ clientOrderId: 'by-hand-1', strategy: 'puppet' }]);
  });
  // Only what the others left stands between the order and whoever sells down to it.
  await other.rest.cancelSpotOrders();
  await other.rest.createSpotOrder({
    symbol: 'BTCUSDT',
    side: 'sell',
    price: '48000',
    quantity: '0.004',
  });
  await prove();
  expect(bot.positions()[0]?.quantity).toBe('100.004');
  expect(bot.orders()).toMatchObject([{ clientOrderId: 'by-hand-1', executed: '0.004' }]);
});
