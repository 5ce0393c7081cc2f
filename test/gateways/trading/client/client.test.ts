import { describe, expect, onTestFinished, test } from 'vitest';
import { TradingClient, TradingClientV2 } from '../../../../src/clients.ts';
import { sharedVenue } from '../../../server/kit.ts';

describe('a client and the venue', () => {
  const venue = sharedVenue();

  test.each(['basic', 'hs256'] as const)('trade with %s in version 3', async (scheme) => {
    const client = new TradingClient({
      url: venue().base,
      credentials: { key: 'demo', secret: 'demo-secret', scheme },
      scheduler: venue().scheduler,
    });
    onTestFinished(() => client.close());
    const placed = await client.rest.createSpotOrder({
      symbol: 'BTCUSDT',
      side: 'buy',
      quantity: '0.001',
      price: '50000.00',
    });
    const id = placed.client_order_id;
    expect(await client.rest.getSpotOrder({ client_order_id: id })).toEqual(placed);
    const canceled = await client.rest.cancelSpotOrder({ client_order_id: id });
    expect([canceled.status, String(canceled.quantity)]).toEqual(['canceled', '0.001']);
  });

  test.each(['basic', 'hs256'] as const)('trade with %s in version 2', async (scheme) => {
    const client = new TradingClientV2({
      url: venue().base,
      credentials: { key: 'demo', secret: 'demo-secret', scheme },
      scheduler: venue().scheduler,
    });
    onTestFinished(() => client.close());
    const placed = await client.rest.createOrder({
      symbol: 'BTCUSDT',
      side: 'buy',
      quantity: '0.001',
      price: '50000.00',
    });
    const canceled = await client.rest.cancelOrder({ clientOrderId: placed.clientOrderId });
    expect([canceled.status, String(canceled.quantity)]).toEqual(['canceled', '0.001']);
  });
});
