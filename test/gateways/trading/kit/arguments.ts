import { z } from 'zod';
import { pathMembers, type Call } from '../../../../src/wire/trading/call.ts';

const VALUES: readonly unknown[] = ['1', 1, true, [], ['X']];

/** Something that a member takes. */
const valueOf = (schema: z.ZodType): unknown =>
  schema instanceof z.ZodEnum
    ? schema.options[0]
    : VALUES.find((value) => z.safeEncode(schema, value).success);

/** What a call cannot do without, each of it something that it takes. */
export function needed({ path, params }: Call): unknown {
  const inPath = pathMembers(path).map((member) => [member, '1'] as const);
  if (!(params instanceof z.ZodObject)) {
    return inPath.length === 0 ? [] : { ...Object.fromEntries(inPath), params: [] };
  }
  const required = Object.entries<z.ZodType>(params.shape).filter(
    ([, schema]) => !schema.safeParse(undefined).success,
  );
  const members = required.map(([member, schema]) => [member, valueOf(schema)] as const);
  return Object.fromEntries([...inPath, ...members]);
}
