import { readFileSync } from 'node:fs';
import { openKeys, SwapClient } from 'millrace/clients';

// Play money: anybody knows the passphrase of this file.
const keys = await openKeys(readFileSync('config/demo-keys.json', 'utf8'), 'demo');
const api = keys.find(({ name }) => name === 'api');
const wallet = keys.find(({ name }) => name === 'bitcoin');
const receiver = keys.find(({ name }) => name === 'ethereum');
if (api?.kind !== 'service' || wallet?.kind !== 'bitcoin' || receiver === undefined) {
  throw new Error('not the keys of the example');
}

const client = new SwapClient({ url: 'http://127.0.0.1:8330', privateKey: api.privateKey });
const { data } = await client.getTokens();
const tokenOf = (symbol: string, network: number) => {
  const token = data.find((one) => one.symbol === symbol && one.network_id === network);
  if (token === undefined) throw new Error(`no ${symbol}`);
  return { token_id: token.token_id };
};

const { address, publicKey = '' } = wallet.signer;
const intent = await client.swap(
  {
    from: { ...tokenOf('BTC', 3), address, public_key: publicKey },
    to: { ...tokenOf('USDC', 1), address: receiver.label },
    refund_address: address,
    amount: '0.001',
    slippage_bps: '50',
  },
  { network: { id: 3, name: 'Bitcoin', family: 'bitcoin' }, leastLots: 1_000_000n },
  wallet.signer,
);
const { status } = await client.follow(intent.id);
console.log(status); // Finished
await client.close();
