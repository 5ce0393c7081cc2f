import { z } from 'zod';
import { PERIODS } from '../../model/period.ts';
import { MARKS, choice, codes, optional, withDefault, time, whole } from './fields.ts';
import { parseTime, timeOfMs, type Micros, isoText } from '../time.ts';

/** The order in which a call lists what it found, by time or by number. */
export const SORTS = ['ASC', 'DESC'] as const;
export type Sort = (typeof SORTS)[number];

/** Longest page, and largest offset of a list. */
export const LIMIT_MAX = 1_000;
export const OFFSET_MAX = 100_000;

/**
 * A bound of a list that is ordered by time or by id. Text of digits may be either, Unix milliseconds or an
 * id, and `by` says which.
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

export const sort = (defaultSort: Sort) => withDefault(choice(SORTS), defaultSort);

export const limit = (defaultLimit: number, min = 1) =>
  withDefault(whole({ min, max: LIMIT_MAX }), defaultLimit);

export const offset = withDefault(whole({ max: OFFSET_MAX }), 0);

export const period = withDefault(choice(PERIODS), 'M30');

/** Bounds that are times, whatever form they have. */
export const timeBounds = { from: optional(time), till: optional(time) } as const;

/** Replaces an absent key until the bounds decide which is meant. */
const UNREPORTED = '';

/** The key by which a list is ordered and bounded. */
const by = <const W extends readonly [string, ...string[]]>(words: W, defaultKey: W[number]) =>
  z
    .codec(
      choice(words).optional(),
      z.custom<W[number]>((value) => typeof value === 'string'),
      {
        decode: (given) => given ?? UNREPORTED,
        // An unknown word is passed on to the choice, which rejects it.
        encode: (key) => (key === UNREPORTED ? undefined : key),
      },
    )
    .meta({ [MARKS.default]: defaultKey });

/** Numbers from here on are milliseconds since September 2001 and no ids. */
const MS_MIN = 1_000_000_000_000;

const isTime = (given: Bound | undefined): boolean =>
  given !== undefined && (given.kind === 'time' || given.value >= MS_MIN);

interface Page {
  readonly by: string;
  readonly from?: Bound | undefined;
  readonly till?: Bound | undefined;
}

/**
 * Parameters of a list that is ordered and bounded by time or by id, as `by` says. A time as a bound
 * without `by` means time, whatever the default is.
 */
export const paged = <
  const W extends readonly [string, ...string[]],
  const Shape extends z.core.$ZodLooseShape,
>(
  words: W,
  defaultKey: W[number],
  members: Shape,
) =>
  z
    .object({
      ...members,
      by: by(words, defaultKey),
      from: optional(bound),
      till: optional(bound),
    })
    .overwrite((params) => {
      const page = params as unknown as Page;
      if (page.by !== UNREPORTED) return params;
      const key = isTime(page.from) || isTime(page.till) ? 'timestamp' : defaultKey;
      return { ...params, by: key };
    })
    .superRefine(boundsMatch);

/** `by` and the bounds of one call must mean the same: a time bounds no list of ids. */
function boundsMatch(params: object, context: z.core.$RefinementCtx): void {
  const page = params as Page;
  for (const name of ['from', 'till'] as const) {
    const given = page[name];
    if (given?.kind === 'time' && page.by !== 'timestamp') {
      context.addIssue({
        code: 'custom',
        path: [name],
        message: `must be a number when by is ${page.by}`,
        input: given,
      });
    }
  }
}

/** A comma list of symbols; absent or empty means all. */
export const symbols = optional(codes);
