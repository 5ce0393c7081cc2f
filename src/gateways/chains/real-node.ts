import type { Random } from '../../platform/random.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import type { HttpSettings } from '../http/settings.ts';
import { BitcoinNode } from './bitcoin/bitcoin-node.ts';
import type { BitcoinNodeOptions } from './bitcoin/options.ts';
import { EvmNode } from './evm/evm-node.ts';
import type { EvmNodeOptions } from './evm/options.ts';
import type { ChainNode } from './node.ts';
import type { SolanaNodeOptions } from './solana/options.ts';
import { SolanaNode } from './solana/solana-node.ts';

/** A node of a real chain, as a configuration names it: its family and options. */
export type RealNode =
  | { readonly family: 'evm'; readonly options: Omit<EvmNodeOptions, 'http'> }
  | { readonly family: 'bitcoin'; readonly options: Omit<BitcoinNodeOptions, 'http'> }
  | { readonly family: 'solana'; readonly options: Omit<SolanaNodeOptions, 'http'> };

type NodeDependencies = Omit<HttpSettings, 'url' | 'scheduler' | 'random'> & {
  readonly scheduler: Scheduler;
  readonly random: Random;
};

/** Makes the node without a call yet. Throws `config-invalid` for invalid options. */
export function realNode(node: RealNode, http: NodeDependencies): ChainNode {
  switch (node.family) {
    case 'evm':
      return new EvmNode({ ...node.options, http });
    case 'bitcoin':
      return new BitcoinNode({ ...node.options, http });
    case 'solana':
      return new SolanaNode({ ...node.options, http });
  }
}

/** Identifies a chain: two nodes of one chain have the same. */
export function chainOf(node: RealNode): string {
  switch (node.family) {
    case 'evm':
      return `${node.options.network.chainId}`;
    case 'bitcoin':
      return node.options.chain;
    case 'solana':
      return node.options.genesis;
  }
}
