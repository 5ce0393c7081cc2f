import type { z } from 'zod';
import { MillraceError } from '../../../model/errors.ts';
import { fullStop } from '../../../model/full-stop.ts';
import { knownMembers } from '../../../model/members.ts';
import type { Scheduler } from '../../../platform/scheduler.ts';
import type { Micros } from '../../../platform/time.ts';
import type { ArgumentsOf } from '../../../wire/trading/call.ts';
import { decode } from '../../../wire/trading/decoding.ts';
import {
  decodeResult,
  readServerFrame,
  requestFrame,
  type Method,
} from '../../../wire/trading/rpc.ts';
import { refuseExtraArguments } from '../../http/extra-arguments.ts';
import {
  refuseUnknownListener,
  refuseWrongOption,
  type OptionTable,
} from '../../http/unknown-members.ts';
import { invalid } from '../../http/invalid.ts';
import type { TradingCredentials } from '../client/credentials.ts';
import { writeParams } from '../client/request.ts';
import { ReconnectingSocket, OPEN_OPTIONS, type OpenOptions } from './reconnecting-socket.ts';
import type { LoginParams } from './login.ts';
import { checkedSetup, credentialsOf, resolveSetup, type SocketSetup } from './options.ts';
import type { RequestLimiter } from './request-limiter.ts';
import type { RpcCall } from './requests.ts';
import { SOCKET_LISTENER, type SocketListener, type SocketState } from './state.ts';
import { topicOf } from './topic.ts';
import { SafeListener } from './safe-listener.ts';
import type { SubscriptionRequest } from './subscriptions.ts';

type Methods = Readonly<Record<string, Method>>;
type Notifications = Readonly<Record<string, z.ZodType>>;

/** A notification with its method, its parsed params, and when its frame was received. */
export type Notified<N extends Notifications> = {
  readonly [K in keyof N & string]: [method: K, params: z.output<N[K]>, receivedAt: Micros];
}[keyof N & string];

/** Listener of a socket that has methods and notifications. */
export interface RpcListener<N extends Notifications> extends SocketListener {
  notification?(...reported: Notified<N>): void;
}

const LISTENER: ReadonlySet<string> = new Set([...Object.keys(SOCKET_LISTENER), 'notification']);

export interface RequestOptions {
  /** Timeout of the request, waiting within limits included; microseconds. */
  readonly timeoutUs?: number | undefined;
}

/** Options of a request whose params are text. */
export interface TextOptions extends RequestOptions {
  readonly replies?: number | undefined;
  readonly about?: unknown;
}

const REQUEST_OPTIONS: OptionTable<RequestOptions> = { timeoutUs: 'span' };
const TEXT_OPTIONS: OptionTable<TextOptions> = {
  ...REQUEST_OPTIONS,
  replies: 'count',
  about: 'any',
};

type Given<M extends Method> = ArgumentsOf<M['params']>;

/** Arguments of a request; optional params may be left out. */
export type RequestArguments<M extends Method> = string extends keyof Given<M>
  ? [params?: Readonly<Record<string, never>>, options?: RequestOptions]
  : Partial<Given<M>> extends Given<M>
    ? [params?: Given<M>, options?: RequestOptions]
    : [params: Given<M>, options?: RequestOptions];

/** Result of a request: one, or of a list of orders one for each. */
export type RequestResult<
  Name extends string,
  M extends Method,
> = Name extends `${string}_new_order_list`
  ? readonly z.output<M['result']>[]
  : z.output<M['result']>;

/** Methods and notifications of one kind of socket. */
export interface Dialect<M extends Methods, N extends Notifications> {
  readonly methods: M;
  readonly notifications: N;
  readonly limiter: RequestLimiter;
  /** Absent without a login. */
  readonly login?: LoginParams | undefined;
}

