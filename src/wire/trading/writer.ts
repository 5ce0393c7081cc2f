import type { z } from 'zod';
import type { Writable } from './decoding.ts';

/**
 * Writes a value by a schema like `encode`, several times as fast: the schema is compiled once, and the
 * value is assumed to fit. For own values that make the same message again and again; foreign ones use
 * `encode`.
 */
export type Writer<S extends z.ZodType> = (value: Writable<S>) => z.input<S>;

/** Makes the writer of a schema. */
export const writerOf = <S extends z.ZodType>(schema: S): Writer<S> =>
  writerOfAny(schema) as Writer<S>;

type Write = (value: unknown) => unknown;

/** The parts of zod's definitions that decide how a value is written. */
interface Definition {
  readonly type: string;
  readonly shape: Readonly<Record<string, z.ZodType>>;
  readonly element: z.ZodType;
  readonly valueType: z.ZodType;
  readonly items: readonly z.ZodType[];
  readonly innerType: z.ZodType;
  readonly options: readonly z.ZodType[];
  readonly in: z.ZodType;
  readonly reverseTransform?: (value: unknown, context: object) => unknown;
}

const asItIs: Write = (value) => value;

function writerOfAny(schema: z.ZodType): Write {
  const definition = schema.def as unknown as Definition;
  switch (definition.type) {
    case 'object':
      return objectWriter(definition.shape);
    case 'array':
      return arrayWriter(writerOfAny(definition.element));
    case 'tuple':
      return tupleWriter(definition.items.map(writerOfAny));
    case 'record':
      return recordWriter(writerOfAny(definition.valueType));
    case 'optional':
    case 'nullable':
    case 'default':
      return emptyAsItIs(writerOfAny(definition.innerType));
    case 'union':
      return firstFitting(definition.options.map((option) => [option, writerOfAny(option)]));
    case 'pipe':
      return codecWriter(definition);
    default:
      return asItIs;
  }
}

/** A codec converts the value and passes it to the output schema. */
function codecWriter({ in: written, reverseTransform: turn }: Definition): Write {
  const inner = writerOfAny(written);
  if (turn === undefined) return inner;
  const context = {};
  return inner === asItIs
    ? (value) => turn(value, context)
    : (value) => inner(turn(value, context));
}

const emptyAsItIs =
  (write: Write): Write =>
  (value) =>
    value === undefined || value === null ? value : write(value);

function objectWriter(shape: Readonly<Record<string, z.ZodType>>): Write {
  const members = Object.entries(shape).map(
    ([name, schema]) => [name, writerOfAny(schema)] as const,
  );
  return (value) => {
    const given = value as Readonly<Record<string, unknown>>;
    const written: Record<string, unknown> = {};
    for (const [name, write] of members) {
      const member = given[name];
      if (member !== undefined) written[name] = write(member);
    }
    return written;
  };
}

const arrayWriter =
  (write: Write): Write =>
  (value) =>
    (value as readonly unknown[]).map((one) => write(one));

const tupleWriter =
  (writes: readonly Write[]): Write =>
  (value) =>
    writes.map((write, index) => write((value as readonly unknown[])[index]));

const recordWriter =
  (write: Write): Write =>
  (value) => {
    const written: Record<string, unknown> = {};
    for (const [name, one] of Object.entries(value as object)) written[name] = write(one);
    return written;
  };

/** Of several forms the first that has the shape of the value: a list, or an object with what it needs. */
const firstFitting = (forms: readonly (readonly [z.ZodType, Write])[]): Write => {
  const shapes = forms.map(([form, write]) => ({ fits: shapeOf(form), write }));
  return (value) => (shapes.find(({ fits }) => fits(value)) ?? shapes[0])?.write(value);
};

function shapeOf(form: z.ZodType): (value: unknown) => boolean {
  const { type, shape } = form.def as unknown as Definition;
  if (type === 'array') return Array.isArray;
  const members = type === 'object' ? Object.entries(shape) : [];
  const needed = members.flatMap(([name, schema]) =>
    schema.safeParse(undefined).success ? [] : [name],
  );
  return (value) => {
    if (Array.isArray(value)) return false;
    const given = value as Readonly<Record<string, unknown>>;
    return needed.every((name) => given[name] !== undefined);
  };
}
