import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { decodePath, decodeRequest, type Call } from '../../../wire/trading/call.ts';
import { errorMemberOf } from '../../../wire/trading/error-body.ts';
import { fault, statusOf, type Fault } from '../../../wire/trading/faults.ts';
import { readForm, readJson } from '../../../wire/trading/json.ts';
import { writerOf } from '../../../wire/trading/writer.ts';
import { authenticate } from '../accounts/authenticate.ts';
import type { TradingService } from '../service.ts';
import type { RestHandler } from './handler.ts';

/** Serves a table of calls below a prefix. */
export function mount(
  app: FastifyInstance,
  service: TradingService,
  version: 2 | 3,
  prefix: string,
  calls: Readonly<Record<string, Call>>,
  handlers: Readonly<Record<string, unknown>>,
): void {
  for (const [name, call] of Object.entries(calls)) {
    const handler = handlers[name] as RestHandler<Call> | undefined;
    if (handler === undefined) continue;
    const write = writerOf(call.response);
    app.route({
      method: call.method,
      url: prefix + call.path.replace(/\{(\w+)\}/g, ':$1'),
      handler: async (request, reply) => {
        const outcome = await answerOf(service, version, call, handler, request);
        if ('fault' in outcome) return send(reply, outcome.fault);
        return reply.type('application/json').send(JSON.stringify(write(outcome.value)));
      },
    });
  }
}

async function answerOf(
  service: TradingService,
  version: 2 | 3,
  call: Call,
  handler: RestHandler<Call>,
  request: FastifyRequest,
): Promise<{ readonly value: unknown } | { readonly fault: Fault }> {
  const [path, query] = split(request.raw.url ?? '');
  const body = typeof request.body === 'string' ? request.body : '';
  const signed = { method: request.method, path, query, body };
  const caller =
    call.access === 'public'
      ? undefined
      : authenticate(service, version, request.headers.authorization, signed, call.access);
  if (caller?.kind === 'fault') return caller;
  const members = decodePath(call, request.params as Readonly<Record<string, string>>);
  if (members.kind === 'fault') return members;
  const sources = { query: readForm(query), body: readBody(body, request.headers['content-type']) };
  const params = decodeRequest(call, sources);
  if (params.kind === 'fault') return params;
  return handler(service, {
    account: caller?.value.account ?? -1,
    ...(caller === undefined ? {} : { key: caller.value }),
    path: members.value,
    params: params.value,
  });
}

function split(url: string): [string, string] {
  const mark = url.indexOf('?');
  return mark === -1 ? [url, ''] : [url.slice(0, mark), url.slice(mark + 1)];
}

function readBody(body: string, type: string | undefined): unknown {
  if (body === '') return undefined;
  return type?.includes('json') === true ? readJson(body) : readForm(body);
}

const send = (reply: FastifyReply, why: Fault): FastifyReply =>
  reply
    .status(statusOf(why.code))
    .type('application/json')
    .send(JSON.stringify({ error: errorMemberOf(why) }));

/** What answers a path that no call has. */
export function mountNothing(app: FastifyInstance): void {
  app.setNotFoundHandler((request, reply) =>
    send(reply, fault(800, `There is no ${request.method} ${request.url}`)),
  );
}
