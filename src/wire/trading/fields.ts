import { z } from 'zod';
import { Decimal, parseDecimal, ZERO } from '../../model/decimal.ts';
import { decimalText } from './printing.ts';
import { isoText, msOf, parseTime, type Micros } from '../time.ts';

/**
 * The kinds of members that messages are made of. Each reads what any client or server of the
 * family sends (numbers as text or JSON numbers, booleans as text, times in both forms) and writes
 * the one form that the specification shows. Each carries the JSON schema of the written form.
 */

const required = (what: string) => (issue: { readonly input: unknown }) =>
  issue.input === undefined ? 'is required' : `must be ${what}`;

const isScalar = (value: unknown): value is string | number =>
  typeof value === 'string' || typeof value === 'number';

const refuse = (
  context: { issues: unknown[] },
  input: unknown,
  message: string,
): typeof z.NEVER => {
  context.issues.push({ code: 'custom', message, input });
  return z.NEVER;
};

const PRINTED = /^-?\d{1,40}(?:\.\d{1,40})?$/;

const isPrintable = (value: unknown): boolean =>
  typeof value === 'string' ? PRINTED.test(value) : Decimal.isDecimal(value) && value.isFinite();

/** Within every bound of `parseDecimal`, so that the bounds need no check. */
const SMALL = /^\d{1,20}(?:\.\d{1,20})?$/;

/** Reads a short decimal directly, as nearly all are, and others in the general way. */
function readDecimal(given: string | number): Decimal | undefined {
  const text = String(given);
  if (!SMALL.test(text)) return parseDecimal(text);
  const value = new Decimal(text);
  return value.isZero() ? ZERO : value;
}

/** Price, quantity, amount, fee, rate, leverage: a decimal, on the wire as text. */
export const numeric = z
  .codec(
    z.custom<string | number>(isScalar, { error: required('a decimal number') }),
    z.custom<Decimal>(isPrintable, { error: required('a decimal') }),
    {
      decode: (given, context) =>
        readDecimal(given) ?? refuse(context, given, 'must be a decimal number such as "61837.63"'),
      // Text is a decimal that was printed at its scale already.
      encode: (value) => (typeof value === 'string' ? value : decimalText(value)),
    },
  )
  .meta({
    type: 'string',
    pattern: '^-?\\d+(\\.\\d+)?$',
    description: 'Decimal number as text',
  });

/** A decimal of zero and above. */
export const unsigned = numeric.refine((value) => !String(value).startsWith('-'), {
  error: 'must not be negative',
});

const micros = z.custom<Micros>((value) => Number.isFinite(value), {
  error: required('microseconds'),
});

const readTime = (given: string | number, context: { issues: unknown[] }): Micros =>
  parseTime(given) ??
  refuse(context, given, 'must be an ISO 8601 time or Unix milliseconds since 1970');

const timeInput = z.custom<string | number>(isScalar, { error: required('a time') });

/** A point in time; ISO 8601 when written. */
export const time = z
  .codec(timeInput, micros, { decode: readTime, encode: isoText })
  .meta({ type: 'string', format: 'date-time' });

/** A point in time; Unix milliseconds when written, as in stream frames. */
export const timeMs = z
  .codec(timeInput, micros, { decode: readTime, encode: msOf })
  .meta({ type: 'integer', description: 'Unix milliseconds' });

const safeInteger = (value: unknown): boolean => Number.isSafeInteger(value);

interface Bounds {
  readonly min?: number;
  readonly max?: number;
}

/** A whole number within bounds, read from text too, and how it is written. */
const wholeAs = (
  encode: (value: number) => string | number,
  { min = 0, max = Number.MAX_SAFE_INTEGER }: Bounds = {},
) => {
  const expected = `must be a whole number from ${min} to ${max}`;
  const within = (value: unknown): boolean =>
    safeInteger(value) && Number(value) >= min && Number(value) <= max;
  return z.codec(
    z.custom<string | number>(isScalar, { error: required('a whole number') }),
    z.custom<number>(within, { error: expected }),
    {
      decode: (given, context) => {
        const text = String(given);
        const value = /^-?\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
        return within(value) ? value + 0 : refuse(context, given, expected);
      },
      encode,
    },
  );
};

