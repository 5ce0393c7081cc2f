import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { decode } from '../../wire/trading/decoding.ts';
import { decoded, fault, type Decoded } from '../../wire/trading/faults.ts';
import { readForm } from '../../wire/trading/json.ts';
import { sameText } from '../../wire/trading/signing/mac.ts';
import type { Answers } from '../http/answers.ts';
import { bodyText, readBody } from '../http/body.ts';
import { targetOf } from '../http/target.ts';
import { UNLOGGED, type Inputs } from '../data/inputs.ts';
import type { AdminCall } from './call.ts';

/** Serves calls to clients with the token, as `Authorization: Bearer TOKEN`. */
export function mountAdmin(
  app: FastifyInstance,
  answers: Answers,
  token: string,
  calls: readonly AdminCall[],
  inputs: Inputs = UNLOGGED,
): void {
  for (const call of calls) {
    inputs.replays(kindOf(call), (given) => {
      run(call, given);
    });
    app.route({
      method: call.method,
      url: call.path,
      exposeHeadRoute: false,
      handler: async (request, reply): Promise<FastifyReply> => {
        if (!bears(request, token)) {
          reply.header('www-authenticate', 'Bearer');
          return answers.error(request, reply, fault(1002, 'The token of the venue is required'));
        }
        const outcome = answer(call, request, inputs);
        return outcome.kind === 'fault'
          ? answers.error(request, reply, outcome.fault)
          : answers.record(reply, outcome.value);
      },
    });
  }
}

/** True for a request that has the token; compared in constant time. */
function bears(request: FastifyRequest, token: string): boolean {
  const [scheme = '', shown = ''] = (request.headers.authorization ?? '').split(' ', 2);
  return sameText(shown, token) && scheme.toLowerCase() === 'bearer';
}

const kindOf = ({ method, path }: AdminCall): string => `${method}:${path}`;

function answer(call: AdminCall, request: FastifyRequest, inputs: Inputs): Decoded<unknown> {
  const given = call.method === 'GET' || call.method === 'DELETE' ? query(request) : body(request);
  if (given.kind === 'fault') return given;
  const act = (): Decoded<unknown> => run(call, given.value);
  return call.method === 'GET' ? act() : inputs.take(kindOf(call), act, () => given.value);
}

function run(call: AdminCall, given: unknown): Decoded<unknown> {
  const params = decode(call.params, given);
  return params.kind === 'fault' ? params : call.run(params.value);
}

const query = (request: FastifyRequest): Decoded<unknown> =>
  decoded(readForm(targetOf(request.raw.url ?? '').query));

function body(request: FastifyRequest): Decoded<unknown> {
  const text = bodyText(request.body);
  if (text.kind === 'fault') return text;
  const read = readBody(text.value, request.headers['content-type']);
  return read.kind === 'fault' ? read : decoded(read.value ?? {});
}
