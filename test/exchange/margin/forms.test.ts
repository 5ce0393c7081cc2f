import { describe, expect, test } from 'vitest';
import { decimal } from '../../../src/model/decimal.ts';
import type { OrderMargin } from '../../../src/model/margin-terms.ts';
import { lots, ticks } from '../../../src/model/units.ts';
import { micros } from '../../../src/platform/time.ts';
import type { OrderForm } from '../../../src/rules/order-form.ts';
import { instrument, MarginFloor, perpetual } from './kit.ts';

/** A market of 99 to 101, a thousand lots each, and an account of 1,000 on isolated margin, leverage 10. */
function opened(): { floor: MarginFloor; account: number } {
  const floor = new MarginFloor();
  floor.quote(99, 101);
  const account = floor.account({ USDT: '5000' });
  floor.set(account, '1000');
  floor.reported();
  return { floor, account };
}

describe('forms', () => {
  const form = (change: Partial<OrderForm>): OrderForm => ({
    symbol: 'BTCUSDT',
    side: 'buy',
    price: decimal('90'),
    quantity: decimal('1'),
    clientOrderId: 'form-0001',
    ...change,
  });

  test(
    'without a mode an order is isolated',
    { tags: ['server:trading-v3.rule.margin-mode-default-isolated'] },
    () => {
      const { floor, account } = opened();
      const { forms } = floor.exchange;
      expect(forms.place(account, form({ margin: {} }), micros(0))).toBeUndefined();
      expect(floor.view(account).reservedOrders.isZero()).toBe(false);
      const cross = form({ margin: { mode: 'cross' }, clientOrderId: 'form-0002' });
      expect(forms.place(account, cross, micros(0))?.code).toBe('margin-account-unknown');
    },
  );

  test(
    'without close-position it needs a quantity',
    { tags: ['server:trading-v3.rule.close-position-default-false'] },
    () => {
      const { floor, account } = opened();
      const { quantity: _, ...rest } = form({ margin: {} });
      const rejection = floor.exchange.forms.place(account, rest, micros(0));
      expect(rejection?.code).toBe('quantity-missing');
    },
  );

  test(
    'with close-position it takes none',
    { tags: ['server:trading-v3.rule.close-position-no-quantity'] },
    () => {
      const { floor, account } = opened();
      const {
        quantity: _,
        price: __,
        ...rest
      } = form({
        margin: { closePosition: true },
        type: 'stopMarket',
        stopPrice: decimal('120'),
      });
      expect(floor.exchange.forms.place(account, rest, micros(0))).toBeUndefined();
      expect(floor.reported()).toEqual(['suspended form-0001 0/0']);
    },
  );

  test(
    'rates of its own change no fee of a margin order',
    { tags: ['server:trading-v3.rule.rates-spot-only'] },
    () => {
      const { floor, account } = opened();
      const rates = { takeRate: decimal('0.5'), makeRate: decimal('0.5') };
      const order = form({ margin: {}, price: decimal('101'), ...rates });
      expect(floor.exchange.forms.place(account, order, micros(0))).toBeUndefined();
      expect(floor.margin(account)).toBe('999.899');
    },
  );

  test.each<[string, unknown, string]>([
    ['an unknown mode', { mode: 'both' }, 'margin-mode-invalid'],
    ['no object', 'isolated', 'request-invalid'],
    ['null', null, 'request-invalid'],
    ['a flag that is none', { mode: 'isolated', reduceOnly: 1 }, 'request-invalid'],
    ['another', { mode: 'isolated', closePosition: 'yes' }, 'request-invalid'],
  ])(
    'margin terms with %s are refused',
    { tags: ['server:trading-v3.rule.margin-mode-invalid'] },
    (_, margin, code) => {
      const { floor, account } = opened();
      const terms = margin as OrderMargin;
      const order = {
        clientOrderId: 'order-0001',
        symbol: 'BTCUSDT',
        side: 'buy',
        type: 'limit',
        timeInForce: 'GTC',
        lots: lots(1),
        ticks: ticks(90),
        postOnly: false,
        margin: terms,
      } as const;
      expect(floor.exchange.place(account, order, micros(0))?.code).toBe(code);
      const rejection = floor.exchange.forms.place(account, form({ margin: terms }), micros(0));
      expect(rejection?.code).toBe(code);
    },
  );
});

