import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { fault, type Fault } from '../../wire/trading/faults.ts';
import type { Faults } from '../faults/faults.ts';
import type { Answers } from './answers.ts';
import { statusText } from './status-text.ts';
import { surfaceOf, type SurfaceError } from './surfaces.ts';
import { targetOf, withoutEndSlash } from './target.ts';

/** The service's own errors by status; others come from a proxy before it. */
const OWN: ReadonlyMap<number, Fault> = new Map(
  ([429, 500, 503, 504] as const).map((code) => [code, fault(code)]),
);

/** Injects faults into requests to the services by the plan. */
export function rehearse(app: FastifyInstance, answers: Answers, faults: Faults): void {
  /** Requests that were never admitted: nothing is done with them, so nothing can go wrong after. */
  const rejected = new WeakSet<FastifyRequest>();

  app.addHook('onRequest', async (request, reply) => {
    const path = servicePath(request);
    if (path === undefined) return undefined;
    if (faults.maintenance) {
      rejected.add(request);
      return surfaceOf(path) === undefined
        ? answers.error(request, reply, fault(503))
        : reply.send(dress(answers, request, reply, 503));
    }
    const wrong = faults.ofRequest('before', request.method, path);
    switch (wrong?.kind) {
      case undefined:
        return undefined;
      case 'delay':
        await faults.wait(wrong.delayMs);
        return undefined;
      case 'cut':
        rejected.add(request);
        return cut(request, reply);
      case 'answer':
        rejected.add(request);
        return reply.send(dress(answers, request, reply, wrong.status));
    }
  });

  app.addHook('onSend', async (request, reply, payload) => {
    const path = rejected.has(request) ? undefined : servicePath(request);
    const wrong = path === undefined ? undefined : faults.ofRequest('after', request.method, path);
    switch (wrong?.kind) {
      case undefined:
        return payload;
      case 'delay':
        await faults.wait(wrong.delayMs);
        return payload;
      case 'cut':
        cut(request, reply);
        return payload;
      case 'answer':
        return dress(answers, request, reply, wrong.status);
    }
  });
}

/**
 * The path of a request to one of the services, without a slash at its end; none for admin calls and pages.
 */
function servicePath(request: FastifyRequest): string | undefined {
  const { path } = targetOf(request.raw.url ?? '');
  const isService = path.startsWith('/api/') || surfaceOf(path) !== undefined;
  return isService ? withoutEndSlash(path) : undefined;
}

/** The body of an answer that there is no service now; sets its status and headers. */
export const unavailable = (
  answers: Answers,
  request: FastifyRequest,
  reply: FastifyReply,
): string => dress(answers, request, reply, 503);

/** Closes the connection without an answer. */
function cut(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  request.raw.socket.destroy();
  return reply.hijack();
}

/** Sets status and headers of an error answer, and returns its body. */
function dress(
  answers: Answers,
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
): string {
  reply.removeHeader('content-length');
  if (status === 429) reply.header('retry-after', 1);
  const own = ownError(answers, request, status);
  if (own === undefined) {
    reply.status(status).type('text/html');
    return `<html><body><h1>${status} ${statusText(status)}</h1></body></html>`;
  }
  reply.status(own.status).type('application/json');
  return own.body;
}

/** The error in the shape of the called service; nothing if it has none of that status. */
function ownError(
  answers: Answers,
  request: FastifyRequest,
  status: number,
): SurfaceError | undefined {
  const own = OWN.get(status);
  if (own === undefined) return undefined;
  const surface = surfaceOf(targetOf(request.raw.url ?? '').path);
  if (surface !== undefined) return surface(status, statusText(status));
  return { status, body: answers.errorText(own, status, answers.marksOf(request)) };
}
