import { describe, expect, test } from 'vitest';
import {
  amount,
  cancel,
  cancelAll,
  dca,
  flat,
  grid,
  iceberg,
  minutes,
  price,
  quantity,
  quote,
  rate,
  target,
  twap,
  vwap,
} from '../../../src/index.ts';
import type { AlgoOrder } from '../../../src/model/algo-order.ts';
import type { Command } from '../../../src/strategy/commands.ts';
import type { TestEvent } from '../../../src/testing.ts';
import { id, wishing, type Wishing } from './kit.ts';

const top = (at: string, bid: number, ask: number): TestEvent => ({
  at,
  bids: [[(bid / 100).toFixed(2), 1_000]],
  asks: [[(ask / 100).toFixed(2), 1_000]],
});
const trade = (at: string, ticks: number, lots: number): TestEvent => ({
  at,
  trade: (ticks / 100).toFixed(2),
  size: (lots / 1_000).toFixed(3),
});

/** The last word on an algo order. */
function last({ received }: Wishing): AlgoOrder {
  const event = received('algo-order').at(-1);
  if (event === undefined) throw new Error('nothing was said of an algo order');
  return event.order;
}

/** Fills the last order whole. */
function fillLast({ wire }: Wishing, at: number): void {
  const request = wire.last;
  if (request.kind !== 'place') throw new Error(`the last request is a ${request.kind}`);
  wire.accept(request);
  wire.fill(request.clientOrderId, request.lots, at);
}

