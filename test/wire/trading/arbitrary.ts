import fc from 'fast-check';
import type { z } from 'zod';
import { Decimal, decimal } from '../../../src/model/decimal.ts';
import * as fields from '../../../src/wire/trading/fields.ts';
import { bound } from '../../../src/wire/trading/paging.ts';
import { timeOfMs } from '../../../src/wire/time.ts';
import type { Call } from '../../../src/wire/trading/call.ts';
import { clientOrderId } from '../../../src/wire/trading/v2/calls/order-params.ts';
import { signedText, unsignedText } from '../../kit/exact.ts';

/** Values that a schema of the wire can hold, for properties over every message there is. */

const ms = fc.oneof(
  fc.integer({ min: 0, max: 4_102_444_800_000 }),
  fc.constantFrom(0, 1, 999, 1_700_000_000_000, 1_700_000_000_100, 1_700_000_000_120),
);
const time = ms.map((value) => timeOfMs(value));
const word = fc.stringMatching(/^[A-Za-z0-9_-]{8,32}$/);
const upper = fc.stringMatching(/^[A-Z][A-Z0-9_]{1,11}$/);
const anyText = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }).filter((s) => s.isWellFormed()),
);

const JSON_VALUE = fc.oneof(upper, fc.boolean(), fc.integer(), fc.constant({ a: ['b', 1, null] }));

const LEAVES: ReadonlyMap<z.ZodType, fc.Arbitrary<unknown>> = new Map<
  z.ZodType,
  fc.Arbitrary<unknown>
>([
  [fields.idText, fc.maxSafeNat()],
  [fields.numeric, signedText.map((text) => decimal(text))],
  [fields.unsigned, unsignedText.map((text) => decimal(text))],
  [fields.time, time],
  [fields.timeMs, time],
  [fields.json, JSON_VALUE],
  [fields.flag, fc.boolean()],
  [fields.text, anyText],
  [fields.list, fc.array(upper, { maxLength: 4 })],
  [fields.nonEmptyList, fc.array(upper, { minLength: 1, maxLength: 4 })],
  [clientOrderId, word],
  [fields.code, upper],
  [fields.codes, fc.array(upper, { maxLength: 4 })],
  [
    bound,
    fc.oneof(
      time.map((at) => ({ kind: 'time', at })),
      fc.maxSafeNat().map((value) => ({ kind: 'number', value })),
    ),
  ],
]);

interface Definition {
  readonly type: string;
  readonly innerType: z.ZodType;
  readonly element: z.ZodType;
  readonly valueType: z.ZodType;
  readonly in: z.ZodType;
  readonly shape: Readonly<Record<string, z.ZodType>>;
  readonly items: readonly z.ZodType[];
  readonly options: readonly z.ZodType[];
  readonly entries: Readonly<Record<string, string>>;
  readonly values: readonly unknown[];
}

/** Absent, where a member of an object may be. */
const ABSENT = Symbol('absent');

/** Values of a schema: what decoding it gives and encoding it takes. */
export function arbitraryOf(schema: z.ZodType): fc.Arbitrary<unknown> {
  const leaf = LEAVES.get(schema);
  if (leaf !== undefined) return leaf;
  const definition = schema.def as unknown as Definition;
  switch (definition.type) {
    case 'object':
      return objectOf(definition.shape);
    case 'array':
      return fc.array(arbitraryOf(definition.element), { maxLength: 3 });
    case 'union':
      return fc.oneof(...definition.options.map((one) => arbitraryOf(one)));
    case 'record':
      return fc.dictionary(upper, arbitraryOf(definition.valueType), { maxKeys: 3 });
    case 'tuple':
      return fc.tuple(...definition.items.map(arbitraryOf));
    case 'optional':
      return fc.oneof(fc.constant(ABSENT), arbitraryOf(definition.innerType));
    case 'nullable':
      return fc.oneof(fc.constant(null), arbitraryOf(definition.innerType));
    case 'default':
      return arbitraryOf(definition.innerType);
    case 'enum':
      return fc.constantFrom(...Object.values(definition.entries));
    case 'literal':
      return fc.constantFrom(...definition.values);
    case 'pipe':
      return ofCodec(schema, definition);
    default:
      throw new Error(`There are no values for a schema of type ${definition.type}.`);
  }
}

function ofCodec(schema: z.ZodType, { in: given }: Definition): fc.Arbitrary<unknown> {
  const meta = schema.meta() ?? {};
  if (meta[fields.MARKS.optional] === true) {
    const nullable = (given.def as unknown as Definition).innerType;
    const inner = (nullable.def as unknown as Definition).innerType;
    return fc.oneof(fc.constant(ABSENT), arbitraryOf(inner));
  }
  // By what a list is ordered: one of a few words that may be left out.
  if (fields.MARKS.default in meta) {
    return arbitraryOf((given.def as unknown as Definition).innerType);
  }
  if (meta['type'] === 'integer') {
    const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = meta as Record<string, number>;
    return fc.oneof(
      fc.constantFrom(minimum, maximum),
      fc.maxSafeNat().map((n) => minimum + (n % (maximum - minimum + 1))),
    );
  }
  if (typeof meta['maxLength'] === 'number') return fc.string({ maxLength: meta['maxLength'] });
  if (typeof meta['pattern'] === 'string') return word;
  // A list, bare or in a `result`; one balance or a list of them: the first form that is an object
  // of lists, else the list.
  const { options } = given.def as unknown as Definition;
  const [first, second] = options;
  return 'result' in ((first.def as unknown as Definition).shape ?? {})
    ? arbitraryOf(first)
    : arbitraryOf(second);
}

function objectOf(shape: Readonly<Record<string, z.ZodType>>): fc.Arbitrary<unknown> {
  const members = Object.fromEntries(
    Object.entries(shape).map(([name, schema]) => [name, arbitraryOf(schema)]),
  );
  return fc.record(members).map((value) => {
    const byNumber = ['id', 'index'].includes(String(value['by']));
    return Object.fromEntries(
      Object.entries(value).filter(
        ([, member]) => member !== ABSENT && !(byNumber && isTime(member)),
      ),
    );
  });
}

const isTime = (member: unknown): boolean =>
  typeof member === 'object' && member !== null && 'kind' in member && member.kind === 'time';

/** Parameters of a call of which none makes the server ignore the others. */
export const paramsOf = ({ params, overriding = '' }: Call): fc.Arbitrary<unknown> =>
  arbitraryOf(params).map((value) => {
    if (Array.isArray(value)) return value as unknown;
    const { [overriding]: _, ...others } = value as Readonly<Record<string, unknown>>;
    return others;
  });

/** A value with its decimals as text, so that values can be compared. */
export function plain(value: unknown): unknown {
  if (Decimal.isDecimal(value)) return `decimal ${value.toFixed()}`;
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]));
}
