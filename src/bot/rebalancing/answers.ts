import { errorText, MillraceError, type ErrorCode } from '../../model/errors.ts';
import { sanitize } from '../../model/plain-words.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import { micros, US_PER_SECOND } from '../../platform/time.ts';

/** Timeout of each request that a plan needs, repetitions included. */
export const ANSWER_US = 10 * US_PER_SECOND;

/** A route, location or asset that a plan was made without. */
export interface LeftOut {
  /** Of a route, of a location without targets, or of an asset that is no target. */
  readonly name: string;
  /** A sentence. */
  readonly why: string;
}

/** An answer that did not come in time. */
export class LateAnswer extends MillraceError {
  constructor(who: string) {
    super('service-unavailable', `${who} did not answer within ${ANSWER_US / US_PER_SECOND} s.`);
  }
}

/** Gives the answer, or throws `LateAnswer` where it does not come in time. */
export async function inTime<T>(scheduler: Scheduler, who: string, answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = scheduler.at(micros(scheduler.now() + ANSWER_US), () => {
      reject(new LateAnswer(who));
    });
    answer.then(resolve, reject).finally(cancel);
  });
}

/** The error for something that a plan needs and that cannot be read; `sentence` names it. */
export function unreadable(sentence: string, cause: unknown, field: string): MillraceError {
  const code: ErrorCode = cause instanceof MillraceError ? cause.code : 'service-unavailable';
  const what = `${sentence}: ${whyOf(cause)} Nothing was moved. Look whether it is up and lets you in, and plan again.`;
  return new MillraceError(code, what, { field, cause });
}

/** The message of an error as a sentence. */
export function whyOf(error: unknown): string {
  const reported = sanitize(errorText(error));
  return /[.!?]$/.test(reported) ? reported : `${reported}.`;
}
