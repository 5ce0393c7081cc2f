import { describe, expect, test } from 'vitest';
import { decimal } from '../../src/model/decimal.ts';
import { Floor } from './kit.ts';
import { plays } from './script.ts';

describe('unaffordable: cancel', () => {
  plays(
    'a replacement for which the means are missing cancels the order, as the service did in 2018',
    `
      > order old buy limit 5 @100
      new old new 0/5
      > replace old next 50
      canceled old canceled 0/5
      > balance USDT
      USDT 1000 0
      > cancel next
      refused order-unknown
    `,
    { USDT: '1000' },
    { unaffordable: 'cancel' },
  );

  plays(
    'a leg that is canceled so takes the others with it, as when its owner cancels it',
    `
      > list oneCancelOther: tp sell limit 10 @105; sl sell stopMarket 10 stop 95
      new tp new 0/10
      suspended sl suspended 0/10
      > replace tp tp2 11
      canceled tp canceled 0/10
      canceled sl canceled 0/10
      > balance BTC
      BTC 10 0
    `,
    { BTC: '10' },
    { unaffordable: 'cancel' },
  );
});

describe('ocoCancel: trigger', () => {
  plays(
    'a leg that is triggered cancels the others before it enters, even where it expires then',
    `
      > book bid 95 6
      > list oneCancelOther: tp sell limit 10 @105; sl sell stopMarket 10 stop 95
      new tp new 0/10
      suspended sl suspended 0/10
      > print sell 95 1
      canceled tp canceled 0/10
      expired sl expired 0/10
      > balance BTC
      BTC 1000 0
    `,
    undefined,
    { ocoCancel: 'trigger' },
  );

  plays(
    'a limit leg still cancels them with its first trade',
    `
      > list oneCancelOther: tp sell limit 10 @105; sl sell stopMarket 10 stop 95
      new tp new 0/10
      suspended sl suspended 0/10
      > maker m1 buy limit 4 @105
      new m1 new 0/4
      trade 1 tp sell 4@105 maker partiallyFilled 4/10
      trade 1 m1 buy 4@105 taker filled 4/4
      canceled sl canceled 0/10
    `,
    undefined,
    { ocoCancel: 'trigger' },
  );
});

describe('stopReached: refuse', () => {
  const floorAt = (price: number): { floor: Floor; account: number } => {
    const floor = new Floor(undefined, { stopReached: 'refuse' });
    const account = floor.account({ USDT: '10000', BTC: '100' });
    if (price > 0) floor.trade('buy', price, 1);
    floor.reported();
    return { floor, account };
  };

  test.each([
    ['stopLimit', 'buy', 100, 101],
    ['stopLimit', 'sell', 100, 99],
    ['takeProfitLimit', 'buy', 100, 99],
    ['takeProfitLimit', 'sell', 100, 101],
  ] as const)('a %s %s that the last trade would trigger is refused', (type, side, stop, free) => {
    const { floor, account } = floorAt(100);
    const order = { type, side, ticks: 100, lots: 1 };
    expect(floor.place(account, 'reached', { ...order, stop })).toEqual({
      code: 'stop-price-reached',
      field: 'stopPrice',
      message: `stopPrice is ${stop} ticks, which the last trade at 100 has reached already.`,
      limit: '100',
    });
    expect(floor.reported()).toEqual([]);
    expect(floor.place(account, 'free', { ...order, stop: free })).toBeUndefined();
    expect(floor.replace(account, 'free', 'next', { stop })?.code).toBe('stop-price-reached');
    expect(floor.replace(account, 'free', 'next', { lots: 2 })).toBeUndefined();
  });

  test('before the first trade every stop price waits', () => {
    const { floor, account } = floorAt(0);
    const order = { type: 'stopLimit', side: 'sell', ticks: 9, lots: 1, stop: 100 } as const;
    expect(floor.place(account, 'stop', order)).toBeUndefined();
  });

  test('a candle gives the last price where there are no trades', () => {
    const { floor, account } = floorAt(0);
    floor.candle(90, 110, 80, 100, 5);
    const order = { type: 'stopLimit', side: 'sell', ticks: 9, lots: 1 } as const;
    expect(floor.place(account, 'stop', { ...order, stop: 100 })?.code).toBe('stop-price-reached');
    expect(floor.place(account, 'stop', { ...order, stop: 99 })).toBeUndefined();
  });

  test('a leg is refused with its list, a secondary waits for its primary and then for a trade', () => {
    const { floor, account } = floorAt(100);
    const stop = { type: 'stopMarket', side: 'sell', stop: 100, lots: 1 } as const;
    const limit = { side: 'sell', ticks: 120, lots: 1 } as const;
    const legs = [
      ['tp', limit],
      ['sl', stop],
    ] as const;
    expect(floor.placeList(account, 'oneCancelOther', legs)).toMatchObject({
      code: 'stop-price-reached',
      field: 'orders[1].stopPrice',
    });
    expect(floor.placeList(account, 'oneTriggerOther', legs)).toBeUndefined();
  });
});

describe('marketBuyFactor', () => {
  test('a market buy must be able to pay so many times its levels, and pays what they cost', () => {
    const floor = new Floor(undefined, { marketBuyFactor: decimal('1.1') });
    // 2 × 100 × 1.002 × 1.1 = 220.44.
    const account = floor.account({ USDT: '220.44' });
    floor.snapshot([['ask', 100, 9]]);
    expect(floor.place(account, 'buy', { side: 'buy', lots: 2 })).toMatchObject({
      code: 'funds-insufficient',
      limit: '220.44',
    });
    floor.exchange.deposit(account, 'USDT', decimal('0.01'));
    expect(floor.place(account, 'buy', { side: 'buy', lots: 2 })).toBeUndefined();
    expect(floor.balance(account, 'USDT')).toBe('20.05 0');
    // 2 × 10 × 1.002 = 20.04: a limit order needs no more than it can cost.
    expect(floor.place(account, 'limit', { side: 'buy', lots: 2, ticks: 10 })).toBeUndefined();
  });

  test('so must one that is triggered, and one of a list', () => {
    const floor = new Floor(undefined, { marketBuyFactor: decimal('2') });
    const account = floor.account({ USDT: '115' });
    floor.snapshot([['ask', 100, 9]]);
    floor.place(account, 'stop', { type: 'stopMarket', side: 'buy', stop: 100, lots: 1 });
    floor.reported();
    floor.trade('buy', 100, 1);
    expect(floor.events()).toEqual(['canceled stop---- canceled 0/1']);
    const parts = [
      ['a', { side: 'buy', lots: 1 }],
      ['b', { side: 'sell', lots: 1, ticks: 120 }],
    ] as const;
    expect(floor.placeList(account, 'oneTriggerOther', parts)).toMatchObject({
      code: 'funds-insufficient',
      field: 'orders[0].quantity',
    });
  });
});
