import { resolve } from 'node:path';
import { z } from 'zod';
import type { BitcoinChain } from '../swaps/chains/families/bitcoin.ts';
import type { BitcoinNodeOptions } from '../gateways/chains/bitcoin/options.ts';
import type { EvmNodeOptions } from '../gateways/chains/evm/options.ts';
import type { SolanaNodeOptions } from '../gateways/chains/solana/options.ts';
import type { RealNode } from '../gateways/chains/real-node.ts';
import { IS_SENTENCE } from '../config/explain.ts';
import { count, positive } from '../config/amounts.ts';
import { spanUs } from '../config/fields.ts';
import { lotsOf, type NetworkFamily, type NetworkTerms, type TokenTerms } from '../swaps/tokens.ts';
import { SECRET_FOR_EDITORS, secretSource, type SecretSource } from './bot/secret.ts';
import type { SecretKeeper } from './bot/secret-keeper.ts';
import type { Refuse } from './bot/strategies.ts';
import { origin } from './bot/trading-address.ts';

const PROVIDER =
  'an address without a path stands here, such as http://127.0.0.1:8545; one with a path, which is often a key, is named as { env: NAME } or { file: PATH }';

/** Address of a provider. Messages show neither it nor its error: its path is often a key. */
const providerOf = (folder: string) =>
  z
    .unknown()
    .transform((given, context): string | SecretSource => {
      const read = (typeof given === 'string' ? origin : secretSource(folder)).safeParse(given);
      if (read.success) return read.data;
      const message = `urls: ${PROVIDER}.`;
      context.addIssue({ code: 'custom', message, params: { [IS_SENTENCE]: true } });
      return z.NEVER;
    })
    .meta({ anyOf: [{ type: 'string' }, ...SECRET_FOR_EDITORS.anyOf] });

/** A family of chains without a client here; `why` says what to do instead. */
const unserved = (why: string) =>
  z
    .unknown()
    .refine(() => false, { error: why, params: { [IS_SENTENCE]: true } })
    .optional()
    .meta({ description: why, not: {} });

/** An amount of the fee asset in its smallest units, exactly. */
export const coinLots = (decimals: number) =>
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

export const EVM_DECIMALS = 18;

/** Limits of token decimals: any byte on EVM, though no more digits than an amount has. */
const DECIMALS_MAX = { evm: 77, solana: 19 };

const tokenOf = (address: string, decimals: number) =>
  z.strictObject({
    contract: z.string().describe(address),
    decimals: z.int().min(0).max(decimals).describe('What the contract says, and is asked.'),
    ...names,
  });

const fileOf = (folder: string) =>
  z
    .string()
    .min(1)
    .optional()
    .transform((path) => (path === undefined ? undefined : resolve(folder, path)));

/** Settings of all families: the nodes and the limits of payments. */
const chainOf = (
  folder: string,
  decimals: number,
  { coin, block }: { readonly coin: string; readonly block: string },
) => ({
  urls: z
    .array(providerOf(folder))
    .min(1, 'one address at least')
    .describe('Addresses of nodes, who must agree: plain without a path, else env or file.'),
  name: z.string().min(1).optional().describe('What people read; the location where absent.'),
  network: id.optional().describe('network_id at the swap service; needed where there is one.'),
  block: spanUs.prefault(block).describe('From one block to the next.'),
  coin: z
    .strictObject({ asset: z.string().min(1).default(coin), ...names })
    .prefault({})
    .describe('The coin of the chain, which fees are paid in.'),
  feeBound: coinLots(decimals).describe('The most that a transaction may cost, in the coin.'),
  dayBound: coinLots(decimals).describe('The most that those of 24 hours may cost together.'),
});

const evmOf = (folder: string) =>
  z.strictObject({
    ...chainOf(folder, EVM_DECIMALS, { coin: 'ETH', block: '12s' }),
    chainId: z.int().positive().describe('The nodes are asked for it, and must say the same.'),
    tokens: z
      .record(z.string().min(1), tokenOf('Address of the contract.', DECIMALS_MAX.evm))
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
    permit2: z.string().optional().describe('Contract of permit2; swaps need it.'),
    dataFeeOracle: z
      .string()
      .optional()
      .describe(
        'Contract that tells the fee for data of a chain of the OP kind; counts in the bounds.',
      ),
    acknowledged: id
      .optional()
      .describe('Nonces below it may have been used by others with the key, and you know by whom.'),
    oneByOne: z
      .boolean()
      .default(false)
      .describe(
        'True where nodes keep nothing that waits (Arbitrum): sign one, wait for its block.',
      ),
    nonces: fileOf(folder).describe(
      'File of the given nonces; LOCATION.nonces in data where absent.',
    ),
  });

const SOLANA_DECIMALS = 9;

