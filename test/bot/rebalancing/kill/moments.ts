import { sizeOf } from '../../../kit/size.ts';

/** What a process that is to be killed is told in a line, as JSON. */
export interface Order {
  /** A file. */
  readonly errand: string;
  /** It kills itself at the moment of that name, or when so many have passed. */
  readonly killAt?: number | string;
  /** It kills itself at the first moment that is to be tried and is none of these. */
  readonly known?: readonly string[];
  /** Only moments that begin so are to be tried. */
  readonly among?: readonly string[];
}

/** What it says when it kills itself; the name of the moment follows. */
export const KILLED = 'killed at ';

/**
 * True where all moments are tried, and those at which something lasts with a plan of their own too:
 * `MILLRACE_KILL_MOMENTS=all`.
 */
export const IS_WHOLE = process.env['MILLRACE_KILL_MOMENTS'] === 'all';

/** How often the process of the random trial is killed. */
export const KILLS = sizeOf('MILLRACE_KILLS', 4, 8);

/**
 * What is tried without being told to try all: each write, and each request by which something is
 * done. What only asks changes nothing.
 */
const LASTING = /^(before (begin|write|perform|end)|after end)\b/;

export const isLasting = (moment: string): boolean => LASTING.test(moment);

/** Whether a process ends at a moment. */
export function isNew(moment: string, { known, among }: Order): boolean {
  if (known === undefined || known.includes(moment)) return false;
  if (among !== undefined) return among.some((start) => moment.startsWith(start));
  return IS_WHOLE || isLasting(moment);
}
