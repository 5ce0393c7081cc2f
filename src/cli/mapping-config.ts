import { z } from 'zod';
import { readConfig } from '../config/document.ts';
import { FIELDS, type Mapping } from '../feeds/importers/layout.ts';
import { MillraceError } from '../model/errors.ts';

const column = z
  .union([z.string().min(1), z.int().positive()], {
    error: 'the name of a column, or its place, counted from 1',
  })
  .optional();
const words = z
  .array(z.union([z.string(), z.number(), z.boolean()]).transform(String))
  .min(1)
  .describe('Words of the file.');
const decimal = z
  .union([z.string(), z.number()])
  .transform(String)
  .refine((text) => /^\d+(?:\.\d+)?$/.test(text) && Number(text) > 0, 'a decimal number above 0');

const fields = [...new Set(Object.values(FIELDS).flat())];

/** A mapping of text files: which column is what. */
export const MAPPING_CONFIG = z.strictObject({
  rows: z.enum(['candles', 'trades', 'quotes']).describe('What a row is.'),
  columns: z
    .strictObject(Object.fromEntries(fields.map((field) => [field, column])))
    .describe(
      'The column of each field, by name or number. `date+time` joins two columns, `volume*` is the first that begins so.',
    ),
  header: z.boolean().optional().describe('False where the first row is data.'),
  skipLines: z.int().nonnegative().optional().describe('Lines before the header or first row.'),
  separator: z.string().length(1).optional().describe('What separates columns.'),
  decimalMark: z.enum(['.', ',']).optional().describe('What stands before decimals.'),
  thousandsMark: z.string().length(1).optional().describe('What groups digits.'),
  timeUnit: z.enum(['s', 'ms', 'us', 'ns']).optional().describe('Unit of times as numbers.'),
  timeFormat: z
    .string()
    .min(1)
    .optional()
    .describe('Times as text that are not ISO 8601, of YYYY MM DD HH mm ss SSS and A.'),
  zone: z.string().min(1).optional().describe('UTC, an offset such as -05:00, or Europe/Berlin.'),
  candleTime: z.enum(['open', 'close']).optional().describe("What a candle's time is."),
  sides: z
    .strictObject({ buy: words, sell: words })
    .optional()
    .describe('Words of the side that took liquidity.'),
  multiplier: z
    .strictObject({ price: decimal.optional(), size: decimal.optional() })
    .optional()
    .describe('What prices and sizes are multiplied by.'),
  only: z
    .record(z.string(), z.union([z.string(), z.number()]).transform(String))
    .optional()
    .describe('Rows to read: those whose column has this text.'),
  quoteSize: decimal.optional().describe('Size of quotes in files that have none.'),
});

/** Reads a mapping. Throws `config-missing`, and `config-invalid` with the place of the mistake. */
export function readMapping(path: string): Mapping {
  const mapping = readConfig(path, MAPPING_CONFIG) as Mapping;
  const known: readonly string[] = FIELDS[mapping.rows];
  const stray = Object.keys(mapping.columns).find((field) => !known.includes(field));
  if (stray === undefined) return mapping;
  throw new MillraceError(
    'config-invalid',
    `${path}: ${mapping.rows} have no ${stray}; they have ${known.join(', ')}.`,
    { where: path, field: `columns.${stray}` },
  );
}
