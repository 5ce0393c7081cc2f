import { MillraceError } from '../../model/errors.ts';
import { plainWords } from '../../model/plain-words.ts';
import type { Holding } from '../../model/portfolio.ts';
import type { ChainNode } from '../../gateways/chains/node.ts';
import { SimulatedNode } from '../../gateways/chains/simulated-node.ts';
import type { HttpSettings } from '../../gateways/http/settings.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import type { ApprovalSigner } from '../../swaps/approvals/approval.ts';
import { amountOf, type NetworkTerms, type TokenTerms } from '../../swaps/tokens.ts';
import { inTime, unreadable } from './asking.ts';
import type { ChainPlaceSettings } from './settings.ts';

/** A wallet on a chain, with what its network and tokens are like. */
export interface Wallet {
  readonly place: string;
  readonly network: NetworkTerms;
  /** One of each asset. */
  readonly tokens: readonly TokenTerms[];
  readonly signer: ApprovalSigner;
  readonly node: ChainNode;
}

/** What a wallet holds, or why that cannot be read. */
export type PlaceHoldings =
  | { readonly place: string; readonly holdings: readonly Holding[] }
  | { readonly place: string; readonly error: MillraceError };

/** The wallets of a portfolio, and the nodes that they are reached by. */
export class Wallets {
  /** Those whose nodes have said what there is. */
  readonly all: readonly Wallet[];
  readonly #nodes: readonly SimulatedNode[];
  readonly #unreached: readonly PlaceHoldings[];
  readonly #scheduler: Scheduler;

  private constructor(
    all: readonly Wallet[],
    unreached: readonly PlaceHoldings[],
    nodes: readonly SimulatedNode[],
    scheduler: Scheduler,
  ) {
    this.all = all;
    this.#unreached = unreached;
    this.#nodes = nodes;
    this.#scheduler = scheduler;
  }

  /**
   * Asks the nodes which chains and tokens there are. Throws `config-invalid` for a place that is no
   * chain of its node and for a key of another family, and for places that are `needed`, what their
   * nodes throw.
   */
  static async open(
    settings: readonly ChainPlaceSettings[],
    needed: ReadonlySet<string>,
    assets: ReadonlySet<string>,
    http: Omit<HttpSettings, 'url'> & { readonly scheduler: Scheduler },
  ): Promise<Wallets> {
    const { scheduler } = http;
    const urls = [...new Set(settings.map(({ node }) => node))];
    const nodes = new Map(urls.map((url) => [url, new SimulatedNode({ ...http, url })] as const));
    try {
      const asked = [...nodes].map(([url, node]) => knownOf(scheduler, url, node));
      const known = new Map(await Promise.all(asked));
      const all: Wallet[] = [];
      const unreached: PlaceHoldings[] = [];
      for (const one of settings) {
        const found = known.get(one.node);
        if (found === undefined || 'cause' in found) {
          const error = unreachable(one, found?.cause);
          if (needed.has(one.place)) throw error;
          unreached.push({ place: one.place, error });
        } else all.push(walletOf(one, found, assets));
      }
      return new Wallets(all, unreached, [...nodes.values()], scheduler);
    } catch (error) {
      await Promise.all([...nodes.values()].map((node) => node.close()));
      throw error;
    }
  }

  /** What each wallet holds now. */
  async holdings(): Promise<readonly PlaceHoldings[]> {
    const asked = this.all.map(async (wallet): Promise<PlaceHoldings> => {
      const { place } = wallet;
      try {
        const who = `The node of ${place}`;
        return { place, holdings: await inTime(this.#scheduler, who, heldIn(wallet)) };
      } catch (cause) {
        const sentence = `What the wallet on ${place} holds cannot be read from its node`;
        return { place, error: unreadable(sentence, cause, `chains.${place}`) };
      }
    });
    return [...(await Promise.all(asked)), ...this.#unreached];
  }

  async close(): Promise<void> {
    await Promise.all(this.#nodes.map((node) => node.close()));
  }
}

async function heldIn({ place, tokens, signer, node }: Wallet): Promise<readonly Holding[]> {
  const questions = tokens.map(async ({ id, asset, decimals }): Promise<Holding> => {
    const lots = await node.balance(id, signer.address);
    return { asset, place, amount: amountOf(lots, decimals) };
  });
  return Promise.all(questions);
}

/** A node with its chains and tokens, or why they are not known. */
type KnownNode =
  | {
      readonly node: SimulatedNode;
      readonly networks: readonly NetworkTerms[];
      readonly tokens: readonly TokenTerms[];
    }
  | { readonly cause: unknown };

async function knownOf(
  scheduler: Scheduler,
  url: string,
  node: SimulatedNode,
): Promise<readonly [string, KnownNode]> {
  try {
    const asked = Promise.all([node.networks(), node.tokens()]);
    const [networks, tokens] = await inTime(scheduler, `The node at ${url}`, asked);
    return [url, { node, networks, tokens }];
  } catch (cause) {
    return [url, { cause }];
  }
}

function walletOf(
  settings: ChainPlaceSettings,
  { node, networks, tokens }: Exclude<KnownNode, { readonly cause: unknown }>,
  assets: ReadonlySet<string>,
): Wallet {
  const { place, signer } = settings;
  const network = networks.find(({ code }) => code === place);
  if (network === undefined) throw unknownChain(settings, networks);
  if (network.family !== signer.family) throw otherFamily(settings, network);
  const own = tokens.filter((token) => isOf(token, place, assets));
  return { place, network, tokens: own, signer, node };
}

const unreachable = ({ place, node }: ChainPlaceSettings, cause: unknown): MillraceError =>
  unreadable(
    `The node of ${place} at ${node} does not say which chains it has, so what is there cannot be read`,
    cause,
    `chains.${place}.node`,
  );

const isOf = (token: TokenTerms, network: string, assets: ReadonlySet<string>): boolean =>
  token.network === network && assets.has(token.asset) && token.wrapped === undefined;

function unknownChain(
  { place, node }: ChainPlaceSettings,
  networks: readonly NetworkTerms[],
): MillraceError {
  const codes = plainWords(networks.map(({ code }) => code).join(', '));
  const has = codes === '' ? 'it has no chain at all' : `it has ${codes}`;
  const sentence = `The node at ${node} has no chain "${place}"; ${has}.`;
  return new MillraceError('config-invalid', sentence, { field: `chains.${place}` });
}

function otherFamily({ place, signer }: ChainPlaceSettings, network: NetworkTerms): MillraceError {
  const sentence = `The key of ${place} is one of the family ${signer.family}, and ${plainWords(network.name)} is of the family ${network.family}.`;
  return new MillraceError('config-invalid', sentence, { field: `chains.${place}.key` });
}
