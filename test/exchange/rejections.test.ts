import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FIRST_ACCOUNT } from '../../src/exchange/ledger/ledger.ts';
import type { NewList } from '../../src/exchange/stages/guard.ts';
import { decimal } from '../../src/model/decimal.ts';
import { CONTINGENCY_TYPES } from '../../src/model/order.ts';
import { micros } from '../../src/platform/time.ts';
import { Floor, instrumentOf, type Order } from './kit.ts';
import { MarginFloor } from './margin/kit.ts';

const LOTS_MAX = Number.MAX_SAFE_INTEGER;

describe('a request is refused', () => {
  const floorWith = (
    balances: Readonly<Record<string, string>>,
  ): { floor: Floor; account: number } => {
    const floor = new Floor([instrumentOf()], { limits: { perAccount: 3, perSymbol: 2 } });
    return { floor, account: floor.account(balances) };
  };

  test('for a symbol that is not traded', () => {
    const { floor, account } = floorWith({});
    const rejection = floor.place(account, 'a', { symbol: 'NONE', side: 'buy', lots: 1, ticks: 1 });
    expect(rejection).toEqual({
      code: 'symbol-unknown',
      field: 'symbol',
      message: 'There is no symbol "NONE" here; there are BTCUSDT.',
    });
  });

  test('for a shape that no order has', () => {
    const { floor, account } = floorWith({ USDT: '1000' });
    const code = (order: Order): string | undefined => floor.place(account, 'a', order)?.code;
    expect(code({ side: 'buy', lots: 0, ticks: 1 })).toBe('quantity-below-minimum');
    expect(code({ side: 'buy', lots: 1, type: 'limit' })).toBe('price-missing');
    expect(code({ side: 'buy', lots: 1, ticks: 1, timeInForce: 'GTD', expireAt: 0 })).toBe(
      'expire-time-invalid',
    );
    expect(code({ side: 'buy', lots: 1, type: 'stopMarket' })).toBe('stop-price-missing');
    expect(code({ side: 'buy', lots: 1, ticks: 1, stop: 1 })).toBe('type-invalid');
  });

  test(
    'when the client order id is malformed, active, or was active within the last minute',
    {
      tags: [
        'server:trading-v3.rule.client-order-id-unique',
        'server:trading-v3.rule.client-order-id-reuse',
        'server:trading-v3.rule.client-order-id-reuse-delay',
      ],
    },
    () => {
      const { floor, account } = floorWith({ USDT: '1000' });
      const place = (name: string): string | undefined =>
        floor.place(account, name, { side: 'buy', lots: 1, ticks: 1 })?.code;
      expect(place('no spaces')).toBe('client-order-id-invalid');
      expect(place('once')).toBeUndefined();
      expect(place('once')).toBe('client-order-id-taken');
      floor.at = 1_000;
      floor.cancel(account, 'once');
      floor.at = 60_000_999;
      expect(place('once')).toBe('client-order-id-taken');
      floor.at = 60_001_000;
      expect(place('once')).toBeUndefined();
    },
  );

  test('beyond the number of active orders, in all and on one symbol', () => {
    const floor = new Floor([instrumentOf(), instrumentOf({ symbol: 'ETHUSDT' })], {
      limits: { perAccount: 3, perSymbol: 2 },
    });
    const account = floor.account({ USDT: '1000' });
    const place = (name: string, symbol: string): ReturnType<Floor['place']> =>
      floor.place(account, name, { symbol, side: 'buy', lots: 1, ticks: 1 });
    place('b1', 'BTCUSDT');
    place('b2', 'BTCUSDT');
    expect(place('b3', 'BTCUSDT')).toMatchObject({ code: 'order-limit-reached', limit: '2' });
    expect(place('e1', 'ETHUSDT')).toBeUndefined();
    expect(place('e2', 'ETHUSDT')).toMatchObject({ code: 'order-limit-reached', limit: '3' });
    floor.cancel(account, 'b1');
    expect(place('e3', 'ETHUSDT')).toBeUndefined();
  });

  test('whole as a list when its last member is beyond the number of active orders', () => {
    const { floor, account } = floorWith({ USDT: '1000', BTC: '10' });
    floor.place(account, 'one', { side: 'buy', lots: 1, ticks: 1 });
    floor.reported();
    const parts = ['a', 'b'].map((name) => [name, { side: 'sell', lots: 1, ticks: 9 }] as const);
    expect(floor.placeList(account, 'oneTriggerOther', parts)).toMatchObject({
      code: 'order-limit-reached',
      limit: '2',
    });
    expect(floor.reported()).toEqual([]);
    expect(floor.cancel(account, 'a')?.code).toBe('order-unknown');
  });

  test('as a list when a list of that id is still active', () => {
    const floor = new Floor([instrumentOf()], { nameHoldUs: 0 });
    const account = floor.account({ BTC: '10' });
    const parts = ['a', 'b'].map((name) => [name, { side: 'sell', lots: 1, ticks: 9 }] as const);
    floor.placeList(account, 'oneTriggerOther', parts);
    floor.replace(account, 'a', 'a2', { ticks: 8 });
    floor.at += 1;
    floor.cancel(account, 'b');
    const again = [parts[0], ['c', { side: 'sell', lots: 1, ticks: 9 }]] as const;
    expect(floor.placeList(account, 'oneTriggerOther', again)?.code).toBe('order-list-id-invalid');
    floor.cancel(account, 'a2');
    expect(floor.placeList(account, 'oneTriggerOther', again)).toBeUndefined();
  });

  test('when the balance only equals what a buy needs; a sell may use all', () => {
    const { floor, account } = floorWith({ USDT: '100.2', BTC: '1' });
    // 1 × 100 × 1.002 = 100.2 must be exceeded.
    expect(floor.place(account, 'buy', { side: 'buy', lots: 1, ticks: 100 })).toMatchObject({
      code: 'funds-insufficient',
      limit: '100.2',
    });
    expect(floor.place(account, 'sell', { side: 'sell', lots: 2, ticks: 100 })).toMatchObject({
      code: 'funds-insufficient',
      limit: '2',
    });
    expect(floor.place(account, 'one', { side: 'sell', lots: 1, ticks: 100 })).toBeUndefined();
    floor.exchange.deposit(account, 'USDT', decimal('0.0000000001'));
    expect(floor.place(account, 'more', { side: 'buy', lots: 1, ticks: 100 })).toBeUndefined();
  });

  test(
    'when a market buy would cost more than there is, by the levels that it would take',
    {
      tags: [
        'server:trading-v3.rule.balance-market-buy',
        'server:trading-v3.rule.balance-market-buy-price',
      ],
    },
    () => {
      const { floor, account } = floorWith({ USDT: '303.6' });
      floor.snapshot([
        ['ask', 101, 2],
        ['ask', 101, 2],
        ['ask', 102, 5],
      ]);
      // (2 × 101 + 1 × 102) × 1.002 = 304.608; with IOC as with FOK.
      for (const timeInForce of ['FOK', 'IOC'] as const) {
        const rejection = floor.place(account, 'buy', { side: 'buy', lots: 3, timeInForce });
        expect(rejection).toMatchObject({ code: 'funds-insufficient', limit: '304.608' });
      }
      expect(floor.place(account, 'two', { side: 'buy', lots: 2 })).toBeUndefined();
    },
  );

  test('when the lots at a price could no longer be counted exactly', () => {
    const floor = new Floor([instrumentOf({ quantityIncrement: '0.000000000000000001' })]);
    const account = floor.account({ BTC: '1' });
    floor.place(account, 'a', { side: 'sell', lots: LOTS_MAX, ticks: 5 });
    expect(floor.place(account, 'b', { side: 'sell', lots: 1, ticks: 5 })).toMatchObject({
      code: 'number-out-of-range',
      limit: '0',
    });
    expect(floor.place(account, 'c', { side: 'sell', lots: 1, ticks: 6 })).toBeUndefined();
    expect(floor.replace(account, 'c', 'd', { ticks: 5 })?.code).toBe('number-out-of-range');
  });

  test('to cancel or replace what is not active, or not so', () => {
    const { floor, account } = floorWith({ USDT: '1000' });
    const stranger = floor.account({ USDT: '1000' });
    floor.place(account, 'buy', { side: 'buy', lots: 5, ticks: 100 });
    floor.place(account, 'other', { side: 'buy', lots: 1, ticks: 10 });
    expect(floor.cancel(stranger, 'buy')?.code).toBe('order-unknown');
    expect(floor.replace(stranger, 'buy', 'new', { lots: 1 })?.code).toBe('order-unknown');
    expect(floor.replace(account, 'buy', 'new', {})?.code).toBe('order-unchanged');
    expect(floor.replace(account, 'buy', 'other', { lots: 4 })?.code).toBe('client-order-id-taken');
    // 10 × 100 × 1.002 = 1,002 against 1,000 less the 10.02 of the other order.
    expect(floor.replace(account, 'buy', 'new', { lots: 10 })).toMatchObject({
      code: 'funds-insufficient',
      message: '989.98 USDT is available and must exceed 1002, fee included.',
    });
    expect(floor.replace(account, 'buy', 'new', { lots: 9 })).toBeUndefined();
    expect(floor.cancel(account, 'buy')?.code).toBe('order-unknown');
    expect(floor.cancel(account, 'new')).toBeUndefined();
    expect(floor.cancel(account, 'new')?.code).toBe('order-unknown');
  });
});

