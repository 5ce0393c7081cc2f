import { z } from 'zod';
import { frequency } from './rule.ts';

const HOUR_MS = 3_600_000;

/** Codes of RFC 6455 that only say how a socket closed, and are never sent. */
const UNSENT: ReadonlySet<number> = new Set([1004, 1005, 1006]);

/** Allowed close codes; others are reserved, and no frame may carry them. */
const closeCode = z
  .int()
  .min(1000)
  .max(4999)
  .refine((code) => code >= 3000 || (code <= 1014 && !UNSENT.has(code)), {
    error: 'must be 1000 to 1003, 1007 to 1014 or 3000 to 4999',
  });

/**
 * What goes wrong with a frame that the service sends over a socket.
 *
 * - `drop`: it is not sent.
 * - `delay`: it is sent so many milliseconds later, after those that came meanwhile.
 * - `duplicate`: it is sent twice.
 * - `reorder`: it is sent after the next one.
 * - `skip`: a number is left out before the frame's sequence number.
 * - `close`: the socket is closed in its place.
 */
const streamFault = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('drop') }),
  z.strictObject({ kind: z.literal('delay'), delayMs: z.int().min(0).max(HOUR_MS) }),
  z.strictObject({ kind: z.literal('duplicate') }),
  z.strictObject({ kind: z.literal('reorder') }),
  z.strictObject({ kind: z.literal('skip') }),
  z.strictObject({ kind: z.literal('close'), code: closeCode.default(1011) }),
]);

/** A rule for frames that leave over sockets. */
export const streamRule = z.strictObject({
  /** The path of the socket: `/api/3/ws/trading`; any if absent. */
  socket: z.string().startsWith('/').optional(),
  /**
   * The channel or the method of a notification: `orderbook/full`, `spot_order`; `reply` for answers to
   * requests; any if absent.
   */
  topic: z.string().optional(),
  ...frequency,
  fault: streamFault,
});

export type StreamFault = z.output<typeof streamFault>;
export type StreamRule = z.output<typeof streamRule>;
