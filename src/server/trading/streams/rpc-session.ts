import type { Cancel } from '../../../platform/scheduler.ts';
import { fault, type Fault } from '../../../wire/trading/faults.ts';
import type { Caller } from '../../../wire/trading/rate-limiter.ts';
import type { Version } from '../../../wire/trading/rejections.ts';
import {
  decodeParams,
  errorFrame,
  readRequest,
  replyFrame,
  unknownMethod,
  type Method,
  type RpcId,
  type RpcRequest,
} from '../../../wire/trading/rpc.ts';
import { authFault } from '../../../wire/trading/signing/reasons.ts';
import { writerOf, type Writer } from '../../../wire/trading/writer.ts';
import type { Connection, SocketSession, SessionMaker } from '../../socket/connection.ts';
import { admitted, allows } from '../accounts/authenticate.ts';
import type { ApiKey } from '../accounts/members.ts';
import type { Gate } from '../limits.ts';
import type { TradingService } from '../service.ts';
import { believe, keyNamed } from './login.ts';
import {
  JsonText,
  NOBODY,
  type SessionMethods,
  type MethodHandler,
  type Part,
  type Reply,
  type ClientSession,
} from './part.ts';
import type { Quota } from './quotas.ts';

/** Methods and notifications of a socket. */
export interface SocketEndpoint {
  readonly version: Version;
  /** No two of them have a method in common. */
  readonly parts: readonly Part[];
  readonly quota: Quota;
}

/** One method of a socket. */
interface Route {
  readonly part: Part;
  readonly method: Method;
  readonly handler: MethodHandler<Method, SessionMethods>;
  readonly write: Writer<Method['result']>;
  /** Absent if no limits apply. */
  readonly gate: Gate | undefined;
  /** Its kind among the inputs; absent if it changes nothing. */
  readonly input: string | undefined;
}

/** A request that changes something, as it is logged. */
interface AuthenticatedRequest {
  readonly account: number;
  readonly params: unknown;
}

/** Shared by all sessions of an endpoint. */
interface Table {
  readonly service: TradingService;
  readonly version: Version;
  readonly routes: ReadonlyMap<string, Route>;
  readonly loginGate: Gate | undefined;
  /** False if everything is for everybody. */
  readonly takesLogin: boolean;
}

/** Makes the sessions of an endpoint. */
export function rpcSessions(service: TradingService, endpoint: SocketEndpoint): SessionMaker {
  const { version, parts, quota } = endpoint;
  const gateOf = (name: string, access: Method['access']): Gate | undefined =>
    service.limits === undefined ? undefined : quota(service.limits, name, access);
  const routes = new Map(
    parts.flatMap((part) =>
      Object.entries(part.methods).map(([name, method]): [string, Route] => {
        const gate = gateOf(name, method.access);
        const handler = part.handlers[name];
        const input = changesState(name, method) ? `socket${version}.${name}` : undefined;
        return [name, { part, method, handler, write: writerOf(method.result), gate, input }];
      }),
    ),
  );
  const takesLogin = [...routes.values()].some(({ method }) => method.access !== 'public');
  const loginGate = gateOf('login', 'key');
  for (const route of routes.values()) replayed(service, version, route);
  const table: Table = { service, version, routes, loginGate, takesLogin };
  return (connection) => new RpcSession(table, connection);
}

/** Subscriptions are not part of the state, whatever permission they require. */
const changesState = (name: string, { access }: Method): boolean =>
  access !== 'public' && access !== 'read' && !/subscribe/i.test(name);

/** Repeats requests of sockets that no longer exist. */
function replayed(service: TradingService, version: Version, route: Route): void {
  const { part, method, handler, input } = route;
  if (input === undefined) return;
  service.inputs.replays(input, (logged) => {
    const { account, params: given } = logged as AuthenticatedRequest;
    const params = decodeParams(method, given);
    if (params.kind === 'fault') return;
    const methods = part.open({ service, version, account, connection: NOBODY });
    handler(methods, params.value, { method: '', params: given });
    methods.close();
  });
}

/**
 * A JSON-RPC session. Requests are handled one after the other, in their order: a handler has finished when
 * it returns. A request without an id gets no reply, `login` excepted; an invalid frame is answered with
 * its error.
 */
class RpcSession implements SocketSession {
  readonly #table: Table;
  readonly #connection: Connection;
  readonly #anybody: ClientSession;
  /** The authenticated session. */
  #session: (ClientSession & { readonly key: ApiKey }) | undefined;
  #caller: Caller;
  #unfollow: Cancel | undefined;
  readonly #methodsByPart = new Map<Part, SessionMethods>();
  readonly #publicMethods = new Map<Part, SessionMethods>();

  constructor(table: Table, connection: Connection) {
    const { service, version } = table;
    this.#table = table;
    this.#connection = connection;
    this.#anybody = { service, connection, version, account: -1 };
    this.#caller = { ip: connection.ip };
  }

