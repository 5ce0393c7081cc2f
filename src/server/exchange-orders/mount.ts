import { isUtf8 } from 'node:buffer';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { MillraceError } from '../../model/errors.ts';
import type { ExchangeOrderService } from '../../swaps/orders/service.ts';
import { errorText, readRequest, resultText } from '../../wire/exchange-orders/envelope.ts';
import { EXCHANGE_ERRORS } from '../../wire/exchange-orders/errors.ts';
import {
  EXCHANGE_CREDENTIALS,
  EXCHANGE_ORDERS_PATH,
  isExchangeMethod,
  type ExchangeMethod,
} from '../../wire/exchange-orders/methods.ts';
import { isSignedBy } from '../../wire/key-pair.ts';
import type { Inputs } from '../data/inputs.ts';
import type { Log } from '../http/failures.ts';
import type { ExchangeClients, KnownClient } from './clients.ts';
import { EXCHANGE_HANDLERS } from './methods.ts';
import { RpcFailure } from './outcome.ts';
import { readParams } from './params.ts';

/** Dependencies of the exchange order service. */
export interface ExchangeOrdersSetup {
  readonly service: ExchangeOrderService;
  readonly clients: ExchangeClients;
  /** Log of inputs that change the state; none if absent. */
  readonly inputs?: Inputs;
  /** Called with internal errors, if present. */
  readonly log?: Log;
}

/** Kind of its requests among the inputs. */
const KIND = 'exchange-orders';

/** A request as it is logged. */
interface Logged {
  readonly client: string;
  readonly method: string;
  readonly params: unknown;
}

const OTHER_METHODS = ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

/** Serves the exchange order service: one path, only POST, JSON-RPC errors with status 200. */
export function mountExchangeOrders(app: FastifyInstance, setup: ExchangeOrdersSetup): void {
  setup.inputs?.replays(KIND, (logged) => {
    const { client, method, params } = logged as Logged;
    const known = setup.clients.named(client);
    if (known !== undefined) outcomeOf(setup, known, method, params);
  });
  void app.register((below, _options, done) => {
    below.setErrorHandler((error: FastifyError, _request, reply) => {
      const { statusCode = 500 } = error;
      if (statusCode >= 500) setup.log?.(error, `POST ${EXCHANGE_ORDERS_PATH}`);
      return statusCode >= 500
        ? send(reply, 200, errorText(null, EXCHANGE_ERRORS.internal()))
        : send(reply, statusCode, errorText(null, EXCHANGE_ERRORS.noRequest()));
    });
    below.post(EXCHANGE_ORDERS_PATH, (request, reply) => answer(setup, request, reply));
    below.route({
      method: [...OTHER_METHODS],
      url: EXCHANGE_ORDERS_PATH,
      exposeHeadRoute: false,
      handler: (_request, reply) => {
        reply.header('allow', 'POST');
        return send(reply, 405, errorText(null, EXCHANGE_ERRORS.noRequest()));
      },
    });
    done();
  });
}

/** The client is identified first, by the exact bytes; only then the body is read. */
function answer(
  setup: ExchangeOrdersSetup,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  const client = clientOf(setup, request, bytes);
  if (client === undefined) {
    return send(reply, 401, errorText(null, EXCHANGE_ERRORS.unauthorized()));
  }
  const isTimely = client.take(setup.service.now());
  const read = isUtf8(bytes)
    ? readRequest(bytes.toString('utf8'))
    : { id: null, error: EXCHANGE_ERRORS.unreadable() };
  const { id } = read;
  if (!isTimely) {
    return send(reply, 200, errorText(id, EXCHANGE_ERRORS.requestsLimit(client.requestsPerSecond)));
  }
  if ('error' in read) return send(reply, 200, errorText(id, read.error));
  const { method, params } = read;
  const run = (): unknown => outcomeOf(setup, client, method, params);
  const logged: Logged = { client: client.name, method, params };
  // A request for an amount may fix a rate too, so every request is logged.
  const outcome = setup.inputs === undefined ? run() : setup.inputs.take(KIND, run, () => logged);
  return outcome instanceof RpcFailure
    ? send(reply, 200, errorText(id, outcome.error))
    : send(reply, 200, resultText(id, outcome));
}

/** The client that signed exactly these bytes; a wrong key or signature reveals nothing more. */
function clientOf(
  { clients }: ExchangeOrdersSetup,
  { headers }: FastifyRequest,
  bytes: Buffer,
): KnownClient | undefined {
  const client = clients.find(String(headers[EXCHANGE_CREDENTIALS.apiKey] ?? ''));
  const signature = String(headers[EXCHANGE_CREDENTIALS.signature] ?? '');
  if (client === undefined) return undefined;
  return isSignedBy(bytes, signature, client.settings.publicKey) ? client : undefined;
}

function outcomeOf(
  { service, log }: ExchangeOrdersSetup,
  client: KnownClient,
  method: string,
  params: unknown,
): unknown {
  if (!isExchangeMethod(method)) return new RpcFailure(EXCHANGE_ERRORS.methodUnknown());
  if (!client.may(method)) return new RpcFailure(EXCHANGE_ERRORS.methodForbidden());
  try {
    if (service.broken.inside) {
      throw new MillraceError('internal', 'The exchange order service is broken by hand.');
    }
    return call(service, client, method, params);
  } catch (error) {
    log?.(error, `${EXCHANGE_ORDERS_PATH} ${method}`);
    return new RpcFailure(EXCHANGE_ERRORS.internal());
  }
}

function call<M extends ExchangeMethod>(
  service: ExchangeOrderService,
  client: KnownClient,
  method: M,
  given: unknown,
): unknown {
  const params = readParams(method, given);
  return params instanceof RpcFailure ? params : EXCHANGE_HANDLERS[method](service, client, params);
}

const send = (reply: FastifyReply, status: number, body: string): FastifyReply =>
  reply.status(status).type('application/json').send(body);