/** What a socket of an account speaks: it logs in, and its requests are counted with those of others or alone. */
export function accountDialect<M extends Methods, N extends Notifications>(
  setup: SocketSetup<RpcListener<N>>,
  what: string,
  rows: Pick<Dialect<M, N>, 'methods' | 'notifications'>,
  limiterOf: (scheduler: Scheduler) => RequestLimiter,
  loginOf: (credentials: TradingCredentials) => LoginParams,
): Dialect<M, N> {
  const { scheduler, options } = checkedSetup(setup);
  const limiter = options?.limiter ?? limiterOf(scheduler);
  return { ...rows, limiter, login: loginOf(credentialsOf(setup, what)) };
}

/** How every notification begins; what follows is its method. */
const NOTIFICATION = '{"jsonrpc":"2.0","method":';

/** A socket with methods and notifications: of an account, or of market data in version 2. */
export class RpcSocket<M extends Methods, N extends Notifications> {
  static {
    refuseExtraArguments(RpcSocket, { open: 1, close: 0, request: 3, requestText: 3 });
  }

  readonly #dialect: Dialect<M, N>;
  readonly #listener: RpcListener<N>;
  readonly #voice: SafeListener;
  readonly #link: ReconnectingSocket;
  /** Subscriptions by topic. */
  readonly #followed = new Map<string, SubscriptionRequest>();

