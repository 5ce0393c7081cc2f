import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import type {
  AccountLocationSettings,
  AffiliateServiceSettings,
  ChainLocationSettings,
  KeyPairServiceSettings,
  RebalancingSettings,
} from '../bot/settings/rebalancing.ts';
import { readConfigDocument, type ConfigDocument } from '../config/document.ts';
import { IS_SENTENCE } from '../config/explain.ts';
import { Decimal } from '../model/decimal.ts';
import { MillraceError } from '../model/errors.ts';
import type { PrivateKey } from '../model/private-key.ts';
import type { ApprovalSigner } from '../swaps/approvals/approval.ts';
import {
  parseHoldingKey,
  holdingName,
  type HoldingKey,
  type HoldingTarget,
} from '../model/portfolio.ts';
import { nameOf } from '../config/fields.ts';
import { suggest } from '../model/suggest.ts';
import { refuser, type Refuse } from './bot/strategies.ts';
import { amount, fraction, positive, positiveSpan } from '../config/amounts.ts';
import { SecretKeeper } from './bot/secret-keeper.ts';
import { secretSource, type Environment } from './bot/secret.ts';
import { ownModule, ownModuleOf } from './config-modules.ts';
import {
  origin,
  TRADING_ADDRESS,
  TRADING_ADDRESS_RULE,
  tradingAddress,
} from './bot/trading-address.ts';
import { readRealNode, realChains } from './chain-config.ts';
import { SIGNING_CONFIG, signingPolicy } from './signing-config.ts';

const shortName = nameOf(32);

const accountOf = (folder: string) =>
  z
    .strictObject({
      location: shortName
        .default('trading')
        .describe('What targets call the account: USDC@trading.'),
      ...TRADING_ADDRESS,
      key: secretSource(folder).describe('Where the API key is: env: NAME, file: PATH.'),
      secret: secretSource(folder).describe('Where its secret is: env: NAME, file: PATH.'),
      networks: z
        .record(shortName, z.string().min(1))
        .default({})
        .describe('What the trading service calls the chains: ethereum: ETH.'),
      tolerance: fraction
        .prefault('0.005')
        .describe('How far the limit of a trade may be from the best price.'),
    })
    .meta(TRADING_ADDRESS_RULE);

const signerOf = (folder: string) =>
  z.strictObject({
    url: origin.describe('Address of the signer, which is asked at /v1/sign.'),
    address: z.string().min(1).describe('Address of the wallet that it signs for.'),
    publicKey: z
      .string()
      .regex(/^[\da-fA-F]{64}$/, '64 hexadecimal digits')
      .optional()
      .describe('X-only key of a wallet on Bitcoin, which swaps need.'),
    token: secretSource(folder).optional().describe('Bearer token: env: NAME, file: PATH.'),
    timeout: positiveSpan.prefault('30s').describe('How long one signature may take.'),
  });

const isThere = (value: unknown): boolean => value !== undefined;

const chainOf = (folder: string) =>
  z
    .strictObject({
      node: z
        .union([origin, ownModuleOf(folder, 'a node')], {
          error: 'an address such as http://127.0.0.1:8330, or { module: PATH, settings: … }',
        })
        .optional()
        .describe('Address of a node of simulated chains, or a module that makes a node.'),
      ...realChains(folder),
      key: z.string().min(1).optional().describe('Name of the key in the key file.'),
      signer: signerOf(folder)
        .optional()
        .describe('Instead of key: another process that has it and signs.'),
    })
    .refine(({ key, signer }) => (key === undefined) !== (signer === undefined), {
      error: 'A chain has either key, or signer: { url: …, address: … }.',
      params: { [IS_SENTENCE]: true },
    })
    .refine(
      ({ node, evm, bitcoin, solana }) => [node, evm, bitcoin, solana].filter(isThere).length === 1,
      {
        error: 'A chain has either node, or the nodes of a real chain such as evm: { urls: … }.',
        params: { [IS_SENTENCE]: true },
      },
    )
    .meta({
      allOf: [
        { oneOf: ['node', 'evm', 'bitcoin', 'solana'].map((name) => ({ required: [name] })) },
        { oneOf: [{ required: ['key'] }, { required: ['signer'] }] },
      ],
    });

const service = z.strictObject({
  url: origin.describe('Address of the service.'),
  key: z.string().min(1).describe('Name of the RSA key in the key file.'),
});

const swapService = service.extend({ signing: SIGNING_CONFIG.optional() });

const affiliateOf = (folder: string) =>
  z.strictObject({
    url: origin.describe('Address of the service.'),
    apiKey: secretSource(folder).describe('Where the API key is: env: NAME, file: PATH.'),
  });

const share = amount.refine((value) => value.lessThanOrEqualTo(1), 'a share from 0 to 1');

