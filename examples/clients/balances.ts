import { Decimal, isoTime, parseIsoTime, TradingClient } from 'millrace/clients';

const client = new TradingClient({
  url: 'http://127.0.0.1:8330',
  credentials: { key: 'demo', secret: 'demo-secret', scheme: 'basic' },
});

const balances = await client.rest.getSpotBalances();
const usdt = balances.find(({ currency }) => currency === 'USDT');
const third = (usdt?.available ?? new Decimal(0)).div(3).toDecimalPlaces(2, Decimal.ROUND_DOWN);
console.log('a third of it:', third.toFixed());

const since = parseIsoTime('2026-01-01');
if (since === undefined) throw new Error('not a date');
const trades = await client.rest.getSpotTradeHistory({
  symbol: ['BTCUSDT'],
  by: 'timestamp',
  sort: 'ASC',
  from: { kind: 'time', at: since },
  limit: 1000,
});
for (const { timestamp, price, quantity, fee } of trades) {
  console.log(isoTime(timestamp), price.toFixed(), quantity.toFixed(), fee.toFixed());
}

await client.close();
