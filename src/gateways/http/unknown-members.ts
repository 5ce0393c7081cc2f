import { z } from 'zod';
import { MillraceError } from '../../model/errors.ts';
import { knownMembers, unknownName } from '../../model/members.ts';
import { invalid } from './invalid.ts';

/** True for settings or options at run time. */
const isObject = (given: unknown): boolean =>
  typeof given === 'object' && given !== null && !Array.isArray(given);

/** The same of settings that have to be there. */
export function refuseWrongSettings(
  what: string,
  given: object | undefined,
  known: ReadonlySet<string>,
): void {
  refuseUnknownSetting(what, given ?? [], known);
}

/** Throws `config-invalid` for a setting that a client, or a part of its settings, does not have. */
export function refuseUnknownSetting(
  what: string,
  given: object | undefined,
  known: ReadonlySet<string>,
): void {
  if (given !== undefined && !isObject(given)) {
    const sentence = `The ${what} takes an object of settings, such as { ${[...known].slice(0, 2).join(', ')} }.`;
    throw new MillraceError('config-invalid', sentence, {});
  }
  const stray = given === undefined ? undefined : unknownName(given, known);
  if (stray === undefined) return;
  const sentence = `The ${what} has no setting ${stray}; ${knownMembers(stray, known)}`;
  throw new MillraceError('config-invalid', sentence, { field: stray });
}

/** Throws `request-invalid` for an option that a call does not have; nothing was sent. */
export function refuseUnknownOption(
  call: string,
  given: object | undefined,
  known: ReadonlySet<string>,
): void {
  if (given !== undefined && !isObject(given)) {
    const sentence = `${call} takes its options as an object, such as { ${[...known].slice(0, 2).join(', ')} }. Nothing was sent.`;
    throw new MillraceError('request-invalid', sentence, {});
  }
  const stray = given === undefined ? undefined : unknownName(given, known);
  if (stray === undefined) return;
  const sentence = `${call} has no option ${stray}; ${knownMembers(stray, known)} Nothing was sent.`;
  throw new MillraceError('request-invalid', sentence, { field: stray });
}

/** The type of an option, and its description in errors. */
const OPTIONS = {
  any: [() => true, ''],
  span: [
    (given: unknown) => Number.isSafeInteger(given) && Number(given) >= 0,
    'a whole number of microseconds',
  ],
  count: [
    (given: unknown) => Number.isSafeInteger(given) && Number(given) > 0,
    'a whole number above 0',
  ],
  function: [(given: unknown) => typeof given === 'function', 'a function'],
  signal: [(given: unknown) => given instanceof AbortSignal, 'an AbortSignal'],
} as const satisfies Readonly<Record<string, readonly [(given: unknown) => boolean, string]>>;

/** The type of each option of a call. */
export type OptionTable<Options> = Readonly<Record<keyof Options & string, keyof typeof OPTIONS>>;

/** Throws `request-invalid` for an option that a call does not have, or that is of no use to it. */
export function refuseWrongOption<Options extends object>(
  call: string,
  given: Options | undefined,
  table: OptionTable<Options>,
): void {
  refuseUnknownOption(call, given, new Set(Object.keys(table)));
  for (const [name, value] of Object.entries(given ?? {})) {
    const [fits, what] = OPTIONS[table[name as keyof Options & string]];
    if (value === undefined || fits(value)) continue;
    throw invalid(call, `the option ${name} must be ${what}`, name);
  }
}

/** Throws `request-invalid` for an argument that has to be an object. */
export function refuseNoObject(call: string, argument: string, given: unknown): void {
  if (!isObject(given)) throw invalid(call, `${argument} must be an object`, argument);
}

/**
 * Throws `config-invalid` for an invalid listener: an unknown name, which would never receive anything, or
 * a value that is no function.
 */
export function refuseUnknownListener(given: object, known: ReadonlySet<string>): void {
  if (!isObject(given)) {
    const sentence = `The listener of the socket is an object of functions: ${[...known].join(', ')}.`;
    throw new MillraceError('config-invalid', sentence, { field: 'listener' });
  }
  // An object of a class has own members besides the called ones.
  const isPlain = Object.getPrototypeOf(given) === Object.prototype;
  const stray = isPlain ? Object.keys(given).find((name) => !known.has(name)) : undefined;
  if (stray !== undefined) {
    const sentence = `The listener of the socket has a ${stray} that nobody calls; ${knownMembers(stray, known)}`;
    throw new MillraceError('config-invalid', sentence, { field: `listener.${stray}` });
  }
  for (const name of known) {
    const member: unknown = (given as Readonly<Record<string, unknown>>)[name];
    if (member === undefined || typeof member === 'function') continue;
    const field = `listener.${name}`;
    const sentence = `The ${field} of the socket must be a function.`;
    throw new MillraceError('config-invalid', sentence, { field });
  }
}

/** The same for an unknown argument, by its path; `known` are the others beside it. */
export function unknownArgument(
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
