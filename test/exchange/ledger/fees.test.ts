import { describe, expect, test } from 'vitest';
import { decimal } from '../../../src/model/decimal.ts';
import { micros } from '../../../src/platform/time.ts';
import { Floor, idOf, instrumentOf, type Order } from '../kit.ts';
import { MarginFloor } from '../margin/kit.ts';

// Usual rates: taker 0.002, maker 0.001, in USDT.
function pair(): { floor: Floor; account: number; other: number } {
  const floor = new Floor();
  const account = floor.account({ USDT: '10000', BTC: '100' });
  const other = floor.account({ USDT: '10000', BTC: '100' });
  return { floor, account, other };
}

/** What an account has of the quote currency after a buy of 10 at 100 as taker or maker. */
function paid(role: 'taker' | 'maker', rates: Partial<Order>): string {
  const { floor, account, other } = pair();
  const buy: Order = { side: 'buy', lots: 10, ticks: 100, ...rates };
  const sell: Order = { side: 'sell', lots: 10, ticks: 100 };
  if (role === 'taker') floor.place(other, 'sell', sell);
  expect(floor.place(account, 'buy', buy)).toBeUndefined();
  if (role === 'maker') floor.place(other, 'sell', sell);
  return floor.balance(account, 'USDT');
}

describe('an order that asks for fee rates of its own', () => {
  test(
    'pays a higher taker rate as taker, and no lower one',
    {
      tags: ['server:trading-v3.rule.take-rate-raise-only', 'server:trading-v3.rule.rate-fraction'],
    },
    () => {
      expect(paid('taker', {})).toBe('8998 0');
      // 1,000 × 0.005 = 5: 0.005 is half a percent.
      expect(paid('taker', { takeRate: '0.005' })).toBe('8995 0');
      expect(paid('taker', { takeRate: '0.0001' })).toBe('8998 0');
      expect(paid('taker', { takeRate: '-0.001' })).toBe('8998 0');
      expect(paid('maker', { takeRate: '0.005' })).toBe('8999 0');
    },
  );

  test(
    'pays a higher maker rate as maker, and no lower one',
    { tags: ['server:trading-v3.rule.make-rate-raise-only'] },
    () => {
      expect(paid('maker', {})).toBe('8999 0');
      expect(paid('maker', { makeRate: '0.0025' })).toBe('8997.5 0');
      expect(paid('maker', { makeRate: '0' })).toBe('8999 0');
      expect(paid('taker', { makeRate: '0.0025' })).toBe('8998 0');
    },
  );

  test(
    'is taken with rates below the usual ones, which change nothing',
    { tags: ['server:trading-v3.rule.rate-lower-handling'] },
    () => {
      const { floor, account } = pair();
      const order = { side: 'buy', lots: 10, ticks: 100 } as const;
      expect(floor.place(account, 'low', { ...order, takeRate: '0', makeRate: '-0.5' })).toBe(
        undefined,
      );
      expect(floor.balance(account, 'USDT')).toBe('8998 1002');
      expect(
        floor.exchange.orders.feeSchedule(floor.exchange.activeOrder(account, idOf('low'))),
      ).toBe(0);
    },
  );

  test(
    'holds and needs what it will pay at most',
    { tags: ['server:trading-v3.rule.balance-buy-uses-order-rates'] },
    () => {
      const floor = new Floor();
      const account = floor.account({ USDT: '1003' });
      const order = { side: 'buy', lots: 10, ticks: 100 } as const;
      expect(floor.place(account, 'high', { ...order, takeRate: '0.003' })).toMatchObject({
        code: 'funds-insufficient',
        limit: '1003',
      });
      expect(floor.place(account, 'make', { ...order, makeRate: '0.0031' })?.code).toBe(
        'funds-insufficient',
      );
      expect(floor.place(account, 'fits', { ...order, makeRate: '0.0029' })).toBeUndefined();
      expect(floor.balance(account, 'USDT')).toBe('0.1 1002.9');
      floor.replace(account, 'fits', 'next', { lots: 5 });
      expect(floor.balance(account, 'USDT')).toBe('501.55 501.45');
      floor.cancel(account, 'next');
      expect(floor.balance(account, 'USDT')).toBe('1003 0');
    },
  );

  test('keeps a rebate as maker, unless it asks for more', () => {
    const rebated = (rates: Partial<Order>): string => {
      const floor = new Floor([instrumentOf({ makeRate: '-0.0001' })]);
      const account = floor.account({ USDT: '1000' });
      const other = floor.account({ BTC: '1' });
      floor.place(account, 'buy', { side: 'buy', lots: 1, ticks: 100, ...rates });
      floor.place(other, 'sell', { side: 'sell', lots: 1, ticks: 100 });
      return floor.balance(account, 'USDT');
    };
    expect(rebated({})).toBe('900.01 0');
    expect(rebated({ makeRate: '-0.0002' })).toBe('900.01 0');
    expect(rebated({ makeRate: '-0.00005' })).toBe('900.005 0');
    expect(rebated({ takeRate: '0.1' })).toBe('900.01 0');
  });

  test.each([[{ ticks: 100 }], [{}]])(
    'with rebates of both roles in the base currency a buy needs all of its value: %j',
    (price) => {
      const rates = { feeCurrency: 'BTC', takeRate: '-0.1', makeRate: '-0.2' };
      const floor = new Floor([instrumentOf(rates)]);
      const other = floor.account({ BTC: '20' });
      floor.place(other, 'sell', { side: 'sell', lots: 10, ticks: 100 });
      const poor = floor.account({ USDT: '1000' });
      const rich = floor.account({ USDT: '1001' });
      const order = { side: 'buy', lots: 10, ...price } as const;
      expect(floor.place(poor, 'poor', order)?.code).toBe('funds-insufficient');
      expect(floor.place(rich, 'rich', order)).toBeUndefined();
      expect(floor.balance(rich, 'USDT')).toBe('1 0');
      expect(floor.balance(rich, 'BTC')).toBe('11 0');
    },
  );

  test('pays them in the base currency where fees are charged there', () => {
    const floor = new Floor([instrumentOf({ feeCurrency: 'BTC' })]);
    const account = floor.account({ BTC: '10.05' });
    const other = floor.account({ USDT: '10000' });
    const order = { side: 'sell', lots: 10, ticks: 100 } as const;
    expect(floor.place(account, 'high', { ...order, takeRate: '0.006' })?.code).toBe(
      'funds-insufficient',
    );
    floor.place(account, 'fits', { ...order, makeRate: '0.005' });
    expect(floor.balance(account, 'BTC')).toBe('0 10.05');
    floor.place(other, 'buy', { side: 'buy', lots: 10 });
    expect(floor.balance(account, 'BTC')).toBe('0 0');
  });

  test.each(['1', '-1', '0.0000000001', '5'])('is refused with the rate %s', (takeRate) => {
    const { floor, account } = pair();
    expect(floor.place(account, 'bad', { side: 'buy', lots: 1, ticks: 1, takeRate })).toMatchObject(
      {
        code: 'rate-invalid',
        field: 'takeRate',
      },
    );
    const makeRate = takeRate;
    expect(floor.place(account, 'bad', { side: 'buy', lots: 1, ticks: 1, makeRate })).toMatchObject(
      {
        field: 'makeRate',
      },
    );
  });

  test('leaves nothing behind: however many rates there were, as many are kept as orders have', () => {
    const { floor, account } = pair();
    const { fees } = floor.exchange;
    for (let i = 1; i <= 200; i += 1) {
      const makeRate = `0.00${1_000 + i}`;
      floor.place(account, `o${i}`, { side: 'buy', lots: 1, ticks: 1, makeRate });
      if (i > 2) floor.cancel(account, `o${i - 2}`);
    }
    expect(fees.schedules.length).toBeLessThan(10);
    const order = floor.exchange.activeOrder(account, idOf('o200'));
    expect(fees.ratesOf(floor.exchange.orders.feeSchedule(order)).makeRate.toFixed()).toBe(
      '0.0012',
    );
  });
});

