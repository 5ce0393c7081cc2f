import { describe, expect, test } from 'vitest';
import { OrderHistory } from '../../../src/backtest/metrics/order-history.ts';
import { OrderMetrics } from '../../../src/backtest/metrics/orders.ts';
import type { PlaceListRequest } from '../../../src/model/order-request.ts';
import type { NewOrder } from '../../../src/model/order.ts';
import type { OrderStatus } from '../../../src/model/order.ts';
import type { Report } from '../../../src/model/report.ts';
import { lots, ticks } from '../../../src/model/units.ts';
import { micros } from '../../../src/platform/time.ts';
import { placeList } from '../../../src/strategy/lists.ts';
import { cancel, cancelAll, place, replace } from '../../../src/strategy/orders.ts';
import { quote, target } from '../../../src/strategy/managed-orders.ts';
import { instrumentOf } from '../../kit/instruments.ts';

const order = (clientOrderId: string, change: Partial<NewOrder> = {}): NewOrder => ({
  clientOrderId,
  symbol: 'BTCUSDT',
  side: 'buy',
  type: 'limit',
  timeInForce: 'GTC',
  lots: lots(10),
  ticks: ticks(100),
  postOnly: false,
  ...change,
});

const LEG = { symbol: 'BTCUSDT', type: 'limit', side: 'buy', ticks: 5, lots: 1 } as const;

const LIST: PlaceListRequest = {
  kind: 'placeList',
  orderListId: 'first-01',
  contingencyType: 'oneCancelOther',
  orders: [order('first-01'), order('second-1', { type: 'stopLimit', stopTicks: ticks(90) })],
};

const report = (
  kind: 'new' | 'suspended' | 'canceled' | 'replaced',
  asked: NewOrder,
  status: OrderStatus,
  at: number,
  originalClientOrderId?: string,
): Report => ({
  kind,
  at: micros(at),
  order: {
    ...asked,
    id: 1,
    status,
    filledLots: lots(0),
    createdAt: micros(at),
    updatedAt: micros(at),
    ...(originalClientOrderId === undefined ? {} : { originalClientOrderId }),
  },
});

const rejected = (request: 'place' | 'placeList' | 'replace' | 'cancel', id: string): Report => ({
  kind: 'rejected',
  at: micros(9),
  request,
  clientOrderId: id,
  symbol: 'BTCUSDT',
  rejection: { code: 'funds-insufficient', message: 'No.' },
});

const history = (limit = 100): OrderHistory => new OrderHistory([instrumentOf()], limit);