describe('twap', () => {
  const four = twap('BTCUSDT', {
    id: 'twap-0001',
    side: 'buy',
    lots: 10,
    over: minutes(4),
    slices: 4,
  });

  test('sends whole lots that sum to the parent, one slice an interval, and reports slippage', () => {
    const rig = wishing();
    rig.play([top('00:00', 99, 101)]);
    rig.give(four);
    for (const at of ['00:01', '00:02', '00:03']) {
      fillLast(rig, 102);
      rig.play([top(at, 99, 101)]);
    }
    fillLast(rig, 110);
    expect(rig.sent()).toEqual([2, 2, 3, 3].map((lots) => ['buy', 'market', lots]));
    const order = last(rig);
    expect(order).toMatchObject({ status: 'filled', bought: { lots: 10 }, sold: { lots: 0 } });
    // (7 × 1.02 + 3 × 1.10) ÷ 10 against a middle of 1.00
    expect(order.bought.averagePrice?.toFixed()).toBe('1.044');
    expect(order.arrivalPrice?.toFixed()).toBe('1');
    expect(order.slippage?.toFixed()).toBe('0.044');
  });

  test('spreads over the later slices what one did not get, and leaves the rest at its end', () => {
    const rig = wishing();
    rig.play([top('00:00', 99, 101)]);
    rig.give(four);
    rig.wire.accept();
    rig.wire.end(id(1), 'expired');
    rig.play([top('00:01', 99, 101)]);
    fillLast(rig, 101);
    rig.play([top('00:02', 99, 101)]);
    fillLast(rig, 101);
    rig.play([top('00:03', 99, 101)]);
    rig.wire.accept();
    rig.wire.fill(id(4), 1, 101);
    rig.wire.end(id(4), 'expired');
    expect(rig.sent()).toEqual([2, 3, 3, 4].map((lots) => ['buy', 'market', lots]));
    rig.play([top('00:05', 99, 101)]);
    expect(rig.sent()).toEqual([]);
    expect(last(rig)).toMatchObject({ status: 'expired', bought: { lots: 7 } });
    expect(last(rig).why).toBe('its time is over with 3 lots left');
  });

  test('takes the rest at market until it has it, where that is asked for', () => {
    const rig = wishing();
    rig.play([top('00:00', 99, 101)]);
    rig.give(
      twap('BTCUSDT', {
        id: 'twap-0001',
        side: 'sell',
        ticks: 95,
        lots: 4,
        over: minutes(1),
        slices: 1,
        atEnd: 'market',
      }),
    );
    rig.wire.accept();
    rig.wire.end(id(1), 'expired');
    rig.play([top('00:01', 99, 101)]);
    rig.wire.accept();
    rig.wire.end(id(2), 'expired');
    rig.play([top('00:01:00.5', 99, 102)]);
    expect(rig.sent()).toEqual([
      ['sell', 4, 95],
      ['sell', 'market', 4],
    ]);
    rig.play([top('00:01:02', 99, 103)]);
    expect(rig.sent()).toEqual([['sell', 'market', 4]]);
    fillLast(rig, 99);
    expect(last(rig)).toMatchObject({ status: 'filled', sold: { lots: 4 } });
  });

  test('waits for the answer to a slice before it sends the next', () => {
    const rig = wishing();
    rig.play([top('00:00', 99, 101)]);
    rig.give(four);
    rig.play([top('00:01:30', 99, 101)]);
    expect(rig.sent()).toEqual([['buy', 'market', 2]]);
    fillLast(rig, 101);
    expect(rig.sent()).toEqual([['buy', 'market', 2]]);
  });

  test('takes no more than its part of the volume, and what is missing later', () => {
    const rig = wishing();
    rig.play([top('00:00', 99, 101)]);
    rig.give(
      twap('BTCUSDT', {
        id: 'twap-0001',
        side: 'buy',
        lots: 90,
        over: minutes(3),
        slices: 3,
        participation: rate('0.1'),
      }),
    );
    rig.play([trade('00:00:10', 100, 99), trade('00:00:20', 100, 201), top('00:01', 99, 101)]);
    fillLast(rig, 101);
    rig.play([trade('00:01:10', 100, 55), top('00:02', 99, 101)]);
    expect(rig.sent()).toEqual([
      ['buy', 'market', 30],
      ['buy', 'market', 5],
    ]);
  });

  test('is late by the same chance each time', () => {
    const times = (name: string): readonly number[] => {
      const rig = wishing();
      rig.play([top('00:00', 99, 101)]);
      rig.give(twap('BTCUSDT', { id: name, side: 'buy', lots: 10, over: minutes(5), slices: 5, jitter: 1 })); // prettier-ignore
      for (let second = 1; second < 300; second += 1) {
        const at = new Date(second * 1_000).toISOString().slice(11, 19);
        rig.play([top(at, 99, 101 + (second % 2))]);
        if (rig.wire.requests.length > 0 && rig.sent().length > 0) fillLast(rig, 101);
      }
      return rig.received('request').map(({ at }) => at);
    };
    const [first, again, other] = [times('twap-0001'), times('twap-0001'), times('twap-0002')];
    expect(first).toEqual(again);
    expect(first).not.toEqual(other);
    expect(first.map((at) => Math.floor(at / 6e7))).toEqual([0, 1, 2, 3, 4]);
  });
});

describe('vwap', () => {
  test('takes slices by a profile, exact to the lot', () => {
    const rig = wishing();
    rig.play([top('00:00', 99, 101)]);
    rig.give(
      vwap('BTCUSDT', {
        id: 'vwap-0001',
        side: 'buy',
        lots: 100,
        over: minutes(4),
        slices: 4,
        profile: [3, 0, 1, 3],
      }),
    );
    for (const at of ['00:01', '00:02', '00:03', '00:04']) {
      if (rig.wire.requests.length > 0 && rig.sent().length > 0) fillLast(rig, 101);
      rig.play([top(at, 99, 101)]);
    }
    expect(rig.received('request').map(({ request }) => 'lots' in request && request.lots)).toEqual([42, 14, 44]); // prettier-ignore
    expect(last(rig)).toMatchObject({ status: 'filled', bought: { lots: 100 } });
  });

  test('follows the volume before each slice without one', () => {
    const rig = wishing();
    rig.play([top('00:00', 99, 101)]);
    rig.give(vwap('BTCUSDT', { id: 'vwap-0001', side: 'buy', lots: 90, over: minutes(3), slices: 3 })); // prettier-ignore
    fillLast(rig, 101);
    rig.play([trade('00:00:30', 100, 40), top('00:01', 99, 101)]);
    fillLast(rig, 101);
    expect(rig.sent()).toEqual([
      ['buy', 'market', 30],
      ['buy', 'market', 30],
    ]);
  });
});

