import type { Rejection } from '../model/rejections.ts';
import { quoted } from './quoted.ts';

const LENGTH_MIN = 8;
const LENGTH_MAX = 32;
const CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-';

/** Number of each UTF-16 unit among the valid characters, FOREIGN for all others. */
const FOREIGN = 128;
const NUMBERS = new Uint8Array(2 ** 16).fill(FOREIGN);
for (let i = 0; i < CHARACTERS.length; i += 1) NUMBERS[CHARACTERS.charCodeAt(i)] = i;

/** Checks the form of a client order id: 8 to 32 Latin letters, digits, `_` or `-`. */
export function clientOrderIdRejection(
  clientOrderId: unknown,
  field = 'clientOrderId',
): Rejection | undefined {
  if (clientOrderIdHash(clientOrderId) >= 0) return undefined;
  const length = typeof clientOrderId === 'string' ? ` (${clientOrderId.length} characters)` : '';
  return {
    code: 'client-order-id-invalid',
    field,
    message: `${field} is ${quoted(clientOrderId)}${length} and must be 8 to 32 Latin letters, digits, _ or -.`,
    limit: '8..32',
  };
}

/**
 * A hash of a client order id from 0 to 2^31 - 1, -1 for an invalid id. One pass over the
 * characters serves both, as lookups need both.
 */
export function clientOrderIdHash(clientOrderId: unknown): number {
  if (typeof clientOrderId !== 'string') return -1;
  const { length } = clientOrderId;
  if (length < LENGTH_MIN || length > LENGTH_MAX) return -1;
  let hash = length;
  let all = 0;
  for (let i = 0; i < length; i += 1) {
    const number = NUMBERS[clientOrderId.charCodeAt(i)];
    all |= number;
    hash = Math.imul(hash ^ number, 0x01000193);
  }
  return (all & FOREIGN) === 0 ? (hash ^ (hash >>> 15)) & 0x7fffffff : -1;
}

/**
 * The n-th generated client order id: 32 hexadecimal digits, as the service makes them, from a
 * deterministic hash of the number.
 */
export function generatedClientOrderId(number: number): string {
  let id = '';
  for (let queue = 1; queue <= 4; queue += 1) {
    let hash = Math.imul((number | 0) ^ Math.imul(queue, 0x9e3779b1), 0x85ebca6b);
    hash ^= (hash >>> 13) ^ Math.floor(number / 2 ** 32);
    hash = Math.imul(hash, 0xc2b2ae35);
    hash = Math.imul(hash ^ (hash >>> 16), 0x27d4eb2f);
    id += ((hash ^ (hash >>> 15)) >>> 0).toString(16).padStart(8, '0');
  }
  return id;
}