test('an account that is not open, a currency that is not there and an empty deposit are errors', () => {
  const floor = new Floor();
  const account = floor.account({});
  const { exchange } = floor;
  expect(() => exchange.cancelAll(account + 1, micros(0))).toThrow('There is no account 5');
  expect(() => exchange.cancelAll(1, micros(0))).toThrow('There is no account 1');
  expect(() => exchange.balance(account, 'EUR')).toThrow('No instrument uses the currency EUR');
  expect(() => {
    exchange.deposit(account, 'BTC', decimal('0'));
  }).toThrow('A deposit is a positive amount');
  expect(() => {
    exchange.deposit(account, 'BTC', decimal('1').div(0));
  }).toThrow('A deposit is a positive amount');
});

describe('a refused request leaves no trace', () => {
  const request = fc.record({
    kind: fc.constantFrom('place', 'place', 'list', 'list', 'replace', 'cancel'),
    contingencyType: fc.constantFrom(...CONTINGENCY_TYPES),
    account: fc.nat({ max: 1 }),
    name: fc.nat({ max: 12 }),
    newName: fc.nat({ max: 12 }),
    side: fc.constantFrom('buy', 'sell'),
    ticks: fc.option(fc.integer({ min: 0, max: 6 }), { nil: undefined }),
    stop: fc.option(fc.integer({ min: 0, max: 6 }), { nil: undefined }),
    type: fc.constantFrom(undefined, 'stopLimit', 'takeProfitMarket'),
    lots: fc.integer({ min: 0, max: 9 }),
    postOnly: fc.boolean(),
  });
  type Request = typeof request extends fc.Arbitrary<infer T> ? T : never;

  const ask = (floor: Floor, r: Request): string | undefined => {
    const account = FIRST_ACCOUNT + r.account;
    const change = {
      lots: r.lots,
      ticks: r.ticks,
      ...(r.stop === undefined || (r.kind === 'place' && r.type === undefined)
        ? {}
        : { stop: r.stop }),
    };
    switch (r.kind) {
      case 'place':
        return floor.place(account, `o${r.name}`, {
          side: r.side,
          postOnly: r.postOnly,
          type: r.type,
          ...change,
        })?.code;
      case 'list': {
        const order = { side: r.side, lots: r.lots, ticks: r.ticks ?? 3 };
        const stop = { ...order, type: 'stopLimit', stop: r.stop ?? 4 } as const;
        const other = r.contingencyType === 'allOrNone' ? order : stop;
        return floor.placeList(account, r.contingencyType, [
          [
            `o${r.name}`,
            r.contingencyType === 'allOrNone' ? { ...order, timeInForce: 'FOK' } : order,
          ],
          [
            `o${r.newName}`,
            { ...other, symbol: r.contingencyType === 'allOrNone' ? 'ETHUSDT' : 'BTCUSDT' },
          ],
          ...(r.postOnly ? [[`p${r.name}`, stop] as const] : []),
        ])?.code;
      }
      case 'replace':
        return floor.replace(account, `o${r.name}`, `o${r.newName}`, change)?.code;
      case 'cancel':
        return floor.cancel(account, `o${r.name}`)?.code;
    }
  };

  const open = (): Floor => {
    const floor = new Floor([instrumentOf(), instrumentOf({ symbol: 'ETHUSDT' })], {
      limits: { perAccount: 6, perSymbol: 5 },
    });
    floor.account({ USDT: '60', BTC: '15' });
    floor.account({ USDT: '60', BTC: '15' });
    return floor;
  };

  test('reports afterwards are as if it had never been sent', () => {
    let rejected = 0;
    fc.assert(
      fc.property(fc.array(request, { maxLength: 60, size: 'max' }), (requests) => {
        const all = open();
        const taken = requests.filter((r) => {
          const reported = all.log.length;
          if (ask(all, r) === undefined) return true;
          rejected += 1;
          expect(all.log.length).toBe(reported);
          return false;
        });
        const without = open();
        for (const r of taken) expect(ask(without, r)).toBeUndefined();
        expect(without.log).toEqual(all.log);
        expect(without.exchange.orders.issued).toBe(all.exchange.orders.issued);
      }),
      { numRuns: 200 },
    );
    expect(rejected).toBeGreaterThan(1_000);
  });
});

