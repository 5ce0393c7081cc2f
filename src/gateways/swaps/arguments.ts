import { z } from 'zod';
import { Decimal, parseDecimal } from '../../model/decimal.ts';
import type { SignedApproval } from '../../swaps/approvals/approval.ts';
import { invalid } from '../http/invalid.ts';
import { namesAt, unknownArgument } from '../http/unknown-members.ts';

/** Arguments of the calls of both surfaces, checked before anything is sent. */

const EXACT = 'must be a decimal number above 0, as text or as a Decimal';

/** An amount: text or a Decimal, as JavaScript numbers are not exact. */
const exactAmount = z
  .union([z.string(), z.custom<Decimal>((value) => Decimal.isDecimal(value))], { error: EXACT })
  .transform((given, context): Decimal => {
    const value = typeof given === 'string' ? parseDecimal(given) : given;
    if (value?.isFinite() === true && value.greaterThan(0)) return value;
    context.issues.push({ code: 'custom', input: given, message: EXACT });
    return z.NEVER;
  });

const word = z.string({ error: 'must be text' }).min(1, { error: 'must not be empty' });
const number = z.int({ error: 'must be a whole number' }).min(0, { error: 'must not be negative' });
const basisPoints = z
  .string({ error: 'must be text of basis points such as "50"' })
  .regex(/^\d{1,5}$/, { error: 'must be text of basis points such as "50"' });

/** Members of a token: its id, or its network and its address there. */
const SELECTOR = {
  token_id: number.optional(),
  network_id: number.optional(),
  token: word.optional(),
};

const isSelected = (given: {
  readonly token_id?: number | undefined;
  readonly network_id?: number | undefined;
  readonly token?: string | undefined;
}): boolean =>
  given.token_id !== undefined || (given.network_id !== undefined && given.token !== undefined);

const UNSELECTED = { error: 'must have token_id, or network_id and token' };

/** Arguments of a quote of the Execution surface. */
export const quoteArguments = z.strictObject({
  from: z.strictObject(SELECTOR).refine(isSelected, UNSELECTED),
  to: z.strictObject(SELECTOR).refine(isSelected, UNSELECTED),
  amount: exactAmount,
  slippage_bps: basisPoints,
});

/** Arguments of an intent of the Execution surface. */
export const intentArguments = z.strictObject({
  quote_id: word.optional(),
  from: z
    .strictObject({ ...SELECTOR, address: word, public_key: word.optional() })
    .refine(isSelected, UNSELECTED),
  to: z.strictObject({ ...SELECTOR, address: word }).refine(isSelected, UNSELECTED),
  refund_address: word,
  amount: exactAmount,
  slippage_bps: basisPoints,
});

const PAGE = { limit: number.optional(), offset: number.optional() };

/** Which tokens a list shall have. */
export const tokensArguments = z.strictObject({
  ...PAGE,
  q: z.string().optional(),
  network_id: number.optional(),
});

/** Which swaps the list of the newest dialect shall have; times are microseconds. */
export const swapsArguments = z.strictObject({
  ...PAGE,
  status: word.optional(),
  swap_created_from: number.optional(),
  swap_created_to: number.optional(),
});

/** Arguments of a quote of the Affiliate surface. */
export const bestQuoteArguments = z.strictObject({
  source_chain: number,
  source_token: word,
  dest_chain: number,
  dest_token: word,
  amount: exactAmount,
  slippage_bps: basisPoints,
  swap_type: z.literal('standard').optional(),
  retail_user_id: word.optional(),
});

/** Arguments of an intent of the Affiliate surface. */
export const affiliateIntentArguments = z.strictObject({
  quote_id: word,
  refund_address: word,
  user_destination_address: word,
  user_source_address: word,
  user_source_public_key: word.optional(),
  retail_user_id: word.optional(),
});

/** Which swaps a history shall have. */
export const historyArguments = z.strictObject({
  ...PAGE,
  active: z.boolean().optional(),
  wallet: z.array(word).optional(),
  retail_id: word.optional(),
});

/** A token: `token_id`, or `network_id` and `token`. Amounts are text or a `Decimal`. */
export type SwapQuoteRequest = z.input<typeof quoteArguments>;
export type SwapIntentRequest = z.input<typeof intentArguments>;
export type TokensQuery = z.input<typeof tokensArguments>;
export type SwapsQuery = z.input<typeof swapsArguments>;
export type BestQuoteRequest = z.input<typeof bestQuoteArguments>;
export type AffiliateIntentRequest = z.input<typeof affiliateIntentArguments>;
export type HistoryQuery = z.input<typeof historyArguments>;

/** Checks arguments. Throws `request-invalid` for missing, wrong or unknown ones. */
export function checked<S extends z.ZodType>(name: string, schema: S, given: unknown): z.output<S> {
  const read = schema.safeParse(given);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const path = issue?.path.join('.') ?? '';
  if (issue?.code === 'unrecognized_keys') {
    const [stray = ''] = issue.keys;
    const field = path === '' ? stray : `${path}.${stray}`;
    throw unknownArgument(name, field, stray, namesAt(schema, issue.path));
  }
  const subject = path === '' ? 'the arguments' : path;
  throw invalid(name, `${subject} ${issue?.message ?? 'do not fit'}`, path);
}

const signedApproval = z.discriminatedUnion(
  'form',
  [
    z.strictObject({ form: z.literal('permit2'), signature: word }),
    z.strictObject({ form: z.literal('htlc'), psbt: word }),
    z.strictObject({ form: z.literal('cosign'), transaction: word, userAddress: word }),
  ],
  { error: 'must be what a signer made of an approval' },
);

/** Checks a signed approval. Throws `request-invalid`. */
export const checkedApproval = (signed: unknown): SignedApproval =>
  checked('addApproval', signedApproval, signed);

/** Text in a path. `.` and `..` would lead to another path. */
export function pathMember(name: string, member: string, value: unknown): string {
  const sound = typeof value === 'string' && value !== '' && value.isWellFormed();
  if (sound && value !== '.' && value !== '..') return encodeURIComponent(value);
  throw invalid(name, `${member} must be text that can stand in a path`, member);
}

/** A query of the given members, in the order of their names; a list repeats its name. */
export function queryOf(given: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(given)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined) query.append(name, String(one));
    }
  }
  return query.toString();
}
