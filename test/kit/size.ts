/** What `npm run test:full` sets; `npm test` leaves it out. */
export const IS_FULL = process.env['MILLRACE_SIZE'] === 'full';

/**
 * How much of a slow suite runs: `usual` in `npm test`, `full` in `npm run test:full`. A variable of
 * the environment called `name` says it for one suite, such as `MILLRACE_KILLS=500`.
 */
export function sizeOf(name: string, defaults: number, full: number): number {
  const given = process.env[name];
  if (given === undefined) return IS_FULL ? full : defaults;
  const size = Number(given);
  if (Number.isSafeInteger(size) && size > 0) return size;
  throw new Error(`${name} is "${given}" and must be a whole number above 0.`);
}

/**
 * How many histories a property tries: `MILLRACE_RUNS` says it for all, `full` is tried by
 * `npm run test:full`, and a fifth of that by `npm test`.
 */
export const runs = (full: number): number =>
  sizeOf('MILLRACE_RUNS', Math.max(1, Math.ceil(full / 5)), full);

/** The seed of a property: `MILLRACE_SEED`, or its own, so that each test run tries the same. */
export const seed = (own: number): number => Number(process.env['MILLRACE_SEED'] ?? own);
