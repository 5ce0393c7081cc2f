import { BitcoinNode } from '../../../../src/gateways/chains/bitcoin/bitcoin-node.ts';
import type { BitcoinNodeOptions } from '../../../../src/gateways/chains/bitcoin/options.ts';
import { keySigner } from '../../../../src/swaps/keys/key-ring.ts';
import type { NetworkTerms, TokenTerms } from '../../../../src/swaps/tokens.ts';
import type { PayerFactory } from './payer-factory.ts';

export const SIGNER = keySigner('bitcoin', '07'.repeat(32));
export const COIN = 3;

export const NETWORK = { id: 3, code: 'bitcoin', name: 'Bitcoin', family: 'bitcoin', blockUs: 1, confirmations: 3, customTokens: false } as const satisfies NetworkTerms; // prettier-ignore
export const TOKEN: TokenTerms = { id: COIN, network: 'bitcoin', asset: 'BTC', name: '', contract: 'BTC', decimals: 8, ticker: '', listed: true }; // prettier-ignore

/** What a node before an Esplora of mainnet is made of, unless a test says otherwise. */
export const optionsOf = (url: string, folder: string): BitcoinNodeOptions => ({
  network: NETWORK,
  chain: 'mainnet',
  tokens: [TOKEN],
  coin: COIN,
  urls: [url],
  finality: 3,
  feeTarget: 2,
  feeBound: 1_000_000n,
  dayBound: 10_000_000n,
  inputs: `${folder}/inputs`,
  http: { retries: { attempts: 3, firstUs: 1, longestUs: 1 }, timeoutUs: 3_000_000 },
});

/** The node and the wallet of a process that pays. */
export const makePayer: PayerFactory = (folder, { url }) => ({
  node: new BitcoinNode(optionsOf(String(url), folder)),
  wallet: { network: NETWORK, token: TOKEN, signer: SIGNER },
});
