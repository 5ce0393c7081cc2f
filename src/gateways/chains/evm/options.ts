import { z } from 'zod';
import { MillraceError } from '../../../model/errors.ts';
import { membersOf } from '../../../model/members.ts';
import type { NetworkTerms, TokenTerms } from '../../../swaps/tokens.ts';
import { networkMessage, tokenMessage } from '../../../wire/chains/messages.ts';
import type { HttpSettings } from '../../http/settings.ts';
import { refuseWrongSettings } from '../../http/unknown-members.ts';
import { providerUrls } from '../json-rpc/providers.ts';

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

const SETTINGS = membersOf<EvmNodeOptions>({
  network: true,
  tokens: true,
  coin: true,
  urls: true,
  finality: true,
  feeBound: true,
  dayBound: true,
  dataFeeOracle: true,
  oneByOne: true,
  permit2: true,
  acknowledged: true,
  nonces: true,
  http: true,
});

const wei = z.bigint({ error: 'must be a bigint of wei' }).positive('must be above 0');

const contract = z.string().regex(/^0x[\da-fA-F]{40}$/, 'must be an address of 20 bytes');

const form = z.object({
  network: networkMessage.and(z.object({ chainId: z.int().positive() })),
  tokens: z.array(tokenMessage),
  coin: z.int().min(0),
  urls: providerUrls,
  finality: z.union([z.enum(['finalized', 'safe']), z.int().positive()], {
    error: 'must be finalized, safe or a number of confirmations',
  }),
  feeBound: wei,
  dayBound: wei,
  dataFeeOracle: z.optional(contract),
  oneByOne: z.optional(z.boolean({ error: 'must be true or false' })),
  permit2: z.optional(contract),
  acknowledged: z.optional(z.int({ error: 'must be a nonce' }).min(0, 'must be a nonce')),
  nonces: z.string().min(1, 'must be the path of a file'),
});

/** Checks the options. Throws `config-invalid` for an invalid one, with its field. */
export function checkedOptions(options: EvmNodeOptions): EvmNodeOptions {
  refuseWrongSettings('node of an EVM chain', options, SETTINGS);
  const read = form.safeParse(options);
  if (!read.success) {
    const [{ path, message }] = read.error.issues;
    throw wrong(path.join('.'), message);
  }
  const { tokens, coin } = options;
  if (!tokens.some(({ id }) => id === coin)) throw wrong('coin', 'is the id of none of the tokens');
  return options;
}

const wrong = (field: string, sentence: string): MillraceError =>
  new MillraceError('config-invalid', `The setting ${field} of the EVM node: ${sentence}.`, {
    field,
  });