describe('iceberg', () => {
  test('shows a part at a time, and the next when that has filled whole', () => {
    const rig = wishing();
    rig.play([top('00:00', 99, 101)]);
    rig.give(
      iceberg('BTCUSDT', { id: 'berg-0001', side: 'buy', ticks: 99, lots: 7, visibleLots: 3 }),
    );
    rig.wire.accept();
    rig.wire.fill(id(1), 1, 99);
    expect(rig.sent()).toEqual([['buy', 3, 99]]);
    rig.wire.fill(id(1), 2, 99);
    fillLast(rig, 99);
    fillLast(rig, 99);
    expect(rig.sent()).toEqual([
      ['buy', 3, 99],
      ['buy', 1, 99],
    ]);
    expect(last(rig)).toMatchObject({ status: 'filled', bought: { lots: 7 } });
  });
});

describe('grid', () => {
  test('buys below the market, and each fill arms the other side', () => {
    const rig = wishing({ USDT: '1000', BTC: '1' });
    rig.play([top('00:00', 118, 122)]);
    rig.give(grid('BTCUSDT', { id: 'grid-0001', lowTicks: 100, highTicks: 130, levels: 4, lots: 5 })); // prettier-ignore
    expect(rig.sent()).toEqual([
      ['buy', 5, 100],
      ['buy', 5, 110],
      ['buy', 5, 120],
    ]);
    for (const request of rig.wire.requests) rig.wire.accept(request);
    rig.wire.fill(id(3), 2, 120);
    expect(rig.sent()).toEqual([]);
    rig.wire.fill(id(3), 3, 120);
    expect(rig.sent()).toEqual([['sell', 5, 130]]);
    rig.play([top('00:01', 118, 119)]);
    fillLast(rig, 130);
    // Bought again below the market alone.
    expect(rig.sent()).toEqual([]);
    rig.play([top('00:02', 118, 122)]);
    expect(rig.sent()).toEqual([['buy', 5, 120]]);
    expect(last(rig)).toMatchObject({ status: 'working', bought: { lots: 5 }, sold: { lots: 5 } });
    rig.wire.accept();
    rig.give(cancel('grid-0001'));
    expect(rig.sent()).toEqual([
      ['cancel', 1],
      ['cancel', 2],
      ['cancel', 5],
    ]);
    for (const number of [1, 2, 5]) rig.wire.end(id(number), 'canceled');
    expect(last(rig)).toMatchObject({ status: 'canceled' });
  });

  test('has prices at the same ratio, each at the nearest tick', () => {
    const rig = wishing({ USDT: '100000' });
    rig.play([top('00:00', 99_999, 100_001)]);
    rig.give(
      grid('BTCUSDT', {
        id: 'grid-0001',
        low: price('100'),
        high: price('200'),
        levels: 5,
        lots: 1,
        spacing: 'geometric',
      }),
    );
    // 10000 × 2^(1/4), 2^(2/4), 2^(3/4)
    expect(rig.sent()).toEqual([10_000, 11_892, 14_142, 16_818].map((ticks) => ['buy', 1, ticks]));
  });
});

