import { z } from 'zod';
import { FAMILIES } from '../../../swaps/chains/families/families.ts';
import type { NetworkTerms, TokenTerms } from '../../../swaps/tokens.ts';
import { networkMessage, tokenMessage } from '../../../wire/chains/messages.ts';
import type { HttpSettings } from '../../http/settings.ts';
import { bookPath, bound, checkNodeOptions, providerUrls, wrongSetting } from '../node-options.ts';

/** Options of a Solana node. */
export interface SolanaNodeOptions {
  readonly network: NetworkTerms;
  /** Hash of the first block: what `getGenesisHash` of every provider must answer. */
  readonly genesis: string;
  /** Tokens of the network; the native asset has the id `coin` and no mint. */
  readonly tokens: readonly TokenTerms[];
  readonly coin: number;
  /** Providers, who must agree. */
  readonly urls: readonly string[];
  /** Most that one transaction, and all of 24 hours, may cost; lamports, rent included. */
  readonly feeBound: bigint;
  readonly dayBound: bigint;
  /** Percentile, 0 to 100, of recent fees for the same accounts that is offered. */
  readonly priorityPercentile: number;
  /** File of prepared transactions. */
  readonly payments: string;
  readonly http?: Omit<HttpSettings, 'url'>;
}

const isKey = (text: string): boolean => FAMILIES.solana.canonical(text) !== undefined;

const form = z.object({
  network: networkMessage.and(z.object({ family: z.literal('solana') })),
  genesis: z.string().refine(isKey, { error: 'must be 32 bytes in Base58' }),
  tokens: z.array(tokenMessage),
  coin: z.int().min(0),
  urls: providerUrls('https://node.example.com/v1/KEY'),
  feeBound: bound('lamports'),
  dayBound: bound('lamports'),
  priorityPercentile: z.int().min(0).max(100),
  payments: bookPath,
});

/** Checks the options. Throws `config-invalid` for an invalid one, with its field. */
export function checkedOptions(options: SolanaNodeOptions): SolanaNodeOptions {
  checkNodeOptions('Solana', 'node of Solana', options, form);
  const { tokens, coin } = options;
  const at = tokens.findIndex(({ id, contract }) => id !== coin && !isKey(contract));
  if (at < 0) return options;
  throw wrongSetting('Solana', `tokens.${at}.contract`, 'must be the address of a mint');
}
