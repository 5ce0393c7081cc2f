import { isUtf8 } from 'node:buffer';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readJson, writeJson } from '../../../wire/json.ts';
import { AFFILIATE_KEY, readQuery } from '../../../wire/swaps/affiliate/requests.ts';
import { BODY_BYTES_MAX } from '../../http/body.ts';
import { targetOf } from '../../http/target.ts';
import { readOwnerOf, type SwapSetup } from '../setup.ts';
import { AFFILIATE_CALLS, type AffiliateCall, type AffiliateRequest } from './calls.ts';
import { AffiliateFailure, failure } from './outcome.ts';

/** Serves the Affiliate surface; `app` has its prefix already. */
export function mountAffiliate(app: FastifyInstance, setup: SwapSetup): void {
  for (const call of AFFILIATE_CALLS) {
    setup.inputs?.replays(kindOf(call), (logged) => {
      const { partner, id, body } = logged as Logged;
      call.handler(setup.service, { partner, id, query: {}, body });
    });
    app.route({
      method: call.method,
      url: call.path,
      exposeHeadRoute: false,
      handler: async (request, reply) => {
        const admitted = admittedBy(setup, call, request);
        if (admitted instanceof AffiliateFailure) return send(reply, admitted);
        await readOwnerOf(setup, call.path, admitted);
        return send(reply, outcomeOf(setup, call, admitted));
      },
    });
  }
  app.setNotFoundHandler((request, reply) => {
    const { path } = targetOf(request.raw.url ?? '');
    return send(reply, failure(404, `There is no ${request.method} ${path}`, 'request'));
  });
  app.setErrorHandler((error: FastifyError, request, reply) =>
    send(reply, failureOf(setup, error, request)),
  );
}

/** Checks of a request before the service sees it: its key, then its form. */
function admittedBy(
  { partners }: SwapSetup,
  call: AffiliateCall,
  request: FastifyRequest,
): AffiliateRequest | AffiliateFailure {
  const key = request.headers[AFFILIATE_KEY];
  if (typeof key !== 'string' || key === '') return failure(401, 'X-Api-Key is required', 'key');
  const partner = partners.byAffiliateKey(key);
  if (partner === undefined) return failure(401, 'API key is unknown', 'key');
  const body = call.method === 'POST' ? bodyOf(request) : undefined;
  if (body instanceof AffiliateFailure) return body;
  const { id = '' } = request.params as { readonly id?: string };
  const { query } = targetOf(request.raw.url ?? '');
  return { partner, id, query: readQuery(query), body };
}

function outcomeOf(
  { service, inputs }: SwapSetup,
  call: AffiliateCall,
  ask: AffiliateRequest,
): unknown {
  const { partner, id, body } = ask;
  const run = (): unknown => call.handler(service, ask);
  if (call.method === 'GET' || inputs === undefined) return run();
  const logged: Logged = { partner, id, body };
  return inputs.take(kindOf(call), run, () => logged);
}

/** A logged request that may change something. */
interface Logged {
  readonly partner: string;
  readonly id: string;
  readonly body: unknown;
}

const kindOf = ({ method, path }: AffiliateCall): string => `affiliate:${method}:${path}`;

function bodyOf(request: FastifyRequest): unknown {
  const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  if (!isUtf8(bytes)) return failure(400, 'body must be UTF-8', 'request');
  try {
    return readJson(bytes.toString('utf8'));
  } catch {
    return failure(400, 'body must be JSON', 'request');
  }
}

function send(reply: FastifyReply, outcome: unknown): FastifyReply {
  const failed = outcome instanceof AffiliateFailure;
  const [status, body] = failed ? [outcome.status, outcome.body] : [200, outcome];
  return reply.status(status).type('application/json').send(writeJson(body));
}

/** The caller's errors as such, internal ones as 500 without details. */
function failureOf(
  { log }: SwapSetup,
  error: FastifyError,
  request: FastifyRequest,
): AffiliateFailure {
  const { statusCode = 500 } = error;
  if (statusCode === 413) {
    return failure(413, `The body may have ${BODY_BYTES_MAX} bytes at most`, 'request');
  }
  if (statusCode === 415) return failure(415, 'The Content-Type must name a type', 'request');
  if (statusCode < 500) return failure(400, 'The request cannot be read', 'request');
  log?.(error, `${request.method} ${targetOf(request.url).path}`);
  return failure(500, 'Internal error', 'system');
}
