import type { ChainNode } from '../../chains/node.ts';
import type { SimulatedServices } from './services.ts';

/** The simulated chains as a node that answers at once. */
export const localNode = (services: () => SimulatedServices): ChainNode => ({
  networks: async () => Promise.resolve(services().chains.networks),
  tokens: async () => Promise.resolve(services().chains.tokens),
  balance: async (token, address) => Promise.resolve(services().chains.balance(token, address)),
  outputs: async (_, address) => Promise.resolve(services().chains.outputs(address)),
  transaction: async (network, hash) =>
    Promise.resolve(services().chains.transaction(network, hash)),
  hasApproved: async (token, owner) => Promise.resolve(services().chains.hasApproved(token, owner)),
  send: async (transfer) => Promise.resolve(services().inputs.send(transfer)),
  spend: async (network, raw) => Promise.resolve(services().chains.spend(network, raw)),
  permit: async (permit) => Promise.resolve(services().inputs.permit(permit)),
});
