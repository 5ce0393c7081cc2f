import { describe, expect, test } from 'vitest';
import { CONTINGENCY_TYPES, type ContingencyType, type OrderType } from '../../src/model/order.ts';
import type { Rejection } from '../../src/model/rejections.ts';
import { Floor, idOf, instrumentOf, type Order } from './kit.ts';
import { serviceCode } from './service-code.ts';

const SYMBOLS = ['BTCUSDT', 'ETHUSDT', 'XRPUSDT', 'LTCUSDT'];

/** Means for anything, and no price near those of the orders. */
const open = (): { floor: Floor; account: number } => {
  const floor = new Floor(
    SYMBOLS.map((symbol) => instrumentOf({ symbol, baseCurrency: symbol.slice(0, 3) })),
    { limits: { perAccount: 20, perSymbol: 20 } },
  );
  return { floor, account: floor.account({ USDT: '1000000', BTC: '1000', ETH: '1000' }) };
};

/** What comes of a list on an exchange of its own, and nothing of which is left when it is refused. */
function placed(type: string, orders: readonly Order[], listId?: string): Rejection | undefined {
  const { floor, account } = open();
  const named = orders.map((order, index) => [`order${index}`, order] as const);
  const rejection = floor.placeList(account, type as ContingencyType, named, listId);
  if (rejection !== undefined) {
    expect(floor.reported()).toEqual([]);
    expect(floor.exchange.orders.issued).toBe(0);
  }
  return rejection;
}

const limit: Order = { side: 'buy', lots: 1, ticks: 10 };
const market: Order = { side: 'sell', lots: 1, type: 'market' };
const stop: Order = { side: 'sell', lots: 1, type: 'stopMarket', stop: 5 };
const killed = (index: number): Order => ({
  ...limit,
  symbol: SYMBOLS[index],
  timeInForce: 'FOK',
});
/** An order of any type. */
const of = (type: OrderType, more: Partial<Order> = {}): Order => ({
  side: 'sell',
  lots: 1,
  type,
  ...(type.endsWith('imit') ? { ticks: 100 } : {}),
  ...(type.length > 6 ? { stop: 50 } : {}),
  ...more,
});
const LEGS = ['limit', 'stopLimit', 'stopMarket', 'takeProfitLimit', 'takeProfitMarket'] as const;

test(
  'a list is of one of four types',
  { tags: ['server:trading-v3.list.contingency-values'] },
  () => {
    const orders = [killed(0), killed(1)];
    for (const type of ['oneCancelsOther', 'AON', '', 'allornone']) {
      expect(placed(type, orders)).toMatchObject({
        code: 'contingency-type-invalid',
        field: 'contingencyType',
        limit: CONTINGENCY_TYPES.join(', '),
      });
    }
    expect(placed('allOrNone', orders)).toBeUndefined();
    expect(placed('oneCancelOther', [limit, stop])).toBeUndefined();
    expect(placed('oneTriggerOther', [limit, stop])).toBeUndefined();
    expect(placed('oneTriggerOneCancelOther', [limit, limit, stop])).toBeUndefined();
  },
);

describe('the number of orders', () => {
  const counted = (type: string, orders: readonly Order[]): (string | undefined)[] =>
    [1, 2, 3, 4].map((count) => placed(type, orders.slice(0, count))?.code);
  const wrong = 'order-count-invalid';

  test('of an allOrNone is 2 or 3', { tags: ['server:trading-v3.list.count-aon'] }, () => {
    const codes = counted('allOrNone', [0, 1, 2, 3].map(killed));
    expect(codes).toEqual([wrong, undefined, undefined, wrong]);
  });

  test('of an oneCancelOther is 2 or 3', { tags: ['server:trading-v3.list.count-oco'] }, () => {
    const codes = counted('oneCancelOther', [limit, stop, stop, stop]);
    expect(codes).toEqual([wrong, undefined, undefined, wrong]);
  });

  test('of an oneTriggerOther is 2 or 3', { tags: ['server:trading-v3.list.count-oto'] }, () => {
    const codes = counted('oneTriggerOther', [limit, stop, stop, stop]);
    expect(codes).toEqual([wrong, undefined, undefined, wrong]);
  });

  test(
    'of an oneTriggerOneCancelOther is 3',
    { tags: ['server:trading-v3.list.count-otoco'] },
    () => {
      const codes = counted('oneTriggerOneCancelOther', [limit, stop, stop, stop]);
      expect(codes).toEqual([wrong, wrong, undefined, wrong]);
    },
  );
});

test.each(CONTINGENCY_TYPES)('a list of no orders is refused as %s', (type) => {
  expect(placed(type, [])).toMatchObject({ code: 'order-count-invalid', field: 'orders' });
});

