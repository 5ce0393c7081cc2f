import { MillraceError } from '../../model/errors.ts';
import { plainWords } from '../../model/plain-words.ts';
import type { Random } from '../checked.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import { CheckedNode } from './checked-node.ts';
import type { ChainNode } from './node.ts';

/** What a module is given that makes a node. */
export interface ChainNodeOptions {
  /** What the configuration says under `settings`, as it stands there; the module checks it. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Secrets that the configuration tells the places of, by name; no log holds one. */
  readonly secrets: Readonly<Record<string, string>>;
  /** The clock and the timers; a node has no others. */
  readonly scheduler: Scheduler;
  /** The source of jitter. */
  readonly random: Random;
}

/**
 * The default export of a module that a configuration names as the `node` of a chain. It makes the
 * node and asks nothing yet; throw where the settings are of no use. One is made for each module and
 * settings, whatever number of chains it has.
 */
export type ChainNodeFactory = (options: ChainNodeOptions) => ChainNode | Promise<ChainNode>;

/** A module that makes a node of a chain. */
export interface NodeModule extends Pick<ChainNodeOptions, 'settings' | 'secrets'> {
  /** Its file. */
  readonly path: string;
  readonly factory: ChainNodeFactory;
}

/** The methods that a node has to have. */
const METHODS = [
  'networks',
  'tokens',
  'balance',
  'outputs',
  'transaction',
  'hasApproved',
  'send',
  'spend',
  'permit',
] as const satisfies readonly (keyof ChainNode)[];

/**
 * Makes a node by the factory of a module, whose path stands in errors. Its answers are checked, as
 * those of a service are. Throws `config-invalid` where it makes none.
 */
export async function madeNode(
  { path, factory, settings, secrets }: NodeModule,
  { scheduler, random }: Pick<ChainNodeOptions, 'scheduler' | 'random'>,
): Promise<ChainNode> {
  let made: unknown;
  try {
    made = await factory({ settings: structuredClone(settings), secrets, scheduler, random });
  } catch (cause) {
    if (cause instanceof MillraceError && cause.code !== 'internal') throw cause;
    const why = plainWords(cause instanceof Error ? cause.message : String(cause));
    throw wrong(path, `makes no node: ${why}`, cause);
  }
  if (typeof made !== 'object' || made === null) {
    throw wrong(path, `makes ${made === null ? 'null' : typeof made} instead of a node`);
  }
  const given = made as Readonly<Record<string, unknown>>;
  const missing = METHODS.filter((name) => typeof given[name] !== 'function');
  if (missing.length > 0) {
    throw wrong(path, `makes a node without ${missing.join(', ')}; a ChainNode has ${METHODS.join(', ')}`); // prettier-ignore
  }
  const { close } = given;
  if (close !== undefined && typeof close !== 'function') {
    throw wrong(path, 'makes a node whose close is no function');
  }
  return new CheckedNode(path, made as ChainNode);
}

const wrong = (path: string, what: string, cause?: unknown): MillraceError =>
  new MillraceError('config-invalid', `The module ${path} ${what}.`, { where: path, cause });
