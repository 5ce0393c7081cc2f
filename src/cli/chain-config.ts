import { resolve } from 'node:path';
import { z } from 'zod';
import type { EvmNodeOptions } from '../gateways/chains/evm/options.ts';
import type { RealNode } from '../gateways/chains/real-node.ts';
import { WHOLE } from '../config/explain.ts';
import { count, positive } from '../config/amounts.ts';
import { spanUs } from '../config/fields.ts';
import { FAMILIES } from '../swaps/chains/families/families.ts';
import { lotsOf, type NetworkFamily, type TokenTerms } from '../swaps/tokens.ts';
import { SECRET_FOR_EDITORS, secretPlace, type SecretPlace } from './bot/secret.ts';
import type { SecretKeeper } from './bot/secret-keeper.ts';
import type { Refuse } from './bot/strategies.ts';
import { origin } from './bot/trading-address.ts';

const PROVIDER =
  'an address without a path stands here, such as http://127.0.0.1:8545; one with a path, which is often a key, is named as { env: NAME } or { file: PATH }';

/** Address of a provider. Neither it nor what is wrong with it is shown: its path is often a key. */
const providerOf = (folder: string) =>
  z
    .unknown()
    .transform((given, context): string | SecretPlace => {
      const read = (typeof given === 'string' ? origin : secretPlace(folder)).safeParse(given);
      if (read.success) return read.data;
      const message = `urls: ${PROVIDER}.`;
      context.addIssue({ code: 'custom', message, params: { [WHOLE]: true } });
      return z.NEVER;
    })
    .meta({ anyOf: [{ type: 'string' }, ...SECRET_FOR_EDITORS.anyOf] });

/** A family of chains that no node of ours reaches; `why` says what to do instead. */
const unserved = (why: string) =>
  z
    .unknown()
    .refine(() => false, { error: why, params: { [WHOLE]: true } })
    .optional()
    .meta({ description: why, not: {} });

/** An address of a family, in its canonical form; for one of another family, the error names that family. */
const addressOf = (family: NetworkFamily) =>
  z.string().transform((text, context): string => {
    const canonical = FAMILIES[family].canonical(text);
    if (canonical !== undefined) return canonical;
    const other = Object.entries(FAMILIES).find(([, one]) => one.canonical(text) !== undefined);
    const is = other === undefined ? 'its checksum or length is wrong' : `this is one of ${other[0]}`; // prettier-ignore
    const message = `an address of ${family}; ${is}`;
    context.addIssue({ code: 'custom', message, input: text });
    return z.NEVER;
  });

/** An amount of a coin as its smallest units, exactly. */
const coinLots = (decimals: number) =>
  positive.transform((value, context): bigint => {
    const lots = lotsOf(value, decimals);
    if (lots !== undefined) return lots;
    const message = `an amount of the coin with at most ${decimals} decimals`;
    context.addIssue({ code: 'custom', message, input: value.toFixed() });
    return z.NEVER;
  });

const id = z.int().min(0);
const names = {
  id: id.optional().describe('token_id at the swap service; needed where there is one.'),
  ticker: z
    .string()
    .min(1)
    .optional()
    .describe('Name at the exchange order service; the asset in small letters where absent.'),
};

const EVM_DECIMALS = 18;

/** What all families have: where the nodes are and what may be paid. */
const chainOf = (folder: string, decimals: number) => ({
  urls: z
    .array(providerOf(folder))
    .min(1, 'one address at least')
    .describe('Addresses of nodes, who must agree: plain without a path, else env or file.'),
  name: z.string().min(1).optional().describe('What people read; the place where absent.'),
  network: id.optional().describe('network_id at the swap service; needed where there is one.'),
  block: spanUs.prefault('12s').describe('From one block to the next.'),
  feeBound: coinLots(decimals).describe('The most that a transaction may cost, in the coin.'),
  dayBound: coinLots(decimals).describe('The most that those of 24 hours may cost together.'),
});

const evmOf = (folder: string) =>
  z.strictObject({
    ...chainOf(folder, EVM_DECIMALS),
    chainId: z.int().positive().describe('The nodes are asked for it, and must say the same.'),
    coin: z
      .strictObject({ asset: z.string().min(1).default('ETH'), ...names })
      .prefault({})
      .describe('The coin of the chain, which fees are paid in.'),
    tokens: z
      .record(
        z.string().min(1),
        z.strictObject({
          contract: addressOf('evm').describe('Address of the contract.'),
          decimals: z.int().min(0).max(77).describe('What the contract says, and is asked.'),
          ...names,
        }),
      )
      .default({})
      .describe('Tokens by asset.'),
    finality: z
      .union([z.enum(['finalized', 'safe']), count], {
        error: 'finalized, safe or a number of confirmations',
      })
      .default('finalized')
      .describe('From where on a transaction is final.'),
    confirmations: count
      .optional()
      .describe('So many where a node has no such tag; the number of finality, or 65.'),
    permit2: addressOf('evm').optional().describe('Contract of permit2; swaps need it.'),
    nonces: z
      .string()
      .min(1)
      .optional()
      .transform((path) => (path === undefined ? undefined : resolve(folder, path)))
      .describe('File of the given nonces; PLACE.nonces in data where absent.'),
  });

