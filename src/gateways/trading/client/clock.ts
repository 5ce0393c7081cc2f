import { MillraceError } from '../../../model/errors.ts';
import { US_PER_MS, US_PER_SECOND, type Micros } from '../../../platform/time.ts';
import { jsonIn } from '../../../wire/json.ts';
import { parseTime } from '../../../wire/time.ts';
import type { ClockWaits } from '../../http/clock-waits.ts';
import type { HttpOutcome } from '../../http/transport.ts';

/** How far the clock of the service is ahead of this one, in microseconds. */
export interface ClockReading {
  /** Behind where negative. */
  readonly skewUs: number;
  /** The true one is not further than this from it. */
  readonly withinUs: number;
}

type Answered = Extract<HttpOutcome, { readonly kind: 'answered' }>;

/** Answers to read where they give milliseconds. */
const SAMPLES = 3;
/** Answers to read where they give whole seconds only, and how far apart to ask for them. */
const COARSE_SAMPLES = 8;
const COARSE_APART_US = 137_000;

/**
 * Reads the clock of a service off its answers. What an answer says was so at a moment between
 * sending and receiving, and no later than one unit of what it says; so each answer bounds the
 * difference from both sides. The bounds of several answers together are closer than those of one,
 * also where all they have is whole seconds. The middle of what is left is taken: with one answer
 * that is half of the round trip. `ask` may throw; what it throws is passed on.
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
    // A clock that was set in between: what was read before is worth nothing.
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

/** The time of an answer: of its body where that has one, else of its `Date`. */
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

/** The `timestamp` that errors have beside `error`. */
function timestampOf(body: string): Micros | undefined {
  const json = jsonIn(body);
  // Where a proxy answered, its Date will do.
  if (typeof json !== 'object' || json === null || !('timestamp' in json)) return undefined;
  const { timestamp } = json;
  return typeof timestamp === 'string' ? parseTime(timestamp) : undefined;
}
