import { describe, expect, test } from 'vitest';
import { Floor, instrumentOf } from '../kit.ts';

function floorWith(balances: Readonly<Record<string, string>> = { USDT: '100000', BTC: '1000' }): {
  floor: Floor;
  account: number;
  maker: number;
} {
  const floor = new Floor();
  const account = floor.account(balances);
  const maker = floor.account({ USDT: '100000', BTC: '1000' });
  floor.snapshot([
    ['bid', 99, 50],
    ['ask', 101, 50],
  ]);
  return { floor, account, maker };
}

describe('a suspended order is triggered by the last trade', () => {
  test.each([
    ['a stop buy', 'stopMarket', 'buy', 104, 105],
    ['a stop sell', 'stopMarket', 'sell', 96, 95],
    ['a take-profit buy', 'takeProfitMarket', 'buy', 96, 95],
    ['a take-profit sell', 'takeProfitMarket', 'sell', 104, 105],
  ] as const)(
    '%s when it reaches the stop price or passes it',
    {
      tags: [
        'server:trading-v3.rule.trigger-stop',
        'server:trading-v3.rule.trigger-direction',
        'server:trading-v3.state.create-stop-to-suspended',
        'server:trading-v3.state.suspended-to-active',
      ],
    },
    (_, type, side, short, stop) => {
      const { floor, account } = floorWith();
      floor.place(account, 'stop', { type, side, stop, lots: 2 });
      expect(floor.events()).toEqual(['suspended stop---- suspended 0/2']);
      floor.trade(side, short, 1);
      expect(floor.events()).toEqual([]);
      floor.trade(side, stop, 1);
      const price = side === 'buy' ? 101 : 99;
      expect(floor.events()).toEqual([
        'new stop---- new 0/2',
        `trade 1 stop---- ${side} 2@${price} taker filled 2/2`,
      ]);
    },
  );

  test('a condition that is true already waits for the next trade', () => {
    const { floor, account } = floorWith();
    floor.trade('buy', 101, 1);
    floor.place(account, 'late', { type: 'stopLimit', side: 'buy', stop: 90, ticks: 95, lots: 1 });
    expect(floor.events()).toEqual(['suspended late---- suspended 0/1']);
    floor.trade('buy', 101, 1);
    expect(floor.events()).toEqual(['new late---- new 0/1']);
  });

  test('a trade of two accounts triggers when the order that made it has finished', () => {
    const { floor, account, maker } = floorWith();
    floor.place(maker, 'near', { side: 'sell', lots: 1, ticks: 100 });
    floor.place(account, 'stop', {
      type: 'stopLimit',
      side: 'buy',
      stop: 100,
      ticks: 100,
      lots: 1,
    });
    floor.reported();
    floor.place(account, 'taker', { side: 'buy', lots: 3, ticks: 101 });
    expect(floor.events()).toEqual([
      'new taker--- new 0/3',
      'trade 1 near---- sell 1@100 maker filled 1/1',
      'trade 1 taker--- buy 1@100 taker partiallyFilled 1/3',
      'trade 2 taker--- buy 2@101 taker filled 3/3',
      'new stop---- new 0/1',
    ]);
  });

  test('the first stop price on the way comes first, then who has waited longest', () => {
    const { floor, account } = floorWith();
    const place = (name: string, stop: number): void => {
      floor.place(account, name, { type: 'stopLimit', side: 'buy', stop, ticks: 50, lots: 1 });
    };
    place('c105', 105);
    place('a103', 103);
    place('b103', 103);
    place('d107', 107);
    floor.place(account, 'fall', {
      type: 'stopLimit',
      side: 'sell',
      stop: 110,
      ticks: 150,
      lots: 1,
    });
    floor.reported();
    floor.trade('buy', 105, 1);
    expect(floor.events().map((line) => line.split(' ')[1])).toEqual([
      'a103----',
      'b103----',
      'c105----',
      'fall----',
    ]);
  });

  test('what triggered orders trade triggers others', () => {
    const { floor, account, maker } = floorWith();
    floor.place(maker, 'low', { side: 'buy', lots: 1, ticks: 98 });
    floor.depth([['bid', 99, 2]]);
    floor.place(account, 's99', { type: 'stopMarket', side: 'sell', stop: 99, lots: 3 });
    floor.place(account, 's98', { type: 'stopLimit', side: 'sell', stop: 98, ticks: 120, lots: 1 });
    floor.reported();
    floor.trade('sell', 99, 1);
    expect(floor.events()).toEqual([
      'new s99----- new 0/3',
      'trade 1 s99----- sell 2@99 taker partiallyFilled 2/3',
      'trade 2 low----- buy 1@98 maker filled 1/1',
      'trade 2 s99----- sell 1@98 taker filled 3/3',
      'new s98----- new 0/1',
    ]);
  });
});

