import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { US_PER_MS } from '../../../platform/time.ts';
import { decodePath, decodeRequest, type Call } from '../../../wire/trading/call.ts';
import { decoded, fault, type Decoded, type Fault } from '../../../wire/trading/faults.ts';
import { readForm } from '../../../wire/trading/json.ts';
import type { Version } from '../../../wire/trading/rejections.ts';
import { V3_PREFIX } from '../../../wire/trading/v3/calls/table.ts';
import { writerOf } from '../../../wire/trading/writer.ts';
import type { Answers } from '../../http/answers.ts';
import { bodyText, readBody } from '../../http/body.ts';
import { surfaceOf } from '../../http/surfaces.ts';
import { targetOf, type Target } from '../../http/target.ts';
import { authenticate } from '../accounts/authenticate.ts';
import type { ApiKey } from '../accounts/members.ts';
import type { Gate, ServiceLimits } from '../limits.ts';
import type { TradingService } from '../service.ts';
import type { RestHandler } from './handler.ts';

/** A call as it is served. */
interface Route {
  readonly service: TradingService;
  readonly version: Version;
  readonly call: Call;
  readonly handler: RestHandler<Call>;
  /** Absent if no limits apply. */
  readonly gate: Gate | undefined;
  /** Its kind among the inputs; absent if it changes nothing. */
  readonly input: string | undefined;
}

/** An authenticated request, as logged if it changes something. */
interface AuthenticatedRequest {
  readonly account: number;
  readonly path: Readonly<Record<string, string>>;
  readonly query: string;
  readonly body: string;
  readonly type?: string;
}

/** Result of a request: a record, an error, or that it came too fast. */
type Outcome = Decoded<unknown> | TooFast;

interface TooFast {
  readonly kind: 'too-fast';
  readonly retryAfterUs: number;
}

/** Serves a table of calls below a prefix. */
export function mount(
  app: FastifyInstance,
  answers: Answers,
  service: TradingService,
  api: { readonly version: Version; readonly prefix: string },
  calls: Readonly<Record<string, Call>>,
  handlers: Readonly<Record<string, unknown>>,
): void {
  const { version, prefix } = api;
  for (const [name, call] of Object.entries(calls)) {
    const handler = handlers[name] as RestHandler<Call> | undefined;
    if (handler === undefined) continue;
    const gate = service.limits?.ofCall(version, call.method, call.path);
    const input = changesState(call) ? `v${version}.${name}` : undefined;
    const route: Route = { service, version, call, handler, gate, input };
    if (input !== undefined) {
      service.inputs.replays(input, (asked) => {
        void answerTo(route, asked as AuthenticatedRequest);
      });
    }
    const write = writerOf(call.response);
    app.route({
      method: call.method,
      url: prefix + call.path.replace(/\{(\w+)\}/g, ':$1'),
      handler: async (request, reply) => {
        const outcome = await outcomeOf(route, request);
        return outcome.kind === 'ok'
          ? answers.record(reply, write(outcome.value))
          : refuse(answers, request, reply, outcome);
      },
    });
  }
}

/** Answers unknown paths and methods, in the shape of the service of the path. */
export function mountNothing(
  app: FastifyInstance,
  answers: Answers,
  limits: ServiceLimits | undefined,
): void {
  const gate = limits?.ofCall(3, 'GET', '/');
  app.setNotFoundHandler((request, reply) => {
    const { path } = targetOf(request.raw.url ?? '');
    const late = path.startsWith(`${V3_PREFIX}/`) ? tooFast(gate, request.ip) : undefined;
    if (late !== undefined) return refuse(answers, request, reply, late);
    gate?.count({ ip: request.ip });
    const own = surfaceOf(path)?.(404, `There is no ${request.method} ${path}`);
    if (own !== undefined) return reply.status(own.status).type('application/json').send(own.body);
    const nothing = fault(800, `There is no ${request.method} ${path}; /docs lists what there is`);
    return answers.error(request, reply, nothing);
  });
}

function refuse(
  answers: Answers,
  request: FastifyRequest,
  reply: FastifyReply,
  why: Exclude<Outcome, { readonly kind: 'ok' }>,
): FastifyReply {
  return why.kind === 'fault'
    ? answers.error(request, reply, why.fault)
    : answers.error(request, reply, tooMany(why), why);
}

const tooMany = ({ retryAfterUs }: TooFast): Fault => {
  const ms = Math.ceil(retryAfterUs / US_PER_MS);
  return fault(429, `More came within a second than the limit allows; try again in ${ms} ms`);
};

/**
 * Checks of a request, in this order: the limits of its address and its account, its credentials, its path,
 * its parameters. A client that is too fast learns nothing of the credentials, so secrets cannot be tried
 * faster than the limits allow; every request that passes them counts.
 */
async function outcomeOf(route: Route, request: FastifyRequest): Promise<Outcome> {
  const { service, gate } = route;
  const { ip } = request;
  const target = targetOf(request.raw.url ?? '');
  const body = bodyText(request.body);
  const key = body.kind === 'ok' ? keyOf(route, request, target, body.value) : body;
  const account = key.kind === 'ok' ? key.value?.account : undefined;
  const late = tooFast(gate, ip, account);
  if (late !== undefined) return late;
  gate?.count({ ip, account: account?.toString() });
  if (key.kind === 'fault' || body.kind === 'fault') return key.kind === 'fault' ? key : body;
  const type = request.headers['content-type'];
  const asked: AuthenticatedRequest = {
    account: account ?? -1,
    path: request.params as Readonly<Record<string, string>>,
    query: target.query,
    body: body.value,
    type,
  };
  const run = (): Outcome | Promise<Outcome> => answerTo(route, asked);
  if (route.input !== undefined && service.inputs.isFull)
    return { kind: 'fault', fault: fault(503) };
  return route.input === undefined ? run() : service.inputs.take(route.input, run, () => asked);
}

/** Handles a request; the same request at the same state has the same result. */
function answerTo(route: Route, asked: AuthenticatedRequest): Outcome | Promise<Outcome> {
  const { service, call, handler } = route;
  const path = decodePath(call, asked.path);
  if (path.kind === 'fault') return path;
  const read = readBody(asked.body, asked.type);
  if (read.kind === 'fault') return read;
  const params = decodeRequest(call, { query: readForm(asked.query), body: read.value });
  if (params.kind === 'fault') return params;
  return handler(service, { account: asked.account, path: path.value, params: params.value });
}

/** Reading the wallet makes an address if there is none yet. */
const changesState = ({ method, access }: Call): boolean =>
  method !== 'GET' || access === 'payment';

/** The key that signed a request; `undefined` for a public call. */
function keyOf(
  { service, version, call }: Route,
  request: FastifyRequest,
  { path, query }: Target,
  body: string,
): Decoded<ApiKey | undefined> {
  if (call.access === 'public') return decoded(undefined);
  const signed = { method: request.method, path, query, body };
  return authenticate(service, version, request.headers.authorization, signed, call.access);
}

function tooFast(gate: Gate | undefined, ip: string, account?: number): TooFast | undefined {
  const retryAfterUs = gate?.waitUs({ ip, account: account?.toString() }) ?? 0;
  return retryAfterUs > 0 ? { kind: 'too-fast', retryAfterUs } : undefined;
}
