import { expect, test } from 'vitest';
import type { TestEvent } from '../../../src/engine/test-kit/feed.ts';
import { decimal } from '../../../src/model/decimal.ts';
import { place } from '../../../src/strategy/orders.ts';
import { botRig, driven } from '../rig.ts';

const BOOK: TestEvent = { at: '00:00:01', bids: [['99.99', 1]], asks: [['100.01', 1]] };

const buy = (lots: number, ticks: number) =>
  place('BTCUSDT', { type: 'limit', side: 'buy', lots, ticks });

test('a strategy spends no more than its budget, whatever the account has', async () => {
  const rig = await botRig({ strategies: [{ budget: new Map([['USDT', decimal('100')]]) }] });
  const { bot, commands, market, pass, logs } = rig;
  market.emit(BOOK);
  // 0.6 × 99 + 0.4 × 99 = 99; with 0.01 more 99.99, with 0.011 more 100.089.
  commands[0]?.next(buy(600, 9_900));
  commands[0]?.next(buy(400, 9_900));
  await pass(10);
  expect(bot.orders()).toHaveLength(2);
  commands[0]?.next(buy(11, 9_900));
  await pass(10);
  expect(bot.orders()).toHaveLength(2);
  expect(logs.filter((line) => line.includes('the budget has 100'))).not.toEqual([]);
  commands[0]?.next(buy(10, 9_900));
  await pass(10);
  expect(bot.orders()).toHaveLength(3);
  await driven(bot.close(), rig.clock);
});
