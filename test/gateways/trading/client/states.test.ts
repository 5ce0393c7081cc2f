import { describe, expect, test } from 'vitest';
import { isActive } from '../../../../src/clients.ts';
import { openVenue } from '../../../server/kit.ts';
import { MarketHarness } from '../../../server/market/harness.ts';
import { openSubscriptions } from '../kit/accounts.ts';
import { at } from '../kit/values.ts';

const ORDER = {
  client_order_id: 'of-desk-1',
  symbol: 'BTCUSDT',
  side: 'buy',
  quantity: '0.5',
  price: '100',
} as const;

async function open() {
  const venue = await openVenue();
  const { rest } = await openSubscriptions(venue);
  return { venue, rest, floor: new MarketHarness(venue) };
}

const stateOf = (order: { status: string; quantity_cumulative: { toFixed(): string } }) => [
  order.status,
  order.quantity_cumulative.toFixed(),
];

describe('the status of an order', () => {
  test(
    'new: it rests in the book, and nothing of it is executed',
    { tags: ['client:trading-v3.state.new'] },
    async () => {
      const { rest } = await open();
      expect(stateOf(await rest.createSpotOrder(ORDER))).toEqual(['new', '0']);
      const { bid } = await rest.getOrderBook({ symbol: 'BTCUSDT' });
      expect(bid.map((level) => level.map(String))).toEqual([['100', '0.5']]);
    },
  );

  test(
    'suspended: it waits for its price, active and outside the book',
    { tags: ['client:trading-v3.state.suspended'] },
    async () => {
      const { rest } = await open();
      const stop = { ...ORDER, type: 'stopLimit', stop_price: '120' } as const;
      expect(stateOf(await rest.createSpotOrder(stop))).toEqual(['suspended', '0']);
      const [active] = await rest.getSpotOrders();
      expect([active?.client_order_id, active?.status]).toEqual(['of-desk-1', 'suspended']);
      expect((await rest.getOrderBook({ symbol: 'BTCUSDT' })).bid).toEqual([]);
    },
  );

  test(
    'partiallyFilled: a part is executed, the rest in the book',
    { tags: ['client:trading-v3.state.partially-filled'] },
    async () => {
      const { rest, floor } = await open();
      floor.order('other', 'BTCUSDT', 'sell', '100.00', '0.2');
      expect(stateOf(await rest.createSpotOrder(ORDER))).toEqual(['partiallyFilled', '0.2']);
      const { bid } = await rest.getOrderBook({ symbol: 'BTCUSDT' });
      expect(bid.map((level) => level.map(String))).toEqual([['100', '0.3']]);
    },
  );

  test('filled: all of it is executed', { tags: ['client:trading-v3.state.filled'] }, async () => {
    const { rest, floor } = await open();
    floor.order('other', 'BTCUSDT', 'sell', '100.00', '0.5');
    expect(stateOf(await rest.createSpotOrder(ORDER))).toEqual(['filled', '0.5']);
  });

  test(
    'canceled: by its owner, by a replacement, or by the service',
    { tags: ['client:trading-v3.state.canceled'] },
    async () => {
      const { rest } = await open();
      await rest.createSpotOrder(ORDER);
      await rest.replaceSpotOrder({
        client_order_id: 'of-desk-1',
        new_client_order_id: 'of-desk-2',
        quantity: '0.6',
        price: '100',
      });
      const last = await rest.cancelSpotOrder({ client_order_id: 'of-desk-2' });
      expect(last.status).toBe('canceled');
      const [replaced] = await rest.getSpotOrderHistory({ client_order_id: 'of-desk-1' });
      expect(replaced?.status).toBe('canceled');
      const oco = await rest.createSpotOrderList({
        contingency_type: 'oneCancelOther',
        orders: [
          { ...ORDER, side: 'sell', price: '120', client_order_id: 'of-desk-3' },
          {
            symbol: 'BTCUSDT',
            side: 'sell',
            quantity: '0.5',
            client_order_id: 'of-desk-4',
            type: 'stopMarket',
            stop_price: '90',
          },
        ],
      });
      expect(oco.map(({ status }) => status)).toEqual(['new', 'suspended']);
      await rest.cancelSpotOrder({ client_order_id: 'of-desk-3' });
      const [other] = await rest.getSpotOrderHistory({ client_order_id: 'of-desk-4' });
      expect(other?.status).toBe('canceled');
    },
  );

  test(
    'expired: its time in force or post only ended it',
    { tags: ['client:trading-v3.state.expired'] },
    async () => {
      const { venue, rest, floor } = await open();
      floor.order('other', 'BTCUSDT', 'sell', '100.00', '0.1');
      const crossing = await rest.createSpotOrder({ ...ORDER, post_only: true });
      expect(stateOf(crossing)).toEqual(['expired', '0']);
      const until = { time_in_force: 'GTD', expire_time: at('2026-01-05T10:00:05Z') } as const;
      const id = { client_order_id: 'of-desk-2' };
      await rest.createSpotOrder({ ...ORDER, ...id, price: '50', ...until });
      venue.pass(6_000_000);
      const [late] = await rest.getSpotOrderHistory(id);
      expect(late?.status).toBe('expired');
    },
  );

  test(
    'exactly filled, canceled and expired are inactive',
    { tags: ['client:trading-v3.state.terminal-states'] },
    async () => {
      const words = [
        'new',
        'suspended',
        'partiallyFilled',
        'filled',
        'canceled',
        'expired',
      ] as const;
      expect(words.filter((word) => !isActive(word))).toEqual(['filled', 'canceled', 'expired']);
      const { rest, floor } = await open();
      floor.order('other', 'BTCUSDT', 'sell', '100.00', '0.5');
      const filled = await rest.createSpotOrder(ORDER);
      const canceled = await rest.createSpotOrder({ ...ORDER, client_order_id: 'of-desk-2' });
      await rest.cancelSpotOrder({ client_order_id: 'of-desk-2' });
      const fok = { ...ORDER, client_order_id: 'of-desk-3', time_in_force: 'FOK' } as const;
      const expired = await rest.createSpotOrder(fok);
      expect([filled.status, expired.status]).toEqual(['filled', 'expired']);
      for (const { client_order_id: id } of [filled, canceled, expired]) {
        const [ended] = await rest.getSpotOrderHistory({ client_order_id: id });
        expect(ended === undefined || isActive(ended.status)).toBe(false);
        await expect(rest.cancelSpotOrder({ client_order_id: id })).rejects.toMatchObject({
          serviceCode: 20_002,
        });
        expect(await rest.getSpotOrderHistory({ client_order_id: id })).toEqual([ended]);
      }
      expect(await rest.getSpotOrders()).toEqual([]);
    },
  );
});
