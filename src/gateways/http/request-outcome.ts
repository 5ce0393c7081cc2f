import { MillraceError } from '../../model/errors.ts';
import { fullStop } from '../../model/full-stop.ts';
import { sanitize } from '../../model/plain-words.ts';
import { backoffUs, RETRY_AFTER_US_MAX } from './backoff.ts';
import type { ClockWaits } from './clock-waits.ts';
import { ServiceError, serviceSentence, type ServiceErrorBody } from './service-error.ts';
import type { ResolvedHttpSettings } from './settings.ts';
import type { HttpHeaders, HttpOutcome } from './transport.ts';

/** Outcome of a call: its answer, or the error and whether a read may be sent again. */
export type RequestOutcome<T = unknown> =
  | { readonly kind: 'answer'; readonly value: T }
  | VerdictOfFailure;

export interface VerdictOfFailure {
  readonly kind: 'failure';
  readonly error: MillraceError;
  readonly again: boolean;
  /** Least wait before the next attempt, if the service requests one. */
  readonly notBeforeUs?: number;
}

/** What was read of an answer, or what is wrong with it. */
export type Reading<T> =
  | { readonly kind: 'ok'; readonly value: T }
  | { readonly kind: 'fault'; readonly why: string; readonly member?: string | undefined };

/** Makes attempts until one is answered; of a call that does more than to read it makes one. */
export async function repeated<T>(
  { retries, random }: Pick<ResolvedHttpSettings, 'retries' | 'random'>,
  pauses: ClockWaits,
  reads: boolean,
  attemptOnce: () => Promise<RequestOutcome<T>>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const verdict = await attemptOnce();
    if (verdict.kind === 'answer') return verdict.value;
    const waitUs = backoffUs(retries, attempt, random) + (verdict.notBeforeUs ?? 0);
    const isTired = attempt >= retries.attempts || waitUs > RETRY_AFTER_US_MAX;
    if (!reads || !verdict.again || isTired) throw verdict.error;
    await pauses.wait(waitUs);
  }
}

/** A call in the eyes of its judge. */
export interface JudgedCall {
  /** As the program calls it: `createSpotOrder`. */
  readonly name: string;
  /** True for a read: repeating it has no further effect. */
  readonly reads: boolean;
  /** Removes secrets from a service's text. */
  readonly redact: (text: string) => string;
}

/** An answer that is there, whole. */
export type Answered = Extract<HttpOutcome, { readonly kind: 'answered' }>;

/** Judges what became of a request; an answer that is there is read by `read`. */
export function classifyOutcome<T>(
  call: JudgedCall,
  outcome: HttpOutcome,
  read: (answered: Answered) => RequestOutcome<T>,
): RequestOutcome<T> {
  const { name, redact } = call;
  switch (outcome.kind) {
    case 'answered':
      return read(outcome);
    case 'unsent': {
      const sentence = fullStop(`${name} was not sent: ${sanitize(redact(outcome.why))}`);
      return failure(new MillraceError('unreachable', sentence, causeOf(outcome)), true);
    }
    case 'unanswered': {
      const why = sanitize(redact(outcome.why));
      const sentence = fullStop(`${name} was sent, but its answer did not come: ${why}`);
      return call.reads
        ? failure(new MillraceError('service-unavailable', sentence, causeOf(outcome)), true)
        : failure(
            new MillraceError(
              'outcome-unknown',
              `${sentence} It may have been done: look before asking again.`,
              causeOf(outcome),
            ),
          );
    }
    case 'too-long':
      return failure(answerInvalid(call, outcome.why));
  }
}

export const failure = (error: MillraceError, again = false): VerdictOfFailure => ({
  kind: 'failure',
  error,
  again,
});

const causeOf = ({ cause }: { readonly cause?: unknown }): { readonly cause?: unknown } =>
  cause === undefined ? {} : { cause };

/** The verdict on what was read of an answer. */
export const verdictOn = <T>(call: JudgedCall, reading: Reading<T>): RequestOutcome<T> =>
  reading.kind === 'ok'
    ? { kind: 'answer', value: reading.value }
    : failure(answerInvalid(call, reading.why, reading.member));

/** The answer is there, and is not what the specification of the service allows. */
export function answerInvalid(call: JudgedCall, why: string, field?: string): MillraceError {
  const done = call.reads ? '' : ' What was asked for may have been done.';
  return new MillraceError(
    'answer-invalid',
    fullStop(`The answer to ${call.name} cannot be read: ${sanitize(call.redact(why))}`) + done,
    field === undefined || field === '' ? {} : { field: sanitize(field) },
  );
}

/** The outcome of an error answer, whose text may still hold secrets. */
export function rejected(
  call: JudgedCall,
  words: ServiceErrorBody,
  headers: HttpHeaders,
): RequestOutcome<never> {
  const error = errorOf(call, redacted(words, call.redact));
  const again = error.code === 'rate-limited' || error.code === 'service-unavailable';
  const notBeforeUs = retryAfterUs(headers);
  return {
    kind: 'failure',
    error,
    again,
    notBeforeUs,
  };
}

const redacted = (words: ServiceErrorBody, redact: (text: string) => string): ServiceErrorBody => ({
  ...words,
  serviceMessage: redact(words.serviceMessage),
  description: words.description === undefined ? undefined : redact(words.description),
});

/** The error of a rejection: its code says whether anything may have been done. */
function errorOf({ name, reads }: JudgedCall, words: ServiceErrorBody): ServiceError {
  const reported = (what: string): string => fullStop(`${name} ${what}: ${serviceSentence(words)}`);
  if (words.class === 'rate-limit') {
    return new ServiceError('rate-limited', reported('came too fast'), words);
  }
  // Whatever the text: a gateway also answers 503 when the service behind it broke off.
  const broken = (words.httpStatus ?? 0) >= 500 || words.class === 'outcome-unknown';
  if (broken && !reads) {
    const sentence = `${reported('was sent, and it is not known what became of it')} Look before asking again.`;
    return new ServiceError('outcome-unknown', sentence, words);
  }
  if (broken || words.class === 'unavailable') {
    return new ServiceError('service-unavailable', reported('is not answered now'), words);
  }
  return new ServiceError('service-refused', reported('was refused'), words);
}

/** Retry-After in seconds; dates, which no service of the family sends, are not read. */
export function retryAfterUs(headers: HttpHeaders): number | undefined {
  const given = headers['retry-after'];
  return typeof given === 'string' && /^\d{1,6}$/.test(given)
    ? Number(given) * 1_000_000
    : undefined;
}