describe('the history of orders', () => {
  test('has a row for each order of a list, with the list and its place', () => {
    const reported = history();
    reported.request(micros(1), LIST);
    for (const [index, one] of LIST.orders.entries()) {
      reported.report(report(index === 0 ? 'new' : 'suspended', one, 'new', 2));
    }
    expect(reported.rows.total).toBe(2);
    expect(reported.rows.rows[1]).toEqual({
      sentAt: '1970-01-01T00:00:00.000001Z',
      triggeredAt: null,
      endedAt: null,
      symbol: 'BTCUSDT',
      order: 'second-1',
      replaces: null,
      list: 'first-01',
      contingencyType: 'oneCancelOther',
      listIndex: 1,
      side: 'buy',
      type: 'stopLimit',
      timeInForce: 'GTC',
      price: '1',
      stopPrice: '0.9',
      takeRate: null,
      makeRate: null,
      size: '0.0001',
      filled: '0',
      status: 'new',
    });
  });

  test('says when a stop order was triggered, before and after it was replaced', () => {
    const reported = history();
    const stop = order('stop-001', { type: 'stopMarket', stopTicks: ticks(90) });
    reported.request(micros(1), { kind: 'place', ...stop });
    reported.report(report('suspended', stop, 'suspended', 2));
    reported.report(report('new', stop, 'new', 3));
    reported.request(micros(4), {
      kind: 'replace',
      clientOrderId: 'stop-001',
      newClientOrderId: 'stop-002',
      symbol: 'BTCUSDT',
      lots: lots(5),
    });
    const next = { ...stop, clientOrderId: 'stop-002', lots: lots(5) };
    reported.report(report('replaced', next, 'new', 5, 'stop-001'));
    reported.report(report('canceled', next, 'canceled', 6));
    const triggeredAt = '1970-01-01T00:00:00.000003Z';
    expect(reported.rows.rows).toMatchObject([
      { order: 'stop-001', status: 'replaced', triggeredAt, stopPrice: '0.9' },
      { order: 'stop-002', status: 'canceled', triggeredAt, replaces: 'stop-001', size: '0.00005' },
    ]);
  });

  test('ends what the venue refused: a place, a replacement, all orders of a list, and no cancel', () => {
    const reported = history();
    reported.request(micros(1), LIST);
    reported.request(micros(1), { kind: 'place', ...order('third-01') });
    reported.request(micros(1), { kind: 'place', ...order('fourth-1') });
    reported.request(micros(1), { kind: 'cancel', clientOrderId: 'fourth-1', symbol: 'BTCUSDT' });
    reported.request(micros(1), {
      kind: 'replace',
      clientOrderId: 'fourth-1',
      newClientOrderId: 'fifth-01',
      symbol: 'BTCUSDT',
      lots: lots(5),
      ticks: ticks(99),
    });
    reported.report(rejected('placeList', 'first-01'));
    reported.report(rejected('place', 'third-01'));
    reported.report(rejected('cancel', 'fourth-1'));
    reported.report(rejected('replace', 'fifth-01'));
    expect(reported.rows.rows.map((row) => [row.order, row.status])).toEqual([
      ['first-01', 'rejected'],
      ['second-1', 'rejected'],
      ['third-01', 'rejected'],
      ['fourth-1', 'sent'],
      ['fifth-01', 'rejected'],
    ]);
  });

  test('keeps the first rows and counts all, and leaves unknown rows unchanged', () => {
    const reported = history(1);
    reported.request(micros(1), LIST);
    reported.report(report('canceled', order('unknown1'), 'canceled', 2));
    reported.request(micros(1), {
      kind: 'replace',
      clientOrderId: 'unknown1',
      newClientOrderId: 'unknown2',
      symbol: 'BTCUSDT',
      lots: lots(5),
    });
    reported.report({
      kind: 'balance',
      at: micros(1),
      currency: 'BTC',
      available: instrumentOf().tickAmount,
      reserved: instrumentOf().tickAmount,
    });
    expect(reported.rows.total).toBe(2);
    expect(reported.rows.rows).toHaveLength(1);
  });
});

describe('the count of orders', () => {
  test('takes a list for as many orders as it has, refused or not', () => {
    const counted = new OrderMetrics();
    counted.request(LIST);
    counted.report(rejected('placeList', 'first-01'));
    counted.request({ ...LIST, orderListId: 'other-01', orders: [order('other-01')] });
    counted.report(report('new', order('other-01'), 'new', 2));
    expect(counted.statistics()).toMatchObject({ sent: 3, rejected: 2, fillRatio: 0 });
    counted.report(rejected('placeList', 'other-01'));
    expect(counted.statistics()).toMatchObject({ rejected: 2, fillRatio: 0 });
  });

  test('counts refused orders apart from refused replacements, cancels and managed orders', () => {
    const counted = new OrderMetrics();
    counted.request(LIST);
    for (const request of ['place', 'placeList', 'replace', 'cancel', 'cancel'] as const) {
      counted.report(rejected(request, 'first-01'));
    }
    const unknown = { code: 'order-unknown', message: 'No more.' } as const;
    const list = placeList('oneTriggerOther', [LEG, LEG, LEG]);
    counted.refused(place('BTCUSDT', LEG), { ...unknown, message: 'The first.' });
    counted.refused(list, unknown);
    counted.refused({ ...list, orders: [] }, unknown);
    counted.refused(replace('first-01', { lots: 5 }), unknown);
    counted.refused(cancel('first-01'), unknown);
    counted.refused(cancelAll('BTCUSDT'), unknown);
    counted.refused(target('BTCUSDT', 50), unknown);
    counted.refused(quote('BTCUSDT', {}), unknown);
    expect(counted.statistics()).toMatchObject({
      sent: 2,
      rejected: 3,
      refused: 5,
      refusedReplacements: 2,
      refusedCancels: 4,
      refusedManagedOrders: 2,
      rejections: { 'funds-insufficient': 6, 'order-unknown': 10 },
      firstRejections: { 'funds-insufficient': 'No.', 'order-unknown': 'The first.' },
    });
  });
});
