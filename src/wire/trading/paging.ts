import { z } from 'zod';
import { PERIODS } from '../../model/period.ts';
import { choice, list, optional, preset, time, whole } from './fields.ts';
import { parseTime, timeOfMs, type Micros, isoText } from './time.ts';

/** The order in which a call lists what it found, by time or by number. */
export const SORTS = ['ASC', 'DESC'] as const;
export type Sort = (typeof SORTS)[number];

/** The most that one call lists, and how far into the list it may begin. */
export const LIMIT_MAX = 1_000;
export const OFFSET_MAX = 100_000;

/**
 * A bound of a list that is ordered by time or by number. Text of digits may be either, Unix
 * milliseconds or a number, and `by` tells which.
 */
export type Bound =
  | { readonly kind: 'time'; readonly at: Micros }
  | { readonly kind: 'number'; readonly value: number };

const readBound = (given: string | number): Bound | undefined => {
  if (/^\d{1,16}$/.test(String(given))) {
    const value = Number(given);
    return Number.isSafeInteger(value) ? { kind: 'number', value } : undefined;
  }
  const at = parseTime(given);
  return at === undefined ? undefined : { kind: 'time', at };
};

const isBound = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'kind' in value;

const EXPECTED = 'must be an ISO 8601 time, Unix milliseconds or a number';

/** `from` or `till` of a list that is ordered by time or by number. */
export const bound = z
  .codec(
    z.custom<string | number>((value) => typeof value === 'string' || typeof value === 'number', {
      error: EXPECTED,
    }),
    z.custom<Bound>(isBound, { error: EXPECTED }),
    {
      decode: (given, context) => {
        const value = readBound(given);
        if (value !== undefined) return value;
        context.issues.push({ code: 'custom', message: EXPECTED, input: given });
        return z.NEVER;
      },
      encode: (value) => (value.kind === 'time' ? isoText(value.at) : value.value),
    },
  )
  .meta({ type: 'string', description: 'ISO 8601, Unix milliseconds, or an id when by=id' });

/** The time that a bound means; `undefined` for a number beyond the year 9999 in milliseconds. */
export const boundTime = (given: Bound): Micros | undefined =>
  given.kind === 'time' ? given.at : timeOfMs(given.value);

/** The number that a bound means; `undefined` for a time. */
export const boundNumber = (given: Bound): number | undefined =>
  given.kind === 'number' ? given.value : undefined;

export const sort = (preferred: Sort) => preset(choice(SORTS), preferred);

export const limit = (preferred: number, min = 1) =>
  preset(whole({ min, max: LIMIT_MAX }), preferred);

export const offset = preset(whole({ max: OFFSET_MAX }), 0);

export const period = preset(choice(PERIODS), 'M30');

/** The keys by which a list is ordered and bounded. */
export const by = <const W extends readonly [string, ...string[]]>(
  words: W,
  preferred: W[number],
) => preset(choice(words), preferred as z.util.NoUndefined<W[number]>);

/** Bounds that are times, whatever form they have. */
export const timeBounds = { from: optional(time), till: optional(time) } as const;

/** Bounds whose meaning `by` tells. */
export const eitherBounds = { from: optional(bound), till: optional(bound) } as const;

/** `by` and the bounds of one call must mean the same thing: a time bounds no list of ids. */
export function boundsMatch(
  params: {
    readonly by: string;
    readonly from?: Bound | undefined;
    readonly till?: Bound | undefined;
  },
  context: z.core.$RefinementCtx,
): void {
  for (const name of ['from', 'till'] as const) {
    const given = params[name];
    const byNumber = params.by === 'id' || params.by === 'index';
    if (given?.kind === 'time' && byNumber) {
      context.addIssue({
        code: 'custom',
        path: [name],
        message: `must be a number when by is ${params.by}`,
        input: given,
      });
    }
  }
}

/** A comma list of symbols; absent or empty means all. */
export const symbols = optional(list);
