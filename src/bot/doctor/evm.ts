import { callData, hex, permit2Separator, SELECTORS } from '../../gateways/chains/evm/encoding.ts';
import type { EvmNodeOptions } from '../../gateways/chains/evm/options.ts';
import { JsonRpc } from '../../gateways/chains/json-rpc/rpc.ts';
import { plainWords } from '../../model/plain-words.ts';
import type { Random } from '../../platform/random.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import { US_PER_MINUTE, US_PER_SECOND } from '../../platform/time.ts';
import { amountOf, type TokenTerms } from '../../swaps/tokens.ts';
import { checker, type CheckResult } from './check-result.ts';

/** A wallet on an EVM chain that is to be looked at. */
export interface ExaminedWallet {
  readonly place: string;
  readonly address: string;
  readonly options: Omit<EvmNodeOptions, 'http'>;
}

interface Surroundings {
  readonly scheduler: Scheduler;
  readonly random: Random;
}

const HTTP = {
  timeoutUs: 5 * US_PER_SECOND,
  retries: { attempts: 2, firstUs: US_PER_SECOND / 10, longestUs: US_PER_SECOND },
};
/** A block may be so much older than the clock of this machine, or than so many blocks take. */
const OLD_US = 2 * US_PER_MINUTE;
const OLD_BLOCKS = 10;
/** A block may be so much in the future; more than that is a wrong clock. */
const FUTURE_US = 15 * US_PER_SECOND;

/**
 * Looks at the nodes of an EVM chain and at a wallet there: a line for each thing. Nothing is sent,
 * and the nonces are left to whoever has them.
 */
export async function checkEvm(
  wallet: ExaminedWallet,
  http: Surroundings,
): Promise<readonly CheckResult[]> {
  const nodes = wallet.options.urls.map((url) => new JsonRpc({ ...HTTP, ...http, url }));
  try {
    const look = new EvmLook(wallet, nodes, http.scheduler);
    const reached = await look.reached();
    if (reached.some(({ verdict }) => verdict === 'fail')) return reached;
    return [...reached, ...(await look.all())];
  } finally {
    await Promise.all(nodes.map(async (node) => node.close()));
  }
}

interface Head {
  readonly number: number;
  readonly timestamp: number;
}

class EvmLook {
  readonly #wallet: ExaminedWallet;
  readonly #nodes: readonly JsonRpc[];
  readonly #scheduler: Scheduler;

  constructor(wallet: ExaminedWallet, nodes: readonly JsonRpc[], scheduler: Scheduler) {
    this.#wallet = wallet;
    this.#nodes = nodes;
    this.#scheduler = scheduler;
  }

  /** Whether each node answers, and for the right chain. */
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