describe('the types', () => {
  test(
    'of an oneCancelOther are all but market',
    { tags: ['server:trading-v3.list.types-oco'] },
    () => {
      for (const type of LEGS) expect(placed('oneCancelOther', [of(type), stop])).toBeUndefined();
      expect(placed('oneCancelOther', [stop, market])).toMatchObject({
        code: 'type-invalid',
        field: 'orders[1].type',
      });
    },
  );

  test(
    'of the secondaries of an oneTriggerOneCancelOther are all but market',
    { tags: ['server:trading-v3.list.types-otoco-secondary'] },
    () => {
      const type = 'oneTriggerOneCancelOther';
      for (const leg of LEGS) expect(placed(type, [limit, of(leg), stop])).toBeUndefined();
      expect(placed(type, [limit, stop, market])?.field).toBe('orders[2].type');
      expect(placed(type, [limit, market, stop])?.field).toBe('orders[1].type');
    },
  );

  test(
    'of the primary of an oneTriggerOneCancelOther are all',
    { tags: ['server:trading-v3.list.types-otoco-primary'] },
    () => {
      for (const type of [...LEGS, 'market'] as const) {
        expect(placed('oneTriggerOneCancelOther', [of(type), limit, stop])).toBeUndefined();
      }
    },
  );

  test(
    'of an oneTriggerOther are all, everywhere, with any time in force',
    { tags: ['server:trading-v3.list.types-oto'] },
    () => {
      for (const type of [...LEGS, 'market'] as const) {
        expect(placed('oneTriggerOther', [of(type), of(type), of(type)])).toBeUndefined();
      }
      for (const timeInForce of ['GTC', 'IOC', 'FOK', 'Day'] as const) {
        const order = { ...limit, timeInForce };
        expect(placed('oneTriggerOther', [order, order])).toBeUndefined();
      }
    },
  );

  test(
    'of an allOrNone are limit and market, and FOK',
    { tags: ['server:trading-v3.list.aon-limit-or-market'] },
    () => {
      const fok = { timeInForce: 'FOK', symbol: 'ETHUSDT' } as const;
      for (const type of ['limit', 'market'] as const) {
        expect(placed('allOrNone', [killed(0), of(type, fok)])).toBeUndefined();
      }
      for (const type of LEGS.slice(1)) {
        expect(placed('allOrNone', [killed(0), of(type, fok)])?.field).toBe('orders[1].type');
      }
      for (const timeInForce of ['GTC', 'IOC', 'Day'] as const) {
        const order = { ...killed(1), timeInForce };
        expect(placed('allOrNone', [killed(0), order])?.field).toBe('orders[1].timeInForce');
      }
    },
  );

  test(
    'of an oneCancelOther include one plain limit at most',
    { tags: ['server:trading-v3.list.oco-one-limit'] },
    () => {
      expect(placed('oneCancelOther', [limit, limit])?.field).toBe('orders[1].type');
      expect(placed('oneCancelOther', [limit, of('stopLimit'), of('stopLimit')])).toBeUndefined();
    },
  );
});

describe('the time in force', () => {
  const lives = (type: string, before: readonly Order[], order: Order): (string | undefined)[] =>
    (['GTC', 'Day', 'GTD', 'IOC', 'FOK'] as const).map(
      (timeInForce) =>
        placed(type, [
          ...before,
          { ...order, timeInForce, ...(timeInForce === 'GTD' ? { expireAt: 9 } : {}) },
        ])?.code,
    );
  const bad = 'time-in-force-invalid';

  test(
    'of an oneCancelOther is any, but a limit neither IOC nor FOK',
    { tags: ['server:trading-v3.list.tif-oco'] },
    () => {
      expect(lives('oneCancelOther', [stop], limit)).toEqual([
        undefined,
        undefined,
        undefined,
        bad,
        bad,
      ]);
      for (const type of LEGS.slice(1)) {
        expect(lives('oneCancelOther', [limit], of(type))).toEqual(Array(5).fill(undefined));
      }
    },
  );

  test(
    'of the secondaries of an oneTriggerOneCancelOther is so too',
    { tags: ['server:trading-v3.list.tif-otoco-secondary'] },
    () => {
      const type = 'oneTriggerOneCancelOther';
      expect(lives(type, [limit, stop], limit)).toEqual([
        undefined,
        undefined,
        undefined,
        bad,
        bad,
      ]);
      for (const leg of LEGS.slice(1)) {
        expect(lives(type, [limit, limit], of(leg))).toEqual(Array(5).fill(undefined));
      }
      const primary = { ...limit, timeInForce: 'FOK' } as const;
      expect(placed(type, [primary, limit, stop])).toBeUndefined();
    },
  );
});

