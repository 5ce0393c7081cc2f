import { z } from 'zod';
import type { NetworkTerms, TokenTerms } from '../../../swaps/tokens.ts';
import { networkMessage, tokenMessage } from '../../../wire/chains/messages.ts';
import type { HttpSettings } from '../../http/settings.ts';
import { bookPath, bound, checkNodeOptions, providerUrls } from '../node-options.ts';

/** Options of an EVM node. */
export interface EvmNodeOptions {
  readonly network: NetworkTerms & { readonly chainId: number };
  /** Tokens of the network; the native asset has the id `coin` and no contract. */
  readonly tokens: readonly TokenTerms[];
  readonly coin: number;
  /** Providers, who must agree. */
  readonly urls: readonly string[];
  /** When a transaction is final: a tag of the chain, or a number of confirmations. */
  readonly finality: 'finalized' | 'safe' | number;
  /** Most that one transaction, and all of 24 hours, may cost; wei. */
  readonly feeBound: bigint;
  readonly dayBound: bigint;
  /**
   * Address of the contract with a rollup's data fee, besides the gas:
   * 0x420000000000000000000000000000000000000F on chains of the OP kind. Absent if there is no such fee.
   */
  readonly dataFeeOracle?: string;
  /**
   * True if nodes keep no pending transactions, such as on Arbitrum: each is signed after the previous one
   * is in a block, and none is replaced. False if absent.
   */
  readonly oneByOne?: boolean;
  /** Address of the permit2 contract, if the network has one. */
  readonly permit2?: string;
  /** Nonces below this one may have been used by others with the key, which is accepted. */
  readonly acknowledged?: number;
  /** File of the assigned nonces. */
  readonly nonces: string;
  readonly http?: Omit<HttpSettings, 'url'>;
}

const contract = z.string().regex(/^0x[\da-fA-F]{40}$/, 'must be an address of 20 bytes');

const form = z.object({
  network: networkMessage.and(z.object({ chainId: z.int().positive() })),
  tokens: z.array(tokenMessage),
  coin: z.int().min(0),
  urls: providerUrls('https://node.example.com/v1/KEY'),
  finality: z.union([z.enum(['finalized', 'safe']), z.int().positive()], {
    error: 'must be finalized, safe or a number of confirmations',
  }),
  feeBound: bound('wei'),
  dayBound: bound('wei'),
  dataFeeOracle: z.optional(contract),
  oneByOne: z.optional(z.boolean({ error: 'must be true or false' })),
  permit2: z.optional(contract),
  acknowledged: z.optional(z.int({ error: 'must be a nonce' }).min(0, 'must be a nonce')),
  nonces: bookPath,
});

/** Checks the options. Throws `config-invalid` for an invalid one, with its field. */
export function checkedOptions(options: EvmNodeOptions): EvmNodeOptions {
  checkNodeOptions('EVM', 'node of an EVM chain', options, form);
  return options;
}
