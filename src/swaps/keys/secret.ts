import { ed25519 } from '@noble/curves/ed25519.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { base58, createBase58check } from '@scure/base';
import { equalBytes } from '@scure/btc-signer/utils.js';
import { MillraceError } from '../../model/errors.ts';
import type { NetworkFamily } from '../tokens.ts';

const KEY_BYTES = 32;
const TEXT_MAX = 400;
const FORMS: Readonly<Record<NetworkFamily, string>> = {
  evm: '64 hexadecimal digits',
  tron: '64 hexadecimal digits',
  bitcoin: '64 hexadecimal digits, or of the form that wallets export (WIF)',
  solana: '32 or 64 bytes in hexadecimal, Base58, or as a JSON list',
};
const base58check = createBase58check(sha256);

/** First and last bytes of a key in wallet import format (WIF). */
const WIF_PREFIX = 0x80;
const WIF_COMPRESSED = 0x01;

/**
 * Reads a private key in a form of its network: hexadecimal everywhere; WIF on Bitcoin; Base58 or a JSON
 * list of bytes on Solana, where the public half may follow and is compared. Returns 32 bytes. Throws
 * `key-invalid`, without a character of the key.
 */
export function readSecret(family: NetworkFamily, secret: string | Uint8Array): Uint8Array {
  if (!Object.hasOwn(FORMS, family)) {
    const sentence = `The family of a key is one of ${Object.keys(FORMS).join(', ')}; the key is what follows it.`;
    throw new MillraceError('key-invalid', sentence, { field: 'family' });
  }
  const bytes = typeof secret === 'string' ? bytesOf(family, secret.trim()) : bytesIn(secret);
  const key = bytes === undefined ? undefined : privateHalf(family, bytes);
  if (key !== undefined && isUsable(family, key)) return key;
  throw new MillraceError('key-invalid', `A private key of ${family} is ${FORMS[family]}.`);
}

/** A private key as wallets of its network take it in. Throws as reading does. */
export function walletText(family: NetworkFamily, secret: string): string {
  const key = readSecret(family, secret);
  switch (family) {
    case 'bitcoin':
      return base58check.encode(Uint8Array.of(WIF_PREFIX, ...key, WIF_COMPRESSED));
    case 'solana':
      return base58.encode(Uint8Array.of(...key, ...ed25519.getPublicKey(key)));
    default:
      return `0x${bytesToHex(key)}`;
  }
}

const bytesIn = (secret: unknown): Uint8Array | undefined =>
  secret instanceof Uint8Array ? secret.slice() : undefined;

function bytesOf(family: NetworkFamily, text: string): Uint8Array | undefined {
  if (text.length > TEXT_MAX) return undefined;
  const digits = text.replace(/^0x/, '');
  if (/^(?:[\dA-Fa-f]{64}){1,2}$/.test(digits)) return hexToBytes(digits);
  try {
    if (family === 'bitcoin') return ofWallet(base58check.decode(text));
    if (family !== 'solana') return undefined;
    return text.startsWith('[') ? ofList(JSON.parse(text)) : base58.decode(text);
  } catch {
    return undefined;
  }
}

function ofWallet(bytes: Uint8Array): Uint8Array | undefined {
  const isCompressed = bytes.length === KEY_BYTES + 2 && bytes.at(-1) === WIF_COMPRESSED;
  const isBare = bytes.length === KEY_BYTES + 1;
  if (bytes[0] !== WIF_PREFIX || !(isCompressed || isBare)) return undefined;
  return bytes.slice(1, 1 + KEY_BYTES);
}

function ofList(list: unknown): Uint8Array | undefined {
  const isByte = (one: unknown): one is number =>
    Number.isInteger(one) && Number(one) >= 0 && Number(one) <= 255;
  return Array.isArray(list) && list.every(isByte) ? Uint8Array.from(list) : undefined;
}

function privateHalf(family: NetworkFamily, bytes: Uint8Array): Uint8Array | undefined {
  if (bytes.length === KEY_BYTES) return bytes;
  if (family !== 'solana' || bytes.length !== 2 * KEY_BYTES) return undefined;
  const key = bytes.slice(0, KEY_BYTES);
  return equalBytes(ed25519.getPublicKey(key), bytes.subarray(KEY_BYTES)) ? key : undefined;
}

const isUsable = (family: NetworkFamily, key: Uint8Array): boolean =>
  family === 'solana' || secp256k1.utils.isValidSecretKey(key);