const target = z
  .strictObject({
    weight: share
      .optional()
      .describe('Share of the value of all weighted holdings; all weights add up to 1.'),
    amount: amount
      .optional()
      .describe('Instead of weight: so much of the asset, whatever the portfolio is worth.'),
    band: amount.describe('How far the share, or the amount, may be off before anything is moved.'),
    reserve: amount.prefault(0).describe('An amount that is never moved away.'),
  })
  .meta({ oneOf: [{ required: ['weight'] }, { required: ['amount'] }] });

/** The target of a holding: a share or an amount, and not both. */
function targetOf(
  holding: HoldingKey,
  { weight, amount: fixed, band, reserve }: z.output<typeof target>,
  say: (member: string | undefined, message: string, input: unknown) => never,
): HoldingTarget {
  if (weight !== undefined && fixed !== undefined) {
    return say(undefined, 'a weight or an amount, and not both', { weight, amount: fixed });
  }
  if (fixed !== undefined) {
    const most = fixed.plus(band);
    if (!reserve.greaterThan(most)) return { ...holding, amount: fixed, band, reserve };
    const message = `a reserve of at most ${most.toFixed()}, which its amount and band allow`;
    return say('reserve', message, reserve.toFixed());
  }
  if (weight === undefined) {
    return say(undefined, 'a weight such as 0.25, or an amount such as 5000', {});
  }
  if (band.greaterThan(1)) return say('band', 'a share from 0 to 1', band.toFixed());
  return { ...holding, weight, band, reserve };
}

const prices = z.union([positive, z.strictObject({ symbol: z.string().min(1) })], {
  error: 'an amount above zero, or { symbol: NAME } for the last price of a symbol',
});

const targets = z
  .record(z.string(), target)
  .transform((given, context) =>
    Object.entries(given).map(([name, one]): HoldingTarget => {
      const holding = parseHoldingKey(name);
      if (holding !== undefined) {
        return targetOf(holding, one, (member, message, input) => {
          const path = member === undefined ? [name] : [name, member];
          context.addIssue({ code: 'custom', path, message, input });
          return z.NEVER;
        });
      }
      context.addIssue({
        code: 'custom',
        path: [name],
        message: 'ASSET@LOCATION, such as USDC@ethereum',
      });
      return z.NEVER;
    }),
  )
  .refine((holdings) => holdings.length > 1, 'at least two holdings such as USDC@ethereum')
  .superRefine((holdings, context) => {
    const weighted = holdings.filter((one) => one.weight !== undefined);
    const sum = weighted.reduce((total, { weight }) => total.plus(weight), new Decimal(0));
    if (holdings.length < 2 || sum.equals(1)) return;
    const message =
      weighted.length === 0
        ? 'at least one holding with a weight; the amounts leave it the rest'
        : `weights that add up to 1, not ${sum.toFixed()}`;
    const input = Object.fromEntries(
      weighted.map((one) => [holdingName(one), one.weight.toFixed()]),
    );
    context.addIssue({ code: 'custom', message, input });
  });

const limits = z
  .strictObject({
    minimumValue: amount.prefault(0).describe('Transfers of less value are not made.'),
    maximumCost: fraction
      .prefault('0.01')
      .describe('The most that all transfers together may cost, as a share of what they transfer.'),
    slippage: share
      .prefault('0.005')
      .describe('How much less a later offer may return than the planned one, as a fraction.'),
  })
  .prefault({});

/** Schema of a portfolio's configuration; paths are relative to `folder`. */
export const rebalancingConfig = (folder: string) =>
  z
    .strictObject({
      name: shortName.default('portfolio').describe('Shown in reports.'),
      data: z
        .string()
        .min(1)
        .default('data')
        .transform((path) => resolve(folder, path))
        .describe('Folder of the journal, relative to this file.'),
      keys: z
        .strictObject({
          file: z
            .string()
            .min(1)
            .transform((path) => resolve(folder, path)),
          passphrase: secretSource(folder).describe('What opens it: env: NAME, file: PATH.'),
        })
        .optional()
        .describe('The key file, which `millrace keys` makes.'),
      account: accountOf(folder).optional().describe('The trading account, as a location.'),
      chains: z
        .record(shortName, chainOf(folder))
        .default({})
        .describe('Wallets on chains, by location.'),
      services: z
        .strictObject({
          swaps: swapService
            .optional()
            .describe('The swap service by its Execution surface, with signed requests.'),
          affiliateSwaps: affiliateOf(folder)
            .optional()
            .describe('The swap service by its Affiliate surface, with an API key.'),
          exchangeOrders: service.optional().describe('The exchange order service.'),
        })
        .default({})
        .describe('Services that transfer assets besides the trading account.'),
      prices: z
        .record(z.string().min(1), prices)
        .describe('What assets are worth, in one unit for all of them.'),
      targets: targets.describe('What is to be held where, as ASSET@LOCATION.'),
      limits,
    })
    .describe('A portfolio over chains and a trading account.');

