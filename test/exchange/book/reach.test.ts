import { describe, expect, test } from 'vitest';
import { MarginFloor } from '../margin/kit.ts';

/**
 * A long of 5 of `holder`, who sells 5 plainly at 101, and 5 more at 102 that only reduce the
 * position; somebody else sells at 200.
 */
function crowded(): MarginFloor {
  const floor = new MarginFloor();
  const holder = floor.account({ USDT: '100000' });
  const other = floor.account({ BTC: '500' });
  floor.quote(99, 100);
  floor.set(holder, '10000');
  floor.place(holder, 'open', { side: 'buy', ticks: 100, lots: 5 });
  floor.place(holder, 'plain', { side: 'sell', ticks: 101, lots: 5 });
  floor.place(holder, 'reduce', { side: 'sell', ticks: 102, lots: 5, reduceOnly: true });
  floor.place(other, 'far', { side: 'sell', ticks: 200, lots: 500, margin: false });
  floor.quote(99, 0);
  floor.reported();
  return floor;
}

describe('what an incoming order can have behind orders that close a position', () => {
  test('FOK does not count an order that only reduces what a plain one before it closes', () => {
    const floor = crowded();
    const taker = floor.account({ USDT: '2000' });
    const order = { side: 'buy', ticks: 102, lots: 10, timeInForce: 'FOK', margin: false } as const;
    expect(floor.place(taker, 'fok', order)).toBeUndefined();
    expect(floor.reported()).toEqual(['expired fok----- 0/10']);
  });

  test('a market buy must be able to pay what comes after it', () => {
    const floor = crowded();
    const poor = floor.account({ USDT: '1506.505' });
    const rich = floor.account({ USDT: '1506.506' });
    const order = { side: 'buy', lots: 10, margin: false } as const;
    expect(floor.place(poor, 'poor', order)).toMatchObject({
      code: 'funds-insufficient',
      limit: '1506.505',
    });
    expect(floor.place(rich, 'rich', order)).toBeUndefined();
    expect(floor.row(rich)).toBe('0.001');
  });

  test('a part of the position that is left counts', () => {
    const floor = crowded();
    const first = floor.account({ USDT: '2000' });
    const taker = floor.account({ USDT: '2000' });
    floor.place(first, 'first', { side: 'buy', ticks: 101, lots: 2, margin: false });
    floor.reported();
    const order = { side: 'buy', ticks: 102, lots: 4, timeInForce: 'FOK', margin: false } as const;
    expect(floor.place(taker, 'four', order)).toBeUndefined();
    expect(floor.reported()).toEqual(['expired four---- 0/4']);
    expect(floor.place(taker, 'three', { ...order, lots: 3 })).toBeUndefined();
    expect(floor.reported()).toContain('trade three--- buy 3@101');
  });

  test('a leg with nothing to reduce leaves the other of its set to be had', () => {
    const floor = crowded();
    const order = { side: 'sell', lots: 5, margin: 'isolated' } as const;
    const holder = 4;
    floor.cancel(holder, 'reduce');
    expect(
      floor.list(holder, 'oneCancelOther', {
        tp: { ...order, ticks: 103, reduceOnly: true },
        sl: { ...order, type: 'takeProfitLimit', stopTicks: 90, ticks: 104 },
      }),
    ).toBeUndefined();
    floor.print(95, 1, 'sell');
    floor.quote(99, 0);
    floor.reported();
    const taker = floor.account({ USDT: '2000' });
    const fok = { side: 'buy', ticks: 104, lots: 10, timeInForce: 'FOK', margin: false } as const;
    expect(floor.place(taker, 'fok', fok)).toBeUndefined();
    expect(floor.reported().filter((line) => line.startsWith('trade fok'))).toEqual([
      'trade fok----- buy 5@101',
      'trade fok----- buy 5@104',
    ]);
  });
});
