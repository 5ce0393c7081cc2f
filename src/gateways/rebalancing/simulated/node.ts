import { isRejection, type Rejection } from '../../../model/rejections.ts';
import { permitDigest } from '../../../swaps/chains/signed-transfer.ts';
import type { ChainNode, SentTransaction } from '../../chains/node.ts';
import {
  prepareSimulated,
  readSimulated,
  simulatedOutcome,
  WHOLE_ALLOWANCE,
} from '../../chains/simulated-bytes.ts';
import type { SimulatedServices } from './services.ts';

/** The simulated chains as a node that answers at once. */
export function localNode(services: () => SimulatedServices): ChainNode {
  const node: ChainNode = {
    networks: async () => Promise.resolve(services().chains.networks),
    tokens: async () => Promise.resolve(services().chains.tokens),
    balance: async (token, address) => Promise.resolve(services().chains.balance(token, address)),
    outputs: async (_, address) => Promise.resolve(services().chains.outputs(address)),
    transaction: async (network, hash) =>
      Promise.resolve(services().chains.transaction(network, hash)),
    allowance: async (token, owner) =>
      Promise.resolve(services().chains.hasApproved(token, owner) ? WHOLE_ALLOWANCE : 0n),
    fee: async () => Promise.resolve({ lots: 0n }),
    prepare: async (order, sign) => prepareSimulated(services().chains.networks, order, sign),
    send: async (network, raw) => Promise.resolve(sent(services(), network, raw)),
    outcome: async (network, candidates) => simulatedOutcome(node, network, candidates),
  };
  return node;
}

function sent(
  { chains, inputs }: SimulatedServices,
  network: string,
  raw: string,
): SentTransaction | Rejection {
  const signed = readSimulated(raw);
  if ('rejection' in signed) return signed.rejection;
  if ('transfer' in signed) {
    const made = inputs.send(signed.transfer);
    return isRejection(made) ? made : { id: made.hash };
  }
  if ('permit' in signed) {
    return inputs.permit(signed.permit) ?? { id: permitDigest(signed.permit) };
  }
  const paid = chains.spend(network, signed.bitcoin);
  return isRejection(paid) ? paid : { id: paid[0]?.hash ?? '' };
}
