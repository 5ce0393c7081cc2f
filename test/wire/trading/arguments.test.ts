import { describe, expect, test } from 'vitest';
import { decimal } from '../../../src/model/decimal.ts';
import { encodeRequest } from '../../../src/wire/trading/call.ts';
import { V3_CALLS, V3_PREFIX } from '../../../src/wire/trading/v3/calls/table.ts';

describe('what a caller hands in', () => {
  const list = {
    contingency_type: 'oneCancelOther',
    orders: [
      { symbol: 'BTCUSDT', side: 'sell', quantity: '1', price: decimal('120.50') },
      { symbol: 'BTCUSDT', side: 'sell', quantity: '1', type: 'stopMarket', stop_price: '90' },
    ],
  } as const;

  test('may leave out what has a default inside lists too, and only what is given is written', () => {
    const { body } = encodeRequest(V3_CALLS.createSpotOrderList, V3_PREFIX, {
      path: {},
      params: list,
    });
    const [first, second] = list.orders;
    expect(JSON.parse(body)).toEqual({
      contingency_type: 'oneCancelOther',
      orders: [{ ...first, price: '120.5' }, second],
    });
  });

  test('is named where it stands when it does not fit', () => {
    const wrong = { ...list, orders: [list.orders[0], { ...list.orders[1], stop_price: 'low' }] };
    const write = (params: unknown) => () =>
      encodeRequest(V3_CALLS.createSpotOrderList, V3_PREFIX, { path: {}, params: params as never });
    expect(write(wrong)).toThrow('orders[1].stop_price must be a decimal');
    expect(write({ ...list, orders: 'all' })).toThrow('orders must be an array');
  });

  test('is refused where its key of pages is none of the words, and not left out', () => {
    const write = (by: unknown) => () =>
      encodeRequest(V3_CALLS.getSpotOrderHistory, V3_PREFIX, {
        path: {},
        params: { by } as never,
      }).query;
    expect(write('id')()).toBe('by=id');
    expect(write('time')).toThrow('by must be one of id, timestamp');
  });
});
