import { describe, expect, test } from 'vitest';
import { Amount } from '../../../src/model/amount.ts';
import { Overdue } from '../../../src/bot/account/overdue.ts';
import type { BookBest } from '../../../src/bot/account/unshown.ts';
import { decimal } from '../../../src/model/decimal.ts';
import type { Order, Side } from '../../../src/model/order.ts';
import type { Lots, Ticks } from '../../../src/model/units.ts';
import { micros, US_PER_SECOND } from '../../../src/platform/time.ts';
import { VirtualScheduler } from '../../../src/platform/virtual-scheduler.ts';
import { settle } from '../rig.ts';
import { orderOf } from '../../kit/orders.ts';
import { instrumentOf } from '../../kit/instruments.ts';
import { unshown } from '../../../src/bot/account/unshown.ts';

const BTC = instrumentOf({});

const standing = (clientOrderId: string, side: Side, ticks: number, lots = 10): Order =>
  orderOf({ clientOrderId, side, lots: lots as Lots, ticks: ticks as Ticks, status: 'new' });

const bestOf = (terms: Partial<BookBest> = {}): BookBest => ({
  bidTicks: 99,
  bidLots: 10,
  askTicks: 101,
  askLots: 10,
  stale: false,
  ...terms,
});

function kit() {
  const clock = new VirtualScheduler(micros(0));
  const asked: string[] = [];
  const state = {
    isReceived: true,
    answers: true,
    best: bestOf(),
    askedAt: micros(-US_PER_SECOND),
  };
  const orders: Order[] = [];
  const overdue = new Overdue({
    scheduler: clock,
    openOrders: () => orders,
    best: () => state.best,
    isReceived: () => state.isReceived,
    askedAt: () => state.askedAt,
    ask: () => {
      state.askedAt = clock.now();
      return Promise.resolve(state.answers);
    },
    asks: (why) => asked.push(`${clock.now() / US_PER_SECOND} ${why}`),
  });
  overdue.start();
  const pass = async (seconds: number): Promise<void> => {
    const until = clock.now() + seconds * US_PER_SECOND;
    while (clock.now() < until) {
      clock.advanceTo(micros(Math.min(until, clock.now() + 100_000)));
      await settle();
    }
  };
  const balance = (available: string): void => {
    const at = clock.now();
    const amounts = { available: Amount.of(decimal(available)), reserved: Amount.count(0) };
    overdue.balance({ kind: 'balance', at, currency: 'BTC', ...amounts });
  };
  let fills = 0;
  const fill = (lots: number): void => {
    overdue.filled(BTC, {
      id: (fills += 1),
      clientOrderId: 'order-one',
      symbol: 'BTCUSDT',
      side: 'buy',
      lots: lots as Lots,
      ticks: 100 as Ticks,
      at: clock.now(),
      taker: false,
      fee: Amount.count(0),
      feeCurrency: 'USDT',
    });
  };
  return { fill, clock, overdue, asked, state, orders, pass, balance };
}

const cancelOf = (clientOrderId: string) =>
  ({ kind: 'cancel', clientOrderId, symbol: 'BTCUSDT' }) as const;

describe('a request without an answer', () => {
  test('is asked for within 2 s, and then more and more rarely', async () => {
    const { overdue, asked, pass } = kit();
    overdue.sent(cancelOf('order-one'));
    await pass(0.9);
    expect(overdue.why).toBeUndefined();
    await pass(30);
    expect(asked.map((one) => Number.parseFloat(one))).toEqual([1, 3, 7, 15]);
    expect(overdue.why).toBe('The cancel of order-one was not answered within 1 s.');
  });

  test('is asked for with all others that are overdue', async () => {
    const { overdue, asked, pass } = kit();
    for (let i = 0; i < 50; i += 1) overdue.sent(cancelOf(`order-${i}`));
    await pass(1.5);
    expect(asked).toHaveLength(1);
    expect(asked[0]).toContain('(and 49 more)');
  });

  test('is not requested once it was rejected or its outcome is unknown, nor while the account is disconnected', async () => {
    const { overdue, asked, pass, state, clock } = kit();
    overdue.sent(cancelOf('order-one'));
    overdue.received({
      kind: 'rejected',
      at: clock.now(),
      request: 'cancel',
      clientOrderId: 'order-one',
      symbol: 'BTCUSDT',
      rejection: { code: 'order-unknown', message: 'No.' },
    });
    await pass(3);
    state.isReceived = false;
    overdue.sent(cancelOf('order-two'));
    await pass(3);
    expect(asked).toEqual([]);
  });

  test('is not asked for within a second of a question that had another reason', async () => {
    const { overdue, asked, pass, state } = kit();
    overdue.sent(cancelOf('order-one'));
    await pass(0.9);
    state.askedAt = micros(0.8 * US_PER_SECOND);
    await pass(2);
    expect(asked.map((one) => Number.parseFloat(one))).toEqual([2]);
  });

  test('of a list ends with the rejection of the list', async () => {
    const { overdue, asked, pass, clock } = kit();
    const order = (clientOrderId: string) => ({
      ...({ clientOrderId, symbol: 'BTCUSDT', side: 'buy', type: 'limit' } as const),
      ...({ timeInForce: 'GTC', postOnly: false, lots: 1 as Lots, ticks: 1 as Ticks } as const),
    });
    overdue.sent({
      kind: 'placeList',
      orderListId: 'leg-one',
      contingencyType: 'allOrNone',
      orders: [order('leg-one'), order('leg-two')],
    });
    overdue.received({
      kind: 'rejected',
      at: clock.now(),
      request: 'placeList',
      clientOrderId: 'leg-one',
      symbol: 'BTCUSDT',
      rejection: { code: 'funds-insufficient', message: 'No.' },
    });
    await pass(3);
    expect(asked).toEqual([]);
  });
});

