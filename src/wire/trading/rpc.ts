import { z } from 'zod';
import { decode, type MemberCodes } from './decoding.ts';
import { errorMember, errorMemberOf, type ErrorMember } from './error-body.ts';
import { fault, type Decoded, type Fault } from './faults.ts';
import { jsonIn } from '../json.ts';
import type { Access } from './rights.ts';

/**
 * Frames of sockets: requests and replies in the manner of JSON-RPC 2.0. An id comes back with the
 * JSON type that it had. A request without one gets no reply, `login` excepted.
 */

/** The id of a caller's request: text, a number, or a number that no double holds. */
export type RpcId = string | number | Readonly<Record<string, unknown>>;

export interface RpcRequest {
  readonly method: string;
  /** Absent and null become an empty object. */
  readonly params: unknown;
  readonly id?: RpcId;
  /** The channel of a request to a market data socket. */
  readonly ch?: string;
}

/** A request, or the error of the frame, with the id if that could be read. */
export type ReadRequest =
  | { readonly kind: 'request'; readonly request: RpcRequest }
  | { readonly kind: 'fault'; readonly fault: Fault; readonly id?: RpcId };

const rejected = (description: string, member: string, id?: RpcId): ReadRequest => ({
  kind: 'fault',
  fault: fault(10001, description, member),
  id,
});

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isId = (value: unknown): value is RpcId =>
  typeof value === 'string' || typeof value === 'number' || isRawNumber(value);

/** JSON.rawJSON's representation of a number: an object without prototype that prints as the number. */
const isRawNumber = (value: unknown): boolean =>
  isObject(value) && Object.getPrototypeOf(value) === null && Object.isFrozen(value);

/** Reads a frame that a client sent. */
export function readRequest(frame: string): ReadRequest {
  const given = jsonIn(frame);
  if (!isObject(given)) return rejected('the message must be a JSON object', '');
  const { method, params, id, ch } = given;
  const known = isId(id) ? id : undefined;
  if (known === undefined && id !== undefined && id !== null) {
    return rejected('id must be text or a number', 'id');
  }
  if (typeof method !== 'string') return rejected('method must be text', 'method', known);
  if (ch !== undefined && typeof ch !== 'string') return rejected('ch must be text', 'ch', known);
  return {
    kind: 'request',
    request: {
      method,
      params: params ?? {},
      id: known,
      ch,
    },
  };
}

/** Writes a request. */
export const requestFrame = (method: string, params: unknown, id?: string | number): string =>
  JSON.stringify({ method, params, id });

/** Writes a reply; without an id it has no such member. */
export const replyFrame = (result: unknown, id: RpcId | undefined): string =>
  JSON.stringify({ jsonrpc: '2.0', result, id });

/** Writes the reply that refuses a request. */
export const errorFrame = (why: Fault, id: RpcId | undefined): string =>
  JSON.stringify({ jsonrpc: '2.0', error: errorMemberOf(why), id });

/** Writes a notification. */
export const notificationFrame = (method: string, params: unknown): string =>
  JSON.stringify({ jsonrpc: '2.0', method, params });

/** The same with params that are JSON already; the method is one of a table and needs no quoting. */
export const notificationText = (method: string, params: string): string =>
  `{"jsonrpc":"2.0","method":"${method}","params":${params}}`;

/** A frame that a server sent, its result or params not yet read. */
export type ServerFrame =
  | { readonly kind: 'result'; readonly result: unknown; readonly id?: RpcId }
  | { readonly kind: 'error'; readonly error: ErrorMember; readonly id?: RpcId }
  | { readonly kind: 'notification'; readonly method: string; readonly params: unknown }
  | { readonly kind: 'unknown'; readonly fault: Fault };

/** Reads a frame of a server other than one of market data. */
export const readServerFrame = (frame: string): ServerFrame => serverFrame(jsonIn(frame));

/** The same for a frame that is parsed already. */
export function serverFrame(given: unknown): ServerFrame {
  if (!isObject(given)) return unknownFrame('the message must be a JSON object');
  const id = isId(given['id']) ? { id: given['id'] } : {};
  if ('error' in given) {
    const error = decode(errorMember, given['error']);
    if (error.kind === 'fault') return { kind: 'unknown', fault: error.fault };
    return { kind: 'error', error: error.value, ...id };
  }
  if (typeof given['method'] === 'string') {
    return { kind: 'notification', method: given['method'], params: given['params'] };
  }
  if (!('result' in given)) return unknownFrame('result or error is required');
  return { kind: 'result', result: given['result'], ...id };
}

const unknownFrame = (why: string): ServerFrame => ({ kind: 'unknown', fault: fault(10001, why) });

/** One row of a table of socket methods, for the same three readers as a call. */
export interface Method<
  Params extends z.ZodType = z.ZodType,
  Result extends z.ZodType = z.ZodType,
> {
  readonly access: Access;
  readonly summary: string;
  readonly params: Params;
  /** Of one reply. */
  readonly result: Result;
  /** `each`: one reply for each order of a list, all with the id of the request. */
  readonly replies: 'one' | 'each';
  readonly codes: MemberCodes;
}

interface MethodRow<Params extends z.ZodType, Result extends z.ZodType> {
  readonly access: Access;
  readonly summary: string;
  readonly params?: Params;
  readonly result: Result;
  readonly replies?: 'one' | 'each';
  readonly codes?: MemberCodes;
}

const NO_PARAMS = z.object({});

/** A row with what it leaves out. */
export const method = <Result extends z.ZodType, Params extends z.ZodType = typeof NO_PARAMS>(
  row: MethodRow<Params, Result>,
): Method<Params, Result> => ({
  access: row.access,
  summary: row.summary,
  // If a row has none, the type of its parameters is that of NO_PARAMS.
  params: row.params ?? (NO_PARAMS as unknown as Params),
  result: row.result,
  replies: row.replies ?? 'one',
  codes: row.codes ?? {},
});

/** Rows under the names that they have in a market: `spot_new_order`. */
export const ofMarket = <const M extends string, const Rows extends object>(
  market: M,
  rows: Rows,
) =>
  Object.fromEntries(
    Object.entries(rows).map(([name, row]) => [`${market}_${name}`, row as unknown]),
  ) as { readonly [K in keyof Rows & string as `${M}_${K}`]: Rows[K] };

/** Reads the params of a method. */
export const decodeParams = <M extends Method>(
  row: M,
  params: unknown,
): Decoded<z.output<M['params']>> => decode<M['params']>(row.params, params, row.codes);

/** Reads the result of a method. */
export const decodeResult = <M extends Method>(
  row: M,
  result: unknown,
): Decoded<z.output<M['result']>> => decode<M['result']>(row.result, result);

/** The error that answers a method that the socket does not have. */
export const unknownMethod = (name: string): Fault =>
  fault(10001, `There is no method ${JSON.stringify(name)}`, 'method');
