import { describe, expect, test } from 'vitest';
import { micros } from '../../../src/platform/time.ts';
import { instrument, MarginFloor, onMargin, perpetual } from './kit.ts';

/** A market of 99 to 101, a thousand lots each, and an account of 1,000 on isolated margin, leverage 10. */
function opened(): { floor: MarginFloor; account: number } {
  const floor = new MarginFloor();
  floor.quote(99, 101);
  const account = floor.account({ USDT: '5000' });
  floor.set(account, '1000');
  floor.reported();
  return { floor, account };
}

describe('a margin order', () => {
  test(
    'needs a margin account of its mode',
    { tags: ['server:trading-v3.rule.margin-account-needed'] },
    () => {
      const { floor, account } = opened();
      const order = { side: 'buy', lots: 1, ticks: 90 } as const;
      expect(floor.place(account, 'o', { ...order, margin: 'cross' })).toMatchObject({
        code: 'margin-account-unknown',
        message: 'There is no cross margin account for USDT; give it a margin balance first.',
      });
      const other = floor.account({ USDT: '5000' });
      expect(floor.place(other, 'o', order)).toMatchObject({
        code: 'margin-account-unknown',
        field: 'symbol',
      });
      expect(floor.place(account, 'o', order)).toBeUndefined();
    },
  );

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
      const rejection = floor.place(account, 'o', { symbol, side: 'buy', lots: 1, ticks: 1 });
      expect(rejection?.code).toBe(
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

  test(
    'is canceled with those of its symbol, and the others stay',
    { tags: ['server:trading-v3.rule.delete-all-symbol-filter'] },
    () => {
      const floor = new MarginFloor([
        instrument(),
        instrument({ symbol: 'ETHUSDT', baseCurrency: 'ETH' }),
      ]);
      const account = floor.account({ USDT: '5000' });
      for (const symbol of ['BTCUSDT', 'ETHUSDT']) {
        floor.set(account, '100', { symbol });
        floor.place(account, `o${symbol}`, { symbol, side: 'buy', lots: 1, ticks: 90 });
      }
      floor.reported();
      expect(floor.exchange.cancelAll(account, micros(0), 'ETHUSDT', 'margin')).toBe(1);
      expect(floor.reported()).toEqual(['canceled oETHUSDT 0/1']);
      expect(floor.view(account).reservedOrders.isZero()).toBe(false);
    },
  );

  test('is canceled with those of its market: spot, margin and futures are apart', () => {
    const floor = new MarginFloor([instrument(), perpetual()]);
    const account = floor.account({ USDT: '5000' }, '5000');
    const perp = { symbol: 'BTCUSDT_PERP' } as const;
    floor.set(account, '100');
    floor.set(account, '100', { ...perp, leverage: '10' });
    const order = { side: 'buy', lots: 1, ticks: 90 } as const;
    const place = (): void => {
      floor.place(account, 'spot', { ...order, margin: false });
      floor.place(account, 'margin', order);
      floor.place(account, 'futures', { ...order, ...perp });
      floor.reported();
    };
    for (const [market, name] of [
      ['spot', 'spot----'],
      ['margin', 'margin--'],
      ['futures', 'futures-'],
    ] as const) {
      place();
      expect(floor.exchange.cancelAll(account, micros(floor.at), undefined, market)).toBe(1);
      expect(floor.reported()).toEqual([`canceled ${name} 0/1`]);
      floor.exchange.cancelAll(account, micros(floor.at));
      floor.advance(floor.at + 61_000_000);
    }
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
  test('is closed and opened again by one trade, with the fee on all of it', () => {
    const { floor, account } = opened();
    floor.place(account, 'buy', { side: 'buy', lots: 2 });
    floor.reported();
    floor.place(account, 'sell', { side: 'sell', lots: 5 });
    expect(floor.reported()).toEqual([
      'new sell---- 0/5',
      'trade sell---- sell 5@99',
      // 1,000 − 0.202, then − 4 for the result and − 0.495 for the fee.
      'flipTrade 995.303 #2 -3 pnl -4',
    ]);
    expect(floor.position(account).priceEntry.toFixed()).toBe('99');
    const [ended] = floor.exchange.margin.ended(account);
    expect(ended).toMatchObject({ id: 1, end: 'flipped' });
    expect(ended.realizedPnl.toFixed()).toBe('-4');
    // Orders against a position need funds for what goes beyond it.
    expect(floor.view(account).reservedOrders.isZero()).toBe(true);
  });

  test(
    'a position adds its fees up',
    { tags: ['server:trading-v3.margin.position-fee-cumulative'] },
    () => {
      const { floor, account } = opened();
      floor.place(account, 'a', { side: 'buy', lots: 2 });
      floor.place(account, 'b', { side: 'buy', lots: 3 });
      floor.place(account, 'c', { side: 'sell', lots: 1 });
      expect(floor.position(account).feeCumulative.toFixed()).toBe('0.604');
      floor.place(account, 'd', { side: 'sell', lots: 4 });
      const [ended] = floor.exchange.margin.ended(account);
      expect(ended.feeCumulative.toFixed()).toBe('1');
      expect(ended.realizedPnl.toFixed()).toBe('-10');
    },
  );

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
    floor.reported();
    // 44.9… are left: three lots at 110 would hold 33.69, two at 111 as many as 22.67 more.
    expect(floor.view(account).reservedOrders.toFixed()).toBe('33.693');
    expect(floor.exchange.activeOrder(account, 'tp2-----')).toBe(-1);
    expect(floor.exchange.activeOrder(account, 'tp1-----')).not.toBe(-1);
  });
});
