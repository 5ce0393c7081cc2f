import { SolanaNode } from '../../../../src/gateways/chains/solana/solana-node.ts';
import type { SolanaNodeOptions } from '../../../../src/gateways/chains/solana/options.ts';
import type { ChainWallet } from '../../../../src/gateways/rebalancing/payments/chain-payer.ts';
import { keySigner } from '../../../../src/swaps/keys/key-ring.ts';
import type { NetworkTerms, TokenTerms } from '../../../../src/swaps/tokens.ts';
import type { PayerFactory } from './payer-factory.ts';

export const SIGNER = keySigner('solana', '11'.repeat(32));
export const COIN = 1;
export const USD = 2;

export const NETWORK = { id: 5, code: 'solana', name: 'Solana', family: 'solana', blockUs: 400_000, confirmations: 32, customTokens: false } as const satisfies NetworkTerms; // prettier-ignore

/** What a chain of a test has. */
export interface SolanaTerms {
  readonly genesis: string;
  /** Address of the mint of the token. */
  readonly mint: string;
}

export const tokensOf = ({ mint }: SolanaTerms): readonly [TokenTerms, TokenTerms] => {
  const terms = { network: 'solana', name: '', ticker: '', listed: true };
  return [
    { ...terms, id: COIN, asset: 'SOL', contract: 'SOL', decimals: 9 },
    { ...terms, id: USD, asset: 'USD', contract: mint, decimals: 6 },
  ];
};

/** What a node before the ledger is made of, unless a test says otherwise. */
export const optionsOf = (url: string, folder: string, terms: SolanaTerms): SolanaNodeOptions => ({
  network: NETWORK,
  genesis: terms.genesis,
  coin: COIN,
  tokens: tokensOf(terms),
  urls: [url],
  feeBound: 10n ** 7n,
  dayBound: 10n ** 9n,
  priorityPercentile: 75,
  payments: `${folder}/payments`,
  http: { retries: { attempts: 3, firstUs: 1, longestUs: 1 }, timeoutUs: 3_000_000 },
});

/** The node and the wallet of a process that pays. */
export const makePayer: PayerFactory = (folder, settings) => {
  const { url, ...terms } = settings as unknown as SolanaTerms & { readonly url: string };
  const [, token] = tokensOf(terms);
  const wallet: ChainWallet = { network: NETWORK, token, signer: SIGNER };
  return { node: new SolanaNode(optionsOf(url, folder, terms)), wallet };
};
