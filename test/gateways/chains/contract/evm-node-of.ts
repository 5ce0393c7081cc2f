import { EvmNode } from '../../../../src/gateways/chains/evm/evm-node.ts';
import type { EvmNodeOptions } from '../../../../src/gateways/chains/evm/options.ts';
import type { ChainWallet } from '../../../../src/gateways/rebalancing/payments/chain-payer.ts';
import { keySigner } from '../../../../src/swaps/keys/key-ring.ts';
import type { NetworkTerms, TokenTerms } from '../../../../src/swaps/tokens.ts';
import type { PayerFactory } from './payer-factory.ts';

/** The first account of anvil, whose key everybody knows. */
export const KEY = 'ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
export const SIGNER = keySigner('evm', KEY);
export const COIN = 1;
export const USD = 2;

export const NETWORK = { id: 1, code: 'ethereum', name: 'Anvil', family: 'evm', chainId: 31_337, blockUs: 1, confirmations: 3, customTokens: false } as const satisfies NetworkTerms; // prettier-ignore

/** Contracts of a chain of a test. */
export interface Contracts {
  readonly token: string;
  readonly permit2: string;
}

export const tokensOf = ({ token }: Contracts): readonly [TokenTerms, TokenTerms] => {
  const terms = { network: 'ethereum', name: '', ticker: '', listed: true };
  return [
    { ...terms, id: COIN, asset: 'ETH', contract: 'ETH', decimals: 18 },
    { ...terms, id: USD, asset: 'USD', contract: token, decimals: 6 },
  ];
};

/** What a node before anvil is made of, unless a test says otherwise. */
export const optionsOf = (url: string, nonces: string, contracts: Contracts): EvmNodeOptions => ({
  network: NETWORK,
  coin: COIN,
  tokens: tokensOf(contracts),
  urls: [url],
  finality: 'finalized',
  feeBound: 10n ** 17n,
  dayBound: 10n ** 19n,
  permit2: contracts.permit2,
  nonces,
  http: { retries: { attempts: 3, firstUs: 1, longestUs: 1 }, timeoutUs: 3_000_000 },
});

/** The node and the wallet of a process that pays. */
export const makePayer: PayerFactory = (folder, settings) => {
  const { url, ...contracts } = settings as unknown as Contracts & { readonly url: string };
  const [, token] = tokensOf(contracts);
  const wallet: ChainWallet = { network: NETWORK, token, signer: SIGNER };
  return { node: new EvmNode(optionsOf(url, `${folder}/nonces`, contracts)), wallet };
};
