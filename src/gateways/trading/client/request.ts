import { z } from 'zod';
import { MillraceError } from '../../../model/errors.ts';
import {
  encodeParams,
  encodeRequest,
  pathMembers,
  type Call,
  type EncodedRequest,
} from '../../../wire/trading/call.ts';
import { invalid } from '../../http/invalid.ts';
import { unknownArgument } from '../../http/unknown-members.ts';

/**
 * Writes the arguments of a call as a request. Throws `request-invalid` if they do not fit the call; an
 * unknown argument is rejected too, since leaving it out silently would send something other than was
 * meant.
 */
export function writeRequest(
  name: string,
  call: Call,
  prefix: string,
  given: unknown,
): EncodedRequest {
  const { path, params } = split(name, call, given);
  return orInvalid(name, () => encodeRequest(call, prefix, { path, params }));
}

/** The same for the params of a socket's method. */
export function writeParams(name: string, schema: z.ZodType, given: unknown = {}): unknown {
  checkMembers(name, schema, given, '');
  return orInvalid(name, () => encodeParams(schema, given));
}

/** Arguments that do not fit the message are the caller's mistake, not an internal error. */
function orInvalid<T>(name: string, write: () => T): T {
  try {
    return write();
  } catch (error) {
    if (!(error instanceof MillraceError) || error.code !== 'internal') throw error;
    const sentence = error.message.replace(/^A message cannot be written: /, '');
    throw invalid(name, sentence, error.field);
  }
}

interface Split {
  readonly path: Readonly<Record<string, string>>;
  readonly params: unknown;
}

function split(name: string, call: Call, given: unknown): Split {
  const inPath = pathMembers(call.path);
  const { params: schema } = call;
  const isList = !(schema instanceof z.ZodObject);
  if (isList && inPath.length === 0) {
    checkMembers(name, schema, given, '');
    return { path: {}, params: given };
  }
  const members = membersOf(name, given);
  const path = Object.fromEntries(
    inPath.map((member) => [member, pathMember(name, member, members[member])]),
  );
  const rest = Object.fromEntries(
    Object.entries(members).filter(([member]) => !inPath.includes(member)),
  );
  const inside = isList ? z.object({ params: schema }) : schema;
  checkMembers(name, inside, rest, '', inPath);
  return { path, params: isList ? rest['params'] : rest };
}

function membersOf(name: string, given: unknown): Readonly<Record<string, unknown>> {
  if (given === undefined) return {};
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) {
    return given as Readonly<Record<string, unknown>>;
  }
  throw invalid(name, 'the arguments must be one object');
}

/** Text in a path. `.` and `..` would lead to another path. */
function pathMember(name: string, member: string, value: unknown): string {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
  if (typeof text !== 'string' || text === '') {
    throw invalid(name, `${member} is required and must be text`, member);
  }
  if (text === '.' || text === '..') throw invalid(name, `${member} must not be ${text}`, member);
  if (!text.isWellFormed()) throw invalid(name, `${member} is not sound Unicode text`, member);
  return text;
}

/** Rejects unknown and missing arguments, and `null`: inside lists of objects too. */
function checkMembers(
  name: string,
  schema: z.ZodType,
  given: unknown,
  at: string,
  inPath: readonly string[] = [],
): void {
  if (schema instanceof z.ZodArray && Array.isArray(given)) {
    const element = schema.element as z.ZodType;
    given.forEach((item, index) => {
      checkMembers(name, element, item, `${at}[${index}]`);
    });
  }
  if (!(schema instanceof z.ZodObject) || typeof given !== 'object' || given === null) return;
  const shape = schema.shape as Readonly<Record<string, z.ZodType>>;
  const pathOf = (member: string): string => (at === '' ? member : `${at}.${member}`);
  for (const [member, value] of Object.entries(given)) {
    const path = pathOf(member);
    if (value === undefined) continue;
    if (!Object.hasOwn(shape, member)) {
      throw unknownArgument(name, path, member, [...inPath, ...Object.keys(shape)]);
    }
    if (value === null) throw invalid(name, `${path} is null: give a value or leave it out`, path);
    checkMembers(name, shape[member], value, path);
  }
  const values = given as Readonly<Record<string, unknown>>;
  for (const [member, inside] of Object.entries(shape)) {
    if (values[member] !== undefined || inside.safeParse(undefined).success) continue;
    throw invalid(name, `${pathOf(member)} is required`, pathOf(member));
  }
}