const solanaOf = (folder: string) =>
  z.strictObject({
    ...chainOf(folder, SOLANA_DECIMALS, { coin: 'SOL', block: '400ms' }),
    genesis: z.string().min(1).describe('Hash of the first block; the nodes must say the same.'),
    tokens: z
      .record(z.string().min(1), tokenOf('Address of the mint.', DECIMALS_MAX.solana))
      .default({})
      .describe('Tokens by asset.'),
    priorityPercentile: z
      .int()
      .min(0)
      .max(100)
      .default(50)
      .describe('Which share of what others paid lately for the same accounts is outbid.'),
    payments: fileOf(folder).describe('File of prepared payments; LOCATION.payments in data where absent.'), // prettier-ignore
  });

const BITCOIN_DECIMALS = 8;
/** The modules that know their addresses are loaded later. */
const BITCOIN_CHAINS: readonly [BitcoinChain, ...BitcoinChain[]] = ['mainnet', 'testnet', 'signet', 'regtest']; // prettier-ignore

const bitcoinOf = (folder: string) =>
  z.strictObject({
    ...chainOf(folder, BITCOIN_DECIMALS, { coin: 'BTC', block: '10m' }),
    chain: z
      .enum(BITCOIN_CHAINS)
      .default('mainnet')
      .describe('Compared with the first block of the nodes.'),
    finality: count.default(6).describe('After so many confirmations a transaction is final.'),
    feeTarget: count.max(1008).default(6).describe('In so many blocks a payment is to be mined.'),
    inputs: fileOf(folder).describe('File of the given outputs; LOCATION.inputs in data where absent.'), // prettier-ignore
  });

/** The families of live chains in a configuration; one of them replaces `node`. */
export const realChains = (folder: string) => ({
  evm: evmOf(folder).optional().describe('Nodes of an EVM chain, by JSON-RPC.'),
  bitcoin: bitcoinOf(folder).optional().describe('Nodes of Bitcoin, by the REST of Esplora.'),
  solana: solanaOf(folder).optional().describe('Nodes of Solana, by JSON-RPC.'),
  tron: unserved(
    'No node of real Tron is built in, as its JSON-RPC takes no transactions (no eth_sendRawTransaction) and has neither nonces nor fees of Ethereum: name a module that makes one, node: { module: PATH }.',
  ),
});

type EvmFile = z.output<ReturnType<typeof evmOf>>;
type BitcoinFile = z.output<ReturnType<typeof bitcoinOf>>;
type SolanaFile = z.output<ReturnType<typeof solanaOf>>;

/** Inputs for reading a chain of a configuration. */
export interface ChainReading {
  /** Its location, and its path in the file. */
  readonly location: string;
  readonly at: readonly string[];
  /** Folder of the journal. */
  readonly data: string;
  /** True if a swap service has its own numbers for networks and tokens. */
  readonly needsIds: boolean;
  readonly secrets: SecretKeeper;
  readonly refuse: Refuse;
}

interface RealFile {
  readonly evm?: EvmFile | undefined;
  readonly bitcoin?: BitcoinFile | undefined;
  readonly solana?: SolanaFile | undefined;
}

/** Reads the live node that a configuration names; rejects a chain without one. */
export async function readRealNode(
  { evm, bitcoin, solana }: RealFile,
  given: ChainReading,
): Promise<RealNode> {
  const at = (family: string): ChainReading => ({ ...given, at: [...given.at, family] });
  if (evm !== undefined) return { family: 'evm', options: await evmOptions(evm, at('evm')) };
  if (bitcoin !== undefined) {
    return { family: 'bitcoin', options: bitcoinOptions(bitcoin, at('bitcoin')) };
  }
  if (solana !== undefined) {
    return { family: 'solana', options: await solanaOptions(solana, at('solana')) };
  }
  return given.refuse(given.at, 'expected node, or the nodes of a real chain such as evm.');
}

async function evmOptions(
  file: EvmFile,
  reading: ChainReading,
): Promise<Omit<EvmNodeOptions, 'http'>> {
  const { chainId, finality, permit2, dataFeeOracle: oracle, oneByOne, acknowledged } = file;
  const addressAt = await addresses('evm', reading);
  const { network, ...rest } = commonOptions(file, reading, {
    family: 'evm',
    decimals: EVM_DECIMALS,
    id: chainId,
    confirmations: file.confirmations ?? (typeof finality === 'number' ? finality : 65),
    addressAt,
  });
  return {
    ...rest,
    network: { ...network, chainId },
    finality,
    ...(permit2 !== undefined && { permit2: addressAt(permit2, ['permit2']) }),
    ...(oracle !== undefined && { dataFeeOracle: addressAt(oracle, ['dataFeeOracle']) }),
    ...(oneByOne && { oneByOne }),
    ...(acknowledged !== undefined && { acknowledged }),
    nonces: file.nonces ?? resolve(reading.data, `${reading.location}.nonces`),
  };
}

function bitcoinOptions(
  file: BitcoinFile,
  reading: ChainReading,
): Omit<BitcoinNodeOptions, 'http'> {
  const { chain, finality, feeTarget, inputs } = file;
  const given = {
    family: 'bitcoin',
    decimals: BITCOIN_DECIMALS,
    id: 0,
    confirmations: finality,
    addressAt: (address: string) => address,
  } as const;
  return {
    ...commonOptions({ ...file, tokens: {} }, reading, given),
    chain,
    finality,
    feeTarget,
    inputs: inputs ?? resolve(reading.data, `${reading.location}.inputs`),
  };
}

