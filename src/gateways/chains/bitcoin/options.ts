import { z } from 'zod';
import { MillraceError } from '../../../model/errors.ts';
import { membersOf } from '../../../model/members.ts';
import type { NetworkTerms, TokenTerms } from '../../../swaps/tokens.ts';
import { networkMessage, tokenMessage } from '../../../wire/chains/messages.ts';
import type { HttpSettings } from '../../http/settings.ts';
import { refuseWrongSettings } from '../../http/unknown-members.ts';
import { BITCOIN_CHAINS, type BitcoinChain } from '../../../swaps/chains/families/bitcoin.ts';

/** Options of a Bitcoin node. */
export interface BitcoinNodeOptions {
  readonly network: NetworkTerms;
  /** Which of the chains of Bitcoin it is; compared with the first block of each provider. */
  readonly chain: BitcoinChain;
  /** Only the native asset, with 8 decimals; `coin` is its id. */
  readonly tokens: readonly TokenTerms[];
  readonly coin: number;
  /** Providers of Esplora's REST, such as `https://blockstream.info/api`; they must agree. */
  readonly urls: readonly string[];
  /** Confirmations after which a transaction is final. */
  readonly finality: number;
  /** Blocks within which a payment should be mined; its fee is estimated for that. */
  readonly feeTarget: number;
  /** Most that one transaction, and all of 24 hours, may cost; satoshi. */
  readonly feeBound: bigint;
  readonly dayBound: bigint;
  /** File of the outputs assigned to payments. */
  readonly inputs: string;
  readonly http?: Omit<HttpSettings, 'url'>;
}

const SETTINGS = membersOf<BitcoinNodeOptions>({
  network: true,
  chain: true,
  tokens: true,
  coin: true,
  urls: true,
  finality: true,
  feeTarget: true,
  feeBound: true,
  dayBound: true,
  inputs: true,
  http: true,
});

/** Decimals of the native asset on each of its chains. */
const DECIMALS = 8;
/** Esplora reports fees up to that target. */
const TARGET_MAX = 1008;

const satoshi = z.bigint({ error: 'must be a bigint of satoshi' }).positive('must be above 0');

const form = z.object({
  network: networkMessage.and(
    z.object({ family: z.literal('bitcoin', { error: 'must be bitcoin' }) }),
  ),
  chain: z.enum(BITCOIN_CHAINS, { error: `must be one of ${BITCOIN_CHAINS.join(', ')}` }),
  tokens: z.array(tokenMessage).length(1, 'must be the coin alone: there are no other tokens'),
  coin: z.int().min(0),
  // Never echoed: its path is often a key.
  urls: z
    .array(
      z.string().refine((url) => /^https?:\/\//.test(url) && URL.canParse(url), {
        error: 'must be an address such as https://blockstream.info/api',
      }),
    )
    .min(1, 'must have one address at least'),
  finality: z.int({ error: 'must be a number of confirmations' }).positive('must be above 0'),
  feeTarget: z
    .int({ error: 'must be a number of blocks' })
    .positive('must be above 0')
    .max(TARGET_MAX, `must be ${TARGET_MAX} at most`),
  feeBound: satoshi,
  dayBound: satoshi,
  inputs: z.string().min(1, 'must be the path of a file'),
});

/** Checks the options. Throws `config-invalid` for an invalid one, with its field. */
export function checkedOptions(options: BitcoinNodeOptions): BitcoinNodeOptions {
  refuseWrongSettings('node of Bitcoin', options, SETTINGS);
  const read = form.safeParse(options);
  if (!read.success) {
    const [{ path, message }] = read.error.issues;
    throw wrong(path.join('.'), message);
  }
  const [token] = options.tokens;
  if (token?.id !== options.coin) throw wrong('coin', 'is the id of none of the tokens');
  if (token.decimals === DECIMALS) return options;
  throw wrong('tokens.0.decimals', `of ${token.asset} is ${token.decimals}, and the coin of Bitcoin has ${DECIMALS}`); // prettier-ignore
}

const wrong = (field: string, sentence: string): MillraceError =>
  new MillraceError('config-invalid', `The setting ${field} of the Bitcoin node: ${sentence}.`, {
    field,
  });
