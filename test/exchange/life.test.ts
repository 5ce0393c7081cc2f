import { describe, expect, test } from 'vitest';
import { dayEnd } from '../../src/exchange/orders/trading-day.ts';
import { US_PER_DAY, US_PER_HOUR, US_PER_MINUTE, micros } from '../../src/platform/time.ts';
import { Floor, idOf, instrumentOf } from './kit.ts';

function floorWith(): { floor: Floor; account: number; maker: number } {
  const floor = new Floor();
  const account = floor.account({ USDT: '100000', BTC: '1000' });
  const maker = floor.account({ USDT: '100000', BTC: '1000' });
  return { floor, account, maker };
}

describe('time in force', () => {
  test(
    'a market order that cannot fill whole expires at entry and costs nothing',
    { tags: ['server:trading-v3.rule.tif-fok', 'server:trading-v3.state.expired'] },
    () => {
      const { floor, account, maker } = floorWith();
      floor.place(maker, 'ask', { side: 'sell', lots: 2, ticks: 100 });
      floor.reported();
      floor.place(account, 'buy', { side: 'buy', lots: 3 });
      expect(floor.reported()).toEqual(['expired buy----- expired 0/3']);
    },
  );

  test(
    'a market order with IOC takes what is there and expires with the rest',
    { tags: ['server:trading-v3.rule.tif-ioc'] },
    () => {
      const { floor, account, maker } = floorWith();
      floor.place(maker, 'ask', { side: 'sell', lots: 2, ticks: 100 });
      floor.reported();
      floor.place(account, 'buy', { side: 'buy', lots: 3, timeInForce: 'IOC' });
      expect(floor.reported()).toEqual([
        'new buy----- new 0/3',
        'trade 1 ask----- sell 2@100 maker filled 2/2',
        'trade 1 buy----- buy 2@100 taker partiallyFilled 2/3',
        'expired buy----- expired 2/3',
        'balance 5 BTC 998 0',
        'balance 5 USDT 100199.8 0',
        'balance 4 BTC 1002 0',
        'balance 4 USDT 99799.6 0',
      ]);
    },
  );

  test('a limit order with IOC gives back what it held for the rest', () => {
    const { floor, account, maker } = floorWith();
    floor.place(maker, 'ask', { side: 'sell', lots: 2, ticks: 100 });
    floor.place(account, 'buy', { side: 'buy', lots: 3, ticks: 101, timeInForce: 'IOC' });
    expect(floor.balance(account, 'USDT')).toBe('99799.6 0');
  });

  test(
    'a limit order with FOK fills whole from several prices or not at all',
    { tags: ['server:trading-v3.rule.tif-fok'] },
    () => {
      const { floor, account, maker } = floorWith();
      floor.place(maker, 'a', { side: 'sell', lots: 2, ticks: 100 });
      floor.place(maker, 'b', { side: 'sell', lots: 2, ticks: 102 });
      floor.snapshot([['ask', 101, 2]]);
      floor.reported();
      floor.place(account, 'five', { side: 'buy', lots: 5, ticks: 101, timeInForce: 'FOK' });
      expect(floor.events()).toEqual(['expired five---- expired 0/5']);
      floor.place(account, 'four', { side: 'buy', lots: 4, ticks: 101, timeInForce: 'FOK' });
      expect(floor.events().filter((line) => line.includes('taker'))).toEqual([
        'trade 1 four---- buy 2@100 taker partiallyFilled 2/4',
        'trade 2 four---- buy 2@101 taker filled 4/4',
      ]);
    },
  );

  test(
    'a GTD order expires at its time, before anything else that happens then',
    { tags: ['server:trading-v3.rule.tif-gtd'] },
    () => {
      const { floor, account, maker } = floorWith();
      floor.place(maker, 'later', {
        side: 'sell',
        lots: 1,
        ticks: 102,
        timeInForce: 'GTD',
        expireAt: 900,
      });
      floor.place(maker, 'ask', {
        side: 'sell',
        lots: 1,
        ticks: 100,
        timeInForce: 'GTD',
        expireAt: 500,
      });
      expect(floor.exchange.nextExpiryAt).toBe(500);
      floor.reported();
      floor.at = 500;
      floor.place(account, 'buy', { side: 'buy', lots: 1 });
      expect(floor.events()).toEqual([
        'expired ask----- expired 0/1',
        'new buy----- new 0/1',
        'trade 1 later--- sell 1@102 maker filled 1/1',
        'trade 1 buy----- buy 1@102 taker filled 1/1',
      ]);
      expect(floor.exchange.nextExpiryAt).toBe(Infinity);
    },
  );

  test('orders expire with time alone, and at the latest with a market event', () => {
    const { floor, account } = floorWith();
    for (const [name, expireAt] of [
      ['a', 300],
      ['b', 200],
    ] as const) {
      floor.place(account, name, { side: 'buy', lots: 1, ticks: 90, timeInForce: 'GTD', expireAt });
    }
    floor.reported();
    floor.exchange.advance(micros(200));
    expect(floor.reported()).toEqual([
      'expired b------- expired 0/1',
      'balance 4 USDT 99909.82 90.18',
    ]);
    floor.at = 300;
    floor.trade('sell', 80, 5);
    expect(floor.reported()).toEqual(['expired a------- expired 0/1', 'balance 4 USDT 100000 0']);
  });

  test('a Day order ends at 23:59 UTC, or at that of the next day when it comes later', () => {
    const end = US_PER_DAY - US_PER_MINUTE;
    expect(dayEnd(micros(0))).toBe(end);
    expect(dayEnd(micros(end - 1))).toBe(end);
    expect(dayEnd(micros(end))).toBe(end + US_PER_DAY);
    expect(dayEnd(micros(3 * US_PER_DAY + US_PER_HOUR))).toBe(3 * US_PER_DAY + end);
    const { floor, account } = floorWith();
    floor.place(account, 'day', { side: 'buy', lots: 1, ticks: 90, timeInForce: 'Day' });
    expect(floor.exchange.nextExpiryAt).toBe(end);
  });
});

