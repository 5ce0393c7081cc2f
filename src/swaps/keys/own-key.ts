import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { MillraceError } from '../../model/errors.ts';
import type { PrivateKey } from '../../model/private-key.ts';
import type { ApprovalSigner } from '../approvals/approval.ts';
import type { NetworkFamily } from '../tokens.ts';
import { keySigner } from './key-ring.ts';

/** Network family of a wallet's key, or `service` for a key that signs requests to a service. */
export type KeyKind = NetworkFamily | 'service';

/** A stored key, as its users see it: what it signs with, and the label that people know it by. */
export type OwnKey =
  /** The label is the address. */
  | {
      readonly name: string;
      readonly kind: NetworkFamily;
      readonly label: string;
      readonly signer: ApprovalSigner;
    }
  /** The label is what services call the key: Base64 of the SHA-256 of its public half. */
  | {
      readonly name: string;
      readonly kind: 'service';
      readonly label: string;
      readonly privateKey: PrivateKey;
    };

/** Reads a key of a kind. Throws `key-invalid`, without a character of it. */
export function ownKey(given: {
  readonly name: string;
  readonly kind: KeyKind;
  readonly secret: string;
}): OwnKey {
  const { name, kind, secret } = given;
  if (kind !== 'service') {
    const signer = keySigner(kind, secret);
    return { name, kind, label: signer.address, signer };
  }
  const privateKey = serviceKey(secret);
  const der = createPublicKey(privateKey).export({ type: 'pkcs1', format: 'der' });
  const label = createHash('sha256').update(der).digest('base64');
  return { name, kind, label, privateKey };
}

function serviceKey(secret: string): KeyObject {
  let key: KeyObject | undefined;
  try {
    key = /^\s*(?:[\dA-Fa-f]{2})+\s*$/.test(secret)
      ? createPrivateKey({ key: Buffer.from(secret.trim(), 'hex'), format: 'der', type: 'pkcs8' })
      : createPrivateKey(secret);
  } catch {
    key = undefined;
  }
  if (key?.asymmetricKeyType === 'rsa') return key;
  const sentence = 'The key of a service is no RSA key in PEM, or in hexadecimal PKCS#8 DER.';
  throw new MillraceError('key-invalid', sentence);
}
