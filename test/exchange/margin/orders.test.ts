import { describe, expect, test } from 'vitest';
import { decimal } from '../../../src/model/decimal.ts';
import type { OrderMargin } from '../../../src/model/margin-terms.ts';
import { lots, ticks } from '../../../src/model/units.ts';
import { micros } from '../../../src/platform/time.ts';
import type { OrderForm } from '../../../src/rules/order-form.ts';
import { instrument, MarginFloor, onMargin, perpetual } from './kit.ts';

/** A market of 99 to 101, a thousand lots each, and an account of 1,000 on isolated margin, leverage 10. */
function opened(): { floor: MarginFloor; account: number } {
  const floor = new MarginFloor();
  floor.quote(99, 101);
  const account = floor.account({ USDT: '5000' });
  floor.set(account, '1000');
  floor.told();
  return { floor, account };
}

describe('a margin order', () => {
  test('[server:trading-v3.rule.margin-account-needed] needs a margin account of its mode', () => {
    const { floor, account } = opened();
    const order = { side: 'buy', lots: 1, ticks: 90 } as const;
    expect(floor.place(account, 'o', { ...order, margin: 'cross' })?.code).toBe(
      'margin-account-unknown',
    );
    const other = floor.account({ USDT: '5000' });
    expect(floor.place(other, 'o', order)).toMatchObject({
      code: 'margin-account-unknown',
      field: 'symbol',
    });
    expect(floor.place(account, 'o', order)).toBeUndefined();
  });

  test('needs a symbol that is traded so', () => {
    const closed = onMargin({ enabled: false });
    const none = onMargin({ active: false });
    const floor = new MarginFloor([
      instrument({ margin: none }),
      instrument({ symbol: 'ETHUSDT', baseCurrency: 'ETH', margin: [] }),
      instrument({ symbol: 'XRPUSDT', baseCurrency: 'XRP', margin: closed }),
    ]);
    const account = floor.account({ USDT: '5000' });
    for (const symbol of ['BTCUSDT', 'ETHUSDT', 'XRPUSDT']) {
      expect(floor.set(account, '10', { symbol })?.code).toBe('margin-forbidden');
      const refusal = floor.place(account, 'o', { symbol, side: 'buy', lots: 1, ticks: 1 });
      expect(refusal?.code).toBe(
        symbol === 'XRPUSDT' ? 'margin-account-unknown' : 'margin-forbidden',
      );
    }
  });

  test('holds what docs say: 0.10210 of its value at leverage 10 and 0.1%', () => {
    const { floor, account } = opened();
    floor.place(account, 'o', { side: 'buy', lots: 20, ticks: 90 });
    expect(floor.view(account).reservedOrders.toFixed()).toBe('183.78');
    // The larger side holds, not both; a sell like a buy.
    floor.place(account, 's', { side: 'sell', lots: 20, ticks: 110 });
    expect(floor.view(account).reservedOrders.toFixed()).toBe('224.62');
  });

  test('that holds just all the funds is taken, and one lot more is not', () => {
    const { floor, account } = opened();
    floor.set(account, '1021');
    expect(floor.place(account, 'o', { side: 'buy', lots: 101, ticks: 100 })).toMatchObject({
      code: 'funds-insufficient',
      limit: '1031.21',
    });
    expect(floor.place(account, 'p', { side: 'buy', lots: 100, ticks: 100 })).toBeUndefined();
    expect(floor.place(account, 'q', { side: 'buy', lots: 1, ticks: 1 })?.code).toBe(
      'funds-insufficient',
    );
    expect(floor.place(account, 'r', { side: 'sell', lots: 1, ticks: 120 })).toBeUndefined();
  });

  test('at the market holds what it would pay, and a sell that crosses what it would bring', () => {
    const { floor, account } = opened();
    floor.set(account, '206');
    expect(floor.place(account, 'o', { side: 'buy', lots: 20 })?.limit).toBe('206.242');
    expect(floor.place(account, 'p', { side: 'sell', lots: 21, ticks: 1 })?.limit).toBe('212.2659');
    expect(floor.place(account, 'q', { side: 'buy', lots: 19 })).toBeUndefined();
  });

  test('trades with spot orders of the same book, each settled in its own way', () => {
    const { floor, account } = opened();
    const spot = floor.account({ BTC: '10' });
    floor.place(spot, 'sell', { side: 'sell', lots: 4, ticks: 100, margin: false });
    floor.place(account, 'buy', { side: 'buy', lots: 4, ticks: 100 });
    expect(floor.row(spot)).toBe('400');
    expect(floor.row(spot, 'BTC')).toBe('6');
    expect(floor.position(account).quantity.toFixed()).toBe('4');
    expect(floor.margin(account)).toBe('999.6');
    expect(floor.sum('BTC')).toBe('10');
  });

  test('is canceled by itself where a symbol is named, and the others stay', () => {
    const floor = new MarginFloor([
      instrument(),
      instrument({ symbol: 'ETHUSDT', baseCurrency: 'ETH' }),
    ]);
    const account = floor.account({ USDT: '5000' });
    for (const symbol of ['BTCUSDT', 'ETHUSDT']) {
      floor.set(account, '100', { symbol });
      floor.place(account, `o${symbol}`.slice(0, 8), { symbol, side: 'buy', lots: 1, ticks: 90 });
    }
    floor.told();
    expect(floor.exchange.cancelAll(account, micros(0), 'ETHUSDT')).toBe(1);
    expect(floor.told()).toEqual(['canceled oETHUSDT 0/1']);
    expect(floor.view(account).reservedOrders.isZero()).toBe(false);
  });

  test('can be replaced, with the funds that the old one held counted', () => {
    const { floor, account } = opened();
    floor.place(account, 'o', { side: 'buy', lots: 90, ticks: 97 });
    expect(floor.replace(account, 'o', 'p', { lots: 100, ticks: 97 })).toBeUndefined();
    expect(floor.replace(account, 'p', 'q', { lots: 110, ticks: 97 })?.code).toBe(
      'funds-insufficient',
    );
    expect(floor.view(account).reservedOrders.toFixed()).toBe('990.37');
  });
});