describe('dca', () => {
  test('buys a value every so often, and sells all above the mean', () => {
    const rig = wishing();
    rig.play([top('00:00', 99, 100)]);
    rig.give(
      dca('BTCUSDT', {
        id: 'dca-00001',
        value: amount('0.005'),
        every: minutes(1),
        max: 2,
        takeProfit: rate('0.1'),
      }),
    );
    fillLast(rig, 100);
    rig.wire.accept();
    rig.play([top('00:00:59', 79, 80), top('00:01', 79, 80)]);
    // 5 lots at 100 ticks, and 6 at 80: the exit of before is withdrawn.
    expect(rig.sent()).toEqual([
      ['buy', 'market', 5],
      ['sell', 5, 110],
      ['cancel', 2],
      ['buy', 'market', 6],
    ]);
    rig.wire.end(id(2), 'canceled');
    fillLast(rig, 80);
    // (500 + 480) ÷ 11 × 1.1 = 98
    expect(rig.sent()).toEqual([['sell', 11, 98]]);
    fillLast(rig, 98);
    expect(last(rig)).toMatchObject({ status: 'filled', bought: { lots: 11 }, sold: { lots: 11 } });
  });

  test('buys on a drop below the mean, as often as it may', () => {
    const rig = wishing();
    rig.play([top('00:00', 99, 100)]);
    rig.give(dca('BTCUSDT', { id: 'dca-00001', value: amount('0.01'), drop: rate('0.1'), max: 2 }));
    fillLast(rig, 100);
    rig.play([top('00:01', 90, 91)]);
    expect(rig.sent()).toEqual([['buy', 'market', 10]]);
    rig.play([top('00:02', 89, 90)]);
    expect(rig.sent()).toEqual([['buy', 'market', 11]]);
    fillLast(rig, 90);
    rig.play([top('00:03', 50, 51)]);
    expect(rig.sent()).toEqual([]);
    expect(last(rig)).toMatchObject({ status: 'filled', bought: { lots: 21 } });
  });
});

