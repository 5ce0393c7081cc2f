import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';

const SIGNATURE_BYTES = 65;
const ADDRESS_BYTES = 20;

/** The 20 bytes by which Ethereum and Tron know the owner of a private key. */
export const ownerBytes = (privateKey: Uint8Array): Uint8Array =>
  bytesOfPoint(secp256k1.getPublicKey(privateKey, false));

/**
 * The 20 address bytes of a digest's signer; `undefined` for an invalid signature. The signature is r, s
 * and v, where v is 27 or 28, or 0 or 1.
 */
export function signerBytes(digest: Uint8Array, signature: Uint8Array): Uint8Array | undefined {
  if (signature.length !== SIGNATURE_BYTES) return undefined;
  const v = signature[SIGNATURE_BYTES - 1] ?? 0;
  const recovery = v >= 27 ? v - 27 : v;
  if (recovery > 1) return undefined;
  try {
    const recovered = Uint8Array.of(recovery, ...signature.subarray(0, SIGNATURE_BYTES - 1));
    const point = secp256k1.recoverPublicKey(recovered, digest, { prehash: false });
    return bytesOfPoint(secp256k1.Point.fromBytes(point).toBytes(false));
  } catch {
    // r or s is beyond the group, or no point of the curve has this x.
    return undefined;
  }
}

const bytesOfPoint = (uncompressed: Uint8Array): Uint8Array =>
  keccak_256(uncompressed.subarray(1)).subarray(-ADDRESS_BYTES);
