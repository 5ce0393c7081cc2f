import { TradingClient } from 'millrace/clients';

const client = new TradingClient({
  url: 'http://127.0.0.1:8330',
  credentials: { key: 'demo', secret: 'demo-secret', scheme: 'hs256' },
});

const market = client.marketSocket({
  data: (frame) => {
    if (frame.feed !== 'trades') return;
    for (const { p, q } of frame.bySymbol['BTCUSDT'] ?? [])
      console.log(`${p.toFixed()} for ${q.toFixed()}`);
  },
});
const trading = client.tradingSocket({
  state: (state, why) => {
    console.log(state, why?.message ?? '');
  },
  notification: (...[method, params]) => {
    if (method === 'spot_order') console.log(params.report_type, params.client_order_id);
  },
});
await Promise.all([market.open(), trading.open()]);

await market.subscribe('trades', { symbols: ['BTCUSDT'], limit: 3 });
await trading.request('spot_subscribe');
const report = await trading.request('spot_new_order', {
  symbol: 'BTCUSDT',
  side: 'buy',
  quantity: '0.001',
  price: '30000.00',
});
await trading.request('spot_cancel_order', { client_order_id: report.client_order_id });
await client.close();
