import { checkMethods, madeBy, type ModuleOptions, type OwnModule } from '../own/module.ts';
import { CheckedNode } from './checked-node.ts';
import type { ChainNode } from './node.ts';

/** What a module is given that makes a node. */
export type ChainNodeOptions = ModuleOptions;

/**
 * The default export of a module that a configuration names as the `node` of a chain. It makes the
 * node and asks nothing yet; throw where the settings are of no use. One is made for each module and
 * settings, whatever number of chains it has.
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
 * Makes a node by the factory of a module, whose path stands in errors. Its answers are checked, as those
 * of a service are. Throws `config-invalid` if it makes none.
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
