import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { readJson } from '../../../wire/json.ts';
import { canonicalBody } from '../../../wire/swaps/canonical.ts';
import { msOf } from '../../../wire/time.ts';
import { targetOf } from '../../http/target.ts';
import { readOwnerOf, type SwapSetup } from '../setup.ts';
import { EXECUTION_CALLS, type ExecutionRequest, type ExecutionCall } from './calls.ts';
import { Authenticator, type UsedNonce } from './authenticator.ts';
import { mountFailures, send, SwapFailure } from '../surface.ts';
import { failure } from './outcome.ts';

/** Serves the Execution surface; `app` has its prefix already. */
export function mountExecution(app: FastifyInstance, setup: SwapSetup): void {
  const { service, partners } = setup;
  const authenticator = new Authenticator(partners, () => msOf(service.now()));
  for (const call of EXECUTION_CALLS) {
    setup.inputs?.replays(kindOf(call), (logged) => {
      const { partner, id, body, nonce } = logged as Logged;
      authenticator.repeat(nonce);
      answerTo(setup, call, { partner, id, query: {}, body: readJson(body) });
    });
    app.route({
      method: call.method,
      url: call.path,
      exposeHeadRoute: false,
      handler: async (request, reply) => {
        const admitted = admittedBy(authenticator, call, request);
        if (admitted instanceof SwapFailure) return send(reply, admitted);
        await readOwnerOf(setup, call.path, admitted.ask);
        return send(reply, outcomeOf(setup, call, admitted));
      },
    });
  }
  mountHealth(app, setup);
  mountFailures(app, setup, failure);
}

/** Health check for monitors, without a key. */
function mountHealth(app: FastifyInstance, { service }: SwapSetup): void {
  app.route({
    method: 'GET',
    url: '/health',
    exposeHeadRoute: false,
    handler: (_request, reply) =>
      send(reply, service.isHealthy ? { status: 'ok' } : failure(500, 'The service has issues')),
  });
  app.route({
    method: 'GET',
    url: '/system/live',
    exposeHeadRoute: false,
    handler: (_request, reply) => reply.status(service.isHealthy ? 200 : 500).send(),
  });
}

/** An authenticated request, with its raw body. */
interface Admitted {
  readonly ask: ExecutionRequest;
  readonly body: string;
  readonly nonce: UsedNonce | undefined;
}

/** Checks of a request before the service sees it: its credentials, then its form. */
function admittedBy(
  authenticator: Authenticator,
  call: ExecutionCall,
  request: FastifyRequest,
): Admitted | SwapFailure {
  const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  if (!isUtf8(bytes)) return failure(400, 'body must be UTF-8');
  const body = bytes.toString('utf8');
  const { path, query } = targetOf(request.raw.url ?? '');
  const parts = { method: call.method, path, query, body };
  const admitted = authenticator.admit(parts, request.headers);
  if (admitted instanceof SwapFailure) return admitted;
  if (call.method === 'POST' && canonicalBody(body) === undefined) {
    return failure(400, 'body must be JSON');
  }
  const { id = '' } = request.params as { readonly id?: string };
  const { partner, nonce } = admitted;
  const ask = {
    partner,
    id,
    query: Object.fromEntries(new URLSearchParams(query)),
    body: call.method === 'POST' ? readJson(body) : undefined,
  };
  return { ask, body, nonce };
}

function outcomeOf(setup: SwapSetup, call: ExecutionCall, { ask, body, nonce }: Admitted): unknown {
  const { partner, id } = ask;
  const run = (): unknown => answerTo(setup, call, ask);
  if (nonce === undefined) return run();
  const logged: Logged = { partner, id, body, nonce };
  return setup.inputs === undefined ? run() : setup.inputs.take(kindOf(call), run, () => logged);
}

/** A logged request that may change something. */
interface Logged {
  readonly partner: string;
  readonly id: string;
  readonly body: string;
  readonly nonce: UsedNonce;
}

const kindOf = ({ method, path }: ExecutionCall): string => `execution:${method}:${path}`;

const answerTo = ({ service }: SwapSetup, call: ExecutionCall, ask: ExecutionRequest): unknown =>
  call.handler(service, ask);
