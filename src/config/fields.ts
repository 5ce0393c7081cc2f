import { z } from 'zod';
import { parseDecimal } from '../model/decimal.ts';
import { parseIsoTime, parseSpanUs, US_PER_DAY, US_PER_SECOND } from '../platform/time.ts';

/** The kinds of values that configurations are made of. */

/** A decimal number, kept as text. */
export const decimalText = z
  .union([z.string(), z.number()], { error: 'a decimal number such as 0.001' })
  .transform(String)
  .refine((text) => parseDecimal(text) !== undefined, 'a decimal number such as 0.001');

/** Interest a day, by borrowed currency. */
export const dailyRates = z
  .record(z.string().min(1), decimalText)
  .optional()
  .describe('Interest a day by borrowed currency; one without a rate costs nothing.');

const span = (leastUs: number, expected: string): z.ZodType<number, string> =>
  z.string().transform((text, context) => {
    const us = parseSpanUs(text);
    if (us !== undefined && us >= leastUs) return us;
    context.addIssue({ code: 'custom', message: expected, input: text });
    return z.NEVER;
  });

/** A removed key: any value is rejected with `why`. */
export const gone = (why: string) =>
  z
    .unknown()
    .refine(() => false, `nothing, as ${why}`)
    .optional()
    .describe(`Taken no more, as ${why}.`);

/** A span of time in microseconds. */
export const spanUs = span(0, 'a span such as 20ms, 1.5s, 5m, 4h or 2d');

/** A span of a second or more. */
export const sampleSpanUs = span(US_PER_SECOND, 'a span of a second or more such as 10s or 1m');

/** A span of a day or more. */
export const daysUs = span(US_PER_DAY, 'a span of 1d or more, such as 90d');

/** A point in time. */
export const time = z.string().transform((text, context) => {
  const at = parseIsoTime(text);
  if (at !== undefined) return at;
  context.addIssue({ code: 'custom', message: 'a time such as 2024-03-04T06:30:00Z', input: text });
  return z.NEVER;
});

/** Names of accounts and strategies: they become names of files and parts of order ids. */
export const nameOf = (length: number) =>
  z
    .string()
    .min(1)
    .regex(
      new RegExp(`^[A-Za-z0-9_-]{1,${length}}$`),
      `1 to ${length} Latin letters, digits, _ or -`,
    );

/** A type whose optional members may also be undefined, at any depth. */
type Loose<T> = T extends readonly (infer E)[]
  ? readonly Loose<E>[]
  : T extends object
    ? { readonly [K in keyof T]: Loose<T[K]> | (undefined extends T[K] ? undefined : never) }
    : T;

/** Removes undefined members, so that a record fits a type with optional members. */
export const withoutAbsent = <T extends object>(record: Loose<T>): T => strip(record) as T;

function strip(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strip);
  // Decimals and keys are values.
  if (!isPlain(value)) return value;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.map(([name, member]) => [name, strip(member)]));
}

const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
