import { readFileSync } from 'node:fs';
import { ExchangeOrdersClient, openKeys } from 'millrace/clients';

const keys = await openKeys(readFileSync('config/demo-keys.json', 'utf8'), 'demo');
const api = keys.find(({ name }) => name === 'api');
const receiver = keys.find(({ name }) => name === 'solana');
if (api?.kind !== 'service' || receiver === undefined) throw new Error('no such key');

const client = new ExchangeOrdersClient({
  url: 'http://127.0.0.1:8330',
  privateKey: api.privateKey,
});
const [estimate] = await client.getExchangeAmount({ from: 'usdc', to: 'sol', amountFrom: '300' });
console.log('about', estimate?.amountTo.toFixed(), 'SOL');
const order = await client.createTransaction({
  from: 'usdc',
  to: 'sol',
  amountFrom: '300',
  address: receiver.label,
});
console.log('pay 300 USDC to', order.payin.address);
console.log(await client.getStatus({ id: order.id })); // waiting
await client.close();
