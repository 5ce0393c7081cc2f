import type { NetworkTerms, TokenTerms } from '../../../swaps/tokens.ts';
import type { HttpSettings } from '../../http/settings.ts';

/** What a node of an EVM chain is made of. */
export interface EvmNodeOptions {
  readonly network: NetworkTerms & { readonly chainId: number };
  /** Tokens of the network; the coin is the one with the id `coin`, and has no contract. */
  readonly tokens: readonly TokenTerms[];
  readonly coin: number;
  /** Providers, who must agree. */
  readonly urls: readonly string[];
  /** From where on a transaction is final: a tag of the chain, or so many confirmations. */
  readonly finality: 'finalized' | 'safe' | number;
  /** The most that one transaction, and all of 24 hours, may cost; wei. */
  readonly feeBound: bigint;
  readonly dayBound: bigint;
  /** Address of the permit2 contract, where the network has one. */
  readonly permit2?: string;
  /** File of the nonces that were given. */
  readonly nonces: string;
  readonly http?: Omit<HttpSettings, 'url'>;
}
