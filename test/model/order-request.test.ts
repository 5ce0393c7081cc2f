import { describe, expect, test } from 'vitest';
import type { NewOrder } from '../../src/model/order.ts';
import {
  cancelOf,
  idOf,
  idsOf,
  rejectReport,
  symbolOf,
  type OrderRequest,
} from '../../src/model/order-request.ts';
import { reportedId, reportedSymbol } from '../../src/model/report.ts';
import { lots } from '../../src/model/units.ts';
import { micros } from '../../src/platform/time.ts';

const order = (clientOrderId: string, symbol = 'BTCUSDT'): NewOrder => ({
  clientOrderId,
  symbol,
  side: 'buy',
  type: 'market',
  timeInForce: 'FOK',
  lots: lots(1),
  postOnly: false,
});

const REQUESTS: readonly (readonly [OrderRequest, string, readonly string[]])[] = [
  [{ kind: 'place', ...order('a') }, 'a', ['a']],
  [
    {
      kind: 'placeList',
      orderListId: 'list',
      contingencyType: 'allOrNone',
      orders: [order('a'), order('b', 'ETHUSDT')],
    },
    'list',
    ['a', 'b'],
  ],
  [
    {
      kind: 'replace',
      clientOrderId: 'a',
      newClientOrderId: 'b',
      symbol: 'BTCUSDT',
      lots: lots(1),
    },
    'b',
    ['b'],
  ],
  [{ kind: 'cancel', clientOrderId: 'a', symbol: 'BTCUSDT' }, 'a', ['a']],
];

describe('a request', () => {
  test.each(REQUESTS)('is answered by its own id: %o', (request, id, ids) => {
    expect([idOf(request), idsOf(request), symbolOf(request)]).toEqual([id, ids, 'BTCUSDT']);
    const rejection = { code: 'order-unknown', message: 'No.' } as const;
    const report = rejectReport(request, rejection, micros(7));
    expect(report).toEqual({
      kind: 'rejected',
      at: 7,
      request: request.kind,
      clientOrderId: id,
      symbol: 'BTCUSDT',
      rejection,
    });
    expect([reportedId(report), reportedSymbol(report)]).toEqual([id, 'BTCUSDT']);
  });

  test('to cancel names the margin of its order', () => {
    expect(cancelOf(order('a'))).toEqual({ kind: 'cancel', clientOrderId: 'a', symbol: 'BTCUSDT' });
    expect(cancelOf({ ...order('a'), margin: { mode: 'cross' } })).toMatchObject({
      margin: 'cross',
    });
  });

  test('is told from a report of an order, which has its id', () => {
    const at = micros(1);
    const filledLots = lots(0);
    const stamped = { id: 1, status: 'new', filledLots, createdAt: at, updatedAt: at } as const;
    const report = { kind: 'new', at, order: { ...order('c', 'ETHUSDT'), ...stamped } } as const;
    expect([reportedId(report), reportedSymbol(report)]).toEqual(['c', 'ETHUSDT']);
  });
});
