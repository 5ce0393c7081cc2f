import { SimulatedNode } from '../../../../src/gateways/chains/simulated-node.ts';
import { keySigner } from '../../../../src/swaps/keys/key-ring.ts';
import type { SimulatedChains } from '../../../../src/swaps/chains/simulated-chains.ts';
import { keysOf, NETWORKS, TOKENS, USDC_ETHEREUM } from '../../../swaps/chains/harness.ts';
import type { PayerFactory } from './payer-factory.ts';

export const KEY_OF = (chains: SimulatedChains): string => keysOf(chains, 'anna')['ethereum'] ?? '';

export const simulatedNodeAt = (url: string, timeoutUs = 3_000_000): SimulatedNode =>
  new SimulatedNode({ url, timeoutUs, retries: { attempts: 3, firstUs: 1, longestUs: 1 } });

/** The node and the wallet of a process that pays. */
export const makePayer: PayerFactory = (_, { url, key }) => {
  const network = NETWORKS.find(({ code }) => code === 'ethereum');
  const token = TOKENS.find(({ id }) => id === USDC_ETHEREUM);
  if (network === undefined || token === undefined) throw new Error('both are there');
  const wallet = { network, token, signer: keySigner('evm', String(key)) };
  return { node: simulatedNodeAt(String(url)), wallet };
};
