import { z } from 'zod';
import { parseDecimal, type Decimal } from '../../model/decimal.ts';
import { MillraceError } from '../../model/errors.ts';

/** Amounts by currency as a journal stores them beside its tables: JSON, decimals as text, no zeros. */
export const amountsText = (amounts: ReadonlyMap<string, Decimal>): string =>
  JSON.stringify([...amounts].filter(([, one]) => !one.isZero()));

/** Reads what `amountsText` wrote; throws `journal-invalid` for everything else. */
export function readAmounts(text: string, account: string): ReadonlyMap<string, Decimal> {
  try {
    return amountsForm.parse(JSON.parse(text));
  } catch (cause) {
    const sentence = `What the journal of account ${account} keeps of amounts cannot be read; put back a copy.`;
    throw new MillraceError('journal-invalid', sentence, { cause });
  }
}

/** Decimal text; computed decimals may be longer than typed ones. */
export const amount = z.string().transform((text, context): Decimal => {
  const value = parseDecimal(text);
  if (value !== undefined) return value;
  context.addIssue({ code: 'custom', message: `${text} is no decimal number` });
  return z.NEVER;
});

export const amountsForm = z
  .array(z.tuple([z.string(), amount]))
  .transform((all): ReadonlyMap<string, Decimal> => new Map(all));