describe('the symbols', () => {
  test(
    'of an oneTriggerOneCancelOther are one',
    { tags: ['server:trading-v3.list.otoco-one-symbol'] },
    () => {
      const other = { ...stop, symbol: 'ETHUSDT' };
      const rejection = placed('oneTriggerOneCancelOther', [limit, limit, other]);
      expect(rejection).toMatchObject({ code: 'list-symbols-invalid', field: 'orders' });
      expect(placed('oneTriggerOther', [limit, limit, other])).toBeUndefined();
    },
  );

  test(
    'of an allOrNone are all different',
    { tags: ['server:trading-v3.list.aon-unique-symbols'] },
    () => {
      expect(placed('allOrNone', [killed(0), killed(0)])?.code).toBe('list-symbols-invalid');
      expect(placed('allOrNone', [killed(0), killed(1), killed(0)])?.code).toBe(
        'list-symbols-invalid',
      );
    },
  );
});

describe('the orders of a list', () => {
  const list = (): { floor: Floor; slot: (name: string) => number } => {
    const { floor, account } = open();
    floor.placeList(
      account,
      'oneTriggerOneCancelOther',
      [
        ['in', limit],
        ['tp', of('limit')],
        ['sl', stop],
      ],
      'in',
    );
    return { floor, slot: (name) => floor.exchange.activeOrder(account, idOf(name)) };
  };

  test('carry its id and its type', { tags: ['server:trading-v3.list.record-list-fields'] }, () => {
    const { floor, slot } = list();
    for (const name of ['in', 'tp', 'sl']) {
      const { id, contingencyType } = floor.exchange.lists.of(slot(name)) ?? {};
      expect([id, contingencyType]).toEqual([idOf('in'), 'oneTriggerOneCancelOther']);
    }
  });

  test(
    'are marked as inactive until the primary has filled',
    { tags: ['server:trading-v3.list.inactive-flag'] },
    () => {
      const { floor, slot } = list();
      const { lists } = floor.exchange;
      const inactive = (): boolean[] =>
        ['in', 'tp', 'sl'].map((name) => lists.isInactive(slot(name)));
      expect(inactive()).toEqual([false, true, true]);
      floor.trade('sell', 9, 1);
      expect(['tp', 'sl'].map((name) => lists.isInactive(slot(name)))).toEqual([false, false]);
    },
  );

  test(
    'of a stop type begin as suspended',
    { tags: ['server:trading-v3.list.stop-in-list-suspended'] },
    () => {
      const { floor, account } = open();
      floor.placeList(account, 'oneCancelOther', [
        ['tp', of('limit')],
        ['sl', stop],
        ['to', of('takeProfitLimit')],
      ]);
      expect(floor.events()).toEqual([
        'new tp------ new 0/1',
        'suspended sl------ suspended 0/1',
        'suspended to------ suspended 0/1',
      ]);
    },
  );
});

describe('the number of active orders', () => {
  test(
    'is 25,000 of an account at most, suspended ones included',
    { tags: ['server:trading-v3.limit.orders-total', 'server:trading-v3.limit.orders-limit-code'] },
    () => {
      const instruments = Array.from({ length: 13 }, (_, index) =>
        instrumentOf({ symbol: `S${index}USDT`, baseCurrency: `S${index}` }),
      );
      const floor = new Floor(instruments);
      const account = floor.account({ USDT: '100000000' });
      const place = (number: number): Rejection | undefined => {
        const symbol = `S${number % 13}USDT`;
        const order = { symbol, side: 'buy', lots: 1, ticks: 1 } as const;
        const suspended = { ...order, type: 'stopLimit', stop: 9 } as const;
        return floor.place(account, `o${number}`, number % 2 === 0 ? order : suspended);
      };
      for (let number = 0; number < 25_000; number += 1) expect(place(number)).toBeUndefined();
      const rejection = place(25_000);
      expect(rejection).toMatchObject({ code: 'order-limit-reached', limit: '25000' });
      expect(serviceCode(rejection)).toBe('400 20045');
      floor.cancel(account, 'o7');
      expect(place(25_000)).toBeUndefined();
    },
  );

  test(
    'is 2,000 on a symbol at most, suspended ones included',
    { tags: ['server:trading-v3.limit.orders-per-symbol'] },
    () => {
      const { floor, account } = ((): { floor: Floor; account: number } => {
        const one = new Floor([instrumentOf(), instrumentOf({ symbol: 'ETHUSDT' })]);
        return { floor: one, account: one.account({ USDT: '1000000' }) };
      })();
      const order = { side: 'buy', lots: 1, ticks: 1 } as const;
      for (let number = 0; number < 2_000; number += 1) {
        const more = number % 2 === 0 ? {} : ({ type: 'stopLimit', stop: 9 } as const);
        expect(floor.place(account, `o${number}`, { ...order, ...more })).toBeUndefined();
      }
      const rejection = floor.place(account, 'more', order);
      expect(rejection).toMatchObject({ code: 'order-limit-reached', limit: '2000' });
      expect(floor.place(account, 'other', { ...order, symbol: 'ETHUSDT' })).toBeUndefined();
      floor.cancel(account, 'o1');
      expect(floor.place(account, 'more', order)).toBeUndefined();
    },
  );
});
