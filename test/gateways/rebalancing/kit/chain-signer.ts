import type { ApprovalSigner } from '../../../../src/swaps/approvals/approval.ts';
import type { SimulatedChains } from '../../../../src/swaps/chains/simulated-chains.ts';
import { signedDigest } from '../../../swaps/chains/keys.ts';

/** Signs transfers of an owner whose key the chains know. */
export function chainSigner(
  chains: SimulatedChains,
  network: string,
  owner: string,
): ApprovalSigner {
  const family = chains.networks.find(({ code }) => code === network)?.family ?? 'evm';
  const key = chains.keyOf(network, owner);
  return {
    family,
    address: chains.addressOf(network, owner),
    signTransfer: (digest) => Promise.resolve(signedDigest(family, key, digest)),
  };
}
