import { z } from 'zod';
import { MARKS } from './fields.ts';

/** A JSON schema of draft 2020-12, as OpenAPI 3.1 and AsyncAPI take it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The schema of a message as it goes over the wire, and the records that it refers to. */
export interface DescribedMessage {
  readonly schema: JsonSchema;
  readonly records: Readonly<Record<string, JsonSchema>>;
}

/**
 * Describes the wire form of a schema. Named records are returned separately and referred to as `refPrefix`
 * and their name, so that a description of many messages has each of them once.
 */
export function describeMessage(schema: z.ZodType, refPrefix: string): DescribedMessage {
  const whole = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    target: 'draft-2020-12',
  });
  const { $schema: _, $defs = {}, ...root } = referred(whole, refPrefix) as Record<string, unknown>;
  return { schema: root, records: withoutIds($defs as Readonly<Record<string, JsonSchema>>) };
}

const withoutIds = (
  records: Readonly<Record<string, JsonSchema>>,
): Readonly<Record<string, JsonSchema>> =>
  Object.fromEntries(Object.entries(records).map(([name, { id: _, ...rest }]) => [name, rest]));

const LOCAL = '#/$defs/';

/** The schema with its references pointing to the records, and the marks applied. */
function referred(value: unknown, refPrefix: string): unknown {
  if (Array.isArray(value)) return value.map((one) => referred(one, refPrefix));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, one]): [string, unknown] => {
    if (name === MARKS.default) return ['default', one];
    return name === '$ref' && typeof one === 'string' && one.startsWith(LOCAL)
      ? [name, refPrefix + one.slice(LOCAL.length)]
      : [name, referred(one, refPrefix)];
  });
  return withoutNull(Object.fromEntries(members));
}

/** An optional member reads null as absent, which writers need not know. */
function withoutNull({ [MARKS.optional]: marked, ...schema }: Record<string, unknown>): unknown {
  if (marked !== true) return schema;
  const { anyOf, type, ...rest } = schema;
  if (Array.isArray(type))
    return { ...rest, type: type.find((name) => name !== 'null') as unknown };
  const [first] = (anyOf ?? []) as readonly object[];
  return { ...first, ...rest };
}
