import type { ChainNode } from '../../../../src/gateways/chains/node.ts';
import type { ChainWallet } from '../../../../src/gateways/rebalancing/payments/chain-payer.ts';

/** Makes the node and the wallet of a process that pays; what it keeps goes into the folder. */
export type PayerFactory = (
  folder: string,
  settings: Readonly<Record<string, unknown>>,
) => { readonly node: ChainNode; readonly wallet: ChainWallet };