describe('order lists', () => {
  test(
    'allOrNone takes no margin order',
    { tags: ['server:trading-v3.list.aon-spot-only'] },
    () => {
      const floor = new MarginFloor([
        instrument(),
        instrument({ symbol: 'ETHUSDT', baseCurrency: 'ETH' }),
      ]);
      const account = floor.account({ USDT: '5000' });
      floor.set(account, '100');
      const order = { side: 'buy', lots: 1, ticks: 90, timeInForce: 'FOK' } as const;
      const list = (margin: 'isolated' | false) =>
        floor.list(account, 'allOrNone', {
          a: { ...order, margin: false },
          b: { ...order, symbol: 'ETHUSDT', margin },
        });
      expect(list('isolated')).toMatchObject({ code: 'contingency-type-invalid' });
      expect(list(false)).toBeUndefined();
    },
  );

  test('a bracket on margin: the entry opens, its exits only reduce, one of them ends the other', () => {
    const { floor, account } = opened();
    const out = { side: 'sell', lots: 3, reduceOnly: true } as const;
    expect(
      floor.list(account, 'oneTriggerOneCancelOther', {
        entry: { side: 'buy', lots: 3, ticks: 101 },
        profit: { ...out, ticks: 110 },
        stop: { ...out, type: 'stopMarket', stopTicks: 95 },
      }),
    ).toBeUndefined();
    expect(floor.reported()).toEqual([
      'new entry--- 0/3',
      'suspended profit-- 0/3',
      'suspended stop---- 0/3',
      'trade entry--- buy 3@101',
      'new profit-- 0/3',
      'suspended stop---- 0/3',
      'openTrade 999.697 #1 3 pnl 0',
    ]);
    floor.quote(109, 110, 1);
    floor.print(111, 9, 'buy');
    expect(floor.reported()).toEqual([
      'trade profit-- sell 3@110',
      'canceled stop---- 0/3',
      'closed 1026.697 #1 0 pnl 27',
    ]);
  });

  test('of legs that exclude each other the dearest holds', () => {
    const { floor, account } = opened();
    floor.list(account, 'oneCancelOther', {
      low: { side: 'buy', lots: 2, ticks: 90 },
      high: { side: 'buy', lots: 2, type: 'stopLimit', stopTicks: 110, ticks: 112 },
    });
    // 224 × 0.1021
    expect(floor.view(account).reservedOrders.toFixed()).toBe('22.8704');
  });

  test('a leg that only reduces, without anything to reduce, refuses the list', () => {
    const { floor, account } = opened();
    const rejection = floor.list(account, 'oneCancelOther', {
      a: { side: 'buy', lots: 1, ticks: 90 },
      b: { side: 'sell', lots: 1, type: 'stopMarket', stopTicks: 80, reduceOnly: true },
    });
    expect(rejection).toMatchObject({ code: 'position-unknown', field: 'orders[1].reduceOnly' });
    expect(floor.reported()).toEqual([]);
  });

  test('an exit that becomes active without a position is canceled', () => {
    const { floor, account } = opened();
    floor.place(account, 'short', { side: 'sell', lots: 3 });
    floor.reported();
    floor.list(account, 'oneTriggerOther', {
      entry: { side: 'buy', lots: 3, ticks: 101 },
      profit: { side: 'sell', lots: 3, ticks: 110, reduceOnly: true },
    });
    expect(floor.reported()).toContain('canceled profit-- 0/3');
  });
});

describe('a contract', () => {
  test('takes no order without a margin mode', () => {
    const floor = new MarginFloor([perpetual()]);
    const account = floor.account({ USDT: '100' }, '100');
    const order = { symbol: 'BTCUSDT_PERP', side: 'buy', lots: 1, ticks: 90 } as const;
    expect(floor.place(account, 'o', { ...order, margin: false })?.code).toBe(
      'margin-mode-invalid',
    );
  });
});
