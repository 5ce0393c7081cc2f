import { describe, expect, expectTypeOf, test } from 'vitest';
import type { CallArguments } from '../../../../src/clients.ts';
import type { V3_CALLS } from '../../../../src/wire/trading/v3/calls/table.ts';
import { openVenue } from '../../../server/kit.ts';
import { MarketHarness } from '../../../server/market/harness.ts';
import { openSubscriptions } from '../kit/accounts.ts';
import { openRelay } from '../kit/relay.ts';
import { at } from '../kit/values.ts';
import { clientOf } from './client-of.ts';
import { eachRow } from '../../../conformance/each-row.ts';

const ORDER = { symbol: 'BTCUSDT', side: 'buy', quantity: '0.5', price: '100' } as const;

type NewOrder = CallArguments<(typeof V3_CALLS)['createSpotOrder']>;
type NewMarginOrder = CallArguments<(typeof V3_CALLS)['createMarginOrder']>;

describe('client order ids', () => {
  eachRow('client:trading-v3.rule.', [
    ['client-order-id-min-8', 'seven--', 'eight-id'],
    ['client-order-id-max-32', 'x'.repeat(33), 'x'.repeat(32)],
    ['client-order-id-charset', 'with space', 'AZaz09_-'],
    ['client-order-id-charset', 'with.dots', '--------'],
    ['client-order-id-charset', 'umlaut-ü', '________'],
  ])('%j is refused before it is sent, %j is sent', async (wrong, right) => {
    const { rest, relay } = await openSubscriptions(await openVenue());
    const rejected = { code: 'request-invalid', field: 'client_order_id' };
    await expect(rest.createSpotOrder({ ...ORDER, client_order_id: wrong })).rejects.toMatchObject(
      rejected,
    );
    const orders = [
      { ...ORDER, client_order_id: wrong },
      { ...ORDER, side: 'sell', price: '120' },
    ] as const;
    await expect(
      rest.createSpotOrderList({ contingency_type: 'oneCancelOther', orders }),
    ).rejects.toMatchObject({ ...rejected, field: 'orders[0].client_order_id' });
    expect(relay.received).toEqual([]);
    const placed = await rest.createSpotOrder({ ...ORDER, client_order_id: right });
    expect(placed.client_order_id).toBe(right);
    await expect(
      rest.replaceSpotOrder({
        client_order_id: right,
        new_client_order_id: wrong,
        quantity: '1',
      }),
    ).rejects.toMatchObject({ code: 'request-invalid', field: 'new_client_order_id' });
    expect(relay.received).toHaveLength(1);
  });
});

describe('what an order cannot do without', () => {
  test.each<[unknown, string, string]>([
    [undefined, 'symbol', 'symbol is required'],
    [{ ...ORDER, side: undefined }, 'side', 'side is required'],
    [{ ...ORDER, price: null }, 'price', 'price is null: give a value or leave it out'],
    [{ ...ORDER, symbol: null }, 'symbol', 'symbol is null: give a value or leave it out'],
    [null, '', 'the arguments must be one object'],
  ])('%j is refused before it is sent', async (order, field, sentence) => {
    const { rest, relay } = await openSubscriptions(await openVenue());
    await expect(rest.createSpotOrder(order as never)).rejects.toMatchObject({
      code: 'request-invalid',
      message: `createSpotOrder was not sent: ${sentence}.`,
      ...(field === '' ? {} : { field }),
    });
    const orders = [ORDER, order] as never;
    await expect(
      rest.createSpotOrderList({ contingency_type: 'oneCancelOther', orders }),
    ).rejects.toMatchObject({ code: 'request-invalid' });
    expect(relay.received).toEqual([]);
  });
});

