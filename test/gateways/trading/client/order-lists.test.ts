import { describe, expect, expectTypeOf, test } from 'vitest';
import type { CallArguments } from '../../../../src/clients.ts';
import type { V3_CALLS } from '../../../../src/wire/trading/v3/calls/table.ts';
import { openVenue } from '../../../server/kit.ts';
import { openSubscriptions } from '../kit/accounts.ts';

const BUY = { symbol: 'BTCUSDT', side: 'buy', quantity: '0.5', price: '100' } as const;
const PROFIT = { symbol: 'BTCUSDT', side: 'sell', quantity: '0.5', price: '120' } as const;
const LOSS = {
  symbol: 'BTCUSDT',
  side: 'sell',
  quantity: '0.5',
  type: 'stopMarket',
  stop_price: '90',
} as const;

type List = CallArguments<(typeof V3_CALLS)['createSpotOrderList']>;

describe('lists of orders', () => {
  test(
    'go as JSON with what each order says and no more, and come back as orders',
    {
      tags: [
        'client:trading-v3.list.body-json',
        'client:trading-v3.spot.post-order-list',
        'client:trading-v3.list.record-list-fields',
      ],
    },
    async () => {
      const { rest, relay } = await openSubscriptions(await openVenue());
      const list = {
        contingency_type: 'oneCancelOther',
        order_list_id: 'the-list',
        orders: [{ ...PROFIT, client_order_id: 'the-list' }, LOSS],
      } as const;
      const orders = await rest.createSpotOrderList(list);
      expect(relay.sent).toEqual(['POST /api/3/spot/order/list', list]);
      expect(
        orders.map((order) => [
          order.order_list_id,
          order.contingency_type,
          order.type,
          order.status,
        ]),
      ).toEqual([
        ['the-list', 'oneCancelOther', 'limit', 'new'],
        ['the-list', 'oneCancelOther', 'stopMarket', 'suspended'],
      ]);
    },
  );

  test(
    'say which of their orders are not yet active',
    { tags: ['client:trading-v3.list.inactive-flag'] },
    async () => {
      const { rest } = await openSubscriptions(await openVenue());
      const orders = await rest.createSpotOrderList({
        contingency_type: 'oneTriggerOneCancelOther',
        orders: [BUY, PROFIT, LOSS],
      });
      expect(orders.map(({ inactive }) => inactive)).toEqual([undefined, true, true]);
    },
  );

  test.each([
    [
      'allOrNone',
      [
        { ...BUY, time_in_force: 'FOK', price: '100' },
        { ...BUY, symbol: 'ETHBTC', price: '0.01', time_in_force: 'FOK' },
      ],
    ],
    ['oneCancelOther', [PROFIT, LOSS]],
    ['oneTriggerOther', [BUY, LOSS]],
    ['oneTriggerOneCancelOther', [BUY, PROFIT, LOSS]],
  ] as const)(
    'may be %s',
    { tags: ['client:trading-v3.list.contingency-values'] },
    async (type, orders) => {
      const { rest, relay } = await openSubscriptions(await openVenue());
      const placed = await rest.createSpotOrderList({ contingency_type: type, orders });
      expect(relay.sent.at(1)).toMatchObject({ contingency_type: type });
      expect(placed.map((order) => order.contingency_type)).toEqual(orders.map(() => type));
    },
  );

  test('may be nothing else', { tags: ['client:trading-v3.list.contingency-values'] }, async () => {
    expectTypeOf<List['contingency_type']>().toEqualTypeOf<
      'allOrNone' | 'oneCancelOther' | 'oneTriggerOther' | 'oneTriggerOneCancelOther'
    >();
    const { rest, relay } = await openSubscriptions(await openVenue());
    const wrong = { contingency_type: 'allOrSome', orders: [BUY, BUY] } as never;
    await expect(rest.createSpotOrderList(wrong)).rejects.toMatchObject({
      code: 'request-invalid',
      field: 'contingency_type',
    });
    expect(relay.received).toEqual([]);
  });

  test('a mistake inside one of the orders is reported with its place, and nothing is sent', async () => {
    const { rest, relay } = await openSubscriptions(await openVenue());
    const ask = (order: object) =>
      rest.createSpotOrderList({
        contingency_type: 'oneCancelOther',
        orders: [PROFIT, order],
      } as never);
    await expect(ask({ ...LOSS, stop_price: 'low' })).rejects.toMatchObject({
      code: 'request-invalid',
      field: 'orders[1].stop_price',
    });
    await expect(ask({ ...LOSS, stopPrice: '90' })).rejects.toMatchObject({
      code: 'request-invalid',
      field: 'orders[1].stopPrice',
    });
    expect(relay.received).toEqual([]);
  });
});
