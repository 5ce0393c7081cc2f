import { z } from 'zod';
import { parseDecimal, type Decimal } from '../../model/decimal.ts';
import type { Micros } from '../time.ts';

/**
 * The kinds of members that messages of the exchange order service are made of, as `readJson` gives
 * them: a number of more than 15 digits comes as its text. What is written is the input of a
 * schema, what is read its output.
 */

/** Nonempty text. */
export const text = z.string().min(1).max(10_000);

/** An optional member; null counts as absent. */
export const optional = <S extends z.ZodType>(schema: S) =>
  schema.nullish().transform((value) => value ?? undefined);

/** An optional parameter; null and empty text count as absent. */
export const optionalText = z
  .string()
  .max(10_000)
  .nullish()
  .transform((value) => ((value ?? '') === '' ? undefined : (value ?? undefined)));

const decimalFrom = (isAllowed: (value: Decimal) => boolean) =>
  z.union([z.string(), z.number()]).transform((given, context): Decimal => {
    const value = parseDecimal(String(given));
    if (value !== undefined && isAllowed(value)) return value;
    context.issues.push({ code: 'custom', input: given, message: 'must be a decimal number' });
    return z.NEVER;
  });

/** A decimal in text, of whatever sign; a JSON number is read too. */
export const decimal = decimalFrom(() => true);

/** An amount above 0. */
export const amount = decimalFrom((value) => value.isPositive() && !value.isZero());

/** Microseconds since 1970, a JSON number of 16 digits; digits in text are read too. */
export const microseconds = z
  .union([z.number(), z.string().regex(/^\d{1,16}$/)])
  .transform(Number)
  .refine((value) => Number.isSafeInteger(value) && value >= 0)
  .transform((value) => value as Micros);

/** A bound of times: exactly 16 digits, so that seconds or milliseconds are not sent by mistake. */
export const timeBound = microseconds.refine((value) => String(value).length === 16);

/** One value, or several. */
export const oneOrMany = <S extends z.ZodType>(schema: S, most: number) =>
  z
    .union([schema, z.array(schema).max(most)])
    .nullish()
    .transform((given) =>
      given === undefined || given === null
        ? undefined
        : Array.isArray(given)
          ? (given as readonly z.output<S>[])
          : [given as z.output<S>],
    );
