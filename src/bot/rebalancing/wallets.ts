import { MillraceError } from '../../model/errors.ts';
import { sanitize } from '../../model/plain-words.ts';
import type { Holding } from '../../model/portfolio.ts';
import type { ChainNode } from '../../gateways/chains/node.ts';
import { madeNode } from '../../gateways/chains/node-factory.ts';
import { realNode } from '../../gateways/chains/real-node.ts';
import { SimulatedNode } from '../../gateways/chains/simulated-node.ts';
import type { HttpSettings } from '../../gateways/http/settings.ts';
import type { Random } from '../../platform/random.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import type { ApprovalSigner } from '../../swaps/approvals/approval.ts';
import { amountOf, type NetworkTerms, type TokenTerms } from '../../swaps/tokens.ts';
import { inTime, unreadable } from './answers.ts';
import type { ChainLocationSettings } from '../settings/rebalancing.ts';

/** A wallet on a chain, with its network and tokens. */
export interface ChainWalletHoldings {
  readonly location: string;
  readonly network: NetworkTerms;
  /** One of each asset. */
  readonly tokens: readonly TokenTerms[];
  readonly signer: ApprovalSigner;
  readonly node: ChainNode;
}

/** The holdings of a location, or why they cannot be read. */
export type LocationHoldings =
  | { readonly location: string; readonly holdings: readonly Holding[] }
  | { readonly location: string; readonly error: MillraceError };

/** The wallets of a portfolio and their nodes. */
export class Wallets {
  /** Wallets whose nodes have answered. */
  readonly all: readonly ChainWalletHoldings[];
  readonly #nodes: readonly ChainNode[];
  readonly #unreached: readonly LocationHoldings[];
  readonly #scheduler: Scheduler;

  private constructor(
    all: readonly ChainWalletHoldings[],
    unreached: readonly LocationHoldings[],
    nodes: readonly ChainNode[],
    scheduler: Scheduler,
  ) {
    this.all = all;
    this.#unreached = unreached;
    this.#nodes = nodes;
    this.#scheduler = scheduler;
  }

  /**
   * Makes the nodes and asks them which chains and tokens there are. Throws `config-invalid` for a
   * module that makes no node, a location that is no chain of its node and a key of another family,
   * and for locations that are `needed`, what their nodes throw; `journal-locked` where another
   * process pays from a wallet.
   */
  static async open(
    settings: readonly ChainLocationSettings[],
    needed: ReadonlySet<string>,
    assets: ReadonlySet<string>,
    http: NodeSurroundings,
  ): Promise<Wallets> {
    const { scheduler } = http;
    const sources = new Map(settings.map(({ node }) => [nodeKey(node), node] as const));
    const nodes: ChainNode[] = [];
    try {
      const asked = [...sources].map(async ([key, source]) => {
        const open = () => opened(source, http, nodes);
        return [key, await knownOf(scheduler, nodeName(source), open)] as const;
      });
      const known = new Map(await allSettled(asked));
      const all: ChainWalletHoldings[] = [];
      const unreached: LocationHoldings[] = [];
      for (const one of settings) {
        const found = known.get(nodeKey(one.node));
        if (found === undefined || 'cause' in found) {
          const error = unreachable(one, found?.cause);
          if (needed.has(one.location)) throw error;
          unreached.push({ location: one.location, error });
        } else all.push(walletOf(one, found, assets));
      }
      return new Wallets(all, unreached, nodes, scheduler);
    } catch (error) {
      await closeAll(nodes);
      throw error;
    }
  }

