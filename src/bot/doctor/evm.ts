import {
  hex,
  permit2Separator,
  sampleDataFeeCall,
  SELECTORS,
} from '../../gateways/chains/evm/encoding.ts';
import type { EvmNodeOptions } from '../../gateways/chains/evm/options.ts';
import type { JsonRpc } from '../../gateways/chains/json-rpc/rpc.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import type { TokenTerms } from '../../swaps/tokens.ts';
import {
  answerOf,
  clockOf,
  coinOf,
  decimalsOf,
  checkByNodes,
  urlsOf,
  type ExaminedWallet,
  type Head,
  type CheckDependencies,
} from './chain-look.ts';
import { checker, type CheckResult } from './check-result.ts';

type EvmWallet = ExaminedWallet<Omit<EvmNodeOptions, 'http'>>;

/**
 * Checks the nodes of an EVM chain and a wallet there: a line for each result. Nothing is sent and no nonce
 * is used.
 */
export const checkEvm = async (
  wallet: EvmWallet,
  http: CheckDependencies,
): Promise<readonly CheckResult[]> =>
  checkByNodes(wallet.options.urls, http, (nodes) => new EvmCheck(wallet, nodes, http.scheduler));

class EvmCheck {
  readonly #wallet: EvmWallet;
  readonly #nodes: readonly JsonRpc[];
  readonly #scheduler: Scheduler;

  constructor(wallet: EvmWallet, nodes: readonly JsonRpc[], scheduler: Scheduler) {
    this.#wallet = wallet;
    this.#nodes = nodes;
    this.#scheduler = scheduler;
  }