describe('at its trigger an order', () => {
  test('with FOK expires when it cannot fill whole', () => {
    const { floor, account } = floorWith();
    floor.place(account, 'stop', { type: 'stopMarket', side: 'sell', stop: 99, lots: 51 });
    floor.trade('sell', 99, 1);
    expect(floor.reported().slice(-2)).toEqual([
      'expired stop---- expired 0/51',
      'balance 4 BTC 1000 0',
    ]);
  });

  test.each(['IOC', 'GTC', 'Day'] as const)(
    'of a market type with %s takes what is there and expires with the rest',
    (timeInForce) => {
      const { floor, account } = floorWith();
      floor.place(account, 'stop', {
        type: 'stopMarket',
        side: 'sell',
        stop: 99,
        lots: 51,
        timeInForce,
      });
      floor.trade('sell', 99, 1);
      expect(floor.events().slice(-2)).toEqual([
        'trade 1 stop---- sell 50@99 taker partiallyFilled 50/51',
        'expired stop---- expired 50/51',
      ]);
    },
  );

  test('that is post-only expires when it would take, and its means are free', () => {
    const { floor, account } = floorWith();
    floor.place(account, 'stop', {
      type: 'stopLimit',
      side: 'buy',
      stop: 103,
      ticks: 101,
      lots: 1,
      postOnly: true,
    });
    expect(floor.balance(account, 'USDT')).toBe('99898.798 101.202');
    floor.trade('buy', 103, 1);
    expect(floor.events().at(-1)).toBe('expired stop---- expired 0/1');
    expect(floor.balance(account, 'USDT')).toBe('100000 0');
  });

  test('is canceled when the levels that it would take cost more than there is', () => {
    // Held: 103 and a tenth, up to the tick, is 114; 114 × 1.002 = 114.228.
    const { floor, account } = floorWith({ USDT: '120' });
    floor.place(account, 'stop', { type: 'stopMarket', side: 'buy', stop: 103, lots: 1 });
    expect(floor.balance(account, 'USDT')).toBe('5.772 114.228');
    floor.snapshot([['ask', 130, 5]]);
    floor.reported();
    floor.trade('buy', 130, 1);
    expect(floor.reported()).toEqual(['canceled stop---- canceled 0/1', 'balance 4 USDT 120 0']);
  });

  test('is canceled when its lots no longer fit into the level of its price', () => {
    const floor = new Floor([instrumentOf({ quantityIncrement: '0.000000000000000001' })]);
    const account = floor.account({ BTC: '1' });
    const stop = { type: 'stopLimit', side: 'sell', stop: 5, ticks: 9, lots: 1 } as const;
    floor.place(account, 'stop', stop);
    floor.place(account, 'full', { side: 'sell', lots: Number.MAX_SAFE_INTEGER, ticks: 9 });
    floor.reported();
    floor.trade('sell', 5, 1);
    expect(floor.events()).toEqual(['canceled stop---- canceled 0/1']);
  });
});

