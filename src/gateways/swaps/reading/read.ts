import { z } from 'zod';
import { micros, US_PER_MS, US_PER_SECOND, type Micros } from '../../../platform/time.ts';
import type { Reading } from '../../http/request-outcome.ts';

/** Members by name, as JSON has them. */
export type Members = Readonly<Record<string, unknown>>;

/** The members of an object; none of anything else. */
export const membersOf = (value: unknown): Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {};

/**
 * Renames members to the specification's names: the first of the alternative names with a value counts. All
 * others stay.
 */
export function renamed(
  given: Members,
  names: Readonly<Record<string, readonly string[]>>,
): Members {
  const found = Object.entries(names).flatMap(([name, others]) => {
    const known = [name, ...others].find((one) => (given[one] ?? undefined) !== undefined);
    return known === undefined ? [] : [[name, given[known]] as const];
  });
  return { ...given, ...Object.fromEntries(found) };
}

/** Reads an answer by a schema; what does not fit is reported with its member. */
export const reader =
  <S extends z.ZodType>(schema: S) =>
  (json: unknown): Reading<z.output<S>> => {
    const read = schema.safeParse(json);
    if (read.success) return { kind: 'ok', value: read.data };
    const [issue] = read.error.issues;
    const member = issue?.path.join('.') ?? '';
    const subject = member === '' ? 'it' : member;
    return { kind: 'fault', why: `${subject} ${issue?.message ?? 'does not fit'}`, member };
  };

/** Beyond these a number cannot be seconds, and cannot be milliseconds. */
const SECONDS_MAX = 1e11;
const MILLISECONDS_MAX = 1e14;

/**
 * A point in time as a Unix time in seconds, milliseconds or microseconds, by its size: services of this
 * family write all three.
 */
export const unixTime = z
  .union([z.number(), z.string()], { error: 'must be a Unix time' })
  .transform((given, context): Micros => {
    const value = Number(given);
    if (/^\d{1,17}$/.test(String(given)) && Number.isSafeInteger(value)) return timeOf(value);
    context.issues.push({ code: 'custom', input: given, message: 'must be a Unix time' });
    return z.NEVER;
  });

function timeOf(value: number): Micros {
  if (value < SECONDS_MAX) return micros(value * US_PER_SECOND);
  return micros(value < MILLISECONDS_MAX ? value * US_PER_MS : value);
}
