import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { jsonIn } from '../../../wire/json.ts';
import { AFFILIATE_KEY, readQuery } from '../../../wire/swaps/affiliate/requests.ts';
import { targetOf } from '../../http/target.ts';
import { readOwnerOf, type SwapSetup } from '../setup.ts';
import { AFFILIATE_CALLS, type AffiliateCall, type AffiliateRequest } from './calls.ts';
import { mountFailures, send, SwapFailure } from '../surface.ts';
import { failure } from './outcome.ts';

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
        if (admitted instanceof SwapFailure) return send(reply, admitted);
        await readOwnerOf(setup, call.path, admitted);
        return send(reply, outcomeOf(setup, call, admitted));
      },
    });
  }
  mountFailures(app, setup, (status, message) =>
    failure(status, message, status === 500 ? 'system' : 'request'),
  );
}

/** Checks of a request before the service sees it: its key, then its form. */
function admittedBy(
  { partners }: SwapSetup,
  call: AffiliateCall,
  request: FastifyRequest,
): AffiliateRequest | SwapFailure {
  const key = request.headers[AFFILIATE_KEY];
  if (typeof key !== 'string' || key === '') return failure(401, 'X-Api-Key is required', 'key');
  const partner = partners.byAffiliateKey(key);
  if (partner === undefined) return failure(401, 'API key is unknown', 'key');
  const body = call.method === 'POST' ? bodyOf(request) : undefined;
  if (body instanceof SwapFailure) return body;
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
  const json = jsonIn(bytes.toString('utf8'));
  return json === undefined ? failure(400, 'body must be JSON', 'request') : json;
}
