import type { FastifyReply, FastifyRequest } from 'fastify';
import { US_PER_SECOND, type Micros } from '../../platform/time.ts';
import { errorMemberOf } from '../../wire/trading/error-body.ts';
import { statusOf, type Fault } from '../../wire/trading/faults.ts';
import { isoText } from '../../wire/time.ts';
import { targetOf } from './target.ts';

/** Members of an error answer besides its code. */
export interface ErrorTerms {
  /** Set if HTTP has a specific status; else that of the code. */
  readonly status?: number;
  /** When the caller may try again, in microseconds from now. */
  readonly retryAfterUs?: number;
}

/** Sends answers in the shape of the service. */
export class Answers {
  readonly #now: () => Micros;

  /** Errors carry the time of `now`. */
  constructor(now: () => Micros) {
    this.#now = now;
  }

  /** Sends a record with written members. */
  record(reply: FastifyReply, written: unknown): FastifyReply {
    return reply.type('application/json').send(JSON.stringify(written));
  }

  /** Sends an error. */
  error(
    request: FastifyRequest,
    reply: FastifyReply,
    why: Fault,
    terms: ErrorTerms = {},
  ): FastifyReply {
    const { status = statusOf(why.code), retryAfterUs } = terms;
    if (retryAfterUs !== undefined) {
      reply.header('retry-after', Math.max(1, Math.ceil(retryAfterUs / US_PER_SECOND)));
    }
    return reply
      .status(status)
      .type('application/json')
      .send(this.errorText(why, status, this.marksOf(request)));
  }

  /** The body of an error: `error` itself, then what helps to find it in a log. */
  errorText(why: Fault, status: number, marks: RequestMarks = {}): string {
    const timestamp = isoText(this.#now());
    return JSON.stringify({ error: errorMemberOf(why), timestamp, ...marks, status });
  }

  /** Ids of a request. */
  marksOf(request: FastifyRequest): RequestMarks {
    return { path: targetOf(request.raw.url ?? '').path, request_id: request.id };
  }
}

/** Ids of a request, as far as they could be read. */
interface RequestMarks {
  readonly path?: string;
  readonly request_id?: string;
}