  frame(text: string): void {
    const read = readRequest(text);
    if (read.kind === 'fault') {
      this.#connection.send(errorFrame(read.fault, read.id));
      return;
    }
    const { request } = read;
    if (request.method === 'login' && this.#table.takesLogin) this.#login(request);
    else this.#answer(request);
  }

  closed(): void {
    this.#unfollow?.();
    this.#leave();
    for (const methods of this.#publicMethods.values()) methods.close();
    this.#publicMethods.clear();
  }

  /** Answered without an id too: some clients send none and wait for the result. */
  #login({ params, id }: RpcRequest): void {
    const { service, version, loginGate } = this.#table;
    const { ip } = this.#connection;
    const named = keyNamed(service, version, params);
    const gated = tooFast(loginGate, { ip, account: named?.account.toString() });
    const key = gated ?? believe(service, version, params);
    if (key.kind === 'fault') {
      this.#connection.send(errorFrame(key.fault, id));
      return;
    }
    if (this.#session?.key !== key.value) this.#sit(key.value);
    this.#connection.send(replyFrame(true, id));
  }

  /** Replaces the session of an earlier login. */
  #sit(key: ApiKey): void {
    const { account } = key;
    this.#unfollow?.();
    this.#leave();
    this.#session = { ...this.#anybody, account, key };
    this.#caller = { ip: this.#connection.ip, account: String(account) };
    this.#unfollow = this.#table.service.news.follow(account, {
      ended: (why, name) => {
        if (name === undefined || name === key.key) this.#end(why);
      },
    });
  }

  /** Ends the session's subscriptions, and sends the reason unasked. */
  #end(why: Fault): void {
    this.#leave();
    this.#connection.send(errorFrame(why, undefined));
  }

  #leave(): void {
    for (const methods of this.#methodsByPart.values()) methods.close();
    this.#methodsByPart.clear();
  }

  #answer(request: RpcRequest): void {
    const route = this.#table.routes.get(request.method);
    if (route === undefined) {
      this.#refuse(unknownMethod(request.method), request.id);
      return;
    }
    const stopped = this.#stop(route);
    if (stopped !== undefined) {
      this.#refuse(stopped, request.id);
      return;
    }
    const params = decodeParams(route.method, request.params);
    if (params.kind === 'fault') {
      this.#refuse(params.fault, request.id);
      return;
    }
    const done = this.#do(route, request, params.value);
    if (done.kind === 'fault') {
      this.#refuse(done.fault, request.id);
      return;
    }
    for (const value of done.kind === 'each' ? done.values : [done.value]) {
      this.#reply(route, value, request.id);
    }
    if (done.kind === 'ok') done.then?.();
  }

  #do(route: Route, request: RpcRequest, params: unknown): Reply {
    const run = (): Reply => route.handler(this.#methodsOf(route), params, request);
    if (route.input === undefined) return run();
    if (this.#table.service.inputs.isFull) return { kind: 'fault', fault: fault(503) };
    const asked: AuthenticatedRequest = {
      account: this.#session?.account ?? -1,
      params: request.params,
    };
    return this.#table.service.inputs.take(route.input, run, () => asked);
  }

  /**
   * Why the session may not call that method: not logged in, no longer, too fast, or without permission.
   */
  #stop({ method: { access }, gate }: Route): Fault | undefined {
    if (access === 'public') return tooFast(gate, this.#caller)?.fault;
    if (this.#session === undefined) return fault(1001, 'The first message must be a login');
    const key = this.#holder(this.#session.key);
    if (key.kind === 'fault') return key.fault;
    const late = tooFast(gate, this.#caller);
    if (late !== undefined) return late.fault;
    return allows(key.value, access) ? undefined : fault(1003);
  }

  /** The present key: it may have been revoked since the login, or its account frozen. */
  #holder({ key, secret, account }: ApiKey): ReturnType<typeof admitted> {
    const { service } = this.#table;
    const now = service.members.key(key);
    const isSame = now?.secret === secret && now.account === account;
    return isSame ? admitted(service, now) : { kind: 'fault', fault: authFault('key-unknown') };
  }

  #methodsOf({ part, method }: Route): SessionMethods {
    const isOpen = method.access === 'public';
    const byPart = isOpen ? this.#publicMethods : this.#methodsByPart;
    let methods = byPart.get(part);
    if (methods === undefined) {
      methods = part.open(isOpen ? this.#anybody : (this.#session ?? this.#anybody));
      byPart.set(part, methods);
    }
    return methods;
  }

  #reply({ part, write }: Route, value: unknown, id: RpcId | undefined): void {
    if (id === undefined) return;
    const text = value instanceof JsonText ? value.text : JSON.stringify(write(value));
    const head = part.bare ? '{' : '{"jsonrpc":"2.0",';
    this.#connection.send(`${head}"result":${text},"id":${JSON.stringify(id)}}`);
  }

  #refuse(why: Fault, id: RpcId | undefined): void {
    if (id !== undefined) this.#connection.send(errorFrame(why, id));
  }
}

const TOO_FAST = {
  kind: 'fault',
  fault: fault(429, 'More came within a second than the limit allows'),
} as const;

/** Counts a request; one that comes too fast is rejected and does not count. */
function tooFast(gate: Gate | undefined, caller: Caller): typeof TOO_FAST | undefined {
  if (gate === undefined) return undefined;
  if (gate.waitUs(caller) > 0) return TOO_FAST;
  gate.count(caller);
  return undefined;
}
