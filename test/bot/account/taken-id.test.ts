import { Subject } from 'rxjs';
import { expect, test } from 'vitest';
import type { TestEvent } from '../../../src/engine/test-kit/feed.ts';
import { place } from '../../../src/strategy/orders.ts';
import { botRig, driven, folder } from '../rig.ts';

const BOOK: TestEvent = { at: '00:00:01', bids: [['99.99', 1]], asks: [['100.01', 1]] };

const buy = (lots: number, clientOrderId?: string) =>
  place('BTCUSDT', {
    type: 'limit',
    side: 'buy',
    lots,
    ticks: 9_000,
    clientOrderId,
  });

test('an id that is taken is refused alone, and halts nobody', async () => {
  const rig = await botRig({ strategies: [{}, {}] });
  const { bot, commands, market, pass, clock } = rig;
  market.emit(BOOK);
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

test('after a restart a fixed id is refused with what to do, and one with the time in it is new', async () => {
  const data = folder();
  const first = await botRig({ data });
  first.market.emit(BOOK);
  const give = ({ commands, clock }: typeof first): void => {
    commands[0]?.next(buy(1, 'entry-0001'));
    commands[0]?.next(buy(2, `entry-${clock.now()}`));
  };
  give(first);
  await first.pass(10);
  expect(first.bot.orders()).toHaveLength(2);
  await driven(first.bot.close(), first.clock);
  const rejections: unknown[] = [];
  const second = await botRig({
    data,
    clock: first.clock,
    strategies: [
      {
        run: ({ account }) => {
          account.orders().subscribe(({ status, rejection }) => {
            if (status === 'rejected') rejections.push(rejection);
          });
          return new Subject();
        },
      },
    ],
  });
  second.market.emit(BOOK);
  give(second);
  await second.pass(10);
  expect(second.bot.orders().map(({ quantity }) => quantity)).toEqual(['0.002']);
  expect(rejections).toMatchObject([
    {
      code: 'client-order-id-taken',
      field: 'clientOrderId',
      message: expect.stringContaining(
        'put the time into it, as in `entry-${clock.now()}`',
      ) as string,
    },
  ]);
  await driven(second.bot.close(), second.clock);
});
