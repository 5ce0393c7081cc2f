import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AFFILIATE_PREFIX } from '../../wire/swaps/affiliate/requests.ts';
import { CHAINS_PREFIX } from '../../wire/chains/messages.ts';
import type { Inputs } from '../data/inputs.ts';
import type { Answers } from './answers.ts';
import { unavailable } from './rehearsal.ts';
import { targetOf } from './target.ts';

/** Here a `GET` only reads, or reports itself if it does more. */
const READS = ['/api/', '/admin/', `${AFFILIATE_PREFIX}/`, `${CHAINS_PREFIX}/`] as const;
const HEALTH_PATH = '/healthz';

/** Refuses what would have to be logged while the disk is full, before anything is done. */
export function refuseWithoutRoom(app: FastifyInstance, answers: Answers, inputs: Inputs): void {
  app.addHook('onRequest', async (request, reply) => {
    if (!inputs.isFull || onlyReads(request)) return undefined;
    return reply.send(unavailable(answers, request, reply));
  });
}

/** Reports to monitors whether the venue accepts all requests. */
export function mountHealth(app: FastifyInstance, inputs: Inputs): void {
  app.get(HEALTH_PATH, (_request, reply) => {
    reply.status(inputs.isFull ? 503 : 200);
    return reply.send({ alive: true, data: inputs.isFull ? 'full' : 'ok' });
  });
}

function onlyReads({ method, raw }: FastifyRequest): boolean {
  if (method !== 'GET') return false;
  const { path } = targetOf(raw.url ?? '');
  const isPage = !/^\/v\d+\//.test(path);
  return isPage || READS.some((prefix) => path.startsWith(prefix));
}
