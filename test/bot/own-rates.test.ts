import { expect, test } from 'vitest';
import type { TestEvent } from '../../src/engine/test-kit/feed.ts';
import { rate } from '../../src/strategy/numbers.ts';
import { place } from '../../src/strategy/orders.ts';
import { botRig, driven, folder } from './rig.ts';

const BOOK: TestEvent = { at: '00:00:01', bids: [['99.99', 1]], asks: [['100.01', 1]] };

test('an order keeps the fee rates that it asked for over a restart, and pays them', async () => {
  const data = folder();
  const first = await botRig({
    data,
    settings: { shutdown: { orders: 'keep', withinUs: 1_000_000 } },
  });
  const shown = { price: '99', takeRate: '0.02', makeRate: '0.01' };
  first.market.emit(BOOK);
  const rates = { takeRate: rate('0.02'), makeRate: rate('0.01') };
  const bid = { type: 'limit', side: 'buy', lots: 10, ticks: 9_900, ...rates } as const;
  first.commands[0]?.next(place('BTCUSDT', bid));
  await first.pass(10);
  expect(first.bot.orders()).toMatchObject([shown]);
  await driven(first.bot.close(), first.clock);

  const second = await botRig({ data, clock: first.clock });
  expect(second.bot.orders()).toMatchObject([shown]);
  second.market.emit(BOOK, { at: '00:00:01', trade: '98.00', size: 1, aggressor: 'sell' });
  await second.pass(10);
  const usdt = second.bot.balances().find(({ currency }) => currency === 'USDT');
  // 1,000 less 0.01 × 99 and 1 % of that.
  expect([usdt?.available, usdt?.reserved]).toEqual(['999.0001', '0']);
  await driven(second.bot.close(), second.clock);
});
