import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify';
import type { z } from 'zod';
import { isRejection, type Rejection } from '../../model/rejections.ts';
import type { SwapIntents } from '../../swaps/intents/swap-intents.ts';
import { writeJson } from '../../wire/json.ts';
import { faultOf } from '../../wire/swaps/errors.ts';
import { BODY_BYTES_MAX } from '../http/body.ts';
import { targetOf } from '../http/target.ts';
import type { SwapSetup } from './setup.ts';

/** A request that was let in, with its members read as JSON or a query. */
export interface AdmittedRequest<Query> {
  readonly partner: string;
  /** The id in the path; empty where there is none. */
  readonly id: string;
  readonly query: Query;
  readonly body: unknown;
}

export interface SurfaceCall<Query> {
  readonly method: 'GET' | 'POST';
  /** Below the prefix. */
  readonly path: string;
  /** Gives what is answered, or why not. */
  readonly handler: (service: SwapIntents, ask: AdmittedRequest<Query>) => unknown;
}

/** What a request is answered with where it failed; a class, as no body of a request can be one. */
export class SwapFailure {
  readonly status: number;
  readonly body: object;

  constructor(status: number, body: object) {
    this.status = status;
    this.body = body;
  }
}

/** Reads members by a schema and goes on with them. */
export function read<S extends z.ZodType>(
  schema: S,
  given: unknown,
  where: string,
  failure: (status: 400, message: string) => SwapFailure,
  next: (members: z.output<S>) => unknown,
): unknown {
  const members = schema.safeParse(given);
  return members.success ? next(members.data) : failure(400, faultOf(members.error, where));
}

export const answer = <T extends object>(
  outcome: T | Rejection,
  rejected: (rejection: Rejection) => SwapFailure,
  view: (value: T) => object,
): object => (isRejection(outcome) ? rejected(outcome) : view(outcome));

export function send(reply: FastifyReply, outcome: unknown): FastifyReply {
  const isFailure = outcome instanceof SwapFailure;
  const [status, body] = isFailure ? [outcome.status, outcome.body] : [200, outcome];
  return reply.status(status).type('application/json').send(writeJson(body));
}

/** Answers what no call takes: the caller's fault as such, ours as 500 without a word. */
export function mountFailures(
  app: FastifyInstance,
  { log }: SwapSetup,
  failure: (status: 400 | 404 | 413 | 415 | 500, message: string) => SwapFailure,
): void {
  app.setNotFoundHandler((request, reply) => {
    const { path } = targetOf(request.raw.url ?? '');
    return send(reply, failure(404, `There is no ${request.method} ${path}`));
  });
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const { statusCode = 500 } = error;
    if (statusCode === 413) {
      return send(reply, failure(413, `The body may have ${BODY_BYTES_MAX} bytes at most`));
    }
    if (statusCode === 415) return send(reply, failure(415, 'The Content-Type must name a type'));
    if (statusCode < 500) return send(reply, failure(400, 'The request cannot be read'));
    log?.(error, `${request.method} ${targetOf(request.url).path}`);
    return send(reply, failure(500, 'Internal error'));
  });
}