/** The families of real chains in a configuration; one of them stands in the place of `node`. */
export const realChains = (folder: string) => ({
  evm: evmOf(folder).optional().describe('Nodes of an EVM chain, by JSON-RPC.'),
  bitcoin: unserved(
    'No node of real Bitcoin is built in: name a module that makes one, node: { module: PATH }.',
  ),
  solana: unserved(
    'No node of real Solana is built in: name a module that makes one, node: { module: PATH }.',
  ),
  tron: unserved(
    'No node of real Tron is built in, as its JSON-RPC takes no transactions (no eth_sendRawTransaction) and has neither nonces nor fees of Ethereum: name a module that makes one, node: { module: PATH }.',
  ),
});

type EvmFile = z.output<ReturnType<typeof evmOf>>;

/** What a chain of a configuration is read with. */
export interface ChainReading {
  /** Its place, and where it is written. */
  readonly place: string;
  readonly at: readonly string[];
  /** Folder of the journal. */
  readonly data: string;
  /** True where a swap service knows networks and tokens by numbers of its own. */
  readonly needsIds: boolean;
  readonly keep: SecretKeeper;
  readonly refuse: Refuse;
}

/** The node of a real chain that a configuration names; refused where it names none. */
export function readRealNode(
  { evm }: { readonly evm?: EvmFile | undefined },
  reading: ChainReading,
): RealNode {
  if (evm !== undefined) return { evm: evmOptions(evm, reading) };
  return reading.refuse(reading.at, 'expected node, or the nodes of a real chain such as evm.');
}

function evmOptions(file: EvmFile, given: ChainReading): Omit<EvmNodeOptions, 'http'> {
  const reading = { ...given, at: [...given.at, 'evm'] };
  const { place, data } = reading;
  const { chainId, finality, feeBound, dayBound, permit2 } = file;
  const confirmations = file.confirmations ?? (typeof finality === 'number' ? finality : 65);
  const idOf = ids(reading);
  const { asset } = file.coin;
  const terms = (own: string, given: { id?: number | undefined; ticker?: string | undefined }) => ({
    network: place,
    asset: own,
    name: own,
    ticker: given.ticker ?? own.toLowerCase(),
    listed: true,
  });
  const coin: TokenTerms = {
    ...terms(asset, file.coin),
    id: idOf(file.coin.id, ['coin', 'id']),
    contract: asset,
    decimals: EVM_DECIMALS,
  };
  const tokens = Object.entries(file.tokens).map(([own, given]): TokenTerms => {
    const { contract, decimals } = given;
    return { ...terms(own, given), id: idOf(given.id, ['tokens', own, 'id']), contract, decimals };
  });
  return {
    network: {
      id: reading.needsIds ? needed(file.network, ['network'], reading) : (file.network ?? chainId),
      code: place,
      name: file.name ?? place,
      family: 'evm',
      chainId,
      blockUs: file.block,
      confirmations,
      customTokens: false,
    },
    coin: coin.id,
    tokens: [coin, ...tokens],
    urls: file.urls.map((one, nth) => urlOf(one, [...reading.at, 'urls', `${nth}`], reading)),
    finality,
    feeBound,
    dayBound,
    ...(permit2 !== undefined && { permit2 }),
    nonces: file.nonces ?? resolve(data, `${place}.nonces`),
  };
}

/** Gives the ids of tokens: those of the service, or numbers in turn where no service has any. */
function ids(reading: ChainReading): (given: number | undefined, at: readonly string[]) => number {
  const taken = new Set<number>();
  return (given, at) => {
    const next = given ?? (reading.needsIds ? needed(given, at, reading) : taken.size);
    if (taken.has(next)) {
      reading.refuse([...reading.at, ...at], `${next} is the id of another token of ${reading.place}; give each token its own.`); // prettier-ignore
    }
    taken.add(next);
    return next;
  };
}

function needed(
  given: number | undefined,
  at: readonly string[],
  { at: place, refuse }: ChainReading,
): number {
  if (given !== undefined) return given;
  return refuse([...place, ...at], `${at.join('.')} is missing; expected the id by which the swap service knows it.`); // prettier-ignore
}

/** Address of a provider. A useless one is reported and not shown. */
function urlOf(
  given: string | SecretPlace,
  at: readonly string[],
  { keep, refuse }: ChainReading,
): string {
  if (typeof given === 'string') return given;
  const text = keep.find(given, at);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    return refuse(at, 'The secret that is named here is no address such as https://node.example.com/v1/KEY.'); // prettier-ignore
  }
  if (url.username === '' && url.password === '') return text;
  return refuse(at, 'The address that is named here holds a user name or a password, which is not sent: take one with a key in its path.'); // prettier-ignore
}
