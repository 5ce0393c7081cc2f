import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { fault } from '../../wire/trading/faults.ts';
import type { Answers } from './answers.ts';
import { statusText } from './status-text.ts';
import { BODY_BYTES_MAX } from './body.ts';
import { surfaceOf } from './surfaces.ts';
import { targetOf } from './target.ts';

/** Called with internal errors, of which a caller learns nothing but that it did. */
export type Log = (error: unknown, where: string) => void;

/** HTTP errors of a request, with their status. */
const BROKEN: ReadonlyMap<unknown, readonly [number, string]> = new Map([
  ['FST_ERR_CTP_BODY_TOO_LARGE', [413, `The body may have ${BODY_BYTES_MAX} bytes at most`]],
  ['FST_ERR_CTP_INVALID_MEDIA_TYPE', [415, 'The Content-Type must name a type']],
  ['FST_ERR_CTP_INVALID_CONTENT_LENGTH', [400, 'The body is not as long as Content-Length says']],
  ['FST_ERR_BAD_URL', [400, 'The path is not percent-encoded rightly']],
  ['HPE_HEADER_OVERFLOW', [431, 'The headers are too long']],
  ['ERR_HTTP_REQUEST_TIMEOUT', [408, 'The request did not come in time']],
]);

const UNREADABLE = [400, 'The request is not HTTP that can be read'] as const;

const codeOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;

const isCallersFault = (error: unknown): boolean =>
  typeof error === 'object' &&
  error !== null &&
  'statusCode' in error &&
  typeof error.statusCode === 'number' &&
  error.statusCode < 500;

/**
 * Answers a failure in the shape of the called service: the caller's errors as such, internal ones as 500
 * without details.
 */
export function answerFailure(
  answers: Answers,
  log: Log,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const known = BROKEN.get(codeOf(error));
  if (known === undefined && !isCallersFault(error)) {
    log(error, `${request.method} ${request.url.split('?', 1)[0]}`);
    return answers.error(request, reply, fault(500));
  }
  const [status, why] = known ?? UNREADABLE;
  const own = surfaceOf(targetOf(request.raw.url ?? '').path)?.(status, why);
  if (own !== undefined) return reply.status(own.status).type('application/json').send(own.body);
  return answers.error(request, reply, fault(10001, why), { status });
}

/** Answers input that is no HTTP, and closes the connection. */
export function answerNoise(answers: Answers, error: Error, socket: Socket): void {
  if (!socket.writable || codeOf(error) === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const [status, why] = BROKEN.get(codeOf(error)) ?? UNREADABLE;
  const body = answers.errorText(fault(10001, why), status);
  socket.end(
    `HTTP/1.1 ${status} ${statusText(status)}\r\n` +
      'Content-Type: application/json; charset=utf-8\r\n' +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
