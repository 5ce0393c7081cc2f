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
