import { z } from 'zod';
import { parseDecimal, type Decimal } from '../../model/decimal.ts';

/**
 * The kinds of members that messages of the swap service are made of, as `readJson` gives them: a
 * number of more than 15 digits comes as its text.
 */

interface Issue {
  readonly input?: unknown;
}

/** The error of a member, after its name: `body.from.address is required`. */
const wrong =
  (what: string) =>
  ({ input }: Issue): string =>
    input === undefined || input === null ? 'is required' : `must be ${what}`;

/** Nonempty text. */
export const text = z.string({ error: wrong('text') }).min(1, { error: 'is required' });

/** An optional member; null counts as absent. */
export const optional = <S extends z.ZodType>(schema: S) =>
  z.preprocess((value) => value ?? undefined, schema.optional());

/** Ids of networks and tokens, decimals, times: whole numbers that a double holds. */
export const whole = z.int({ error: wrong('a whole number') }).min(0, {
  error: 'must be a whole number',
});

/** Whole numbers of any size, on the wire JSON numbers or text. */
export const integer = z
  .union([z.number(), z.string()], { error: wrong('a whole number') })
  .transform((given, context): bigint => {
    const digits = String(given);
    if (/^\d{1,78}$/.test(digits)) return BigInt(digits);
    // A double from 1e21 on is printed with an exponent, and so is a number written with one.
    const value = /^[\d.eE+]{1,100}$/.test(digits) ? parseDecimal(digits) : undefined;
    if (value?.isInteger() === true) return BigInt(value.toFixed());
    context.issues.push({ code: 'custom', input: given, message: 'must be a whole number' });
    return z.NEVER;
  });

/** An amount of a token above 0, decimal-adjusted: a JSON number, or its text. */
export const amount = z
  .union([z.number(), z.string()], { error: wrong('a number') })
  .transform((given, context): Decimal => {
    const value = parseDecimal(String(given));
    if (value?.isPositive() === true && !value.isZero()) return value;
    context.issues.push({ code: 'custom', input: given, message: 'must be a number above 0' });
    return z.NEVER;
  });

/** Basis points: digits, on the wire text. */
export const basisPoints = z
  .string({ error: wrong('text of basis points such as "50"') })
  .regex(/^\d{1,5}$/, { error: 'must be text of basis points such as "50"' });

/** ISO 8601, or null for a stage that is not reached. */
export const stageTime = z.string().nullish();

/**
 * Reads members with and without the prefix that some writers add: `from_token` as `token`, in `from`. The
 * member without prefix counts if both are there.
 */
export const plainMembers =
  (prefix: string) =>
  (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const given = Object.entries(value).filter(([, member]) => (member ?? undefined) !== undefined);
    const bare = given.flatMap(([name, member]) =>
      name.startsWith(prefix) ? [[name.slice(prefix.length), member] as const] : [],
    );
    return Object.fromEntries([...bare, ...given]);
  };
