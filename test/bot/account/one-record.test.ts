import { expect, test } from 'vitest';
import type { Order } from '../../../src/model/order.ts';
import type { OrderRequest } from '../../../src/model/order-request.ts';
import type { Fill } from '../../../src/model/report.ts';
import type { VenueAccount } from '../../../src/gateways/venue-account.ts';
import type { PaperAccount } from '../../../src/bot/paper/account.ts';
import type { Lots, Ticks } from '../../../src/model/units.ts';
import type { TestEvent } from '../../../src/engine/test-kit/feed.ts';
import { cancel, place } from '../../../src/strategy/orders.ts';
import { botRig, driven, folder, NO_LIMITS, type RigOptions } from '../rig.ts';

const BOOK: TestEvent = { at: '00:00:01', bids: [['99.99', 9]], asks: [['100.01', 9]] };

const buy = (lots: number, clientOrderId: string) =>
  place('BTCUSDT', { type: 'limit', side: 'buy', lots, ticks: 9_000, clientOrderId });

/** What reaches the venue. */
const watched =
  (sent: OrderRequest[]) =>
  (paper: PaperAccount): VenueAccount =>
    new Proxy(paper, {
      get: (of, name) => {
        const value: unknown = Reflect.get(of, name, of);
        if (typeof value !== 'function') return value;
        const call = value.bind(of) as (...given: unknown[]) => unknown;
        if (name !== 'send') return call;
        return (request: OrderRequest) => {
          sent.push(request);
          call(request);
        };
      },
    });

async function traded(options: RigOptions = {}) {
  const sent: OrderRequest[] = [];
  const rig = await botRig({ venue: watched(sent), ...options });
  const orders: Order[] = [];
  const fills: Fill[] = [];
  rig.contexts[0]?.account.orders().subscribe((order) => orders.push(order));
  rig.contexts[0]?.account.fills().subscribe((fill) => fills.push(fill));
  rig.market.emit(BOOK);
  return { ...rig, sent, orders, fills };
}

test('an id that an order of another strategy has is refused before anything is sent', async () => {
  const { bot, commands, pass, sent, orders, clock } = await traded({ strategies: [{}, {}] });
  commands[1]?.next(buy(1, 'same-0001'));
  await pass(10);
  commands[0]?.next(buy(2, 'same-0001'));
  await pass(10);
  expect(sent).toHaveLength(1);
  expect(orders.map(({ status }) => status)).toEqual(['rejected']);
  expect(bot.orders()).toMatchObject([{ strategy: 's1', quantity: '0.001' }]);
  await driven(bot.close(), clock);
});

test('an order that waits for the limits does not count against them itself', async () => {
  const risk = { ...NO_LIMITS, maxOpenOrders: 2 };
  const { bot, commands, pass, sent, clock } = await traded({ strategies: [{ risk }] });
  for (const id of ['order-0001', 'order-0002', 'order-0003']) commands[0]?.next(buy(1, id));
  await pass(10);
  expect(sent.map((request) => request.kind)).toEqual(['place', 'place']);
  expect(bot.orders()).toHaveLength(2);
  await driven(bot.close(), clock);
});

test('a cancel of an order that the limits keep does not leave either, and the order is rejected once', async () => {
  const risk = { ...NO_LIMITS, maxOpenOrders: 0 };
  const { bot, commands, pass, sent, orders, clock } = await traded({ strategies: [{ risk }] });
  commands[0]?.next(buy(1, 'order-0001'));
  commands[0]?.next(cancel('order-0001'));
  await pass(50);
  expect(sent).toEqual([]);
  expect(orders.map(({ status }) => status)).toEqual(['pending', 'rejected']);
  await driven(bot.close(), clock);
});

test('a strategy receives what an operator sells for it, and holds nothing then', async () => {
  const { bot, commands, pass, fills, orders, clock } = await traded();
  commands[0]?.next(place('BTCUSDT', { type: 'market', side: 'buy', lots: 5 }));
  await pass(20);
  await driven(bot.operate('flatten'), clock);
  await pass(20);
  expect(fills.map(({ side }) => side)).toContain('sell');
  expect(orders.at(-1)).toMatchObject({ side: 'sell', status: 'filled', strategy: 's0' });
  await driven(bot.close(), clock);
});

test('a list that is rejected for one id that is taken leaves its other id free', async () => {
  const data = folder();
  const first = await traded({ data });
  first.commands[0]?.next(buy(1, 'order-0001'));
  await first.pass(10);
  await driven(first.bot.close(), first.clock);
  const second = await traded({ data, clock: first.clock });
  const sell = { symbol: 'BTCUSDT', side: 'sell', lots: 1 as Lots } as const;
  second.commands[0]?.next({
    kind: 'placeList',
    contingencyType: 'oneCancelOther',
    orders: [
      { ...sell, type: 'limit', ticks: 11_000 as Ticks, clientOrderId: 'order-0001' },
      { ...sell, type: 'stopMarket', stopTicks: 8_000 as Ticks, clientOrderId: 'order-0002' },
    ],
  });
  await second.pass(10);
  expect(second.orders.slice(-2).map(({ rejection }) => rejection?.code)).toEqual([
    'client-order-id-taken',
    'client-order-id-taken',
  ]);
  second.commands[0]?.next(buy(1, 'order-0002'));
  await second.pass(10);
  expect(second.bot.orders()).toMatchObject([{ clientOrderId: 'order-0002' }]);
  await driven(second.bot.close(), second.clock);
});
