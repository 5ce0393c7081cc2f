import { z } from 'zod';
import type { AgreedTerms, ApprovalOrder } from './approval.ts';
import { isSameAddress } from './same-address.ts';

/** What the user receives: the signed transaction has it as text, or commits to it by a hash. */
const schema = z.object({
  intent: z.string(),
  secret_hash: z.string(),
  network_id: z.int(),
  token: z.string(),
  address: z.string(),
  min_amount_lots: z.string().regex(/^\d{1,78}$/),
});

/** The text of a swap's memo: JSON. */
export const memoOf = ({ intent, secretHash, destination }: ApprovalOrder): string =>
  JSON.stringify({
    intent,
    secret_hash: secretHash,
    network_id: destination.network,
    token: destination.token,
    address: destination.address,
    min_amount_lots: `${destination.leastLots}`,
  } satisfies z.infer<typeof schema>);

/** The required content of a memo, as text. */
export const memoText = ({ destination }: Pick<AgreedTerms, 'destination'>): string => {
  const { network, token, address, leastLots } = destination;
  return `one for at least ${leastLots} of ${token} on network ${network} to ${address}`;
};

/** The member of a memo that differs from the agreement; `undefined` if none does. */
export function memoMismatch(
  text: string,
  { intent, destination }: Pick<AgreedTerms, 'intent' | 'destination'>,
): string | undefined {
  const read = schema.safeParse(parsed(text));
  if (!read.success) return 'memo';
  const { network_id, token, address, min_amount_lots } = read.data;
  if (intent !== undefined && read.data.intent !== intent) return 'intent';
  if (network_id !== destination.network) return 'network_id';
  if (!isSameAddress(token, destination.token)) return 'token';
  if (!isSameAddress(address, destination.address)) return 'address';
  return BigInt(min_amount_lots) < destination.leastLots ? 'min_amount_lots' : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
