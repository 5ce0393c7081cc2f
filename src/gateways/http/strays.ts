import { z } from 'zod';
import { MillraceError } from '../../model/errors.ts';
import { knownMembers, strayMember } from '../../model/members.ts';

/** Throws `config-invalid` for a setting that a client, or a part of its settings, does not have. */
export function refuseStraySetting(
  what: string,
  given: object | undefined,
  known: ReadonlySet<string>,
): void {
  const stray = given === undefined ? undefined : strayMember(given, known);
  if (stray === undefined) return;
  const sentence = `The ${what} has no setting ${stray}; ${knownMembers(stray, known)}`;
  throw new MillraceError('config-invalid', sentence, { field: stray });
}

/** Throws `request-invalid` for an option that a call does not have; nothing was sent. */
export function refuseStrayOption(
  call: string,
  given: object | undefined,
  known: ReadonlySet<string>,
): void {
  const stray = given === undefined ? undefined : strayMember(given, known);
  if (stray === undefined) return;
  const sentence = `${call} has no option ${stray}; ${knownMembers(stray, known)} Nothing was sent.`;
  throw new MillraceError('request-invalid', sentence, { field: stray });
}

/** The same for an argument that is not known, by its path; `known` are those beside it. */
export function strayArgument(
  call: string,
  path: string,
  stray: string,
  known: Iterable<string>,
): MillraceError {
  const sentence = `${call} was not sent: there is no argument ${path}; ${knownMembers(stray, known)}`;
  return new MillraceError('request-invalid', sentence, { field: path });
}

/** The names of the members that a schema has at a path: of lists those of their elements. */
export function namesAt(schema: unknown, path: readonly PropertyKey[]): readonly string[] {
  if (schema instanceof z.ZodUnion) {
    return [...new Set(schema.options.flatMap((one) => namesAt(one, path)))];
  }
  const [first, ...rest] = path;
  if (schema instanceof z.ZodArray && typeof first === 'number') {
    return namesAt(schema.element, rest);
  }
  if (!(schema instanceof z.ZodObject)) return [];
  const shape = schema.shape as Readonly<Record<PropertyKey, unknown>>;
  return first === undefined ? Object.keys(shape) : namesAt(shape[first], rest);
}
