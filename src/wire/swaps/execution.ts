import { z } from 'zod';
import { APPROVAL_TYPES, readSignedData, type SignedData } from './approvals.ts';
import { amount, basisPoints, integer, optional, plainMembers, text, whole } from './fields.ts';
import { swapMetadata } from './metadata.ts';

/**
 * Messages of the Execution surface. Requests are read by the service, answers by its clients; lots
 * are `bigint` on both sides, which `writeJson` writes as the numbers that quotes have.
 */

export const EXECUTION_PREFIX = '/v1';

/** A token by `token_id` alone, or by its network and its address there. */
const selector = {
  token_id: optional(whole),
  network_id: optional(whole),
  token: optional(text),
};

interface Selected {
  readonly token_id?: number | undefined;
  readonly network_id?: number | undefined;
  readonly token?: string | undefined;
}

const isSelected = ({ token_id, network_id, token }: Selected): boolean =>
  token_id !== undefined || (network_id !== undefined && token !== undefined);

const UNSELECTED = {
  path: ['token_id'],
  error: 'is required where network_id and token are not both given',
};

const side = <S extends z.ZodRawShape>(prefix: string, shape: S) =>
  z.preprocess(
    plainMembers(prefix),
    z
      .object(shape, {
        error: ({ input }) => (input === undefined ? 'is required' : 'must be an object'),
      })
      .refine((given) => isSelected(given as Selected), UNSELECTED),
  );

/** POST `/quotes`. */
export const quoteRequest = z.object({
  from: side('from_', selector),
  to: side('to_', selector),
  amount,
  slippage_bps: basisPoints,
});

/** POST `/intents`. */
export const intentRequest = z.object({
  quote_id: optional(text),
  from: side('from_', { ...selector, address: text, public_key: optional(text) }),
  to: side('to_', { ...selector, address: text }),
  refund_address: text,
  amount,
  slippage_bps: basisPoints,
});

/** POST `/intents/{intent_id}/approvals`. */
export const approvalRequest = z
  .object({
    approval_type: z.enum(APPROVAL_TYPES, {
      error: ({ input }) =>
        input === undefined ? 'is required' : `must be one of ${APPROVAL_TYPES.join(', ')}`,
    }),
    signed_data: z.unknown().refine((data) => (data ?? undefined) !== undefined, {
      error: 'is required',
    }),
  })
  .transform(({ approval_type: type, signed_data: data }, context): SignedData => {
    const read = readSignedData(type, data);
    if (typeof read !== 'string') return read;
    context.issues.push({ code: 'custom', input: data, path: ['signed_data'], message: read });
    return z.NEVER;
  });

/** A token and its network, as quotes have them. */
const token = { network_id: whole, token: text, token_id: whole };

/** Answer of POST `/quotes`. */
export const quoteAnswer = z.object({
  id: text,
  from: z.object({ ...token, amount_lots: integer, amount_decimals: whole }),
  /** Over what the swap is routed; all null if it goes straight. Amounts are lots. */
  mid: z.object({
    token_id: whole.nullable(),
    token: z.string().nullable(),
    token_min_amount: integer.nullable(),
    token_max_amount: integer.nullable(),
    token_decimals: whole.nullable(),
  }),
  to: z.object({
    ...token,
    min_amount_lots: integer,
    max_amount_lots: integer,
    amount_decimals: whole,
  }),
  slippage_bps: z.string(),
  /** Unix milliseconds. */
  expires_at: whole,
});

export type QuoteAnswer = z.output<typeof quoteAnswer>;

/** Answer of POST `/intents`; that of Bitcoin has neither deadline nor secret. */
export const intentAnswer = z.object({
  id: text,
  /** Unix seconds. */
  deadline_at: whole.optional(),
  secret_hash: z.string().optional(),
  /** The parameters of an unknown form cannot be read either. */
  approval_type: text,
  params_to_sign: z.record(z.string(), z.unknown()),
});

export type IntentAnswer = z.output<typeof intentAnswer>;

/** Answer of POST `/intents/{intent_id}/approvals`. */
export const approvalAnswer = z.object({ intent_id: text });

export type ApprovalAnswer = z.output<typeof approvalAnswer>;

/** Answer of GET `/intents/{intent_id}`. */
export const statusAnswer = z.object({
  intent_id: text,
  status: text,
  from_amount_lots: z.string(),
  from_network_id: whole,
  from_token: text,
  from_token_id: whole,
  to_network_id: whole,
  to_token: text,
  to_token_id: whole,
  to_min_amount_lots: z.string(),
  to_max_amount_lots: z.string(),
  swap_metadata: swapMetadata,
});

export type StatusAnswer = z.output<typeof statusAnswer>;

/** A network. */
const networkRecord = z.object({
  id: whole,
  name: text,
  /** The family: `EVM`, `TRON`, `BITCOIN`, `SOLANA`. */
  type: text,
  supports_optimized_swap: z.boolean(),
  icon_url: z.string(),
  /** True if tokens beyond the list may be swapped too. */
  supports_custom_tokens: z.boolean(),
});

/** Answer of GET `/networks`. */
export const networksAnswer = z.array(networkRecord);

export type NetworkRecord = z.output<typeof networkRecord>;

export const tokenRecord = z.object({
  token_id: whole,
  network_id: whole,
  name: text,
  contract_address: text,
  symbol: text,
  decimals: whole,
  icon_url: z.string(),
  /** The contract that wraps a native asset that cannot be swapped itself. */
  wrapped_token_address: z.string().nullable(),
});

export type TokenRecord = z.output<typeof tokenRecord>;

/** Digits of a query, up to a bound. */
const count = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, { error: 'must be a whole number' })
    .transform(Number)
    .refine((value) => value >= least && value <= most, {
      error: `must be ${least} to ${most}`,
    });

/** Query of GET `/tokens`; all of it may be left out. */
export const tokensQuery = z.object({
  /** Looked for in symbol, name and contract address. */
  q: z.string().optional(),
  network_id: count(0, 999_999_999).optional(),
  limit: count(1, 1_000).default(100),
  offset: count(0, 999_999_999).default(0),
});