type RebalancingFile = z.output<ReturnType<typeof rebalancingConfig>>;

/** A configuration with its secrets read. */
export interface RebalancingConfig {
  readonly path: string;
  readonly settings: RebalancingSettings;
  /** Every secret that was read. */
  readonly secrets: readonly string[];
  /** Sentences that its owner should know. */
  readonly warnings: readonly string[];
}

/**
 * Reads the configuration of a portfolio and the keys that it names. Throws `config-missing`,
 * `config-invalid`, `secret-missing`, `key-invalid`.
 */
export async function readRebalancingConfig(
  path: string,
  environment: Environment,
): Promise<RebalancingConfig> {
  const config = readConfigDocument(path, rebalancingConfig(dirname(resolve(path))));
  const secrets = new SecretKeeper(config, environment);
  const keys = await keysOf(config, secrets);
  const { settings, warnings } = await settingsOf(config, dirname(resolve(path)), secrets, keys);
  return { path, settings, secrets: secrets.secrets, warnings: [...secrets.warnings, ...warnings] };
}

/** Provides the keys that a configuration names. */
interface NamedKeys {
  signer(name: string, where: string): ApprovalSigner;
  service(name: string, where: string): PrivateKey;
}

async function keysOf(
  { data: { keys } }: ConfigDocument<RebalancingFile>,
  secrets: SecretKeeper,
): Promise<NamedKeys> {
  const none = (name: string, where: string): never => {
    const sentence = `${where}: there is no key "${name}", as keys names no file; add keys: { file: …, passphrase: … }.`;
    throw new MillraceError('config-invalid', sentence, { where });
  };
  if (keys === undefined) return { signer: none, service: none };
  const passphrase = secrets.find(keys.passphrase, ['keys', 'passphrase']);
  // The signing code is loaded only after the file is validated.
  const { KeyStore } = await import('./keys/key-store.ts');
  return KeyStore.open(keys.file, passphrase);
}

async function settingsOf(
  config: ConfigDocument<RebalancingFile>,
  folder: string,
  secrets: SecretKeeper,
  keys: NamedKeys,
): Promise<Pick<RebalancingConfig, 'settings' | 'warnings'>> {
  const refuse = refuser(config);
  const { data: file } = config;
  checkAssets(file, refuser(config));
  const where = (path: readonly string[]): string => config.where(path);
  const serviceOf = (name: 'swaps' | 'exchangeOrders'): KeyPairServiceSettings | undefined => {
    const given = file.services[name];
    if (given === undefined) return undefined;
    return {
      url: given.url,
      privateKey: keys.service(given.key, where(['services', name, 'key'])),
    };
  };
  const swaps = serviceOf('swaps');
  const given = file.services.swaps?.signing;
  const at = ['services', 'swaps', 'signing'];
  const signing = given && (await signingPolicy(given, folder, at, refuse));
  const chains = await chainsOf(config, folder, secrets, keys, refuse);
  const settings: RebalancingSettings = {
    name: file.name,
    data: file.data,
    prices: new Map(Object.entries(file.prices)),
    account: file.account && accountSettings(file.account, secrets, refuse),
    chains,
    swaps: swaps && { ...swaps, signing: signing?.policy },
    affiliateSwaps: affiliateSettings(file, secrets),
    exchangeOrders: serviceOf('exchangeOrders'),
    targets: {
      holdings: file.targets,
      minimumValue: file.limits.minimumValue,
      maximumCost: file.limits.maximumCost,
      slippage: file.limits.slippage,
    },
  };
  return { settings, warnings: signing?.warnings ?? [] };
}

/** The wallets of a configuration, each with its node and signer. */
async function chainsOf(
  config: ConfigDocument<RebalancingFile>,
  folder: string,
  secrets: SecretKeeper,
  keys: NamedKeys,
  refuse: Refuse,
): Promise<readonly ChainLocationSettings[]> {
  const { data: file } = config;
  const chains: ChainLocationSettings[] = [];
  const needsIds = (file.services.swaps ?? file.services.affiliateSwaps) !== undefined;
  // One at a time, so that an error names the module at fault.
  for (const [name, { node, key, signer: remote, ...real }] of Object.entries(file.chains)) {
    const at = ['chains', name];
    const signer =
      remote === undefined
        ? keys.signer(key ?? '', config.where([...at, 'key']))
        : await remoteOf(remote, [...at, 'signer'], secrets, refuse);
    const reading = { location: name, at, data: file.data, needsIds, secrets, refuse };
    const source =
      node === undefined
        ? await readRealNode(real, reading)
        : await nodeOf(name, node, folder, secrets, refuse);
    const addressAt = remote === undefined ? undefined : [...at, 'signer', 'address'];
    chains.push({
      location: name,
      node: source,
      signer: await signerAt(source, signer, addressAt, refuse),
    });
  }
  await refuseSharedWallets(chains, refuse);
  return chains;
}