describe('a position that turns', () => {
  test('is closed and opened anew by one trade, with the fee on all of it', () => {
    const { floor, account } = opened();
    floor.place(account, 'buy', { side: 'buy', lots: 2 });
    floor.told();
    floor.place(account, 'sell', { side: 'sell', lots: 5 });
    expect(floor.told()).toEqual([
      'new sell---- 0/5',
      'trade sell---- sell 5@99',
      // 1,000 − 0.202, then − 4 for the result and − 0.495 for the fee.
      'flipTrade 995.303 #2 -3 pnl -4',
    ]);
    expect(floor.position(account).priceEntry.toFixed()).toBe('99');
    const [ended] = floor.exchange.margin.ended(account);
    expect(ended).toMatchObject({ id: 1, end: 'flipped' });
    expect(ended.realisedPnl.toFixed()).toBe('-4');
    // Orders against a position need funds for what goes beyond it.
    expect(floor.view(account).reservedOrders.isZero()).toBe(true);
  });

  test('[server:trading-v3.margin.position-fee-cumulative] a position adds its fees up', () => {
    const { floor, account } = opened();
    floor.place(account, 'a', { side: 'buy', lots: 2 });
    floor.place(account, 'b', { side: 'buy', lots: 3 });
    floor.place(account, 'c', { side: 'sell', lots: 1 });
    expect(floor.position(account).feeCumulative.toFixed()).toBe('0.604');
    floor.place(account, 'd', { side: 'sell', lots: 4 });
    const [ended] = floor.exchange.margin.ended(account);
    expect(ended.feeCumulative.toFixed()).toBe('1');
    expect(ended.realisedPnl.toFixed()).toBe('-10');
  });

  test('takes orders that it would need funds for away, the youngest first', () => {
    const { floor, account } = opened();
    floor.set(account, '60');
    floor.place(account, 'long', { side: 'buy', lots: 5 });
    // These only take from it, so they hold nothing.
    floor.place(account, 'tp1', { side: 'sell', lots: 3, ticks: 110 });
    floor.place(account, 'tp2', { side: 'sell', lots: 2, ticks: 111 });
    expect(floor.view(account).reservedOrders.isZero()).toBe(true);
    floor.set(account, '56');
    floor.place(account, 'out', { side: 'sell', lots: 5, reduceOnly: true });
    floor.told();
    // 44.9… are left: three lots at 110 would hold 33.69, two at 111 as many as 22.67 more.
    expect(floor.view(account).reservedOrders.toFixed()).toBe('33.693');
    expect(floor.exchange.activeOrder(account, 'tp2-----')).toBe(-1);
    expect(floor.exchange.activeOrder(account, 'tp1-----')).not.toBe(-1);
  });
});

