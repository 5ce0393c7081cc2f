import { z } from 'zod';
import { MillraceError } from '../../../model/errors.ts';
import { membersOf } from '../../../model/members.ts';
import { FAMILIES } from '../../../swaps/chains/families/families.ts';
import type { NetworkTerms, TokenTerms } from '../../../swaps/tokens.ts';
import { networkMessage, tokenMessage } from '../../../wire/chains/messages.ts';
import type { HttpSettings } from '../../http/settings.ts';
import { refuseWrongSettings } from '../../http/unknown-members.ts';
import { providerUrls } from '../json-rpc/providers.ts';

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

const SETTINGS = membersOf<SolanaNodeOptions>({
  network: true,
  genesis: true,
  tokens: true,
  coin: true,
  urls: true,
  feeBound: true,
  dayBound: true,
  priorityPercentile: true,
  payments: true,
  http: true,
});

const lamports = z.bigint({ error: 'must be a bigint of lamports' }).positive('must be above 0');

const isKey = (text: string): boolean => FAMILIES.solana.canonical(text) !== undefined;

const form = z.object({
  network: networkMessage.and(z.object({ family: z.literal('solana') })),
  genesis: z.string().refine(isKey, { error: 'must be 32 bytes in Base58' }),
  tokens: z.array(tokenMessage),
  coin: z.int().min(0),
  urls: providerUrls,
  feeBound: lamports,
  dayBound: lamports,
  priorityPercentile: z.int().min(0).max(100),
  payments: z.string().min(1, 'must be the path of a file'),
});

/** Checks the options. Throws `config-invalid` for an invalid one, with its field. */
export function checkedOptions(options: SolanaNodeOptions): SolanaNodeOptions {
  refuseWrongSettings('node of Solana', options, SETTINGS);
  const read = form.safeParse(options);
  if (!read.success) {
    const [{ path, message }] = read.error.issues;
    throw wrong(path.join('.'), message);
  }
  const { tokens, coin } = options;
  if (!tokens.some(({ id }) => id === coin)) throw wrong('coin', 'is the id of none of the tokens');
  const at = tokens.findIndex(({ id, contract }) => id !== coin && !isKey(contract));
  if (at >= 0) throw wrong(`tokens.${at}.contract`, 'must be the address of a mint');
  return options;
}

const wrong = (field: string, sentence: string): MillraceError =>
  new MillraceError('config-invalid', `The setting ${field} of the Solana node: ${sentence}.`, {
    field,
  });