  /** What each wallet holds now. */
  async holdings(): Promise<readonly LocationHoldings[]> {
    const asked = this.all.map(async (wallet): Promise<LocationHoldings> => {
      const { location } = wallet;
      try {
        const who = `The node of ${location}`;
        return { location, holdings: await inTime(this.#scheduler, who, heldIn(wallet)) };
      } catch (cause) {
        const sentence = `What the wallet on ${location} holds cannot be read from its node`;
        return { location, error: unreadable(sentence, cause, `chains.${location}`) };
      }
    });
    return [...(await Promise.all(asked)), ...this.#unreached];
  }

  async close(): Promise<void> {
    await closeAll(this.#nodes);
  }
}

async function heldIn({
  location,
  tokens,
  signer,
  node,
}: ChainWalletHoldings): Promise<readonly Holding[]> {
  const questions = tokens.map(async ({ id, asset, decimals }): Promise<Holding> => {
    const lots = await node.balance(id, signer.address);
    return { asset, location, amount: amountOf(lots, decimals) };
  });
  return Promise.all(questions);
}

/** A node with its chains and tokens, or why it did not answer. */
type KnownNode =
  | {
      readonly node: ChainNode;
      readonly networks: readonly NetworkTerms[];
      readonly tokens: readonly TokenTerms[];
    }
  | { readonly cause: unknown };

async function closeAll(nodes: readonly ChainNode[]): Promise<void> {
  await Promise.all(nodes.map(async (node) => node.close?.()));
}

/** A key of each node; it contains secrets. */
function nodeKey(node: ChainLocationSettings['node']): string {
  if (typeof node === 'string') return node;
  if ('path' in node) return JSON.stringify([node.path, node.settings, node.secrets]);
  // Each is made for one location, whose name its network has.
  return `real ${node.options.network.code}`;
}

/** The name of a node in errors: of a real one its hosts, as the path is often a key. */
function nodeName(node: ChainLocationSettings['node']): string {
  if (typeof node === 'string') return node;
  if ('path' in node) return node.path;
  return node.options.urls.map((url) => new URL(url).origin).join(' and ');
}

type NodeSurroundings = Omit<HttpSettings, 'url' | 'scheduler' | 'random'> & {
  readonly scheduler: Scheduler;
  readonly random: Random;
};

/** Makes a node and adds it to those to be closed. */
async function opened(
  source: ChainLocationSettings['node'],
  http: NodeSurroundings,
  nodes: ChainNode[],
): Promise<ChainNode> {
  const node = await madeOf(source, http);
  nodes.push(node);
  return node;
}

async function madeOf(
  source: ChainLocationSettings['node'],
  http: NodeSurroundings,
): Promise<ChainNode> {
  if (typeof source === 'string') return new SimulatedNode({ ...http, url: source });
  return 'path' in source ? madeNode(source, http) : realNode(source, http);
}

/** Waits for all before it throws for one, so that no node is made after that. */
async function allSettled<T>(asked: readonly Promise<T>[]): Promise<readonly T[]> {
  await Promise.allSettled(asked);
  return Promise.all(asked);
}

/** Errors that waiting does not fix: wrong settings, or nonces of another process. */
const PERMANENT: ReadonlySet<string> = new Set([
  'config-invalid',
  'journal-locked',
  'journal-unwritable',
  'journal-invalid',
]);

/** Throws permanent errors; others are kept as the cause. */
async function knownOf(
  scheduler: Scheduler,
  name: string,
  open: () => Promise<ChainNode>,
): Promise<KnownNode> {
  try {
    const asked = open().then(async (node) => {
      const [networks, tokens] = await Promise.all([node.networks(), node.tokens()]);
      return { node, networks, tokens };
    });
    return await inTime(scheduler, `The node at ${name}`, asked);
  } catch (cause) {
    if (cause instanceof MillraceError && PERMANENT.has(cause.code)) throw cause;
    return { cause };
  }
}

function walletOf(
  settings: ChainLocationSettings,
  { node, networks, tokens }: Exclude<KnownNode, { readonly cause: unknown }>,
  assets: ReadonlySet<string>,
): ChainWalletHoldings {
  const { location, signer } = settings;
  const network = networks.find(({ code }) => code === location);
  if (network === undefined) throw unknownChain(settings, networks);
  if (network.family !== signer.family) throw otherFamily(settings, network);
  const own = tokens.filter((token) => isOf(token, location, assets));
  return { location, network, tokens: own, signer, node };
}

const unreachable = ({ location, node }: ChainLocationSettings, cause: unknown): MillraceError =>
  unreadable(
    `The node of ${location} at ${nodeName(node)} does not say which chains it has, so what is there cannot be read`,
    cause,
    `chains.${location}.node`,
  );

const isOf = (token: TokenTerms, network: string, assets: ReadonlySet<string>): boolean =>
  token.network === network && assets.has(token.asset) && token.wrapped === undefined;

function unknownChain(
  { location, node }: ChainLocationSettings,
  networks: readonly NetworkTerms[],
): MillraceError {
  const codes = sanitize(networks.map(({ code }) => code).join(', '));
  const has = codes === '' ? 'it has no chain at all' : `it has ${codes}`;
  const sentence = `The node at ${nodeName(node)} has no chain "${location}"; ${has}.`;
  return new MillraceError('config-invalid', sentence, { field: `chains.${location}` });
}

function otherFamily(
  { location, signer }: ChainLocationSettings,
  network: NetworkTerms,
): MillraceError {
  const sentence = `The key of ${location} is one of the family ${signer.family}, and ${sanitize(network.name)} is of the family ${network.family}.`;
  return new MillraceError('config-invalid', sentence, { field: `chains.${location}.key` });
}
