import { z } from 'zod';
import { parseDecimal } from '../model/decimal.ts';
import { parseIsoTime, parseSpanUs, US_PER_SECOND } from '../platform/time.ts';

/** The kinds of values that configurations are made of. */

/** A decimal number, kept as text. */
export const decimalText = z
  .union([z.string(), z.number()], { error: 'a decimal number such as 0.001' })
  .transform(String)
  .refine((text) => parseDecimal(text) !== undefined, 'a decimal number such as 0.001');

const span = (leastUs: number, expected: string): z.ZodType<number, string> =>
  z.string().transform((text, context) => {
    const us = parseSpanUs(text);
    if (us !== undefined && us >= leastUs) return us;
    context.addIssue({ code: 'custom', message: expected, input: text });
    return z.NEVER;
  });

/** A span of time in microseconds. */
export const spanUs = span(0, 'a span such as 20ms, 1.5s, 5m, 4h or 2d');

/** A span of a second or more. */
export const sampleSpanUs = span(US_PER_SECOND, 'a span of a second or more such as 10s or 1m');

/** A point in time. */
export const time = z.string().transform((text, context) => {
  const at = parseIsoTime(text);
  if (at !== undefined) return at;
  context.addIssue({ code: 'custom', message: 'a time such as 2024-03-04T06:30:00Z', input: text });
  return z.NEVER;
});
