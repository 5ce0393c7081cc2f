import { z } from 'zod';
import { parseDecimal, ZERO, type Decimal } from '../model/decimal.ts';
import { spanUs } from './fields.ts';

/** The kinds of values that the configuration of a bot is made of. */

/** A decimal number that passes a test. */
const decimalThat = (fits: (value: Decimal) => boolean, expected: string) =>
  z.union([z.string(), z.number()], { error: expected }).transform((given, context): Decimal => {
    const value = parseDecimal(String(given));
    if (value !== undefined && fits(value)) return value;
    context.addIssue({ code: 'custom', message: expected, input: given });
    return z.NEVER;
  });

/** An amount above zero. */
export const positive = decimalThat((value) => value.greaterThan(ZERO), 'an amount above zero');

/** An amount of zero or more. */
export const amount = decimalThat((value) => !value.isNegative(), 'an amount of zero or more');

/** A fraction above 0 and at most 1. */
export const fraction = decimalThat(
  (value) => value.greaterThan(ZERO) && value.lessThanOrEqualTo(1),
  'a fraction above 0 and at most 1, such as 0.05 for 5 %',
);

/** A leverage. */
export const leverage = decimalThat(
  (value) => value.greaterThanOrEqualTo(1),
  'a number of 1 or more, such as 5',
);

/** A span longer than none. */
export const positiveSpan = spanUs.refine((us) => us > 0, {
  error: 'a span longer than none, such as 30s',
});

/** A number that counts something, from 1 on. */
export const count = z.int().min(1).max(1_000_000);

const keyed = <T>(of: z.ZodType<T>) =>
  z
    .record(z.string().min(1), of)
    .transform((record): ReadonlyMap<string, T> => new Map(Object.entries(record)));

/** Amounts above zero by symbol or currency; none if absent. */
export const positives = keyed(positive).prefault({});

/** Amounts of zero or more by currency. */
export const amounts = keyed(amount);

/** Balances of an account besides spot, by account type and currency. */
export const NON_SPOT_BALANCES = z.strictObject({
  wallet: amounts.optional(),
  derivatives: amounts.optional(),
});

/** A limit that a default sets, and that `none` lifts. */
export const limit = <T>(
  of: z.ZodType<T>,
  fallback: string | number,
  expected: string,
  description: string,
) =>
  z
    .union([z.literal('none'), of], { error: `${expected}, or none for no limit` })
    .optional()
    .transform((given): T | undefined => {
      const meant = given ?? (fallback === 'none' ? fallback : of.parse(fallback));
      return meant === 'none' ? undefined : meant;
    })
    .meta({ description, default: fallback });
