import { z } from 'zod';
import type { NetworkTerms, TokenTerms } from '../../../swaps/tokens.ts';
import { networkMessage, tokenMessage } from '../../../wire/chains/messages.ts';
import type { HttpSettings } from '../../http/settings.ts';
import { bookPath, bound, checkNodeOptions, providerUrls, wrongSetting } from '../node-options.ts';
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

/** Decimals of the coin on each of its chains. */
const DECIMALS = 8;
/** Esplora reports fees up to that target. */
const TARGET_MAX = 1008;

const form = z.object({
  network: networkMessage.and(
    z.object({ family: z.literal('bitcoin', { error: 'must be bitcoin' }) }),
  ),
  chain: z.enum(BITCOIN_CHAINS, { error: `must be one of ${BITCOIN_CHAINS.join(', ')}` }),
  tokens: z.array(tokenMessage).length(1, 'must be the coin alone: there are no other tokens'),
  coin: z.int().min(0),
  urls: providerUrls('https://blockstream.info/api'),
  finality: z.int({ error: 'must be a number of confirmations' }).positive('must be above 0'),
  feeTarget: z
    .int({ error: 'must be a number of blocks' })
    .positive('must be above 0')
    .max(TARGET_MAX, `must be ${TARGET_MAX} at most`),
  feeBound: bound('satoshi'),
  dayBound: bound('satoshi'),
  inputs: bookPath,
});

/** Checks the options. Throws `config-invalid` for an invalid one, with its field. */
export function checkedOptions(options: BitcoinNodeOptions): BitcoinNodeOptions {
  checkNodeOptions('Bitcoin', 'node of Bitcoin', options, form);
  const [{ asset, decimals }] = options.tokens;
  if (decimals === DECIMALS) return options;
  throw wrongSetting('Bitcoin', 'tokens.0.decimals', `of ${asset} is ${decimals}, and the coin of Bitcoin has ${DECIMALS}`); // prettier-ignore
}
