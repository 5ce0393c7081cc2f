import { describe, expect, test } from 'vitest';
import { MarginFloor } from './kit.ts';

/** A market of 99 to 101, a thousand lots each, and an account of 1,000 on isolated margin, leverage 10. */
function opened(): { floor: MarginFloor; account: number } {
  const floor = new MarginFloor();
  floor.quote(99, 101);
  const account = floor.account({ USDT: '5000' });
  floor.set(account, '1000');
  floor.reported();
  return { floor, account };
}

describe('reduce-only', () => {
  test(
    'a fill closes what there is and never turns it',
    { tags: ['server:trading-v3.rule.reduce-only'] },
    () => {
      const { floor, account } = opened();
      floor.place(account, 'buy', { side: 'buy', lots: 3 });
      floor.reported();
      floor.place(account, 'sell', { side: 'sell', lots: 5, ticks: 99, reduceOnly: true });
      expect(floor.reported()).toEqual(
        [
          'new sell---- 0/5',
          'trade sell---- sell 3@99',
          'canceled sell---- 3/5',
          'closed 999.4 #1 0 pnl -6',
        ].map((line) => line.replace('999.4', floor.margin(account))),
      );
      expect(floor.view(account).positions).toEqual([]);
    },
  );

  test('an order to fill or kill is worth what there is to close', () => {
    const { floor, account } = opened();
    floor.place(account, 'buy', { side: 'buy', lots: 3 });
    floor.quote(99, 101, 3);
    expect(
      floor.place(account, 'out', { side: 'sell', lots: 9, reduceOnly: true }),
    ).toBeUndefined();
    expect(floor.view(account).positions).toEqual([]);
  });

  test('a resting one gives no more than the position, whoever comes', () => {
    const { floor, account } = opened();
    const other = floor.account({ USDT: '5000' });
    floor.place(account, 'buy', { side: 'buy', lots: 3 });
    floor.place(account, 'tp', { side: 'sell', lots: 5, ticks: 100, reduceOnly: true });
    floor.place(account, 'tp2', { side: 'sell', lots: 5, ticks: 100, reduceOnly: true });
    floor.reported();
    // Only three can be had at 100, so five are not to be had there.
    const take = { side: 'buy', lots: 5, ticks: 100, margin: false, timeInForce: 'FOK' } as const;
    floor.place(other, 'kill', take);
    expect(floor.reported()).toEqual(['expired kill---- 0/5']);
    floor.place(other, 'take', { ...take, timeInForce: 'IOC' });
    expect(floor.reported()).toEqual([
      'new take---- 0/5',
      'trade tp------ sell 3@100',
      'trade take---- buy 3@100',
      'canceled tp------ 3/5',
      'canceled tp2----- 0/5',
      'expired take---- 3/5',
      `closed ${floor.margin(account)} #1 0 pnl -3`,
    ]);
    floor.print(100, 50, 'buy');
    expect(floor.view(account).positions).toEqual([]);
  });

  test('without an opposite position it is refused, and on the side of one too', () => {
    const { floor, account } = opened();
    const out = { lots: 1, reduceOnly: true } as const;
    expect(floor.place(account, 'a', { ...out, side: 'sell' })).toMatchObject({
      code: 'position-unknown',
      field: 'reduceOnly',
    });
    floor.place(account, 'buy', { side: 'buy', lots: 3 });
    expect(floor.place(account, 'b', { ...out, side: 'buy' })?.code).toBe('position-unknown');
    expect(floor.place(account, 'c', { ...out, side: 'sell' })).toBeUndefined();
    expect(floor.position(account).quantity.toFixed()).toBe('2');
  });

  test('it holds nothing', () => {
    const { floor, account } = opened();
    floor.place(account, 'buy', { side: 'buy', lots: 3 });
    floor.place(account, 'tp', { side: 'sell', lots: 5, ticks: 120, reduceOnly: true });
    expect(floor.view(account).reservedOrders.isZero()).toBe(true);
  });
});

describe('close-position', () => {
  const closing = { side: 'sell', type: 'stopMarket', stopTicks: 95, closePosition: true } as const;

  test(
    'closes all there is when it is triggered',
    { tags: ['server:trading-v3.rule.close-position-stop-market'] },
    () => {
      const { floor, account } = opened();
      expect(floor.place(account, 'stop', closing)).toBeUndefined();
      floor.place(account, 'buy', { side: 'buy', lots: 3 });
      floor.quote(94, 96);
      floor.reported();
      floor.print(95, 1, 'sell');
      expect(floor.reported()).toEqual([
        'new stop---- 0/3',
        'trade stop---- sell 3@94',
        `closed ${floor.margin(account)} #1 0 pnl -21`,
      ]);
    },
  );

  test(
    'is canceled where there is nothing to close',
    { tags: ['server:trading-v3.rule.close-position-stop-market'] },
    () => {
      const { floor, account } = opened();
      floor.place(account, 'stop', closing);
      floor.reported();
      floor.print(95, 1, 'sell');
      expect(floor.reported()).toEqual(['canceled stop---- 0/0']);
    },
  );

  test('is canceled where the market cannot take all of it', () => {
    const { floor, account } = opened();
    floor.place(account, 'buy', { side: 'buy', lots: 3 });
    floor.place(account, 'stop', closing);
    floor.quote(94, 96, 2);
    floor.reported();
    floor.print(95, 1, 'sell');
    expect(floor.reported()).toEqual(['canceled stop---- 0/3']);
  });

  test(
    'takes no quantity, and only waiting market orders can have it',
    { tags: ['server:trading-v3.rule.close-position-no-quantity'] },
    () => {
      const { floor, account } = opened();
      expect(floor.place(account, 'a', { ...closing, lots: 1 })).toMatchObject({
        code: 'quantity-invalid',
        field: 'quantity',
      });
      const limit = { side: 'sell', ticks: 90, closePosition: true } as const;
      expect(floor.place(account, 'b', limit)?.code).toBe('type-invalid');
      const profit = { ...closing, type: 'takeProfitMarket', stopTicks: 120 } as const;
      expect(floor.place(account, 'c', profit)).toBeUndefined();
      expect(floor.replace(account, 'c', 'd', { lots: 3 })?.field).toBe('closePosition');
    },
  );

  test(
    'every other order needs one',
    { tags: ['server:trading-v3.rule.quantity-required'] },
    () => {
      const { floor, account } = opened();
      expect(floor.place(account, 'a', { side: 'buy', ticks: 90 })?.code).toBe(
        'quantity-below-minimum',
      );
    },
  );
});
