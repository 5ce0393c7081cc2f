import { MillraceError } from '../../model/errors.ts';
import { isSanitized } from '../../model/plain-words.ts';
import type { TransferData } from './transfer-route.ts';

/** Characters; a transaction to be signed has a few thousand. */
const LENGTH_MAX = 65_536;

/**
 * Data of a route, checked before it is kept. Throws `answer-invalid` for text that is too long or
 * has invisible characters, which no id, address or hash has.
 */
export function checkedData(data: TransferData): TransferData {
  for (const [name, value] of Object.entries(data)) {
    if (typeof value !== 'string') continue;
    if (value.length <= LENGTH_MAX && isSanitized(value)) continue;
    const what =
      value.length > LENGTH_MAX
        ? `is longer than ${LENGTH_MAX} characters`
        : 'holds characters that cannot be seen';
    const sentence = `What the service gave as "${name}" of a transfer ${what}; it is not kept.`;
    throw new MillraceError('answer-invalid', sentence, { field: name });
  }
  return data;
}
