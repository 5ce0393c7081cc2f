import { checkMethods, madeBy, type ModuleOptions, type OwnModule } from '../own/module.ts';
import { CheckedNode } from './checked-node.ts';
import type { ChainNode } from './node.ts';

/** Options of a module that makes a node. */
export type ChainNodeOptions = ModuleOptions;

/**
 * The default export of a module that a configuration names as the `node` of a chain. It makes the node
 * without a call yet; throw if the settings are invalid. One is made for each module and settings, for any
 * number of chains.
 */
export type ChainNodeFactory = (options: ChainNodeOptions) => ChainNode | Promise<ChainNode>;

/** A module that makes a node of a chain. */
export type NodeModule = OwnModule<ChainNodeFactory>;

/** The methods that a node has to have. */
const METHODS = [
  'networks',
  'tokens',
  'balance',
  'outputs',
  'transaction',
  'allowance',
  'fee',
  'prepare',
  'send',
  'outcome',
] as const satisfies readonly (keyof ChainNode)[];

/**
 * Makes a node by a module's factory; errors name the module's path. Its answers are checked, like those of
 * a service. Throws `config-invalid` if it makes none.
 */
export async function madeNode(
  module: NodeModule,
  { scheduler, random }: Pick<ChainNodeOptions, 'scheduler' | 'random'>,
): Promise<ChainNode> {
  const { path, settings, secrets } = module;
  const made = await madeBy(module, { settings, secrets, scheduler, random }, 'node');
  checkMethods(path, made, 'node', METHODS);
  return new CheckedNode(path, made as unknown as ChainNode);
}