/** A whole number as JSON number, from 0 to 2^53 − 1; read from text too. */
export const whole = (bounds: Bounds = {}) =>
  wholeAs((value) => value, bounds).meta({
    type: 'integer',
    minimum: bounds.min ?? 0,
    maximum: bounds.max,
  });

/** A number that is text on the wire, as clients with fixed types expect it; read from both. */
export const idText = wholeAs(String).meta({
  type: 'string',
  pattern: String.raw`^\d+$`,
  description: 'Whole number as text',
});

/** An identifier issued by a server: a JSON number. */
export const id = whole();

const BOOLEANS: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  [true, true],
  [false, false],
  ['true', true],
  ['false', false],
  ['True', true],
  ['False', false],
  ['1', true],
  ['0', false],
  [1, true],
  [0, false],
]);

/** A boolean, read from text too, as queries and forms carry it. */
export const flag = z
  .codec(
    z.custom<boolean | string | number>((value) => BOOLEANS.has(value), {
      error: required('true or false'),
    }),
    z.boolean(),
    { decode: (given) => BOOLEANS.get(given) === true, encode: (value) => value },
  )
  .meta({ type: 'boolean' });

/** Text; a JSON number is read as its digits, as some clients send identifiers so. */
export const text = z
  .codec(z.custom<string | number>(isScalar, { error: required('text') }), z.string(), {
    decode: String,
    encode: (value) => value,
  })
  .meta({ type: 'string' });

/**
 * The code of a symbol, currency or contract, in capitals. It is read in any letter case, as clients of
 * other languages send it. The codes of the service have no small letters.
 */
export const code = z
  .codec(text, z.string(), {
    decode: (given) => given.toUpperCase(),
    encode: (value) => value,
  })
  .meta({ type: 'string' });

/** Text of at least one character and at most `max`. */
export const textUpTo = (max: number) =>
  text
    .refine((value) => value.length <= max, { error: `must have at most ${max} characters` })
    .meta({ type: 'string', maxLength: max });

/** One of a few words. */
export const choice = <const W extends readonly [string, ...string[]]>(words: W) =>
  z.enum(words, {
    error: (issue) =>
      issue.input === undefined ? 'is required' : `must be one of ${words.join(', ')}`,
  });

/** Words of a comma list, blanks trimmed and empty ones left out; an empty list means all. */
export const list = z
  .codec(
    z.custom<string | string[]>(
      (value) =>
        typeof value === 'string' ||
        (Array.isArray(value) && value.every((word) => typeof word === 'string')),
      { error: required('a comma list') },
    ),
    z.array(z.string()),
    {
      decode: (given) =>
        (typeof given === 'string' ? given.split(',') : given)
          .map((word) => word.trim())
          .filter((word) => word !== ''),
      encode: (words) => words.join(','),
    },
  )
  .meta({ type: 'string', description: 'Comma list' });

/** A comma list that names something. */
export const nonEmptyList = list.refine((words) => words.length > 0, {
  error: 'must name at least one',
});

/** A comma list of codes of symbols or currencies, each read in any letter case. */
export const codes = z
  .codec(list, z.array(z.string()), {
    decode: (words) => words.map((word) => word.toUpperCase()),
    encode: (words) => words,
  })
  .meta({ type: 'string', description: 'Comma list' });

/** Any JSON, unchanged. */
export const json = z.unknown().meta({ description: 'Any JSON value' });

/** Marks in JSON schemas, since zod leaves defaults of codecs out; `describeMessage` reads them. */
export const MARKS = { default: 'x-default', optional: 'x-optional' } as const;

/** An optional member; `null` counts as absent too, as some servers write it so. */
export const optional = <S extends z.ZodType>(schema: S) =>
  z
    .codec(schema.nullish(), z.custom<z.output<S> | undefined>(() => true).optional(), {
      decode: (value) => value ?? undefined,
      encode: (value) => value as z.output<z.ZodOptional<z.ZodNullable<S>>>,
    })
    .meta({ [MARKS.optional]: true });

/** A parameter with a default, which is in its JSON schema too. */
export const withDefault = <S extends z.ZodType>(
  schema: S,
  value: z.util.NoUndefined<z.output<S>>,
) => schema.default(value).meta({ [MARKS.default]: value });

/** A record of the service under the name that it has in descriptions of the protocol. */
export const record = <const Shape extends z.core.$ZodLooseShape>(name: string, shape: Shape) =>
  z.object(shape).meta({ id: name });
