import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { fault } from '../../wire/trading/faults.ts';
import {
  hostDenial,
  isAllowed,
  originDenial,
  type Admission,
  type Denial,
  type Sender,
} from './admission.ts';
import type { Answers } from './answers.ts';
import { surfaceOf } from './surfaces.ts';
import { targetOf } from './target.ts';

/** How long a browser caches a preflight. */
const PREFLIGHT_SECONDS = '600';

/** Why a venue rejects a request before it reads it. */
export const venueDenial = (sender: Sender, { hosts, origins }: Admission): Denial | undefined =>
  hostDenial(sender, hosts, 'hosts') ?? originDenial(sender, origins);

/** Turns requests away under a strange name or from a strange page; pages that are allowed may read. */
export function guard(app: FastifyInstance, answers: Answers, admission: Admission): void {
  app.addHook('onRequest', async (request, reply) => {
    const denial = venueDenial(request.raw, admission);
    if (denial !== undefined) return deny(answers, request, reply, denial);
    const { origin } = request.headers;
    if (origin === undefined || !isAllowed(origin, admission.origins)) return undefined;
    reply.header('access-control-allow-origin', origin).header('vary', 'Origin');
    const method = request.headers['access-control-request-method'];
    if (request.method !== 'OPTIONS' || method === undefined) return undefined;
    return reply
      .status(204)
      .header('access-control-allow-methods', method)
      .header(
        'access-control-allow-headers',
        request.headers['access-control-request-headers'] ?? '',
      )
      .header('access-control-max-age', PREFLIGHT_SECONDS)
      .send();
  });
}

function deny(
  answers: Answers,
  request: FastifyRequest,
  reply: FastifyReply,
  { status, message }: Denial,
): FastifyReply {
  const own = surfaceOf(targetOf(request.raw.url ?? '').path)?.(status, message);
  if (own !== undefined) return reply.status(own.status).type('application/json').send(own.body);
  return answers.error(request, reply, fault(10001, message), { status });
}
