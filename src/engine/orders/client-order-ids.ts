import { MillraceError } from '../../model/errors.ts';

const PREFIX = /^[A-Za-z0-9_-]{1,16}$/;
const DIGITS = 7;

/**
 * Client order ids from a prefix and a counter, such as `ema-cross-0000001`: the same run makes the
 * same ids. `taken` is the last number of a previous run of the process, 0 without one. Throws
 * `config-invalid` for a prefix that leaves no room for the counter.
 */
export function clientOrderIds(prefix: string, taken = 0): () => string {
  if (!PREFIX.test(prefix)) {
    throw new MillraceError(
      'config-invalid',
      `The prefix of client order ids is "${prefix}" and must be 1 to 16 Latin letters, digits, _ or -.`,
      { field: 'clientOrderIdPrefix' },
    );
  }
  let count = taken;
  return () => {
    count += 1;
    return `${prefix}-${String(count).padStart(DIGITS, '0')}`;
  };
}

const NUMBER = /^\d+$/;

/**
 * True for an id that the engine could generate with that prefix: a strategy's order with it would
 * collide sooner or later.
 */
export const isMadeId = (prefix: string, clientOrderId: string): boolean =>
  clientOrderId.startsWith(`${prefix}-`) && NUMBER.test(clientOrderId.slice(prefix.length + 1));