describe('words of orders', () => {
  test.each([
    ['limit', {}],
    ['market', { price: undefined }],
    ['stopLimit', { stop_price: '150' }],
    ['stopMarket', { stop_price: '150', price: undefined }],
    ['takeProfitLimit', { stop_price: '50' }],
    ['takeProfitMarket', { stop_price: '50', price: undefined }],
  ] as const)(
    'the type may be %s',
    { tags: ['client:trading-v3.rule.type-values'] },
    async (type, more) => {
      const { rest, relay } = await openSubscriptions(await openVenue());
      const placed = await rest.createSpotOrder({ ...ORDER, ...more, type });
      expect(relay.sent.at(1)).toMatchObject({ type });
      expect(placed.type).toBe(type);
    },
  );

  test.each(['GTC', 'IOC', 'FOK', 'Day', 'GTD'] as const)(
    'the time in force may be %s',
    { tags: ['client:trading-v3.rule.tif-values'] },
    async (tif) => {
      const { rest, relay } = await openSubscriptions(await openVenue());
      const expiry = tif === 'GTD' ? { expire_time: at('2026-01-06T00:00:00Z') } : {};
      const placed = await rest.createSpotOrder({ ...ORDER, time_in_force: tif, ...expiry });
      expect(relay.sent.at(1)).toMatchObject({ time_in_force: tif });
      expect(placed.time_in_force).toBe(tif);
    },
  );

  eachRow('client:trading-v3.rule.', [
    ['type-values', 'type', 'iceberg'],
    ['tif-values', 'time_in_force', 'GTX'],
  ])('%s may not be %s', async (member, word) => {
    expectTypeOf<NonNullable<NewOrder['type']>>().toEqualTypeOf<
      'limit' | 'market' | 'stopLimit' | 'stopMarket' | 'takeProfitLimit' | 'takeProfitMarket'
    >();
    expectTypeOf<NonNullable<NewOrder['time_in_force']>>().toEqualTypeOf<
      'GTC' | 'IOC' | 'FOK' | 'Day' | 'GTD'
    >();
    const { rest, relay } = await openSubscriptions(await openVenue());
    await expect(rest.createSpotOrder({ ...ORDER, [member]: word })).rejects.toMatchObject({
      code: 'request-invalid',
      field: member,
    });
    expect(relay.received).toEqual([]);
  });

  test.each(['take_rate', 'make_rate'] as const)(
    '%s is offered for spot orders alone',
    { tags: ['client:trading-v3.rule.rates-spot-only'] },
    async (rate) => {
      expectTypeOf<NewOrder>().toHaveProperty(rate);
      expectTypeOf<NewMarginOrder>().not.toHaveProperty(rate);
      const { rest, relay } = await openSubscriptions(await openVenue());
      const order = { ...ORDER, [rate]: '0.003' };
      await expect(rest.createMarginOrder(order)).rejects.toMatchObject({
        code: 'request-invalid',
        field: rate,
      });
      expect(relay.received).toEqual([]);
      await rest.createSpotOrder(order);
      expect(relay.sent.at(1)).toMatchObject({ [rate]: '0.003' });
    },
  );

  test.each([
    ['reduce_only', true],
    ['close_position', true],
    ['margin_mode', 'cross'],
  ] as const)(
    '%s is offered for margin and futures orders alone',
    { tags: ['client:trading-v3.rule.reduce-only-margin-only'] },
    async (member, value) => {
      expectTypeOf<NewMarginOrder>().toHaveProperty(member);
      expectTypeOf<NewOrder>().not.toHaveProperty(member);
      const relay = await openRelay();
      const { rest } = clientOf(relay.url);
      const order = { ...ORDER, [member]: value };
      await expect(rest.createSpotOrder(order)).rejects.toMatchObject({
        code: 'request-invalid',
        field: member,
      });
      expect(relay.received).toEqual([]);
      for (const call of [rest.createMarginOrder, rest.createFuturesOrder]) {
        relay.answer({});
        await call(order).catch(() => undefined);
        expect(relay.sent.at(1)).toMatchObject({ [member]: value });
      }
    },
  );
});

describe('what becomes of orders', () => {
  test.each([
    ['IOC', '0.2', 'expired'],
    ['IOC', '0.5', 'filled'],
    ['FOK', '0.2', 'expired'],
    ['FOK', '0.5', 'filled'],
  ] as const)(
    '%s against %s of 0.5 is answered as %s',
    { tags: ['client:trading-v3.rule.ioc-fok-final-status'] },
    async (tif, offered, status) => {
      const venue = await openVenue();
      const { rest } = await openSubscriptions(venue);
      new MarketHarness(venue).order('other', 'BTCUSDT', 'sell', '100.00', offered);
      const placed = await rest.createSpotOrder({ ...ORDER, time_in_force: tif });
      expect(placed.status).toBe(status);
    },
  );

  test(
    'a replacement has the id that is given, and the id that it replaced',
    {
      tags: [
        'client:trading-v3.rule.replace-new-client-id',
        'client:trading-v3.rule.replace-original-id',
      ],
    },
    async () => {
      const { rest, relay } = await openSubscriptions(await openVenue());
      await rest.createSpotOrder({ ...ORDER, client_order_id: 'of-desk-1' });
      const named = await rest.replaceSpotOrder({
        client_order_id: 'of-desk-1',
        new_client_order_id: 'of-desk-2',
        quantity: '0.6',
        price: '100',
      });
      expect([named.client_order_id, named.original_client_order_id]).toEqual([
        'of-desk-2',
        'of-desk-1',
      ]);
      const unnamed = await rest.replaceSpotOrder({
        client_order_id: 'of-desk-2',
        quantity: '0.7',
        price: '100',
      });
      expect(relay.sent.at(1)).toEqual({ quantity: '0.7', price: '100' });
      expect(unnamed.original_client_order_id).toBe('of-desk-2');
      expect(unnamed.client_order_id).not.toBe('of-desk-2');
    },
  );

  test('may lack it', { tags: ['client:trading-v3.rule.replace-original-id'] }, async () => {
    const relay = await openRelay();
    relay.answer({
      id: 7,
      client_order_id: 'of-desk-2',
      symbol: 'X',
      side: 'buy',
      status: 'new',
      type: 'limit',
      time_in_force: 'GTC',
      quantity: '1',
      quantity_cumulative: '0',
      created_at: '2026-01-05T10:00:00Z',
      updated_at: '2026-01-05T10:00:00Z',
    });
    const change = { client_order_id: 'of-desk-1', quantity: '1' };
    const order = await clientOf(relay.url).rest.replaceSpotOrder(change);
    expect(order.original_client_order_id).toBeUndefined();
  });
});
