import { MillraceError } from '../../model/errors.ts';
import { isSanitized } from '../../model/plain-words.ts';
import type { TransferData } from './transfer-route.ts';

/** A transaction to be signed is a few thousand; nothing that a service gives a name is so long. */
const LENGTH_MAX = 65_536;

/**
 * What a route learned, checked before it is kept. Throws `answer-invalid` for text that is too
 * long to keep, or that holds what nobody sees: no id, address or hash does.
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