describe('a suspended order', () => {
  test('needs more than what it holds, which for a market buy is the stop price and a tenth', () => {
    const { floor, account } = floorWith({ USDT: '114.228' });
    const stop = { type: 'stopMarket', side: 'buy', stop: 103, lots: 1 } as const;
    expect(floor.place(account, 'stop', stop)).toMatchObject({
      code: 'funds-insufficient',
      limit: '114.228',
    });
    const rich = floor.account({ USDT: '90071992547409910' });
    const huge = { ...stop, stop: Number.MAX_SAFE_INTEGER };
    expect(floor.place(rich, 'huge', huge)).toMatchObject({
      code: 'number-out-of-range',
      field: 'stopPrice',
      limit: '8188362958855446',
    });
    const most = { ...stop, stop: 8_188_362_958_855_446 };
    expect(floor.place(rich, 'most', most)).toBeUndefined();
  });

  test(
    'expires by time like any other, and is canceled alone or with all',
    { tags: ['server:trading-v3.state.cancel-suspended'] },
    () => {
      const { floor, account } = floorWith();
      const stop = { type: 'stopLimit', side: 'sell', stop: 95, ticks: 94, lots: 1 } as const;
      floor.place(account, 'gtd', { ...stop, timeInForce: 'GTD', expireAt: 10 });
      floor.place(account, 'a', stop);
      floor.place(account, 'b', stop);
      floor.place(account, 'c', { ...stop, type: 'takeProfitLimit' });
      floor.reported();
      floor.pass(10);
      floor.cancel(account, 'b');
      expect(floor.exchange.cancelAll(account, floor.exchange.now)).toBe(2);
      expect(floor.reported()).toEqual([
        'expired gtd----- expired 0/1',
        'balance 4 BTC 997 3',
        'canceled b------- canceled 0/1',
        'balance 4 BTC 998 2',
        'canceled a------- canceled 0/1',
        'canceled c------- canceled 0/1',
        'balance 4 BTC 1000 0',
      ]);
      floor.trade('sell', 90, 1);
      expect(floor.events()).toEqual([]);
    },
  );

  test('may be replaced with another stop price, quantity and price, and waits on', () => {
    const { floor, account } = floorWith();
    floor.trade('sell', 97, 1);
    floor.place(account, 'old', { type: 'stopLimit', side: 'sell', stop: 95, ticks: 94, lots: 1 });
    floor.reported();
    expect(floor.replace(account, 'old', 'new', { stop: 98, ticks: 93, lots: 2 })).toBeUndefined();
    expect(floor.reported()).toEqual(['replaced new----- suspended 0/2', 'balance 4 BTC 998 2']);
    floor.trade('sell', 98, 1);
    expect(floor.events()).toEqual([
      'new new----- new 0/2',
      'trade 1 new----- sell 2@99 taker filled 2/2',
    ]);
  });

  test('keeps no stop price to replace once it was triggered', () => {
    const { floor, account } = floorWith();
    const stop = { type: 'stopLimit', side: 'sell', stop: 95, ticks: 120, lots: 2 } as const;
    floor.place(account, 'stop', stop);
    floor.trade('sell', 95, 1);
    expect(floor.replace(account, 'stop', 'new', { stop: 96 })).toMatchObject({
      code: 'type-invalid',
      field: 'stopPrice',
    });
    expect(floor.replace(account, 'stop', 'new', { ticks: 119 })).toBeUndefined();
    expect(floor.events().at(-1)).toBe('replaced new----- new 0/2');
    floor.trade('sell', 90, 1);
    expect(floor.events()).toEqual([]);
  });

  test('a thousand stop prices trigger in their order', () => {
    const { floor, account } = floorWith();
    for (let i = 0; i < 1_000; i += 1) {
      const stop = 200 + ((i * 617) % 1_000);
      floor.place(account, `s${stop}`, { type: 'stopLimit', side: 'buy', stop, ticks: 9, lots: 1 });
    }
    floor.reported();
    floor.trade('buy', 1_199, 1);
    const names = floor.events().map((line) => line.split(' ')[1]);
    expect(names).toEqual(Array.from({ length: 1_000 }, (_, i) => `s${200 + i}`.padEnd(8, '-')));
  });
});

describe('a candle of a feed without trades', () => {
  const candleFloor = (): { floor: Floor; account: number } => {
    const floor = new Floor();
    const account = floor.account({ USDT: '100000', BTC: '1000' });
    return { floor, account };
  };

  test('triggers at the stop price, and a market order has that price for what is left of the volume', () => {
    const { floor, account } = candleFloor();
    floor.place(account, 'loss', { type: 'stopMarket', side: 'sell', stop: 95, lots: 3 });
    floor.place(account, 'gain', { type: 'takeProfitMarket', side: 'sell', stop: 106, lots: 3 });
    floor.place(account, 'more', { type: 'takeProfitMarket', side: 'sell', stop: 107, lots: 3 });
    floor.reported();
    floor.candle(100, 110, 90, 105, 8);
    expect(floor.events()).toEqual([
      'new loss---- new 0/3',
      'trade 1 loss---- sell 3@95 taker filled 3/3',
      'new gain---- new 0/3',
      'trade 2 gain---- sell 3@106 taker filled 3/3',
      'expired more---- expired 0/3',
    ]);
  });

  test('triggers at the open where that is beyond the stop price', () => {
    const { floor, account } = candleFloor();
    floor.place(account, 'loss', { type: 'stopMarket', side: 'sell', stop: 95, lots: 3 });
    floor.reported();
    floor.candle(92, 93, 90, 91, 8);
    expect(floor.events().at(-1)).toBe('trade 1 loss---- sell 3@92 taker filled 3/3');
  });

  test('triggers nothing without volume, nor where trades or a book give the price', () => {
    const { floor, account } = candleFloor();
    floor.place(account, 'loss', { type: 'stopMarket', side: 'sell', stop: 95, lots: 3 });
    floor.reported();
    floor.candle(100, 110, 90, 105, 0);
    floor.trade('sell', 99, 1);
    floor.candle(100, 110, 90, 105, 9);
    floor.snapshot([['bid', 99, 5]]);
    floor.candle(100, 110, 90, 105, 9);
    expect(floor.events()).toEqual([]);
  });
});
