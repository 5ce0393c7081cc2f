import { z } from 'zod';
import { Decimal, parseDecimal } from '../../model/decimal.ts';
import type { MillraceError } from '../../model/errors.ts';
import type { ExchangeMethod, MethodParams } from '../../wire/exchange-orders/methods.ts';
import { invalid } from '../http/invalid.ts';
import { namesAt, unknownArgument } from '../http/unknown-members.ts';

/**
 * What programs hand in to the methods, checked before anything is sent and brought into the form
 * of the wire: tickers in small letters, amounts as exact text.
 */

const EXACT = 'must be a decimal number above 0, as text or as a Decimal';

/** An amount: text or a Decimal, as JavaScript numbers are not exact. */
const amount = z
  .union([z.string(), z.custom<Decimal>((value) => Decimal.isDecimal(value))], { error: EXACT })
  .transform((given, context): string => {
    const value = typeof given === 'string' ? parseDecimal(given) : given;
    if (value?.isFinite() === true && value.greaterThan(0)) return value.toFixed();
    context.issues.push({ code: 'custom', input: given, message: EXACT });
    return z.NEVER;
  });

const word = z.string({ error: 'must be text' }).min(1, { error: 'must not be empty' });
const ticker = word.transform((given) => given.toLowerCase());
const whole = z.int({ error: 'must be a whole number' }).min(0, { error: 'must not be negative' });

const someOf = <S extends z.ZodType>(schema: S) =>
  z.union([schema, z.array(schema)], { error: 'must be text or a list of texts' }).optional();

const pair = z.strictObject({ from: ticker, to: ticker });

const ONE_AMOUNT = { error: 'must have amountFrom or amountTo, and not both' };

const hasOneAmount = (given: {
  readonly amountFrom?: string | undefined;
  readonly amountTo?: string | undefined;
}): boolean => (given.amountFrom === undefined) !== (given.amountTo === undefined);

const METADATA = { userMetadata: word.optional() };

/** Sender and receiver; an extra id is what some networks require besides an address. */
const PARTIES = {
  address: word,
  extraId: word.optional(),
  refundExtraId: word.optional(),
  fromAddress: word.optional(),
  fromExtraId: word.optional(),
  ...METADATA,
};

const PAGE = {
  since: whole.optional(),
  before: whole.optional(),
  limit: whole.optional(),
  offset: whole.optional(),
};

const estimate = z.strictObject({ from: ticker, to: ticker, amountFrom: amount, ...METADATA });

const AMOUNTS = { amountFrom: amount.optional(), amountTo: amount.optional() };

const rateForAmount = z
  .strictObject({ from: ticker, to: ticker, ...AMOUNTS, ...METADATA })
  .refine(hasOneAmount, ONE_AMOUNT);

const oneOrMany = <S extends z.ZodType>(schema: S) => z.union([z.array(schema), schema]);

/** Parameters of each method. */
const PARAMS = {
  getPairs: z.strictObject({
    from: ticker.optional(),
    to: ticker.optional(),
    txType: z.enum(['float', 'fixed']).optional(),
  }),
  getPairsParams: z.array(pair),
  getMinAmount: pair,
  getExchangeAmount: oneOrMany(estimate),
  getFixRate: z.array(pair),
  getFixRateForAmount: oneOrMany(rateForAmount),
  createTransaction: z.strictObject({
    from: ticker,
    to: ticker,
    amountFrom: amount,
    refundAddress: word.optional(),
    ...PARTIES,
  }),
  createFixTransaction: z
    .strictObject({
      from: ticker,
      to: ticker,
      rateId: word,
      ...AMOUNTS,
      refundAddress: word,
      ...PARTIES,
    })
    .refine(hasOneAmount, ONE_AMOUNT),
  getStatus: z.strictObject({ id: word }),
  getTransactions: z.strictObject({
    id: someOf(word),
    status: someOf(word),
    currency: someOf(ticker),
    address: someOf(word),
    payoutAddress: someOf(word),
    extraId: word.optional(),
    ...PAGE,
  }),
  validateAddress: z.strictObject({ currency: ticker, address: word, extraId: word.optional() }),
  estimatePrivateSend: z.strictObject({ currency: ticker, amount, ...METADATA }),
  createPrivateSendTransaction: z.strictObject({
    currency: ticker,
    amount,
    address: word,
    addressExtraId: word.optional(),
    ...METADATA,
  }),
  getPrivateSendTransactions: z.strictObject({
    id: word.optional(),
    status: word.optional(),
    currency: ticker.optional(),
    payinAddress: word.optional(),
    payoutAddress: word.optional(),
    payoutExtraId: word.optional(),
    ...PAGE,
  }),
} as const satisfies { readonly [M in ExchangeMethod]?: z.ZodType<MethodParams<M>> };

export type MethodOfArguments = keyof typeof PARAMS;

/** Arguments of a method: amounts are text or a `Decimal`, times microseconds. */
export type ArgumentsOfMethod<M extends MethodOfArguments> = z.input<(typeof PARAMS)[M]>;

/** Converts arguments to the wire form. Throws `request-invalid` for invalid ones. */
export function paramsOf(method: MethodOfArguments, given: unknown): unknown {
  const read = PARAMS[method].safeParse(given);
  if (read.success) return read.data;
  throw firstFault(method, read.error.issues);
}

/** The first error; of a value with several forms that of the form it comes closest to. */
function firstFault(method: MethodOfArguments, issues: readonly z.core.$ZodIssue[]): MillraceError {
  const [issue] = issues;
  if (issue?.code === 'invalid_union') {
    const deepest = issue.errors.toSorted((one, other) => depthOf(other) - depthOf(one))[0] ?? [];
    if (deepest.length > 0) {
      return firstFault(
        method,
        deepest.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] })),
      );
    }
  }
  const path = issue?.path.join('.') ?? '';
  if (issue?.code === 'unrecognized_keys') {
    const [stray = ''] = issue.keys;
    const field = path === '' ? stray : `${path}.${stray}`;
    return unknownArgument(method, field, stray, namesAt(PARAMS[method], issue.path));
  }
  const subject = path === '' ? 'the arguments' : path;
  return invalid(method, `${subject} ${issue?.message ?? 'do not fit'}`, path);
}

const depthOf = (issues: readonly z.core.$ZodIssue[]): number => issues[0]?.path.length ?? 0;
