import { z } from 'zod';
import type { JsonRpc } from '../../gateways/chains/json-rpc/rpc.ts';
import type { SolanaNodeOptions } from '../../gateways/chains/solana/options.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import type { TokenTerms } from '../../swaps/tokens.ts';
import {
  answerOf,
  clockOf,
  coinOf,
  decimalsOf,
  checkByNodes,
  type ExaminedWallet,
  type Head,
  type CheckDependencies,
} from './chain-look.ts';
import { checker, type CheckResult } from './check-result.ts';

type SolanaWallet = ExaminedWallet<Omit<SolanaNodeOptions, 'http'>>;

/** At this distance in slots, a transaction signed by one node's block hash has expired at the other. */
const APART_MOST = 100;

const FINAL = { commitment: 'finalized' };
const supply = z.object({ value: z.object({ decimals: z.int().min(0) }) });
const balance = z.object({ value: z.int().min(0) });

/** Checks the nodes of Solana and a wallet there: a line for each result. Nothing is sent. */
export const checkSolana = async (
  wallet: SolanaWallet,
  http: CheckDependencies,
): Promise<readonly CheckResult[]> =>
  checkByNodes(
    wallet.options.urls,
    http,
    (nodes) => new SolanaCheck(wallet, nodes, http.scheduler),
  );

class SolanaCheck {
  readonly #wallet: SolanaWallet;
  readonly #nodes: readonly JsonRpc[];
  readonly #scheduler: Scheduler;

  constructor(wallet: SolanaWallet, nodes: readonly JsonRpc[], scheduler: Scheduler) {
    this.#wallet = wallet;
    this.#nodes = nodes;
    this.#scheduler = scheduler;
  }

  /** Checks that each node answers, and for the right chain. */
  async reached(): Promise<readonly CheckResult[]> {
    const { ok, fail } = this.#check('node');
    const { genesis, network } = this.#wallet.options;
    return Promise.all(
      this.#nodes.map(async (node) => {
        const found = await answerOf(node, 'getGenesisHash', []);
        if ('why' in found) return fail(`${node.url} does not answer: ${found.why}.`, 'Look at its address and key, and whether it runs.'); // prettier-ignore
        if (found.result === genesis) return ok(`${node.url} answers for the chain of ${genesis}.`);
        return fail(`${node.url} is of another chain than ${network.name}, whose first block is ${genesis}.`, 'Name a node of this chain in urls, or set genesis.'); // prettier-ignore
      }),
    );
  }

  /** Everything else, once the nodes are the right ones. */
  async all(): Promise<readonly CheckResult[]> {
    const { tokens, coin, network } = this.#wallet.options;
    const heads = await Promise.all(this.#nodes.map(headOf));
    const now = this.#scheduler.now();
    const minted = tokens.filter(({ id }) => id !== coin);
    return [
      ...this.#nodes.map(({ url }, nth) => clockOf(this.#check('clock'), url, heads[nth], now, network)), // prettier-ignore
      ...this.#agreement(heads),
      ...(await Promise.all(minted.map(async (token) => this.#token(token)))),
      await this.#coin(),
    ];
  }

  #agreement(heads: readonly (Head | undefined)[]): readonly CheckResult[] {
    if (this.#nodes.length < 2) return [];
    const { ok, warn } = this.#check('agreement');
    const slots = heads.map((head) => head?.number ?? 0);
    const apart = Math.max(...slots) - Math.min(...slots);
    const message = `The nodes are ${apart} final slots apart.`;
    return [apart <= APART_MOST ? ok(message) : warn(message, 'One lags; payments wait for it.')];
  }

  async #token(token: TokenTerms): Promise<CheckResult> {
    const check = this.#check('token');
    const found = await this.#all('getTokenSupply', [token.contract, FINAL], supply);
    return decimalsOf(check, token, found && BigInt(found.value.decimals));
  }

  async #coin(): Promise<CheckResult> {
    const { address, options } = this.#wallet;
    const found = await this.#all('getBalance', [address, FINAL], balance);
    return coinOf(this.#check('coin for fees'), address, found && BigInt(found.value), options);
  }

  /** Reads the first valid answer if all nodes give valid ones. */
  async #all<S extends z.ZodType>(
    method: string,
    params: readonly unknown[],
    schema: S,
  ): Promise<z.output<S> | undefined> {
    const answers = await Promise.all(
      this.#nodes.map(async (node) => answerOf(node, method, params)),
    );
    const read = answers.map((one) => schema.safeParse('why' in one ? undefined : one.result));
    return read.every(({ success }) => success) ? read[0]?.data : undefined;
  }

  #check(check: string) {
    return checker(check, this.#wallet.place);
  }
}

/** The last final slot of a node that has a block. */
async function headOf(node: JsonRpc): Promise<Head | undefined> {
  const slot = await answerOf(node, 'getSlot', [FINAL]);
  const number = 'why' in slot ? undefined : slot.result;
  if (typeof number !== 'number') return undefined;
  const time = await answerOf(node, 'getBlockTime', [number]);
  const timestamp = 'why' in time ? undefined : time.result;
  return typeof timestamp === 'number' ? { number, timestamp } : undefined;
}
