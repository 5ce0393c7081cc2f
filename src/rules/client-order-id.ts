import type { Refusal } from '../model/refusals.ts';

const FORM = /^[A-Za-z0-9_-]{8,32}$/;

/** Checks the form of a client order id: 8 to 32 Latin letters, digits, `_` or `-`. */
export function clientOrderIdRefusal(
  clientOrderId: string,
  field = 'clientOrderId',
): Refusal | undefined {
  if (FORM.test(clientOrderId)) return undefined;
  return {
    code: 'client-order-id-invalid',
    field,
    message: `${field} is "${clientOrderId}" (${clientOrderId.length} characters) and must be 8 to 32 Latin letters, digits, _ or -.`,
    limit: '8..32',
  };
}
