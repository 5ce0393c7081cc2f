import { z } from 'zod';
import { MillraceError } from '../../model/errors.ts';
import type { Decimal } from '../../model/decimal.ts';
import type { ServiceErrorCode } from './error-codes.ts';
import { decoded, fault, undecoded, type Decoded } from './faults.ts';

/** Members whose malformed value has its own error code; a missing one is 10001 as any. */
export type MemberCodes = Readonly<Record<string, ServiceErrorCode>>;

/** A member without members of its own. */
export type Scalar = string | number | bigint | boolean | null | undefined;

/** Input of a record's writer: decimals may be text already, printed at their scale. */
export type Printable<T> = unknown extends T
  ? unknown
  : T extends Scalar
    ? T
    : T extends Decimal
      ? Decimal | string
      : { readonly [K in keyof T]: Printable<T[K]> };

/** What is handed to the writer of a schema. */
export type Writable<S extends z.ZodType> = Printable<z.output<S>>;

/**
 * Reads a message by its schema. Unknown members are left out. The first error is returned, with its
 * member.
 */
export function decode<S extends z.ZodType>(
  schema: S,
  given: unknown,
  codes: MemberCodes = {},
): Decoded<z.output<S>> {
  const result = schema.safeParse(given, { reportInput: true });
  if (result.success) return decoded(result.data);
  const issue = firstIssue(result.error.issues);
  if (issue === undefined) return undecoded(fault(10001));
  const member = memberPath(issue.path);
  const own = issue.input === undefined ? undefined : codes[String(issue.path.at(-1))];
  return undecoded(fault(own ?? 10001, sentence(issue, member), member));
}

/**
 * Writes a message by its schema, the reverse of `decode`. Throws `internal` if the value does not fit:
 * that is a bug and not the other side's mistake. `name` is the message's name of the value, if that is a
 * member itself.
 */
export function encode<S extends z.ZodType>(schema: S, value: Writable<S>, name = ''): z.input<S> {
  const result = z.safeEncode(schema, value as z.output<S>, { reportInput: true });
  if (result.success) return result.data;
  const issue = firstIssue(result.error.issues);
  const member = memberPath([...(name === '' ? [] : [name]), ...(issue?.path ?? [])]);
  throw new MillraceError('internal', `A message cannot be written: ${sentence(issue, member)}.`, {
    field: member,
    cause: result.error,
  });
}

/** The first issue; of a value that may have several forms, that of the form which it fits best. */
function firstIssue(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue | undefined {
  const [issue] = issues;
  if (issue?.code !== 'invalid_union') return issue;
  const ofForms = issue.errors
    .map((errors) => firstIssue(errors))
    .filter((one) => one !== undefined);
  const [best] = ofForms.sort((one, other) => other.path.length - one.path.length);
  return best === undefined ? issue : { ...best, path: [...issue.path, ...best.path] };
}

/** `orders[1].price` for `['orders', 1, 'price']`. */
export const memberPath = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((written, part) => {
    if (typeof part === 'number') return `${written}[${part}]`;
    return written === '' ? String(part) : `${written}.${String(part)}`;
  }, '');

function sentence(issue: z.core.$ZodIssue | undefined, member: string): string {
  const subject = member === '' ? 'the message' : member;
  if (issue?.code === 'invalid_type') {
    const rest =
      issue.input === undefined ? 'is required' : `must be ${withArticle(issue.expected)}`;
    return `${subject} ${rest}`;
  }
  return `${subject} ${issue?.message ?? 'does not fit'}`;
}

const withArticle = (noun: string): string => (/^[aeiou]/.test(noun) ? `an ${noun}` : `a ${noun}`);
