import { ed25519 } from '@noble/curves/ed25519.js';
import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { MillraceError } from '../../model/errors.ts';
import type { ApprovalSigner, TypedData } from '../approvals/approval.ts';
import { TRANSACTION_BYTES_MAX } from '../approvals/cosign/layout.ts';
import { digestOf } from '../approvals/permit2/typed-data.ts';
import { BITCOIN_CHAINS, taprootAddress, type BitcoinChain } from '../chains/families/bitcoin.ts';
import { FAMILIES } from '../chains/families/families.ts';
import type { NetworkFamily } from '../tokens.ts';
import { signPsbt, signTweaked } from './psbt-signing.ts';
import { readSecret } from './secret.ts';

/**
 * A signer of a private key, which stays in here: the signer shows its family, its address and its
 * public key, and neither printing nor JSON shows more. Throws `key-invalid`, without a character of
 * the key.
 */
export function keySigner(family: NetworkFamily, secret: string | Uint8Array): ApprovalSigner {
  const key = readSecret(family, secret);
  const address = FAMILIES[family].addressOf(key);
  return Object.freeze({ family, address, ...SIGNERS[family](key) });
}

/**
 * The same key with its Taproot address on a chain of Bitcoin: `tb1p…` on testnet and signet, `bcrt1p…` on
 * regtest. Throws `config-invalid` for another chain and `key-invalid` for a signer without a Bitcoin
 * public key.
 */
export function signerOn(chain: BitcoinChain, signer: ApprovalSigner): ApprovalSigner {
  if (!BITCOIN_CHAINS.includes(chain)) {
    throw new MillraceError('config-invalid', `signerOn takes a chain of Bitcoin: ${BITCOIN_CHAINS.join(', ')}.`, { field: 'chain' }); // prettier-ignore
  }
  const { family, publicKey } = Object(signer) as Partial<ApprovalSigner>;
  if (family === 'bitcoin' && typeof publicKey === 'string' && X_ONLY.test(publicKey)) {
    return Object.freeze({ ...signer, address: taprootAddress(chain, publicKey) });
  }
  throw new MillraceError('key-invalid', `The signer has no public key of Bitcoin, which gives its address on ${chain}.`); // prettier-ignore
}

/** The public key of Bitcoin of a signer: 32 bytes. */
const X_ONLY = /^[\da-f]{64}$/i;

/** Methods of a family's signers, with a key that only they see. */
const SIGNERS: Readonly<
  Record<NetworkFamily, (key: Uint8Array) => Omit<ApprovalSigner, 'family' | 'address'>>
> = {
  evm: (key) => typedDataSigner(key),
  tron: (key) => typedDataSigner(key),
  bitcoin: (key) => ({
    publicKey: bytesToHex(schnorr.getPublicKey(key)),
    signPsbt: (psbt, inputs) => attempt(() => signPsbt(psbt, inputs, key)),
    signTransfer: (digest) => attempt(() => bytesToHex(signTweaked(digestBytes(digest), key))),
  }),
  solana: (key) => ({
    publicKey: bytesToHex(ed25519.getPublicKey(key)),
    signMessage: (message) => attempt(() => ed25519.sign(message, key)),
    signTransfer: (message) => attempt(() => bytesToHex(ed25519.sign(messageBytes(message), key))),
  }),
};

const typedDataSigner = (key: Uint8Array): Omit<ApprovalSigner, 'family' | 'address'> => ({
  signTypedData: (typed: TypedData) =>
    attempt(() => recoverable(hexToBytes(digestOf(typed).slice(2)), key)),
  signTransfer: (digest) => attempt(() => recoverable(digestBytes(digest), key)),
});

/** r, s and v of ECDSA, v 27 or 28. */
function recoverable(digest: Uint8Array, key: Uint8Array): string {
  const signature = secp256k1.sign(digest, key, { prehash: false, format: 'recovered' });
  const [recovery = 0, ...rest] = signature;
  return `0x${bytesToHex(Uint8Array.of(...rest, recovery + 27))}`;
}

function digestBytes(digest: string): Uint8Array {
  const digits = digest.replace(/^0x/, '');
  if (/^[\dA-Fa-f]{64}$/.test(digits)) return hexToBytes(digits);
  throw new MillraceError('request-invalid', 'A digest has 32 bytes in hexadecimal.');
}

/** Ed25519 signs a message itself: that of a transaction, or a digest on a simulated chain. */
function messageBytes(message: string): Uint8Array {
  const digits = message.replace(/^0x/, '');
  const isMessage = /^(?:[\dA-Fa-f]{2}){32,}$/.test(digits) && digits.length <= 2 * TRANSACTION_BYTES_MAX; // prettier-ignore
  if (isMessage) return hexToBytes(digits);
  throw new MillraceError('request-invalid', 'A message of Solana has 32 to 1,232 bytes in hexadecimal.'); // prettier-ignore
}

/** A signer returns a promise, so it also fails by one. */
const attempt = async <Value>(sign: () => Value): Promise<Value> => Promise.resolve(sign());
