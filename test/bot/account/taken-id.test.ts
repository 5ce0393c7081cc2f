import { expect, test } from 'vitest';
import type { TestEvent } from '../../../src/engine/test-kit/feed.ts';
import { place } from '../../../src/strategy/orders.ts';
import { botRig, driven } from '../rig.ts';

const BOOK: TestEvent = { at: '00:00:01', bids: [['99.99', 1]], asks: [['100.01', 1]] };

const buy = (lots: number, clientOrderId?: string) =>
  place('BTCUSDT', {
    ...{ type: 'limit', side: 'buy', lots, ticks: 9_000 },
    ...(clientOrderId === undefined ? {} : { clientOrderId }),
  });

test('an id that is taken is refused alone, and halts nobody', async () => {
  const rig = await botRig({ strategies: [{}, {}] });
  const { bot, commands, market, pass, clock } = rig;
  market.tell(BOOK);
  commands[0]?.next(buy(1, 'my-own-order'));
  await pass(10);
  commands[1]?.next(buy(2));
  commands[1]?.next(buy(3, 'my-own-order'));
  commands[1]?.next(buy(4));
  await pass(10);
  expect(bot.status().state).toBe('running');
  expect(bot.orders().map(({ strategy, quantity }) => `${strategy} ${quantity}`)).toEqual([
    's0 0.001',
    's1 0.002',
    's1 0.004',
  ]);
  await driven(bot.close(), clock);
});
