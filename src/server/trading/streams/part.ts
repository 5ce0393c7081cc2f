import type { z } from 'zod';
import type { Writable } from '../../../wire/trading/decoding.ts';
import type { Decoded, Fault } from '../../../wire/trading/faults.ts';
import type { Version } from '../../../wire/trading/rejections.ts';
import type { Method, RpcRequest } from '../../../wire/trading/rpc.ts';
import type { Connection } from '../../socket/connection.ts';
import type { ApiKey } from '../accounts/members.ts';
import type { TradingService } from '../service.ts';

/** A table of socket methods. */
export type Methods = Readonly<Record<string, Method>>;

/** The receiver of subscription messages. */
export type Audience = Pick<Connection, 'send' | 'close' | 'ip' | 'path' | 'isFull'>;

/** Nobody listens during a replay. */
export const NOBODY: Audience = {
  ip: '',
  path: '',
  isFull: false,
  send: () => undefined,
  close: () => undefined,
};

/** Session of a socket: an authenticated caller, or anybody if no login is required. */
export interface ClientSession {
  readonly service: TradingService;
  readonly connection: Audience;
  readonly version: Version;
  /** -1 for anybody. */
  readonly account: number;
  /** Absent for anybody. */
  readonly key?: ApiKey;
}

/** Writable JSON, for a result with several readers. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Result<M extends Method> = Writable<M['result']> | JsonText;

/** Answer to a request. `then` runs after the reply is sent, for a first snapshot. */
export type Reply<M extends Method = Method> =
  | { readonly kind: 'ok'; readonly value: Result<M>; readonly then?: () => void }
  /** For a method with one reply for each order. */
  | { readonly kind: 'each'; readonly values: readonly Result<M>[] }
  | { readonly kind: 'fault'; readonly fault: Fault };

/** Handles a request. The whole request is passed too, for its channel. */
export type MethodHandler<M extends Method, Handler> = (
  methods: Handler,
  params: z.output<M['params']>,
  request: RpcRequest,
) => Reply<M>;

/** The handlers of a table of methods, one for each row. */
export type MethodHandlers<Table extends Methods, Handler> = {
  readonly [Name in keyof Table]: MethodHandler<Table[Name], Handler>;
};

/** A session's subscriptions, and how to end them. */
export interface SessionMethods {
  /** The socket is closed, or another account has logged in on it. */
  close(): void;
}

/** Methods that a socket serves. Their state is created for each session on first use. */
export interface Part {
  readonly methods: Methods;
  readonly handlers: Readonly<Record<string, MethodHandler<Method, SessionMethods>>>;
  readonly open: (session: ClientSession) => SessionMethods;
  /** Replies carry no `jsonrpc` member, as those of version 3's market data. */
  readonly bare: boolean;
}

/** Puts a table of methods, what does them and what they share together. */
export const part = <Table extends Methods, D extends SessionMethods>(setup: {
  readonly methods: Table;
  readonly handlers: MethodHandlers<Table, NoInfer<D>>;
  readonly open: (session: ClientSession) => D;
  readonly bare?: boolean;
}): Part => ({
  methods: setup.methods,
  // Each handler is called with the params of its own row and the state created for it.
  handlers: setup.handlers as unknown as Part['handlers'],
  open: setup.open,
  bare: setup.bare ?? false,
});

/** A result as the reply. */
export const reply = <T>(value: T, then?: () => void) => ({ kind: 'ok', value, then }) as const;

/** What was found as the reply, written out, or the fault there was instead. */
export const replyWith = <T, R>(found: Decoded<T>, write: (value: T) => R) =>
  found.kind === 'fault' ? found : reply(write(found.value));
