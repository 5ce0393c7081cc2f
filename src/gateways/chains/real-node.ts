import type { Random } from '../../platform/random.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import type { HttpSettings } from '../http/settings.ts';
import { EvmNode } from './evm/evm-node.ts';
import type { EvmNodeOptions } from './evm/options.ts';
import type { ChainNode } from './node.ts';

/** A node of a real chain, as a configuration names it: its options, by family. */
export interface RealNode {
  readonly evm: Omit<EvmNodeOptions, 'http'>;
}

type Surroundings = Omit<HttpSettings, 'url' | 'scheduler' | 'random'> & {
  readonly scheduler: Scheduler;
  readonly random: Random;
};

/** Makes the node, which asks nothing yet. Throws `config-invalid` for options of no use. */
export const realNode = ({ evm }: RealNode, http: Surroundings): ChainNode =>
  new EvmNode({ ...evm, http });
