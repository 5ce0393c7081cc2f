import { fault, type Fault } from '../../../wire/trading/faults.ts';
import type { Version } from '../../../wire/trading/refusals.ts';
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
import { writerOf, type Writer } from '../../../wire/trading/writer.ts';
import type { Connection, Session, SessionMaker } from '../../socket/connection.ts';
import { allows } from '../accounts/authenticate.ts';
import type { TradingService } from '../service.ts';
import { believe } from './login.ts';
import { JsonText, type Desk, type MethodHandler, type Part, type Seat } from './part.ts';

/** One method as a socket serves it. */
interface Route {
  readonly part: Part;
  readonly method: Method;
  readonly handler: MethodHandler<Method, Desk>;
  readonly write: Writer<Method['result']>;
}

type Routes = ReadonlyMap<string, Route>;

/** Makes sessions of sockets that serve the methods of these parts. */
export function rpcSessions(
  service: TradingService,
  version: Version,
  parts: readonly Part[],
): SessionMaker {
  const routes: Routes = new Map(parts.flatMap(routesOf));
  return (connection) => new RpcSession(service, version, routes, connection);
}

const routesOf = (part: Part): [string, Route][] =>
  Object.entries(part.methods).map(([name, method]) => {
    const handler = part.handlers[name];
    return [name, { part, method, handler, write: writerOf(method.result) }];
  });

/**
 * A socket that is asked in frames of JSON-RPC. Requests are done one after the other, in the order
 * in which they come: a handler has done everything when it returns. A request without an id gets
 * no reply, `login` excepted; a frame that is no request is answered with what is wrong with it.
 */
class RpcSession implements Session {
  readonly #service: TradingService;
  readonly #version: Version;
  readonly #routes: Routes;
  readonly #connection: Connection;
  readonly #anybody: Seat;
  #seat: Seat | undefined;
  readonly #desks = new Map<Part, Desk>();
  readonly #publicDesks = new Map<Part, Desk>();

  constructor(service: TradingService, version: Version, routes: Routes, connection: Connection) {
    this.#service = service;
    this.#version = version;
    this.#routes = routes;
    this.#connection = connection;
    this.#anybody = { service, connection, version, account: -1 };
  }

  frame(text: string): void {
    const read = readRequest(text);
    if (read.kind === 'fault') {
      this.#connection.send(errorFrame(read.fault, read.id));
      return;
    }
    const { request } = read;
    if (request.method === 'login') this.#login(request);
    else this.#answer(request);
  }

  closed(): void {
    for (const desk of [...this.#desks.values(), ...this.#publicDesks.values()]) desk.close();
    this.#desks.clear();
    this.#publicDesks.clear();
  }

  /** Answered without an id too: some clients send none and wait for the result. */
  #login({ params, id }: RpcRequest): void {
    const key = believe(this.#service, this.#version, params);
    if (key.kind === 'fault') {
      this.#connection.send(errorFrame(key.fault, id));
      return;
    }
    if (this.#seat?.key !== key.value) {
      for (const desk of this.#desks.values()) desk.close();
      this.#desks.clear();
      this.#seat = { ...this.#anybody, account: key.value.account, key: key.value };
    }
    this.#connection.send(replyFrame(true, id));
  }

  #answer(request: RpcRequest): void {
    const route = this.#routes.get(request.method);
    if (route === undefined) {
      this.#refuse(unknownMethod(request.method), request.id);
      return;
    }
    const stopped = this.#stop(route.method);
    if (stopped !== undefined) {
      this.#refuse(stopped, request.id);
      return;
    }
    const params = decodeParams(route.method, request.params);
    if (params.kind === 'fault') {
      this.#refuse(params.fault, request.id);
      return;
    }
    const done = route.handler(this.#desk(route), params.value, request);
    if (done.kind === 'fault') {
      this.#refuse(done.fault, request.id);
      return;
    }
    for (const value of done.kind === 'each' ? done.values : [done.value]) {
      this.#reply(route, value, request.id);
    }
    if (done.kind === 'ok') done.then?.();
  }

  /** Why the one at the socket may not ask for that. */
  #stop({ access }: Method): Fault | undefined {
    if (access === 'public') return undefined;
    const key = this.#seat?.key;
    if (key === undefined) return fault(1001, 'The first message must be a login');
    return allows(key, access) ? undefined : fault(1003);
  }

  #desk({ part, method }: Route): Desk {
    const open = method.access === 'public';
    const desks = open ? this.#publicDesks : this.#desks;
    let desk = desks.get(part);
    if (desk === undefined) {
      desk = part.open(open ? this.#anybody : (this.#seat ?? this.#anybody));
      desks.set(part, desk);
    }
    return desk;
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