  /** All else, once the nodes are the right ones. */
  async all(): Promise<readonly CheckResult[]> {
    const { tokens, coin, permit2 } = this.#wallet.options;
    const heads = await Promise.all(this.#nodes.map(async (node) => headOf(node, 'latest')));
    return [
      ...this.#clock(heads),
      ...(await this.#agreement(heads)),
      await this.#finality(),
      ...(await Promise.all(
        tokens.filter(({ id }) => id !== coin).map(async (token) => this.#token(token)),
      )),
      ...(permit2 === undefined ? [] : [await this.#permit2(permit2)]),
      await this.#coin(),
    ];
  }

  #clock(heads: readonly (Head | undefined)[]): readonly CheckResult[] {
    const { ok, warn, fail } = this.#check('clock');
    const { blockUs } = this.#wallet.options.network;
    return heads.map((head, nth) => {
      const url = this.#nodes[nth]?.url ?? '';
      if (head === undefined) return fail(`${url} has no block that can be read.`, 'Take another node.'); // prettier-ignore
      const ageUs = this.#scheduler.now() - head.timestamp * US_PER_SECOND;
      const age = `${Math.abs(Math.round(ageUs / US_PER_SECOND))} s`;
      if (ageUs < -FUTURE_US) return fail(`Block ${head.number} of ${url} is ${age} in the future.`, 'Set the clock of this machine.'); // prettier-ignore
      if (ageUs <= Math.max(OLD_US, OLD_BLOCKS * blockUs)) return ok(`Block ${head.number} of ${url} is ${age} old.`); // prettier-ignore
      return warn(`Block ${head.number} of ${url} is ${age} old.`, 'The node lags, its chain stands still, or the clock of this machine is ahead.'); // prettier-ignore
    });
  }

  /** Whether all nodes have one chain, by the highest block that all of them have. */
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

  async #token({ asset, contract, decimals }: TokenTerms): Promise<CheckResult> {
    const { ok, fail } = this.#check('token');
    const without = await this.#withoutCode(contract);
    if (without !== undefined) return fail(`${asset}: no contract is at ${contract}, says ${without}.`, `Set the address of ${asset} on this chain.`); // prettier-ignore
    const found = await this.#word(contract, SELECTORS.decimals);
    if (found === BigInt(decimals)) return ok(`${asset} is at ${contract} and has ${decimals} decimals.`); // prettier-ignore
    const says = found === undefined ? 'says no decimals' : `says ${found} decimals`;
    return fail(`${asset}: the contract ${contract} ${says}, and the configuration ${decimals}.`, 'Look whether the address is right; then set what the contract says.'); // prettier-ignore
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

  async #coin(): Promise<CheckResult> {
    const { ok, warn, fail } = this.#check('coin for fees');
    const { address, options } = this.#wallet;
    const { tokens, coin, feeBound } = options;
    const terms = tokens.find(({ id }) => id === coin);
    const decimals = terms?.decimals ?? 18;
    const [node] = this.#nodes;
    const found = node && (await answerOf(node, 'eth_getBalance', [address, 'latest']));
    const held = found && 'result' in found ? bigIn(found.result) : undefined;
    if (held === undefined) return fail(`What ${address} holds cannot be read.`, 'Take another node.'); // prettier-ignore
    const amount = `${amountOf(held, decimals).toFixed()} ${terms?.asset ?? ''}`;
    const bound = `${amountOf(feeBound, decimals).toFixed()} ${terms?.asset ?? ''}`;
    const advice = 'Send some there: each transaction costs some, also that of a token.';
    if (held === 0n) return fail(`${address} holds none to pay fees with.`, advice);
    if (held < feeBound) return warn(`${address} holds ${amount}, less than one transaction may cost (${bound}).`, advice); // prettier-ignore
    return ok(`${address} holds ${amount}; one transaction may cost ${bound}.`);
  }

  /** Hosts of nodes that know no code at an address; nothing where all do. */
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

  /** The word that a call answers at all nodes; nothing where one answers otherwise. */
  async #word(to: string, selector: string): Promise<bigint | undefined> {
    const call = [{ to, data: callData(selector) }, 'latest'];
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

type Answer = { readonly result: unknown } | { readonly why: string };

async function answerOf(
  node: JsonRpc,
  method: string,
  params: readonly unknown[],
): Promise<Answer> {
  const outcome = await node.ask(method, params);
  if (outcome.kind === 'result') return { result: outcome.result };
  const why = outcome.kind === 'error' ? outcome.error.message : outcome.why;
  return { why: plainWords(why) };
}

async function headOf(node: JsonRpc, tag: string): Promise<Head | undefined> {
  const found = await answerOf(node, 'eth_getBlockByNumber', [tag, false]);
  if ('why' in found) return undefined;
  const [number, timestamp] = ['number', 'timestamp'].map((name) =>
    numberIn(textIn(found.result, name)),
  );
  return number === undefined || timestamp === undefined ? undefined : { number, timestamp };
}

const urlsOf = (nodes: readonly JsonRpc[]): string => nodes.map(({ url }) => url).join(' and ');

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