test('a refused request tries no liquidation for which the market had nothing before', () => {
  const floor = new MarginFloor();
  const debtor = floor.account({ USDT: '5000' });
  const other = floor.account({});
  floor.quote(9_999, 10_000);
  floor.set(debtor, '5000');
  floor.place(debtor, 'open', { side: 'buy', lots: 2, ticks: 10_000 });
  floor.quote(0, 0);
  floor.print(7_600, 1, 'sell');
  expect(floor.reported()).toContain('expired system-00000001 0/2');
  const { issued } = floor.exchange.orders;
  const sell = { side: 'sell', lots: 1, ticks: 8_000, margin: false } as const;
  expect(floor.place(other, 'poor', sell)?.code).toBe('funds-insufficient');
  expect(floor.cancel(other, 'none')?.code).toBe('order-unknown');
  const transfer = {
    currency: 'USDT',
    amount: decimal('1'),
    source: 'wallet',
    destination: 'spot',
  } as const;
  expect(floor.exchange.wallet.transfer(other, transfer, micros(0))).toMatchObject({
    code: 'funds-insufficient',
  });
  expect(floor.reported()).toEqual([]);
  expect(floor.exchange.orders.issued).toBe(issued);
});

test('a client order id is free a minute after its order, however many ended with it', () => {
  const floor = new Floor();
  const account = floor.account({ USDT: '100000' });
  const order = { side: 'buy', lots: 1, ticks: 1 } as const;
  for (let i = 0; i < 300; i += 1) floor.place(account, `name-${i}`, order);
  floor.exchange.cancelAll(account, micros(floor.at));
  floor.pass(59_999_999);
  expect(floor.place(account, 'name-299', order)?.code).toBe('client-order-id-taken');
  floor.pass(1);
  // Its record was not cleared away yet, as that is done a few at a time.
  expect(floor.place(account, 'name-299', order)).toBeUndefined();
  expect(floor.cancel(account, 'name-299')).toBeUndefined();
  // These wait to be let go as names of old.
  expect(floor.place(account, 'name-298', order)).toBeUndefined();
  expect(floor.place(account, 'name-299', order)?.code).toBe('client-order-id-taken');
});

test.each([Symbol('id'), { toString: 1, valueOf: 1 }, Object.create(null)])(
  'an order list is refused whose first client order id is no text: %#',
  (clientOrderId: unknown) => {
    const floor = new Floor();
    const account = floor.account({ USDT: '1000' });
    const order = { symbol: 'BTCUSDT', side: 'buy', type: 'limit', timeInForce: 'GTC' } as const;
    const orders = [
      { ...order, clientOrderId, lots: 1, ticks: 1, postOnly: false },
      { ...order, clientOrderId: 'second-1', lots: 1, ticks: 1, postOnly: false },
    ];
    const list = { contingencyType: 'oneTriggerOther', orders } as unknown as NewList;
    expect(floor.exchange.placeList(account, list, micros(0))).toMatchObject({
      code: 'client-order-id-invalid',
      field: 'orders[0].clientOrderId',
    });
  },
);
