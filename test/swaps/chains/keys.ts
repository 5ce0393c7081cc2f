import { ed25519 } from '@noble/curves/ed25519.js';
import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js';
import { taprootTweakPrivKey } from '@scure/btc-signer/utils.js';
import type { SimulatedChains } from '../../../src/swaps/chains/simulated-chains.ts';
import {
  permitDigest,
  transferDigest,
  type OwnPermit,
  type OwnTransfer,
  type SignedPermit,
  type SignedTransfer,
} from '../../../src/swaps/chains/signed-transfer.ts';
import type { NetworkFamily } from '../../../src/swaps/tokens.ts';

const AUX = new Uint8Array(32);

/** A signature of a digest by the scheme of a family, hexadecimal. */
export function signedDigest(family: NetworkFamily, key: Uint8Array, digest: string): string {
  const bytes = Buffer.from(digest, 'hex');
  switch (family) {
    case 'evm':
    case 'tron': {
      const [recovery = 0, ...rest] = secp256k1.sign(bytes, key, {
        prehash: false,
        format: 'recovered',
      });
      return `0x${Buffer.from([...rest, recovery + 27]).toString('hex')}`;
    }
    case 'bitcoin': {
      const tweaked = taprootTweakPrivKey(key, new Uint8Array());
      return Buffer.from(schnorr.sign(bytes, tweaked, AUX)).toString('hex');
    }
    case 'solana':
      return Buffer.from(ed25519.sign(bytes, key)).toString('hex');
  }
}

/** A transfer signed by an owner that these chains know the key of. */
export function signedTransfer(
  chains: SimulatedChains,
  owner: string,
  transfer: OwnTransfer,
): SignedTransfer {
  const signature = sign(chains, owner, transfer.network, transferDigest(transfer));
  return { ...transfer, signature };
}

export const signedPermit = (
  chains: SimulatedChains,
  owner: string,
  permit: OwnPermit,
): SignedPermit => ({
  ...permit,
  signature: sign(chains, owner, permit.network, permitDigest(permit)),
});

function sign(chains: SimulatedChains, owner: string, network: string, digest: string): string {
  const family = chains.networks.find(({ code }) => code === network)?.family ?? 'evm';
  return signedDigest(family, chains.keyOf(network, owner), digest);
}
