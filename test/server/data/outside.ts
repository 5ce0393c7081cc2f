import { generateKeyPairSync } from 'node:crypto';
import { Decimal } from '../../../src/model/decimal.ts';
import type { SimulationSettings } from '../../../src/server/simulation/settings.ts';
import { SimulatedChains } from '../../../src/swaps/chains/simulated-chains.ts';
import { transferDigest } from '../../../src/swaps/chains/signed-transfer.ts';
import { keySigner } from '../../../src/swaps/keys/key-ring.ts';
import type { TokenTerms } from '../../../src/swaps/tokens.ts';
import { requestText } from '../../../src/wire/exchange-orders/envelope.ts';
import { readJson } from '../../../src/wire/json.ts';
import { apiKeyOf, signText } from '../../../src/wire/key-pair.ts';
import { signedHeaders } from '../../../src/wire/swaps/credentials.ts';
import { example as livelyExample } from '../../cli/venue/example.ts';
import { signedBody, userOf } from '../swaps/users.ts';
import { clockAt, type KeptVenue } from './folder.ts';

const SEED = 7;
const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });

type Members = Readonly<Record<string, unknown>>;

/** Some rows a second are enough, as nobody looks at the market here. */
const CALM = { tradesPerSecond: 1, updatesPerSecond: 1 } as const;

const example = (): SimulationSettings => {
  const settings = livelyExample();
  const market = settings.market.map((one) =>
    one.kind === 'recorded' ? one : { ...one, shape: CALM },
  );
  return { ...settings, market };
};
const { outside } = example();
if (outside === undefined) throw new Error('the example has chains');
const { networks, tokens, swaps, exchangeOrders } = outside;
if (swaps === undefined || exchangeOrders === undefined)
  throw new Error('the example has services');

/** The same chains without a venue, which say who has which key. */
const chains = new SimulatedChains({ networks, tokens, scheduler: clockAt(), seed: SEED });
const user = (network: string) => userOf(chains, network, 'user');

const walletOf = (network: string, assets: Readonly<Record<string, string>>) => ({
  name: 'user',
  network,
  address: user(network).address,
  balances: new Map(Object.entries(assets).map(([asset, sum]) => [asset, new Decimal(sum)])),
  approved: network === 'ethereum' ? Object.keys(assets) : [],
});

/** The example, with a user whose keys a test has, and a partner and a client that are him. */
export const outsideSettings = (): SimulationSettings => ({
  ...example(),
  rateLimits: false,
  adminToken: 'admin',
  outside: {
    ...outside,
    seed: SEED,
    wallets: [
      walletOf('ethereum', { USDC: '30000', ETH: '10' }),
      walletOf('bitcoin', { BTC: '1' }),
      walletOf('solana', { USDC: '1000', SOL: '20' }),
      walletOf('tron', { USDC: '2000' }),
    ],
    swaps: { ...swaps, partners: [{ name: 'partner', publicKeys: [pair.publicKey] }] },
    exchangeOrders: {
      ...exchangeOrders,
      clients: [{ name: 'client', publicKey: pair.publicKey, requestsPerSecond: 1_000 }],
    },
  },
});

const tokenOf = (network: string, asset: string): TokenTerms => {
  const found = tokens.find((one) => one.network === network && one.asset === asset);
  if (found === undefined) throw new Error(`${network} has no ${asset}`);
  return found;
};

/** Somebody who signs what he asks of a venue, as with libraries of his own. */
export class OutsideUser {
  #number = 0;

  /** A signed call of the swap service; `nonce` is that of an earlier one where a test repeats it. */
  async swap(
    venue: KeptVenue,
    method: string,
    path: string,
    json?: unknown,
    nonce = this.#uuid(),
  ): Promise<Members> {
    const body = json === undefined ? '' : JSON.stringify(json);
    const seconds = Math.floor(venue.scheduler.now() / 1_000_000);
    const caller = {
      privateKey: pair.privateKey,
      apiKey: apiKeyOf(pair.privateKey),
      seconds,
      nonce,
    };
    const type = body === '' ? {} : { 'content-type': 'application/json' };
    const response = await fetch(venue.base + path, {
      method,
      headers: { ...type, ...signedHeaders({ method, path, query: '', body }, caller) },
      ...(body === '' ? {} : { body }),
    });
    return readJson(await response.text()) as Members;
  }

  /** An intent to swap USDC of Ethereum, or another asset of another chain, to USDC of Tron. */
  async intent(
    venue: KeptVenue,
    { network = 'ethereum', asset = 'USDC', amount = 100, nonce = this.#uuid() } = {},
  ) {
    const { address, publicKey } = user(network);
    const from = tokenOf(network, asset);
    const ask = {
      from: {
        token_id: from.id,
        address,
        public_key: publicKey,
      },
      to: { token_id: tokenOf('tron', 'USDC').id, address: user('tron').address },
      refund_address: address,
      amount,
      slippage_bps: '50',
    };
    return this.swap(venue, 'POST', '/v1/intents', ask, nonce);
  }

  /** What approves an intent, signed. */
  async approval(created: Members, network = 'ethereum', asset = 'USDC', amount = 100) {
    const { contract, decimals } = tokenOf(network, asset);
    const lots = BigInt(new Decimal(amount).times(new Decimal(10).pow(decimals)).toFixed());
    return signedBody(user(network), created, { token: contract, lots });
  }

  async approve(venue: KeptVenue, created: Members, body: unknown): Promise<Members> {
    return this.swap(venue, 'POST', `/v1/intents/${String(created['id'])}/approvals`, body);
  }

  /** A signed request of the exchange order service. */
  async order(venue: KeptVenue, method: string, params: unknown): Promise<Members> {
    const body = requestText('test', method, params);
    const response = await fetch(`${venue.base}/v2`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-api-key': apiKeyOf(pair.privateKey),
        'x-api-signature': signText(body, pair.privateKey),
      },
      body,
    });
    return readJson(await response.text()) as Members;
  }

  /** A transfer from the wallet of the user, signed; gives what the node takes. */
  async transfer(network: string, asset: string, to: string, amount: string) {
    const { id: token, decimals } = tokenOf(network, asset);
    const { family, address: from, privateKey } = user(network);
    const lots = BigInt(new Decimal(amount).times(new Decimal(10).pow(decimals)).toFixed());
    const own = { network, token, from, to, lots, nonce: this.#uuid() };
    const signer = keySigner(family, privateKey);
    const signature = (await signer.signTransfer?.(transferDigest(own))) ?? '';
    return { ...own, lots: lots.toString(), signature };
  }

  async send(venue: KeptVenue, transfer: object): Promise<Members> {
    const { body } = await venue.call('POST', '/chains/v1/transfers', { json: transfer });
    return body as Members;
  }

  #uuid(): string {
    this.#number += 1;
    return `00000000-0000-4000-8000-${this.#number.toString(16).padStart(12, '0')}`;
  }
}

/** What the nodes of all chains say of everybody's balances. */
export async function balances(venue: KeptVenue): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  for (const { id, network } of tokens) {
    const path = `/chains/v1/tokens/${id}/balances/${user(network).address}`;
    found.push((await venue.call('GET', path)).body);
  }
  return found;
}