describe('post-only', () => {
  test(
    'an order that would take from an account expires',
    {
      tags: ['server:trading-v3.rule.post-only-expires', 'server:trading-v3.rule.post-only-rests'],
    },
    () => {
      const { floor, account, maker } = floorWith();
      floor.place(maker, 'ask', { side: 'sell', lots: 1, ticks: 100 });
      floor.reported();
      floor.place(account, 'buy', { side: 'buy', lots: 1, ticks: 100, postOnly: true });
      expect(floor.reported()).toEqual(['expired buy----- expired 0/1']);
      floor.place(account, 'rests', { side: 'buy', lots: 1, ticks: 99, postOnly: true });
      expect(floor.events()).toEqual(['new rests--- new 0/1']);
    },
  );

  test('an order that would cross the tape expires, even where that was taken already', () => {
    const { floor, account } = floorWith();
    floor.snapshot([['bid', 100, 2]]);
    floor.place(account, 'sell', { side: 'sell', lots: 2, ticks: 100 });
    floor.reported();
    floor.place(account, 'post', { side: 'sell', lots: 1, ticks: 100, postOnly: true });
    floor.place(account, 'above', { side: 'sell', lots: 1, ticks: 101, postOnly: true });
    floor.quote([101, 1], [103, 1]);
    floor.reported();
    floor.place(account, 'quoted', { side: 'sell', lots: 1, ticks: 101, postOnly: true });
    expect(floor.events()).toEqual(['expired quoted-- expired 0/1']);
  });

  test('a replacement that would take replaces the order and expires', () => {
    const { floor, account, maker } = floorWith();
    floor.place(maker, 'ask', { side: 'sell', lots: 1, ticks: 100 });
    floor.place(account, 'buy', { side: 'buy', lots: 1, ticks: 99, postOnly: true });
    floor.reported();
    floor.replace(account, 'buy', 'buy2', { ticks: 100 });
    expect(floor.reported()).toEqual([
      'replaced buy2---- new 0/1',
      'expired buy2---- expired 0/1',
      'balance 4 USDT 100000 0',
    ]);
  });
});