describe('algo orders', () => {
  const berg = (ticks: number, name = 'berg-0001'): Command =>
    iceberg('BTCUSDT', { id: name, side: 'buy', ticks, lots: 7, visibleLots: 3 });

  test('the same command again is the same order; another one needs another id', () => {
    const rig = wishing();
    rig.play([top('00:00', 99, 101)]);
    rig.give(berg(99));
    rig.give(berg(99));
    rig.give(berg(98));
    expect(rig.sent()).toHaveLength(1);
    expect(rig.received('refused')).toMatchObject([
      { rejection: { code: 'client-order-id-taken', field: 'id' } },
    ]);
  });

  test('a target waits until nothing of them can fill; flat and cancelAll end them', () => {
    const rig = wishing({ USDT: '1000', BTC: '1' });
    rig.play([top('00:00', 99, 101)]);
    rig.give(berg(99));
    rig.wire.accept();
    rig.give(target('BTCUSDT', { lots: 1_002 }));
    expect(rig.sent()).toEqual([
      ['buy', 3, 99],
      ['cancel', 1],
    ]);
    rig.wire.fill(id(1), 1, 99);
    rig.wire.end(id(1), 'canceled');
    expect(rig.sent()).toEqual([['buy', 'market', 1]]);
    for (const [index, end] of [flat('BTCUSDT'), cancelAll('BTCUSDT'), cancelAll()].entries()) {
      const other = wishing();
      other.play([top('00:00', 99, 101)]);
      other.give(berg(99, `berg-000${index}`));
      other.wire.accept();
      other.give(end);
      expect(other.sent()).toContainEqual(['cancel', 1]);
    }
  });

  test('one takes the place of a quote, and stands beside another', () => {
    const rig = wishing();
    rig.play([top('00:00', 99, 101)]);
    rig.give(quote('BTCUSDT', { bid: { ticks: 90, lots: 1 } }));
    rig.wire.accept();
    rig.give(berg(99));
    rig.give(berg(98, 'berg-0002'));
    expect(rig.sent()).toEqual([
      ['buy', 1, 90],
      ['cancel', 1],
      ['buy', 3, 99],
      ['buy', 3, 98],
    ]);
  });

  test('a child order that is rejected is sent again after a pause', () => {
    const rig = wishing();
    rig.play([top('00:00', 99, 101)]);
    rig.give(berg(99));
    rig.wire.reject();
    rig.play([top('00:00:00.5', 99, 102)]);
    expect(rig.sent()).toHaveLength(1);
    rig.play([top('00:00:01', 99, 103)]);
    expect(rig.sent()).toEqual([['buy', 3, 99]]);
  });

  const sliced = { id: 'algo-0001', side: 'buy', lots: 10, over: 60_000, slices: 4 } as const;
  const spread = { id: 'algo-0001', lots: 1, levels: 3 } as const;
  test.each<[string, Command, string, string]>([
    [
      'an id that is too short',
      twap('BTCUSDT', { ...sliced, id: 'a' }),
      'client-order-id-invalid',
      'id',
    ],
    ['an unknown symbol', twap('XYZ', sliced), 'symbol-unknown', 'symbol'],
    [
      'no quantity',
      twap('BTCUSDT', { ...sliced, lots: undefined } as never),
      'quantity-missing',
      'quantity',
    ],
    [
      'a quantity off the grid',
      twap('BTCUSDT', { ...sliced, lots: undefined, quantity: quantity('0.0001') }),
      'quantity-off-increment',
      'quantity',
    ],
    ['no slices', twap('BTCUSDT', { ...sliced, slices: 0 }), 'request-invalid', 'slices'],
    ['no time', twap('BTCUSDT', { ...sliced, over: 0 }), 'request-invalid', 'over'],
    ['a jitter above 1', twap('BTCUSDT', { ...sliced, jitter: 1.1 }), 'request-invalid', 'jitter'],
    [
      'a participation above 1',
      twap('BTCUSDT', { ...sliced, participation: rate('1.1') }),
      'request-invalid',
      'participation',
    ],
    [
      'a profile of another length',
      vwap('BTCUSDT', { ...sliced, profile: [1, 2] }),
      'request-invalid',
      'profile',
    ],
    [
      'a profile of nothing',
      vwap('BTCUSDT', { ...sliced, profile: [0, 0, 0, 0] }),
      'request-invalid',
      'profile',
    ],
    [
      'an iceberg without a price',
      iceberg('BTCUSDT', { id: 'algo-0001', side: 'buy', lots: 5, visibleLots: 1 } as never),
      'price-missing',
      'price',
    ],
    [
      'one that shows more than it has',
      iceberg('BTCUSDT', { id: 'algo-0001', side: 'buy', ticks: 1, lots: 5, visibleLots: 6 }),
      'request-invalid',
      'visibleLots',
    ],
    [
      'a grid upside down',
      grid('BTCUSDT', { ...spread, lowTicks: 5, highTicks: 5 }),
      'request-invalid',
      'low',
    ],
    [
      'more levels than prices',
      grid('BTCUSDT', { ...spread, lowTicks: 5, highTicks: 6 }),
      'request-invalid',
      'levels',
    ],
    [
      'a level',
      grid('BTCUSDT', { ...spread, levels: 1, lowTicks: 5, highTicks: 6 }),
      'request-invalid',
      'levels',
    ],
    [
      'a dca without a time or a drop',
      dca('BTCUSDT', { id: 'algo-0001', value: amount('1'), max: 1 } as never),
      'request-invalid',
      'every',
    ],
    [
      'a dca with both',
      dca('BTCUSDT', {
        id: 'algo-0001',
        value: amount('1'),
        max: 1,
        every: 5,
        drop: rate('0.1'),
      } as never),
      'request-invalid',
      'every',
    ],
    [
      'a dca of nothing',
      dca('BTCUSDT', { id: 'algo-0001', value: amount('0'), max: 1, every: 5 }),
      'request-invalid',
      'value',
    ],
    [
      'a member that it does not have',
      twap('BTCUSDT', { ...sliced, pace: 1 } as never),
      'request-invalid',
      'pace',
    ],
  ])('is refused: %s', (_, command, code, field) => {
    const rig = wishing();
    rig.play([top('00:00', 99, 101)]);
    rig.give(command);
    expect(rig.received('refused')).toMatchObject([{ rejection: { code, field } }]);
    expect(rig.sent()).toEqual([]);
  });
});
