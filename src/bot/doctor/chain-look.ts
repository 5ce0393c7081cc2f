import { JsonRpc } from '../../gateways/chains/json-rpc/rpc.ts';
import { sanitize } from '../../model/plain-words.ts';
import type { Random } from '../../platform/random.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import { US_PER_MINUTE, US_PER_SECOND, type Micros } from '../../platform/time.ts';
import { amountOf, type NetworkTerms, type TokenTerms } from '../../swaps/tokens.ts';
import type { checker, CheckResult } from './check-result.ts';

/** Shared parts of the checks of all chain families. */

/** A wallet on a live chain to check. */
export interface ExaminedWallet<Options> {
  readonly place: string;
  readonly address: string;
  readonly options: Options;
}

export interface CheckDependencies {
  readonly scheduler: Scheduler;
  readonly random: Random;
}

type Checker = ReturnType<typeof checker>;

const HTTP = {
  timeoutUs: 5 * US_PER_SECOND,
  retries: { attempts: 2, firstUs: US_PER_SECOND / 10, longestUs: US_PER_SECOND },
};
/** Allowed age of a block by this machine's clock, in addition to the usual time of some blocks. */
const OLD_US = 2 * US_PER_MINUTE;
const OLD_BLOCKS = 10;
/** Allowed time of a block in the future; more means a wrong clock. */
const FUTURE_US = 15 * US_PER_SECOND;

/** Checks through nodes, closed in the end: first that they are the right ones, then everything else. */
export async function checkByNodes(
  urls: readonly string[],
  http: CheckDependencies,
  look: (nodes: readonly JsonRpc[]) => {
    reached(): Promise<readonly CheckResult[]>;
    all(): Promise<readonly CheckResult[]>;
  },
): Promise<readonly CheckResult[]> {
  const nodes = urls.map((url) => new JsonRpc({ ...HTTP, ...http, url }));
  try {
    const chain = look(nodes);
    const found = await chain.reached();
    if (found.some(({ verdict }) => verdict === 'fail')) return found;
    return [...found, ...(await chain.all())];
  } finally {
    await Promise.all(nodes.map(async (node) => node.close()));
  }
}

type Answer = { readonly result: unknown } | { readonly why: string };

/** A node's answer, or why it fails. */
export async function answerOf(
  node: JsonRpc,
  method: string,
  params: readonly unknown[],
): Promise<Answer> {
  const outcome = await node.ask(method, params);
  if (outcome.kind === 'result') return { result: outcome.result };
  const why = outcome.kind === 'error' ? outcome.error.message : outcome.why;
  return { why: sanitize(why) };
}

/** A block of a node, by its number and its seconds. */
export interface Head {
  readonly number: number;
  readonly timestamp: number;
}

/** How old the last block of a node is by the clock of this machine. */
export function clockOf(
  { ok, warn, fail }: Checker,
  url: string,
  head: Head | undefined,
  now: Micros,
  { blockUs }: NetworkTerms,
): CheckResult {
  if (head === undefined) return fail(`${url} has no block that can be read.`, 'Take another node.'); // prettier-ignore
  const ageUs = now - head.timestamp * US_PER_SECOND;
  const age = `${Math.abs(Math.round(ageUs / US_PER_SECOND))} s`;
  if (ageUs < -FUTURE_US) return fail(`Block ${head.number} of ${url} is ${age} in the future.`, 'Set the clock of this machine.'); // prettier-ignore
  if (ageUs <= Math.max(OLD_US, OLD_BLOCKS * blockUs)) return ok(`Block ${head.number} of ${url} is ${age} old.`); // prettier-ignore
  return warn(`Block ${head.number} of ${url} is ${age} old.`, 'The node lags, its chain stands still, or the clock of this machine is ahead.'); // prettier-ignore
}

/** Checks that a token has the configured decimals; `found` is from its contract. */
export function decimalsOf(
  { ok, fail }: Checker,
  { asset, contract, decimals }: TokenTerms,
  found: bigint | undefined,
): CheckResult {
  if (found === BigInt(decimals)) return ok(`${asset} is at ${contract} and has ${decimals} decimals.`); // prettier-ignore
  const says = found === undefined ? 'says no decimals' : `says ${found} decimals`;
  return fail(`${asset}: the contract ${contract} ${says}, and the configuration ${decimals}.`, 'Look whether the address is right; then set what the contract says.'); // prettier-ignore
}

/** Checks that a wallet can pay network fees. */
export function coinOf(
  { ok, warn, fail }: Checker,
  address: string,
  held: bigint | undefined,
  { tokens, coin, feeBound }: { readonly tokens: readonly TokenTerms[]; readonly coin: number; readonly feeBound: bigint }, // prettier-ignore
): CheckResult {
  if (held === undefined) return fail(`What ${address} holds cannot be read.`, 'Take another node.'); // prettier-ignore
  const { asset = '', decimals = 0 } = tokens.find(({ id }) => id === coin) ?? {};
  const amount = `${amountOf(held, decimals).toFixed()} ${asset}`;
  const bound = `${amountOf(feeBound, decimals).toFixed()} ${asset}`;
  const advice = 'Send some there: each transaction costs some, also that of a token.';
  if (held === 0n) return fail(`${address} holds none to pay fees with.`, advice);
  if (held < feeBound) return warn(`${address} holds ${amount}, less than one transaction may cost (${bound}).`, advice); // prettier-ignore
  return ok(`${address} holds ${amount}; one transaction may cost ${bound}.`);
}

export const urlsOf = (nodes: readonly JsonRpc[]): string =>
  nodes.map(({ url }) => url).join(' and ');
