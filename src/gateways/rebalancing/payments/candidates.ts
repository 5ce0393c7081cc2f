import { z } from 'zod';
import { MillraceError } from '../../../model/errors.ts';
import type { TransferData } from '../../../swaps/execution/transfer-route.ts';
import type { PreparedTransaction } from '../../chains/node.ts';
import { textMaybe } from '../data.ts';

const lots = z.codec(z.string().regex(/^\d+$/), z.bigint(), { decode: BigInt, encode: String });

const written = z.array(
  z.strictObject({
    id: z.string(),
    raw: z.string(),
    uses: z.string(),
    lifetime: z.optional(z.string()),
    feeLots: lots,
  }),
);

/** The transactions prepared for one order, oldest first, from the data of a transfer. */
export function candidatesIn(data: TransferData, key: string): readonly PreparedTransaction[] {
  const text = textMaybe(data, key);
  if (text === undefined) return [];
  const read = written.safeDecode(JSON.parse(text) as z.input<typeof written>);
  if (read.success) return read.data;
  throw new MillraceError('journal-invalid', `The transactions of a transfer cannot be read: ${key}.`, { field: key }); // prettier-ignore
}

export const candidatesText = (candidates: readonly PreparedTransaction[]): string =>
  JSON.stringify(z.encode(written, [...candidates]));