  constructor(dialect: Dialect<M, N>, setup: SocketSetup<RpcListener<N>>) {
    refuseUnknownListener(setup.listener, LISTENER);
    this.#dialect = dialect;
    this.#listener = setup.listener;
    this.#voice = new SafeListener(setup.listener);
    this.#link = new ReconnectingSocket({
      ...resolveSetup(setup, dialect.limiter),
      login: dialect.login,
      voice: this.#voice,
      receive: (frame, receivedAt) => {
        this.#receive(frame, receivedAt);
      },
    });
  }

  get state(): SocketState {
    return this.#link.state;
  }

  /** Bytes passed to the system and not sent yet. */
  get waitingBytes(): number {
    return this.#link.waitingBytes;
  }

  /**
   * Opens the socket and keeps it open until `close`. Resolves when it is live for the first time. Throws
   * `login-refused` if the service rejects the key, and the last error after `timeoutUs`; the socket is
   * closed then.
   */
  async open(options: OpenOptions = {}): Promise<void> {
    refuseWrongOption('open', options, OPEN_OPTIONS);
    return this.#link.open(options.timeoutUs);
  }

  /** Closes the socket for good: nothing is emitted any more. Resolves when it is completely closed. */
  async close(): Promise<void> {
    return this.#link.close();
  }

  /**
   * Asks, once. What is subscribed by it is remembered and asked for again after every reconnect;
   * asked for while the socket is not live, it waits for that.
   *
   * Throws `request-invalid` if the params do not fit and `unreachable` if nothing was sent;
   * `service-refused`, `rate-limited` and `service-unavailable` if nothing was done; `outcome-unknown`
   * where it was sent and its outcome is not known; `answer-invalid` where the answer cannot be read.
   */
  async request<K extends keyof M & string>(
    method: K,
    ...[params, options]: RequestArguments<M[K]>
  ): Promise<RequestResult<K, M[K]>> {
    const row = this.#method(method);
    refuseWrongOption(method, options, REQUEST_OPTIONS);
    const written = writeParams(method, row.params, params);
    const ask: RpcCall = {
      method,
      params,
      frame: (id) => requestFrame(method, written, id),
      replies: row.replies === 'each' ? ordersOf(params) : 1,
      changes: row.access === 'trade',
      timeoutUs: options?.timeoutUs,
    };
    const topic = topicOf(method, written);
    if (topic !== undefined) {
      const answer = topic.begins ? this.#follow(topic.name, ask) : this.#unfollow(topic.name, ask);
      // A caller that ends its own pending subscription, or has no connection, is answered here.
      return this.#read(method, row, (await answer) ?? true) as RequestResult<K, M[K]>;
    }
    return this.#ask(row, ask);
  }

  /** Throws `request-invalid` for a method that the socket does not speak. */
  #method<K extends keyof M & string>(method: K): M[K] {
    const { methods } = this.#dialect;
    if (Object.hasOwn(methods, method)) return methods[method];
    const asked = typeof method === 'string' ? method : typeof method;
    const sentence = `The socket has no method ${asked}; ${knownMembers(asked, Object.keys(methods))} Nothing was sent.`;
    throw new MillraceError('request-invalid', sentence, { field: 'method' });
  }

  /**
   * The same for callers that write their params themselves, as JSON text, which is faster; not for methods
   * that subscribe. `replies` is the number of orders in a list, `about` replaces the text in a late reply.
   */
  async requestText<K extends keyof M & string>(
    method: K,
    text: string,
    options: TextOptions = {},
  ): Promise<RequestResult<K, M[K]>> {
    const row = this.#method(method);
    refuseWrongOption(method, options, TEXT_OPTIONS);
    if (typeof text !== 'string') throw invalid(method, 'the params must be JSON text', 'text');
    const { timeoutUs, replies = 1, about = text } = options;
    return this.#ask(row, {
      method,
      params: about,
      replies,
      timeoutUs,
      changes: row.access === 'trade',
      frame: (id) => `{"method":"${method}","params":${text},"id":${id}}`,
    });
  }

  async #ask<K extends keyof M & string>(row: M[K], ask: RpcCall): Promise<RequestResult<K, M[K]>> {
    const results = await this.#link.ask(ask);
    const read = results.map((result) => this.#read(ask.method, row, result));
    return (row.replies === 'each' ? read : read[0]) as RequestResult<K, M[K]>;
  }

  #follow(topic: string, managedOrder: SubscriptionRequest): Promise<unknown> {
    const before = this.#followed.get(topic);
    if (before !== undefined) this.#link.forget(before);
    this.#followed.set(topic, managedOrder);
    return this.#link.follow(managedOrder);
  }

  #unfollow(topic: string, ask: RpcCall): Promise<unknown> {
    const managedOrder = this.#followed.get(topic);
    this.#followed.delete(topic);
    if (managedOrder !== undefined) this.#link.forget(managedOrder);
    return this.#link.end(ask);
  }

  #read(method: string, row: Method, result: unknown): unknown {
    const read = decodeResult(row, result);
    if (read.kind === 'ok') return read.value;
    const { description = 'it does not fit', member = '' } = read.fault;
    const done = row.access === 'trade' ? ' What was asked for was done.' : '';
    throw new MillraceError(
      'answer-invalid',
      fullStop(`The answer to ${method} cannot be read: ${description}`) + done,
      member === '' ? {} : { field: member },
    );
  }

  #receive(frame: string, receivedAt: Micros): void {
    const isNotification = frame.startsWith(NOTIFICATION);
    if (isNotification && this.#voice.isSilent) return;
    if (isNotification && this.#listener.raw?.(frame, receivedAt) === true) return;
    const read = readServerFrame(frame);
    switch (read.kind) {
      case 'result':
        this.#link.result(read.id, read.result);
        return;
      case 'error':
        this.#link.error(read.id, read.error);
        return;
      case 'notification':
        this.#notify(read.method, read.params, receivedAt);
        return;
      case 'unknown':
        this.#link.invalid(read.fault.description ?? read.fault.message);
    }
  }

  #notify(method: string, params: unknown, receivedAt: Micros): void {
    const { notifications } = this.#dialect;
    const schema = Object.hasOwn(notifications, method) ? notifications[method] : undefined;
    if (schema === undefined) {
      this.#link.invalid(`there is no notification ${JSON.stringify(method.slice(0, 64))}`);
      return;
    }
    const read = decode(schema, params);
    if (read.kind === 'fault') {
      this.#link.invalid(`of ${method}, ${read.fault.description ?? read.fault.message}`);
      return;
    }
    if (this.#voice.isSilent) return;
    // Method and params belong together, as the schema was found by the method.
    this.#listener.notification?.(...([method, read.value, receivedAt] as unknown as Notified<N>));
  }
}

/** How many orders a list has, which is how many replies it gets; a list without any gets an error. */
function ordersOf(params: unknown): number {
  const { orders } = params as { readonly orders?: readonly unknown[] };
  return orders?.length ?? 1;
}