describe('reduce-only', () => {
  test('[server:trading-v3.rule.reduce-only] a fill closes what there is and never turns it', () => {
    const { floor, account } = opened();
    floor.place(account, 'buy', { side: 'buy', lots: 3 });
    floor.told();
    floor.place(account, 'sell', { side: 'sell', lots: 5, ticks: 99, reduceOnly: true });
    expect(floor.told()).toEqual(
      [
        'new sell---- 0/5',
        'trade sell---- sell 3@99',
        'canceled sell---- 3/5',
        'closed 999.4 #1 0 pnl -6',
      ].map((line) => line.replace('999.4', floor.margin(account))),
    );
    expect(floor.view(account).positions).toEqual([]);
  });

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
    floor.told();
    // Only three can be had at 100, so five are not to be had there.
    const take = { side: 'buy', lots: 5, ticks: 100, margin: false, timeInForce: 'FOK' } as const;
    floor.place(other, 'kill', take);
    expect(floor.told()).toEqual(['expired kill---- 0/5']);
    floor.place(other, 'take', { ...take, timeInForce: 'IOC' });
    expect(floor.told()).toEqual([
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

  test('[server:trading-v3.rule.close-position-stop-market] closes all there is when it is triggered', () => {
    const { floor, account } = opened();
    expect(floor.place(account, 'stop', closing)).toBeUndefined();
    floor.place(account, 'buy', { side: 'buy', lots: 3 });
    floor.quote(94, 96);
    floor.told();
    floor.print(95, 1, 'sell');
    expect(floor.told()).toEqual([
      'new stop---- 0/3',
      'trade stop---- sell 3@94',
      `closed ${floor.margin(account)} #1 0 pnl -21`,
    ]);
  });

  test('[server:trading-v3.rule.close-position-stop-market] is canceled where there is nothing to close', () => {
    const { floor, account } = opened();
    floor.place(account, 'stop', closing);
    floor.told();
    floor.print(95, 1, 'sell');
    expect(floor.told()).toEqual(['canceled stop---- 0/0']);
  });

  test('is canceled where the market cannot take all of it', () => {
    const { floor, account } = opened();
    floor.place(account, 'buy', { side: 'buy', lots: 3 });
    floor.place(account, 'stop', closing);
    floor.quote(94, 96, 2);
    floor.told();
    floor.print(95, 1, 'sell');
    expect(floor.told()).toEqual(['canceled stop---- 0/3']);
  });

  test('[server:trading-v3.rule.close-position-no-quantity] takes no quantity, and only waiting market orders can have it', () => {
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
  });

  test('[server:trading-v3.rule.quantity-required] every other order needs one', () => {
    const { floor, account } = opened();
    expect(floor.place(account, 'a', { side: 'buy', ticks: 90 })?.code).toBe(
      'quantity-below-minimum',
    );
  });
});

describe('forms', () => {
  const form = (change: Partial<OrderForm>): OrderForm => ({
    symbol: 'BTCUSDT',
    side: 'buy',
    price: decimal('90'),
    quantity: decimal('1'),
    clientOrderId: 'form-0001',
    ...change,
  });

  test('[server:trading-v3.rule.margin-mode-default-isolated] without a mode an order is isolated', () => {
    const { floor, account } = opened();
    const { forms } = floor.exchange;
    expect(forms.place(account, form({ margin: {} }), micros(0))).toBeUndefined();
    expect(floor.view(account).reservedOrders.isZero()).toBe(false);
    const cross = form({ margin: { mode: 'cross' }, clientOrderId: 'form-0002' });
    expect(forms.place(account, cross, micros(0))?.code).toBe('margin-account-unknown');
  });

  test('[server:trading-v3.rule.close-position-default-false] without close-position it needs a quantity', () => {
    const { floor, account } = opened();
    const { quantity: _, ...rest } = form({ margin: {} });
    const refusal = floor.exchange.forms.place(account, rest, micros(0));
    expect(refusal?.code).toBe('quantity-missing');
  });

  test('[server:trading-v3.rule.close-position-no-quantity] with close-position it takes none', () => {
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
    expect(floor.told()).toEqual(['suspended form-0001 0/0']);
  });

  test('[server:trading-v3.rule.rates-spot-only] rates of its own change no fee of a margin order', () => {
    const { floor, account } = opened();
    const rates = { takeRate: decimal('0.5'), makeRate: decimal('0.5') };
    const order = form({ margin: {}, price: decimal('101'), ...rates });
    expect(floor.exchange.forms.place(account, order, micros(0))).toBeUndefined();
    expect(floor.margin(account)).toBe('999.899');
  });

  test.each<[string, unknown, string]>([
    ['an unknown mode', { mode: 'both' }, 'margin-mode-invalid'],
    ['no object', 'isolated', 'request-invalid'],
    ['null', null, 'request-invalid'],
    ['a flag that is none', { mode: 'isolated', reduceOnly: 1 }, 'request-invalid'],
    ['another', { mode: 'isolated', closePosition: 'yes' }, 'request-invalid'],
  ])(
    '[server:trading-v3.rule.margin-mode-invalid] margin terms with %s are refused',
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
      const refusal = floor.exchange.forms.place(account, form({ margin: terms }), micros(0));
      expect(refusal?.code).toBe(code);
    },
  );
});

describe('order lists', () => {
  test('[server:trading-v3.list.aon-spot-only] allOrNone takes no margin order', () => {
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
  });

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
    expect(floor.told()).toEqual([
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
    expect(floor.told()).toEqual([
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
    const refusal = floor.list(account, 'oneCancelOther', {
      a: { side: 'buy', lots: 1, ticks: 90 },
      b: { side: 'sell', lots: 1, type: 'stopMarket', stopTicks: 80, reduceOnly: true },
    });
    expect(refusal).toMatchObject({ code: 'position-unknown', field: 'orders[1].reduceOnly' });
    expect(floor.told()).toEqual([]);
  });

  test('an exit that becomes active without a position is canceled', () => {
    const { floor, account } = opened();
    floor.place(account, 'short', { side: 'sell', lots: 3 });
    floor.told();
    floor.list(account, 'oneTriggerOther', {
      entry: { side: 'buy', lots: 3, ticks: 101 },
      profit: { side: 'sell', lots: 3, ticks: 110, reduceOnly: true },
    });
    expect(floor.told()).toContain('canceled profit-- 0/3');
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
