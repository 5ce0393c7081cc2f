import { z } from 'zod';
import { frequency } from './rule.ts';

const HOUR_MS = 3_600_000;

/**
 * What goes wrong with a request.
 *
 * - `answer`: an error in place of the answer. 429, 500, 503 and 504 have the body of the service's own
 *   error. Every other status, and those of these for which the service has no error, have a few words of
 *   HTML, as from a proxy.
 * - `delay`: it is late by so many milliseconds.
 * - `cut`: the connection is closed without an answer.
 */
const httpFault = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('answer'), status: z.int().min(400).max(599) }),
  z.strictObject({ kind: z.literal('delay'), delayMs: z.int().min(0).max(HOUR_MS) }),
  z.strictObject({ kind: z.literal('cut') }),
]);

/** A rule for requests over HTTP. */
export const httpRule = z.strictObject({
  /** Any if absent. */
  method: z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']).optional(),
  /** From the root, without a slash at the end; with a `*` at its end all that begin so. */
  path: z.string().startsWith('/').default('/*'),
  /**
   * `before`: the request is not done. `after`: it is done, and then the answer is lost, late or another
   * one.
   */
  when: z.enum(['before', 'after']).default('before'),
  ...frequency,
  fault: httpFault,
});

export type HttpFault = z.output<typeof httpFault>;
export type HttpRule = z.output<typeof httpRule>;

/** True for a rule that applies to requests of that method and path at that point. */
export const fitsRequest = (
  rule: HttpRule,
  when: HttpRule['when'],
  method: string,
  path: string,
): boolean =>
  rule.when === when &&
  (rule.method === undefined || rule.method === method) &&
  fitsPath(rule.path, path);

function fitsPath(pattern: string, path: string): boolean {
  return pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern;
}
