import { MillraceError, ServiceError, TradingClient } from 'millrace/clients';

const client = new TradingClient({
  url: 'http://127.0.0.1:8330',
  credentials: { key: 'demo', secret: 'demo-secret', scheme: 'hs256' },
});

/** Places an order and knows in the end whether it is there. */
async function placeSurely(id: string): Promise<boolean> {
  try {
    await client.rest.createSpotOrder({
      client_order_id: id,
      symbol: 'ETHUSDT',
      side: 'buy',
      quantity: '0.01',
      price: '1000',
    });
    return true;
  } catch (error) {
    if (!(error instanceof MillraceError)) throw error;
    if (error.code !== 'outcome-unknown' && error.code !== 'answer-invalid') return false;
  }
  try {
    await client.rest.getSpotOrder({ client_order_id: id });
    return true;
  } catch (error) {
    // Not among the active ones: it never was, or it has ended already.
    if (!(error instanceof ServiceError) || error.serviceCode !== 20002) throw error;
    const ended = await client.rest.getSpotOrderHistory({ client_order_id: id });
    return ended.length > 0;
  }
}

const id = `try-${Date.now()}`;
console.log(await placeSurely(id)); // true
await client.rest.cancelSpotOrders();
await client.close();
