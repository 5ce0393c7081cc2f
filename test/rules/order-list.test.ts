import { describe, expect, test } from 'vitest';
import type { NewOrder, OrderType, TimeInForce } from '../../src/model/order.ts';
import { lots } from '../../src/model/units.ts';
import {
  listFormRejection,
  orderFormRejection,
  orderListRejection,
  type ListTerms,
} from '../../src/rules/order-list.ts';

const order = (
  type: OrderType,
  timeInForce: TimeInForce = 'GTC',
  symbol = 'BTCUSDT',
): Omit<NewOrder, 'clientOrderId'> => ({
  symbol,
  side: 'buy',
  type,
  timeInForce,
  lots: lots(1),
  postOnly: false,
});

const codeOf = (
  contingencyType: string,
  ...orders: readonly Omit<NewOrder, 'clientOrderId'>[]
): string | undefined => {
  const listed = orders.map((o, index) => ({ ...o, clientOrderId: `order-00${index}` }));
  const list: ListTerms = {
    contingencyType: contingencyType as ListTerms['contingencyType'],
    orders: listed,
  };
  const rejection = orderListRejection(list);
  return rejection === undefined ? undefined : `${rejection.code} ${rejection.field ?? ''}`;
};

const limit = order('limit');
const stop = order('stopMarket', 'FOK');

describe('an order list is refused', () => {
  test('for a contingency type that there is not', () => {
    expect(codeOf('oneUpdatesOther', limit, stop)).toBe('contingency-type-invalid contingencyType');
  });

  test.each([
    ['oneCancelOther', 1],
    ['oneCancelOther', 4],
    ['oneTriggerOther', 1],
    ['allOrNone', 4],
    ['oneTriggerOneCancelOther', 2],
  ])('%s for %i orders', (type, count) => {
    expect(codeOf(type, ...Array.from({ length: count }, () => stop))).toBe(
      'order-count-invalid orders',
    );
  });

  test('for a market leg, a second plain limit leg, and a limit leg that cannot wait', () => {
    expect(codeOf('oneCancelOther', stop, order('market', 'FOK'))).toBe(
      'type-invalid orders[1].type',
    );
    expect(codeOf('oneCancelOther', limit, stop, limit)).toBe('type-invalid orders[2].type');
    expect(codeOf('oneTriggerOneCancelOther', stop, limit, limit)).toBe(
      'type-invalid orders[2].type',
    );
    for (const life of ['IOC', 'FOK'] as const) {
      expect(codeOf('oneCancelOther', stop, order('limit', life))).toBe(
        'time-in-force-invalid orders[1].timeInForce',
      );
    }
  });

  test('as allOrNone for another type or life, and for one symbol twice', () => {
    const fok = order('limit', 'FOK');
    const other = order('market', 'FOK', 'ETHUSDT');
    expect(codeOf('allOrNone', fok, order('stopMarket', 'FOK', 'ETHUSDT'))).toBe(
      'type-invalid orders[1].type',
    );
    expect(codeOf('allOrNone', order('limit', 'IOC'), other)).toBe(
      'time-in-force-invalid orders[0].timeInForce',
    );
    expect(codeOf('allOrNone', fok, fok)).toBe('list-symbols-invalid orders');
    expect(codeOf('allOrNone', fok, other)).toBeUndefined();
  });

  test('as oneTriggerOneCancelOther for two symbols', () => {
    const other = order('stopMarket', 'FOK', 'ETHUSDT');
    expect(codeOf('oneTriggerOneCancelOther', limit, limit, other)).toBe(
      'list-symbols-invalid orders',
    );
  });

  test('for an id that is not the first client order id', () => {
    const orders = [limit, stop].map((o, index) => ({ ...o, clientOrderId: `order-00${index}` }));
    const list = { contingencyType: 'oneCancelOther', orders } as const;
    expect(orderListRejection({ ...list, orderListId: 'order-001' })).toMatchObject({
      code: 'order-list-id-invalid',
      limit: 'order-000',
    });
    expect(orderListRejection({ ...list, orderListId: 'order-000' })).toBeUndefined();
  });
});

test('any orders may trigger each other, and a primary may be a market order or a limit', () => {
  const market = order('market', 'FOK');
  expect(codeOf('oneTriggerOther', market, market, limit)).toBeUndefined();
  expect(codeOf('oneTriggerOneCancelOther', market, limit, stop)).toBeUndefined();
  expect(codeOf('oneTriggerOneCancelOther', limit, limit, stop)).toBeUndefined();
});

