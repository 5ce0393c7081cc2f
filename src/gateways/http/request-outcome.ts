import { MillraceError } from '../../model/errors.ts';
import { fullStop } from '../../model/full-stop.ts';
import { sanitize } from '../../model/plain-words.ts';
import { ServiceError, serviceSentence, type ServiceWords } from './service-error.ts';
import type { HttpHeaders, HttpOutcome } from './transport.ts';

/** What a call came to: its answer, or the error and whether a read may be sent again. */
export type RequestOutcome<T = unknown> =
  | { readonly kind: 'answer'; readonly value: T }
  | VerdictOfFailure;

export interface VerdictOfFailure {
  readonly kind: 'failure';
  readonly error: MillraceError;
  readonly again: boolean;
  /** Not before so long from now, where the service said so. */
  readonly notBeforeUs?: number;
}

/** A call in the eyes of its judge. */
export interface JudgedCall {
  /** As the program calls it: `createSpotOrder`. */
  readonly name: string;
  /** Whether it only reads: asked twice, it does no more than asked once. */
  readonly reads: boolean;
  /** Takes secrets out of what a service says. */
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

/** The answer is there, and is not what the specification of the service allows. */
export function answerInvalid(call: JudgedCall, why: string, field?: string): MillraceError {
  const done = call.reads ? '' : ' What was asked for may have been done.';
  return new MillraceError(
    'answer-invalid',
    fullStop(`The answer to ${call.name} cannot be read: ${sanitize(call.redact(why))}`) + done,
    field === undefined || field === '' ? {} : { field: sanitize(field) },
  );
}

/** The verdict on an answer that says no, in words that may still hold secrets. */
export function rejected(
  call: JudgedCall,
  words: ServiceWords,
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

const redacted = (words: ServiceWords, redact: (text: string) => string): ServiceWords => ({
  ...words,
  serviceMessage: redact(words.serviceMessage),
  description: words.description === undefined ? undefined : redact(words.description),
});

/** The error of a rejection: its code says whether anything may have been done. */
function errorOf({ name, reads }: JudgedCall, words: ServiceWords): ServiceError {
  const reported = (what: string): string => fullStop(`${name} ${what}: ${serviceSentence(words)}`);
  if (words.class === 'rate-limit') {
    return new ServiceError('rate-limited', reported('came too fast'), words);
  }
  // Whatever the words are: a gateway says 503 as well when the service broke off behind it.
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