  /** Checks that each node answers, and for the right chain. */
  async reached(): Promise<readonly CheckResult[]> {
    const { ok, fail } = this.#check('node');
    const { chainId, name } = this.#wallet.options.network;
    return Promise.all(
      this.#nodes.map(async (node) => {
        const found = await answerOf(node, 'eth_chainId', []);
        if ('why' in found) return fail(`${node.url} does not answer: ${found.why}.`, 'Look at its address and key, and whether it runs.'); // prettier-ignore
        const id = numberIn(found.result);
        if (id === chainId) return ok(`${node.url} answers for chain ${id}.`);
        if (id === undefined) return fail(`${node.url} does not say its chain as a node does.`, 'Name a node that speaks JSON-RPC of Ethereum.'); // prettier-ignore
        return fail(`${node.url} is of chain ${id}, and ${name} of chain ${chainId}.`, `Name a node of chain ${chainId} in urls, or set chainId.`); // prettier-ignore
      }),
    );
  }

  /** Everything else, once the nodes are the right ones. */
  async all(): Promise<readonly CheckResult[]> {
    const { tokens, coin, permit2, dataFeeOracle, network } = this.#wallet.options;
    const now = this.#scheduler.now();
    const heads = await Promise.all(this.#nodes.map(async (node) => headOf(node, 'latest')));
    return [
      ...this.#nodes.map(({ url }, nth) => clockOf(this.#check('clock'), url, heads[nth], now, network)), // prettier-ignore
      ...(await this.#agreement(heads)),
      await this.#finality(),
      ...(await Promise.all(
        tokens.filter(({ id }) => id !== coin).map(async (token) => this.#token(token)),
      )),
      ...(permit2 === undefined ? [] : [await this.#permit2(permit2)]),
      ...(dataFeeOracle === undefined ? [] : [await this.#oracle(dataFeeOracle)]),
      await this.#coin(),
    ];
  }

  /** Checks that all nodes have one chain, by the highest block that all of them have. */
  async #agreement(heads: readonly (Head | undefined)[]): Promise<readonly CheckResult[]> {
    if (this.#nodes.length < 2) return [];
    const { ok, fail } = this.#check('agreement');
    const height = Math.min(...heads.map((head) => head?.number ?? 0));
    const hashes = await Promise.all(
      this.#nodes.map(async (node) => {
        const found = await answerOf(node, 'eth_getBlockByNumber', [hex(height), false]);
        return 'why' in found ? undefined : textIn(found.result, 'hash');
      }),
    );
    const [first] = hashes;
    const differs = first === undefined || hashes.some((hash) => hash !== first);
    if (!differs) return [ok(`${hashes.length} nodes have the same block ${height}.`)];
    return [fail(`The nodes differ on block ${height}.`, 'One is of another fork or lies; nothing is done while they differ.')]; // prettier-ignore
  }

  async #finality(): Promise<CheckResult> {
    const { ok, warn } = this.#check('finality');
    const { finality, network } = this.#wallet.options;
    if (typeof finality === 'number') return ok(`A payment is final after ${finality} confirmations.`); // prettier-ignore
    const blocks = await Promise.all(this.#nodes.map(async (node) => headOf(node, finality)));
    const without = this.#nodes.filter((_, nth) => blocks[nth] === undefined);
    if (without.length === 0) {
      const numbers = blocks.map((block) => block?.number ?? 0).join(' and ');
      return ok(`Block ${numbers} is ${finality}.`);
    }
    return warn(`${urlsOf(without)} has no ${finality} block, so that ${network.confirmations} confirmations count instead.`, 'Set confirmations to what the chain needs, or take a node that has the tag.'); // prettier-ignore
  }

  async #token(token: TokenTerms): Promise<CheckResult> {
    const { asset, contract } = token;
    const check = this.#check('token');
    const without = await this.#withoutCode(contract);
    if (without === undefined) {
      return decimalsOf(check, token, await this.#word(contract, SELECTORS.decimals));
    }
    return check.fail(`${asset}: no contract is at ${contract}, says ${without}.`, `Set the address of ${asset} on this chain.`); // prettier-ignore
  }

  async #permit2(contract: string): Promise<CheckResult> {
    const { ok, fail } = this.#check('permit2');
    const advice = 'Take the address from its publisher; a wrong one could take the money.';
    const without = await this.#withoutCode(contract);
    if (without !== undefined) return fail(`No contract is at ${contract}, says ${without}.`, advice); // prettier-ignore
    const found = await this.#word(contract, SELECTORS.domainSeparator);
    const expected = permit2Separator(this.#wallet.options.network.chainId, contract);
    if (found === BigInt(expected)) return ok(`${contract} has code and the separator of this chain.`); // prettier-ignore
    return fail(`${contract} has another separator than permit2 of this chain.`, advice);
  }

  async #oracle(contract: string): Promise<CheckResult> {
    const { ok, fail } = this.#check('fee for data');
    const { network } = this.#wallet.options;
    const advice =
      'Take its address from the documentation of the chain, or leave dataFeeOracle out where the chain takes nothing for data.';
    const without = await this.#withoutCode(contract);
    if (without !== undefined) return fail(`No contract is at ${contract}, says ${without}.`, advice); // prettier-ignore
    const fee = await this.#word(contract, sampleDataFeeCall(network.chainId));
    if (fee === undefined) return fail(`${contract} tells no fee for the data of a transaction, or the nodes differ on it.`, advice); // prettier-ignore
    return ok(`${contract} tells what ${network.name} takes for the data of a transaction.`);
  }

  async #coin(): Promise<CheckResult> {
    const { address, options } = this.#wallet;
    const [node] = this.#nodes;
    const found = node && (await answerOf(node, 'eth_getBalance', [address, 'latest']));
    const held = found && 'result' in found ? bigIn(found.result) : undefined;
    return coinOf(this.#check('coin for fees'), address, held, options);
  }

  /** Hosts of nodes that know no code at an address; nothing if all do. */
  async #withoutCode(address: string): Promise<string | undefined> {
    const codes = await Promise.all(
      this.#nodes.map(async (node) => answerOf(node, 'eth_getCode', [address, 'latest'])),
    );
    const without = this.#nodes.filter((_, nth) => {
      const code = codes[nth];
      return code === undefined || 'why' in code || !/^0x[\da-f]{2,}$/i.test(String(code.result));
    });
    return without.length === 0 ? undefined : urlsOf(without);
  }

  /** The word that a call returns at all nodes; nothing if one answers differently. */
  async #word(to: string, data: string): Promise<bigint | undefined> {
    const call = [{ to, data }, 'latest'];
    const answers = await Promise.all(
      this.#nodes.map(async (node) => answerOf(node, 'eth_call', call)),
    );
    const words = answers.map((one) => ('result' in one ? wordIn(one.result) : undefined));
    return words.every((word) => word === words[0]) ? words[0] : undefined;
  }

  #check(check: string) {
    return checker(check, this.#wallet.place);
  }
}

async function headOf(node: JsonRpc, tag: string): Promise<Head | undefined> {
  const found = await answerOf(node, 'eth_getBlockByNumber', [tag, false]);
  if ('why' in found) return undefined;
  const [number, timestamp] = ['number', 'timestamp'].map((name) =>
    numberIn(textIn(found.result, name)),
  );
  return number === undefined || timestamp === undefined ? undefined : { number, timestamp };
}

const textIn = (given: unknown, name: string): string | undefined => {
  const members: Readonly<Record<string, unknown>> = Object(given) as never;
  const found = members[name];
  return typeof found === 'string' ? found : undefined;
};

const bigIn = (given: unknown): bigint | undefined =>
  typeof given === 'string' && /^0x[\da-f]{1,64}$/i.test(given) ? BigInt(given) : undefined;

const wordIn = (given: unknown): bigint | undefined =>
  typeof given === 'string' && given.length === 66 ? bigIn(given) : undefined;

function numberIn(given: unknown): number | undefined {
  const found = bigIn(given);
  return found !== undefined && found <= BigInt(Number.MAX_SAFE_INTEGER)
    ? Number(found)
    : undefined;
}