describe('a balance', () => {
  const WHY = 'The balance of BTC is not what its fills made of it.';

  test('that changed without a fill is asked for within 2 s, once where the venue answers', async () => {
    const { asked, pass, balance } = kit();
    balance('1');
    await pass(1);
    balance('2');
    await pass(20);
    expect(asked).toEqual([`2.5 ${WHY}`]);
  });

  test('is asked for again where the venue did not answer', async () => {
    const { asked, pass, balance, state } = kit();
    state.answers = false;
    balance('1');
    await pass(1);
    balance('2');
    await pass(4);
    expect(asked).toHaveLength(2);
  });

  test('that follows its fill, or comes a little before it, is explained', async () => {
    const { asked, pass, balance, fill } = kit();
    balance('1');
    fill(10);
    await pass(0.7);
    balance('1.0001');
    await pass(3);
    balance('1.0002');
    await pass(0.7);
    fill(10);
    await pass(5);
    expect(asked).toEqual([]);
  });

  test('that leaves one of two fills out is asked for', async () => {
    const { asked, pass, balance, fill } = kit();
    balance('1');
    fill(10);
    balance('1.0003');
    await pass(3);
    expect(asked).toEqual([`1.5 ${WHY}`]);
  });

  test('that never is what fills made of it is asked for more and more rarely', async () => {
    const { asked, pass, balance } = kit();
    balance('1');
    for (let i = 0; i < 120; i += 1) {
      balance(`1.${100 + i}`);
      await pass(1);
    }
    expect(asked.length).toBeGreaterThan(4);
    expect(asked.length).toBeLessThan(12);
  });
});

describe('the book', () => {
  test('is believed where it does not show an order for a second', async () => {
    const { orders, asked, pass, state } = kit();
    orders.push(standing('order-one', 'buy', 99));
    await pass(2);
    state.best = bestOf({ bidTicks: 98 });
    await pass(0.9);
    state.best = bestOf();
    await pass(2);
    expect(asked).toEqual([]);
    state.best = bestOf({ bidTicks: 98 });
    await pass(1.6);
    expect(asked).toHaveLength(1);
    expect(asked[0]).toContain('The book does not show the order order-one any more.');
  });

  test.each<readonly [string, Order[], BookBest | undefined, string[]]>([
    ['is behind the best', [standing('a', 'sell', 105)], bestOf(), []],
    ['is better than the best', [standing('a', 'sell', 100)], bestOf(), ['a']],
    ['is the best, in part', [standing('a', 'buy', 99, 11)], bestOf(), ['a']],
    ['is the best', [standing('a', 'buy', 99, 10)], bestOf(), []],
    [
      'shares the best with another',
      [standing('a', 'buy', 99, 6), standing('b', 'buy', 99, 5)],
      bestOf(),
      ['a', 'b'],
    ],
    ['has an empty side', [standing('a', 'buy', 99)], bestOf({ bidTicks: Number.NaN }), ['a']],
    ['has a book with a gap', [standing('a', 'buy', 100)], bestOf({ stale: true }), []],
    ['stands in no book', [standing('a', 'buy', 100)], undefined, []],
  ])('is compared with an order that %s', (_, orders, best, expected) => {
    expect([...unshown(orders, () => best)]).toEqual(expected);
  });

  test('says nothing of what does not stand in it', () => {
    for (const status of ['suspended', 'pending', 'unknown'] as const) {
      const order = { ...standing('a', 'buy', 100), status };
      expect([...unshown([order], () => bestOf())]).toEqual([]);
    }
  });
});
