import { MillraceError } from '../../../model/errors.ts';
import { US_PER_MS, US_PER_SECOND, type Micros } from '../../../platform/time.ts';
import { jsonIn } from '../../../wire/json.ts';
import { parseTime } from '../../../wire/time.ts';
import type { ClockWaits } from '../../http/clock-waits.ts';
import type { HttpOutcome } from '../../http/transport.ts';

/** How far the clock of the service is ahead of this one, in microseconds. */
export interface ClockReading {
  /** Negative if behind. */
  readonly skewUs: number;
  /** Largest possible error. */
  readonly withinUs: number;
}

type Answered = Extract<HttpOutcome, { readonly kind: 'answered' }>;

/** Answers to read if they have milliseconds. */
const SAMPLES = 3;
/** Answers to read if they have whole seconds only, and their interval. */
const COARSE_SAMPLES = 8;
const COARSE_APART_US = 137_000;

/**
 * Reads the clock of a service from its answers. The time of an answer was true at a moment between sending
 * and receiving, within one unit; so each answer bounds the difference from both sides. The bounds of
 * several answers together are closer than those of one, also if they have only whole seconds. The middle
 * of the remaining interval is used: with one answer that is half of the round trip. Errors of `ask` are
 * passed on.
 */
export async function readClock(
  pauses: ClockWaits,
  ask: () => Promise<Answered>,
): Promise<ClockReading> {
  let low = Number.NEGATIVE_INFINITY;
  let high = Number.POSITIVE_INFINITY;
  let wanted = SAMPLES;
  for (let taken = 0; taken < wanted; taken += 1) {
    if (wanted === COARSE_SAMPLES) await pauses.wait(COARSE_APART_US);
    const answer = await ask();
    const reported = timeReported(answer);
    if (reported.unitUs === US_PER_SECOND) wanted = COARSE_SAMPLES;
    const lowest = reported.at - answer.answeredAt;
    const highest = reported.at + reported.unitUs - answer.sentAt;
    const agree = lowest <= high && highest >= low;
    // A clock was set in between: earlier bounds are invalid.
    low = agree ? Math.max(low, lowest) : lowest;
    high = agree ? Math.min(high, highest) : highest;
  }
  return { skewUs: Math.round((low + high) / 2), withinUs: Math.ceil((high - low) / 2) };
}

interface TimeReported {
  readonly at: Micros;
  /** Its resolution. */
  readonly unitUs: number;
}

/** The time of an answer: of its body if that has one, else of its `Date`. */
function timeReported({ headers, body }: Answered): TimeReported {
  const at = timestampOf(body);
  if (at !== undefined) return { at, unitUs: US_PER_MS };
  const { date } = headers;
  const ms = typeof date === 'string' ? Date.parse(date) : Number.NaN;
  const seconds = Number.isNaN(ms) ? undefined : parseTime(ms);
  if (seconds !== undefined) return { at: seconds, unitUs: US_PER_SECOND };
  throw new MillraceError(
    'answer-invalid',
    'The clock of the service cannot be read: its answer has neither a timestamp nor a Date.',
    { field: 'date' },
  );
}

/** The `timestamp` beside `error` in an error. */
function timestampOf(body: string): Micros | undefined {
  const json = jsonIn(body);
  // Where a proxy answered, its Date will do.
  if (typeof json !== 'object' || json === null || !('timestamp' in json)) return undefined;
  const { timestamp } = json;
  return typeof timestamp === 'string' ? parseTime(timestamp) : undefined;
}