describe('a replacement', () => {
  test(
    'has a new id, keeps what is executed and the time of creation, and holds for the rest',
    {
      tags: [
        'server:trading-v3.rule.replace-executed-part',
        'server:trading-v3.rule.replace-original-id',
      ],
    },
    () => {
      const { floor, account, maker } = floorWith();
      floor.at = 10;
      floor.place(account, 'buy', { side: 'buy', lots: 10, ticks: 100 });
      floor.place(maker, 'sell', { side: 'sell', lots: 4, ticks: 100 });
      floor.at = 20;
      floor.reported();
      floor.replace(account, 'buy', 'buy2', { ticks: 90, lots: 8 });
      const { exchange } = floor;
      const order = exchange.activeOrder(account, idOf('buy2'));
      expect(floor.events()).toEqual(['replaced buy2---- partiallyFilled 4/8']);
      expect(exchange.orders.id(order)).toBe(3);
      expect(exchange.orders.originalClientOrderId(order)).toBe(idOf('buy'));
      expect(exchange.orders.createdAt(order)).toBe(10);
      expect(exchange.orders.updatedAt(order)).toBe(20);
      // 100,000 − 400 × 1.001 (4 at 100 as maker) = 99,599.6; held 4 × 90 × 1.002 = 360.72.
      expect(floor.balance(account, 'USDT')).toBe('99238.88 360.72');
      expect(exchange.activeOrder(account, idOf('buy'))).toBe(-1);
    },
  );

  test('loses its place in the queue, even when only its quantity is reduced', () => {
    const { floor, account, maker } = floorWith();
    floor.place(account, 'first', { side: 'buy', lots: 3, ticks: 100 });
    floor.place(account, 'second', { side: 'buy', lots: 3, ticks: 100 });
    floor.replace(account, 'first', 'first2', { lots: 2 });
    floor.reported();
    floor.place(maker, 'sell', { side: 'sell', lots: 4 });
    expect(floor.events().filter((line) => line.includes('maker'))).toEqual([
      'trade 1 second-- buy 3@100 maker filled 3/3',
      'trade 2 first2-- buy 1@100 maker partiallyFilled 1/2',
    ]);
  });

  test('may execute at once', () => {
    const { floor, account, maker } = floorWith();
    floor.place(maker, 'ask', { side: 'sell', lots: 1, ticks: 100 });
    floor.place(account, 'buy', { side: 'buy', lots: 1, ticks: 90 });
    floor.reported();
    floor.replace(account, 'buy', 'buy2', { ticks: 101 });
    expect(floor.events()).toEqual([
      'replaced buy2---- new 0/1',
      'trade 1 ask----- sell 1@100 maker filled 1/1',
      'trade 1 buy2---- buy 1@100 taker filled 1/1',
    ]);
  });
});

describe('cancel', () => {
  test('gives back what the order held; its quantity stays what it was', () => {
    const { floor, account, maker } = floorWith();
    floor.place(account, 'buy', { side: 'buy', lots: 5, ticks: 100 });
    floor.place(maker, 'sell', { side: 'sell', lots: 2 });
    floor.reported();
    floor.cancel(account, 'buy');
    expect(floor.reported()).toEqual([
      'canceled buy----- canceled 2/5',
      'balance 4 USDT 99799.8 0',
    ]);
  });

  test('of all orders takes one account, one symbol or all, oldest first', () => {
    const floor = new Floor([instrumentOf(), instrumentOf({ symbol: 'ETHUSDT' })]);
    const account = floor.account({ USDT: '10000' });
    const other = floor.account({ USDT: '10000' });
    floor.place(account, 'b1', { side: 'buy', lots: 1, ticks: 10 });
    floor.place(account, 'e1', { symbol: 'ETHUSDT', side: 'buy', lots: 1, ticks: 10 });
    floor.place(account, 'b2', { side: 'buy', lots: 1, ticks: 12 });
    floor.place(other, 'b1', { side: 'buy', lots: 1, ticks: 11 });
    floor.reported();
    expect(floor.exchange.cancelAll(account, micros(0), 'BTCUSDT')).toBe(2);
    expect(floor.events()).toEqual([
      'canceled b1------ canceled 0/1',
      'canceled b2------ canceled 0/1',
    ]);
    expect(floor.exchange.cancelAll(account, micros(0))).toBe(1);
    expect(floor.exchange.cancelAll(account, micros(0), 'NONE')).toBe(0);
    expect(floor.balance(account, 'USDT')).toBe('10000 0');
    expect(floor.exchange.activeOrder(other, idOf('b1'))).not.toBe(-1);
  });
});

describe('orders of different instruments', () => {
  test('do not meet, and share the balances of a currency', () => {
    const floor = new Floor([
      instrumentOf(),
      instrumentOf({ symbol: 'ETHUSDT', baseCurrency: 'ETH' }),
    ]);
    const account = floor.account({ USDT: '1000', ETH: '1' });
    const other = floor.account({ BTC: '5' });
    floor.place(other, 'sell', { side: 'sell', lots: 5, ticks: 100 });
    floor.reported();
    floor.place(account, 'buy', { symbol: 'ETHUSDT', side: 'buy', lots: 5, ticks: 100 });
    expect(floor.reported()).toEqual(['new buy----- new 0/5', `balance ${account} USDT 499 501`]);
  });
});
