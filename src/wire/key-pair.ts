import {
  createHash,
  createPrivateKey,
  createPublicKey,
  sign,
  verify,
  KeyObject,
} from 'node:crypto';
import { MillraceError } from '../model/errors.ts';
import type { PrivateKey } from '../model/private-key.ts';

/**
 * The key pairs by which the swap service and the exchange order service know their clients: RSA,
 * signatures by RSASSA-PKCS1-v1_5 with SHA-256, written as Base64.
 */

/** The name of a key: Base64 of the SHA-256 of the public key, 44 characters. */
export const apiKeyOf = (key: KeyObject, form: 'pkcs1' | 'spki' = 'pkcs1'): string =>
  createHash('sha256').update(publicDer(key, form)).digest('base64');

/** The public half of a key as it is shared: hexadecimal PKCS#1 DER. */
export const publicKeyText = (key: KeyObject): string => publicDer(key, 'pkcs1').toString('hex');

/**
 * The public half of a key as DER. From 24.20 on, Node 24 fails to write a public key as PKCS#1 that
 * it has read as PKCS#1; a key that it has read as SPKI it writes in both forms.
 */
function publicDer(key: KeyObject, form: 'pkcs1' | 'spki'): Buffer {
  const publicKey = key.type === 'private' ? createPublicKey(key) : key;
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  if (form === 'spki') return spki;
  const again = createPublicKey({ key: spki, format: 'der', type: 'spki' });
  return again.export({ type: 'pkcs1', format: 'der' });
}

/** Signs text by a private key. */
export const signText = (text: string | Buffer, privateKey: KeyObject): string =>
  sign('sha256', Buffer.from(text), privateKey).toString('base64');

/** True for the signature of exactly that text by the owner of the public key. */
export function isSignedBy(
  text: string | Buffer,
  signature: string,
  publicKey: KeyObject,
): boolean {
  if (!/^[\dA-Za-z+/]+={0,2}$/.test(signature)) return false;
  return verify('sha256', Buffer.from(text), publicKey, Buffer.from(signature, 'base64'));
}

/** True for a value that may be read as a key. */
export const isKey = (given: unknown): given is string | KeyObject =>
  typeof given === 'string' || given instanceof KeyObject;

/**
 * Reads a private RSA key: PEM, or hexadecimal PKCS#8 DER; a key object is returned. Throws
 * `config-invalid`.
 */
export function readPrivateKey(given: string | PrivateKey): KeyObject {
  if (typeof given !== 'string') {
    return rsa('private', () => (given instanceof KeyObject ? given : undefined));
  }
  const text = given;
  return rsa('private', () =>
    isHex(text)
      ? createPrivateKey({ key: Buffer.from(text.trim(), 'hex'), format: 'der', type: 'pkcs8' })
      : createPrivateKey(text),
  );
}

/** Reads a public RSA key: PEM, or hexadecimal PKCS#1 or SPKI DER. Throws `config-invalid`. */
export function readPublicKey(text: string): KeyObject {
  return rsa('public', () => {
    if (!isHex(text)) return createPublicKey(text);
    const key = Buffer.from(text.trim(), 'hex');
    try {
      return createPublicKey({ key, format: 'der', type: 'pkcs1' });
    } catch {
      return createPublicKey({ key, format: 'der', type: 'spki' });
    }
  });
}

const isHex = (text: string): boolean => /^\s*(?:[\dA-Fa-f]{2})+\s*$/.test(text);

/** Reads a key; its errors do not contain a character of it. */
function rsa(kind: 'private' | 'public', read: () => KeyObject | undefined): KeyObject {
  let key: KeyObject | undefined;
  try {
    key = read();
  } catch {
    key = undefined;
  }
  if (key?.asymmetricKeyType === 'rsa') return key;
  const hex = kind === 'private' ? 'PKCS#8' : 'PKCS#1 or SPKI';
  throw new MillraceError(
    'config-invalid',
    `The ${kind} key is no RSA key in PEM, or in hexadecimal ${hex} DER.`,
    { field: `${kind}Key` },
  );
}