/** Confirmations of a finalized block, which other wallets of a portfolio count. */
const SOLANA_CONFIRMATIONS = 32;

async function solanaOptions(
  file: SolanaFile,
  reading: ChainReading,
): Promise<Omit<SolanaNodeOptions, 'http'>> {
  const addressAt = await addresses('solana', reading);
  const { genesis, priorityPercentile, payments } = file;
  return {
    ...commonOptions(file, reading, {
      family: 'solana',
      decimals: SOLANA_DECIMALS,
      id: 0,
      confirmations: SOLANA_CONFIRMATIONS,
      addressAt,
    }),
    genesis: addressAt(genesis, ['genesis']),
    priorityPercentile,
    payments: payments ?? resolve(reading.data, `${reading.location}.payments`),
  };
}

/** Options of the nodes of all families. */
function commonOptions(
  file: EvmFile | SolanaFile | (BitcoinFile & Pick<SolanaFile, 'tokens'>),
  reading: ChainReading,
  family: {
    readonly family: NetworkFamily;
    readonly decimals: number;
    /** Of the network, if no service has one. */
    readonly id: number;
    readonly confirmations: number;
    readonly addressAt: (given: string, at: readonly string[]) => string;
  },
) {
  const { location, needsIds } = reading;
  const { feeBound, dayBound } = file;
  if (dayBound < feeBound) {
    reading.refuse([...reading.at, 'dayBound'], 'dayBound is below feeBound; expected at least what one transaction may cost.'); // prettier-ignore
  }
  const idOf = ids(reading);
  const termsOf = (asset: string, own: NamedToken, at: readonly string[]) => ({
    id: idOf(own.id, [...at, 'id']),
    network: location,
    asset,
    name: asset,
    ticker: own.ticker ?? asset.toLowerCase(),
    listed: true,
  });
  const { asset } = file.coin;
  const coin: TokenTerms = { ...termsOf(asset, file.coin, ['coin']), contract: asset, decimals: family.decimals }; // prettier-ignore
  const tokens = Object.entries(file.tokens).map(([own, token]): TokenTerms => {
    const at = ['tokens', own];
    const contract = family.addressAt(token.contract, [...at, 'contract']);
    return { ...termsOf(own, token, at), contract, decimals: token.decimals };
  });
  const id = needsIds ? needed(file.network, ['network'], reading) : (file.network ?? family.id);
  const network: NetworkTerms = {
    id,
    code: location,
    name: file.name ?? location,
    family: family.family,
    blockUs: file.block,
    confirmations: family.confirmations,
    customTokens: false,
  };
  const urls = file.urls.map((one, nth) => urlOf(one, [...reading.at, 'urls', `${nth}`], reading));
  return { network, coin: coin.id, tokens: [coin, ...tokens], urls, feeBound, dayBound };
}

interface NamedToken {
  readonly id?: number | undefined;
  readonly ticker?: string | undefined;
}

/**
 * Returns addresses of a family in their canonical form; for one of another family, the error names that
 * family. Address modules are loaded after the file is validated.
 */
async function addresses(
  family: NetworkFamily,
  { at: place, refuse }: ChainReading,
): Promise<(given: string, at: readonly string[]) => string> {
  const { FAMILIES } = await import('../swaps/chains/families/families.ts');
  return (given, at) => {
    const canonical = FAMILIES[family].canonical(given);
    if (canonical !== undefined) return canonical;
    const other = Object.entries(FAMILIES).find(([, one]) => one.canonical(given) !== undefined);
    const is = other === undefined ? 'its checksum or length is wrong' : `this is one of ${other[0]}`; // prettier-ignore
    return refuse([...place, ...at], `${at.join('.')} is ${given}; expected an address of ${family}: ${is}.`); // prettier-ignore
  };
}

/** Returns the ids of tokens: those of the service, or sequence numbers if no service has any. */
function ids(reading: ChainReading): (given: number | undefined, at: readonly string[]) => number {
  const taken = new Set<number>();
  return (given, at) => {
    const next = given ?? (reading.needsIds ? needed(given, at, reading) : taken.size);
    if (taken.has(next)) {
      reading.refuse([...reading.at, ...at], `${next} is the id of another token of ${reading.location}; give each token its own.`); // prettier-ignore
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

/** Address of a provider. An invalid one is reported and not shown. */
function urlOf(
  given: string | SecretSource,
  at: readonly string[],
  { secrets, refuse }: ChainReading,
): string {
  if (typeof given === 'string') return given;
  const text = secrets.find(given, at);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    return refuse(at, 'The secret that is named here is no address such as https://node.example.com/v1/KEY.'); // prettier-ignore
  }
  if (url.username === '' && url.password === '') return text;
  return refuse(at, 'The address that is named here holds a user name or a password, which is not sent: take one with a key in its path.'); // prettier-ignore
}