/**
 * A Bitcoin key has a different address on mainnet, testnet and signet. A remote signer reports its own, at
 * `addressAt`, and is rejected if that is one of another chain.
 */
async function signerAt(
  node: ChainLocationSettings['node'],
  signer: ApprovalSigner,
  addressAt: readonly string[] | undefined,
  refuse: Refuse,
): Promise<ApprovalSigner> {
  const isReal = typeof node === 'object' && 'family' in node;
  if (!isReal || node.family !== 'bitcoin' || signer.family !== 'bitcoin') return signer;
  const { chain } = node.options;
  if (addressAt === undefined) {
    const { signerOn } = await import('../swaps/keys/key-ring.ts');
    return signerOn(chain, signer);
  }
  const { otherAddress, readAddress } = await import('../gateways/chains/bitcoin/addresses.ts');
  if (readAddress(chain, signer.address) !== undefined) return signer;
  return refuse(addressAt, `address: ${otherAddress(chain, signer.address)}.`);
}

async function remoteOf(
  { url, address, publicKey, token, timeout }: z.output<ReturnType<typeof signerOf>>,
  at: readonly string[],
  secrets: SecretKeeper,
  refuse: Refuse,
): Promise<ApprovalSigner> {
  const { ownerOf, remoteSigner } = await import('../gateways/chains/remote-signer.ts');
  if (ownerOf(address) === undefined) {
    refuse([...at, 'address'], `address ${address} is not a wallet address; check it for a typing mistake.`); // prettier-ignore
  }
  const bearer = token && secrets.find(token, [...at, 'token']);
  return remoteSigner({ url, address, publicKey, timeoutUs: timeout, token: bearer });
}

/** The node of a chain: an address as it is, a module loaded. */
async function nodeOf(
  name: string,
  node: string | z.output<ReturnType<typeof ownModuleOf>>,
  folder: string,
  secrets: SecretKeeper,
  refuse: Refuse,
): Promise<ChainLocationSettings['node']> {
  if (typeof node === 'string') return node;
  const what = 'a function that makes a node, a ChainNodeFactory';
  return await ownModule(node, { folder, at: ['chains', name, 'node'], what }, secrets, refuse);
}

/** Two locations with one wallet would use the same nonce and each count its own daily limit. */
async function refuseSharedWallets(
  chains: readonly ChainLocationSettings[],
  refuse: Refuse,
): Promise<void> {
  const seen = new Map<string, string>();
  for (const { location: name, node, signer } of chains) {
    if (typeof node === 'string' || 'path' in node) continue;
    const { chainOf: realChain } = await import('../gateways/chains/real-node.ts');
    const wallet = `${realChain(node)} ${signer.address}`;
    const other = seen.get(wallet);
    if (other !== undefined) {
      refuse(['chains', name, 'key'], `${name} has the same wallet on one chain as ${other}; give it a key of its own.`); // prettier-ignore
    }
    seen.set(wallet, name);
  }
}

function affiliateSettings(
  { services: { affiliateSwaps } }: RebalancingFile,
  secrets: SecretKeeper,
): AffiliateServiceSettings | undefined {
  if (affiliateSwaps === undefined) return undefined;
  const { url, apiKey } = affiliateSwaps;
  return { url, apiKey: secrets.find(apiKey, ['services', 'affiliateSwaps', 'apiKey']) };
}

/** Every target asset needs a price. */
function checkAssets({ targets: holdings, prices: values }: RebalancingFile, refuse: Refuse): void {
  const known = Object.keys(values);
  for (const holding of holdings) {
    if (known.includes(holding.asset)) continue;
    const near = suggest(holding.asset, known);
    const hint = near === undefined ? '' : ` Did you mean "${near}"?`;
    refuse(
      ['targets', holdingName(holding)],
      `prices does not say what ${holding.asset} is worth; it names ${known.join(', ')}.${hint}`,
    );
  }
}

function accountSettings(
  account: z.output<ReturnType<typeof accountOf>>,
  secrets: SecretKeeper,
  refuse: Refuse,
): AccountLocationSettings {
  const { location: name, key, secret, networks, tolerance } = account;
  return {
    location: name,
    address: tradingAddress(account, (sentence) => refuse(['account'], sentence)),
    credentials: {
      key: secrets.find(key, ['account', 'key']),
      secret: secrets.find(secret, ['account', 'secret']),
    },
    networks: new Map(Object.entries(networks)),
    tolerance,
  };
}