describe('what is no list of orders is refused', () => {
  test.each([undefined, null, 'list', 7, {}, { orders: undefined }, { orders: { 0: limit } }])(
    'as a request: %o',
    (given) => {
      expect(listFormRejection(given)).toEqual({
        code: 'request-invalid',
        field: 'orders',
        message: 'An order list is an object with an array of orders.',
      });
    },
  );

  test('by the place of what is no order, a hole included', () => {
    expect(listFormRejection({ orders: [limit, stop] })).toBeUndefined();
    expect(listFormRejection({ orders: [] })).toBeUndefined();
    expect(listFormRejection({ orders: [limit, null] })).toEqual({
      code: 'request-invalid',
      field: 'orders[1]',
      message: 'orders[1] is not given and must be an object with fields.',
    });
    const holed: unknown[] = [limit];
    holed[2] = stop;
    expect(listFormRejection({ orders: holed })?.field).toBe('orders[1]');
  });

  test('an order alone without a field', () => {
    expect(orderFormRejection(limit)).toBeUndefined();
    expect(orderFormRejection(null)).toStrictEqual({
      code: 'request-invalid',
      message: 'The request is not given and must be an object with fields.',
    });
  });
});

describe('a list is refused with what it must be', () => {
  const rejectionOf = (
    contingencyType: ListTerms['contingencyType'],
    ...orders: readonly Omit<NewOrder, 'clientOrderId'>[]
  ) =>
    orderListRejection({
      contingencyType,
      orders: orders.map((one, index) => ({ ...one, clientOrderId: `order-00${index}` })),
    });

  test('how many orders', () => {
    expect(rejectionOf('oneTriggerOneCancelOther', limit, stop)).toMatchObject({
      message: 'oneTriggerOneCancelOther takes 3 orders, not 2.',
      limit: '3',
    });
    expect(rejectionOf('oneCancelOther', stop)).toMatchObject({
      message: 'oneCancelOther takes 2 or 3 orders, not 1.',
      limit: '2..3',
    });
  });

  test('which symbols, where it has others', () => {
    const eth = order('stopMarket', 'GTC', 'ETHUSDT');
    expect(rejectionOf('oneTriggerOneCancelOther', limit, stop, eth)?.message).toBe(
      'oneTriggerOneCancelOther has the symbols BTCUSDT, ETHUSDT in 3 orders and must have one.',
    );
    const fok = order('limit', 'FOK');
    expect(rejectionOf('allOrNone', fok, fok)?.message).toBe(
      'allOrNone has the symbols BTCUSDT in 2 orders and must have a different one in each.',
    );
  });

  test('which of its orders is of another type or life, counted from 1', () => {
    expect(rejectionOf('oneCancelOther', stop, order('market', 'FOK'))?.message).toMatch(
      /^In oneCancelOther the type of order 2 is "market" and must be one of limit, /,
    );
    expect(rejectionOf('oneCancelOther', stop, order('limit', 'IOC'))?.message).toMatch(
      /^In oneCancelOther the timeInForce of order 2 is "IOC" and must be one of GTC, Day, GTD/,
    );
  });

  test('of spot alone where all or none is to execute, wherever the order on margin stands', () => {
    const fok = order('limit', 'FOK');
    const eth = order('limit', 'FOK', 'ETHUSDT');
    const margin = { mode: 'isolated' } as const;
    expect(rejectionOf('allOrNone', { ...fok, margin }, eth)).toMatchObject({
      code: 'contingency-type-invalid',
      field: 'orders[0].marginMode',
    });
    expect(rejectionOf('allOrNone', fok, { ...eth, margin })?.field).toBe('orders[1].marginMode');
  });
});

test('two orders of a list have different client order ids', () => {
  const list = (...ids: readonly string[]): ListTerms => ({
    contingencyType: 'oneTriggerOther',
    orders: ids.map((clientOrderId) => ({ ...order('limit'), clientOrderId })),
  });
  expect(orderListRejection(list('order-001', 'order-002', 'order-003'))).toBeUndefined();
  expect(orderListRejection(list('order-001', 'order-002', 'order-002'))).toEqual({
    code: 'client-order-id-taken',
    field: 'orders[2].clientOrderId',
    message: 'Two orders of the list have the client order id "order-002"; choose another.',
  });
  expect(orderListRejection(list('order-001', 'order-001'))).toMatchObject({
    field: 'orders[1].clientOrderId',
  });
});