test(
  'a margin order pays the usual rates, whatever it asks for',
  { tags: ['server:trading-v3.rule.rates-spot-only'] },
  () => {
    const floor = new MarginFloor();
    floor.quote(9_999, 10_000);
    const account = floor.account({ USDT: '10000' });
    floor.set(account, '5000');
    const order = { symbol: 'BTCUSDT', side: 'buy', quantity: decimal('2') } as const;
    const rates = { takeRate: decimal('0.01'), makeRate: decimal('0.01') };
    const form = {
      ...order,
      ...rates,
      price: decimal('10000'),
      margin: { mode: 'isolated' },
    } as const;
    expect(floor.exchange.forms.place(account, form, micros(0))).toBeUndefined();
    // 5,000 − 2 × 10,000 × 0.001.
    expect(floor.view(account).marginBalance.toFixed()).toBe('4980');
  },
);

describe('an account', () => {
  test('has the rates of the symbols, until it gets its own', () => {
    const floor = new Floor([
      instrumentOf(),
      instrumentOf({ symbol: 'ETHUSDT', baseCurrency: 'ETH', takeRate: '0.003' }),
    ]);
    const account = floor.account({ USDT: '10000' });
    const rates = (): string[] =>
      floor.exchange.fees
        .symbolFees(account)
        .map(
          ({ symbol, takeRate, makeRate }) =>
            `${symbol} ${takeRate.toFixed()} ${makeRate.toFixed()}`,
        );
    expect(rates()).toEqual(['BTCUSDT 0.002 0.001', 'ETHUSDT 0.003 0.001']);
    const own = { takeRate: decimal('0.0009'), makeRate: decimal('-0.0001') };
    floor.exchange.fees.set(account, 'ETHUSDT', own);
    expect(rates()).toEqual(['BTCUSDT 0.002 0.001', 'ETHUSDT 0.0009 -0.0001']);
    floor.exchange.fees.set(account, 'ETHUSDT');
    expect(rates()).toEqual(['BTCUSDT 0.002 0.001', 'ETHUSDT 0.003 0.001']);
  });

  test('pays its own rates from its next order on; orders that are there keep theirs', () => {
    const { floor, account, other } = pair();
    floor.place(account, 'before', { side: 'buy', lots: 1, ticks: 100 });
    const own = { takeRate: decimal('0.004'), makeRate: decimal('0.003') };
    floor.exchange.fees.set(account, 'BTCUSDT', own);
    floor.place(account, 'after', { side: 'buy', lots: 1, ticks: 100, makeRate: '0.0001' });
    expect(floor.balance(account, 'USDT')).toBe('9799.4 200.6');
    floor.place(other, 'sell', { side: 'sell', lots: 2, ticks: 100 });
    // 100 × 1.001 and 100 × 1.003.
    expect(floor.balance(account, 'USDT')).toBe('9799.6 0');
  });

  test('gets no rates that are none, and none on a symbol that is none', () => {
    const { floor, account } = pair();
    const { fees } = floor.exchange;
    const one = { takeRate: decimal('1'), makeRate: decimal('0') };
    expect(() => {
      fees.set(account, 'BTCUSDT', one);
    }).toThrow('takeRate is 1 and must be a fraction between -1 and 1');
    expect(() => {
      fees.set(account, 'NONE');
    }).toThrow('There is no symbol NONE here.');
  });
});
