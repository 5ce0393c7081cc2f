import { z } from 'zod';
import { readSignedData, type SignedData } from '../approvals.ts';
import { amount, basisPoints, optional, text, whole } from '../fields.ts';

/** Requests to the Affiliate surface, as the service reads them. */

export const AFFILIATE_PREFIX = '/affiliate/v1';

/** The header with the caller's key. */
export const AFFILIATE_KEY = 'x-api-key';

/** Only for analytics, but stored with its request: limited so that it cannot fill the memory. */
const retailUser = optional(text.max(256, { error: 'must have 256 characters at most' }));

/** POST `/quotes/best`. */
export const bestQuoteRequest = z.object({
  source_chain: whole,
  source_token: text,
  dest_chain: whole,
  dest_token: text,
  amount,
  slippage_bps: basisPoints,
  swap_type: optional(
    z.literal('standard', {
      error: ({ input }) => (input === undefined ? 'is required' : 'must be standard'),
    }),
  ),
  retail_user_id: retailUser,
});

/** POST `/intents`. */
export const affiliateIntentRequest = z.object({
  quote_id: text,
  refund_address: text,
  user_destination_address: text,
  user_source_address: text,
  user_source_public_key: optional(text),
  retail_user_id: retailUser,
});

/** Forms of approvals in requests of this surface. */
export const AFFILIATE_APPROVAL_TYPES = ['permit2', 'psbt', 'cosign'] as const;

/** POST `/intents/{intent_id}/approvals`. */
export const affiliateApprovalRequest = z
  .object({
    type: z.enum(AFFILIATE_APPROVAL_TYPES, {
      error: ({ input }) =>
        input === undefined
          ? 'is required'
          : `must be one of ${AFFILIATE_APPROVAL_TYPES.join(', ')}`,
    }),
    signed_data: z.unknown().refine((data) => (data ?? undefined) !== undefined, {
      error: 'is required',
    }),
  })
  .transform(({ type, signed_data: data }, context): SignedData => {
    const read = readSignedData(type, data);
    if (typeof read !== 'string') return read;
    context.issues.push({ code: 'custom', input: data, path: ['signed_data'], message: read });
    return z.NEVER;
  });

/** Longest page, and the default bounds of the lists of tokens and swaps. */
export const PAGE = { limitMax: 100, tokens: 100, swaps: 10, offsetMax: 100_000 } as const;

/** A whole number in a query; the last if it comes more than once. */
const inQuery = (min: number, max: number, byDefault?: number) => {
  const expected = `must be a whole number from ${min} to ${max}`;
  return z.preprocess(
    (given: readonly string[] | undefined) => given?.at(-1) ?? byDefault,
    z
      .union([z.number(), z.string()], { error: 'is required' })
      .transform((value, context): number => {
        const number = /^\d{1,9}$/.test(String(value)) ? Number(value) : Number.NaN;
        if (number >= min && number <= max) return number;
        context.issues.push({ code: 'custom', input: value, message: expected });
        return z.NEVER;
      }),
  );
};

/** Text in a query; the last if it comes more than once, none if it is empty. */
const textInQuery = z
  .array(z.string())
  .optional()
  .transform((given) => (given?.at(-1) === '' ? undefined : given?.at(-1)));

const TRUTHS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

const flagInQuery = textInQuery.transform((given, context): boolean => {
  const snapshot = given === undefined ? false : TRUTHS.get(given);
  if (snapshot !== undefined) return snapshot;
  context.issues.push({ code: 'custom', input: given, message: 'must be true or false' });
  return z.NEVER;
});

/** The members of a query by their names, each with all the values it has. */
export type QueryMembers = Readonly<Record<string, readonly string[]>>;

/** Reads a query; a name may come several times. */
export function readQuery(query: string): QueryMembers {
  const members = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(query)) {
    const values = members.get(name) ?? [];
    values.push(value);
    members.set(name, values);
  }
  return Object.fromEntries(members);
}

/** GET `/tokens`. */
export const tokensQuery = z.object({
  limit: inQuery(1, PAGE.limitMax, PAGE.tokens),
  offset: inQuery(0, PAGE.offsetMax, 0),
  q: textInQuery,
  network_id: z.preprocess(
    (given: readonly string[] | undefined) => given?.at(-1),
    z
      .string()
      .regex(/^\d{1,9}$/, { error: 'must be a whole number' })
      .transform(Number)
      .optional(),
  ),
});

/** GET `/swaps/history`. */
export const historyQuery = z
  .object({
    limit: inQuery(1, PAGE.limitMax, PAGE.swaps),
    offset: inQuery(0, PAGE.offsetMax, 0),
    active: flagInQuery,
    wallet: z
      .array(z.string())
      .optional()
      .transform((given) => given?.filter((one) => one !== '') ?? []),
    retail_id: textInQuery,
  })
  .refine(({ wallet, retail_id: retail }) => wallet.length > 0 || retail !== undefined, {
    path: ['wallet'],
    error: 'or retail_id is required',
  });
