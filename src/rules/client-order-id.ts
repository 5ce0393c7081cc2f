import type { Refusal } from '../model/refusals.ts';
import { quoted } from './quoted.ts';

const FORM = /^[A-Za-z0-9_-]{8,32}$/;

/** Checks the form of a client order id: 8 to 32 Latin letters, digits, `_` or `-`. */
export function clientOrderIdRefusal(
  clientOrderId: unknown,
  field = 'clientOrderId',
): Refusal | undefined {
  if (typeof clientOrderId === 'string' && FORM.test(clientOrderId)) return undefined;
  const length = typeof clientOrderId === 'string' ? ` (${clientOrderId.length} characters)` : '';
  return {
    code: 'client-order-id-invalid',
    field,
    message: `${field} is ${quoted(clientOrderId)}${length} and must be 8 to 32 Latin letters, digits, _ or -.`,
    limit: '8..32',
  };
}

/**
 * The n-th of the client order ids that are made for orders without one: 32 hexadecimal digits, the
 * form in which the service makes them, by a mixing of the number that is the same everywhere.
 */
export function generatedClientOrderId(number: number): string {
  let id = '';
  for (let lane = 1; lane <= 4; lane += 1) {
    let hash = Math.imul((number | 0) ^ Math.imul(lane, 0x9e3779b1), 0x85ebca6b);
    hash ^= (hash >>> 13) ^ Math.floor(number / 2 ** 32);
    hash = Math.imul(hash, 0xc2b2ae35);
    hash = Math.imul(hash ^ (hash >>> 16), 0x27d4eb2f);
    id += ((hash ^ (hash >>> 15)) >>> 0).toString(16).padStart(8, '0');
  }
  return id;
}
