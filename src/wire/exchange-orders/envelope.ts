import { keptDigits, readJson, writeJson } from '../json.ts';
import { EXCHANGE_ERRORS, type RpcError } from './errors.ts';

/** A request of JSON-RPC 2.0. */
export interface RpcRequest {
  /** Echoed as it was written: text, or a whole number with all its digits. */
  readonly id: unknown;
  readonly method: string;
  /** `undefined` if it is left out. */
  readonly params: unknown;
}

/** An unreadable request, with the id for the answer if that could be read. */
export interface RpcFault {
  readonly id: unknown;
  readonly error: RpcError;
}

/** Reads a request. `params` is an object, an array or left out; null counts as left out. */
export function readRequest(text: string): RpcRequest | RpcFault {
  let given: unknown;
  try {
    given = readJson(text);
  } catch {
    return { id: null, error: EXCHANGE_ERRORS.unreadable() };
  }
  const { jsonrpc, id, method, params } = isObject(given) ? given : {};
  const knownId = isId(id) ? id : null;
  const sound =
    jsonrpc === '2.0' &&
    knownId !== null &&
    typeof method === 'string' &&
    typeof (params ?? {}) === 'object';
  if (!sound) return { id: knownId, error: EXCHANGE_ERRORS.noRequest() };
  return { id: knownId, method, params: params ?? undefined };
}

/** The exact text of a request, which is signed and sent. */
export const requestText = (id: string | number, method: string, params?: unknown): string =>
  writeJson({ jsonrpc: '2.0', id, method, params });

/** The text of an answer with a result. */
export const resultText = (id: unknown, result: unknown): string =>
  writeJson({ jsonrpc: '2.0', id, result });

/** The text of an answer with an error. */
export const errorText = (id: unknown, error: RpcError): string =>
  writeJson({ jsonrpc: '2.0', id, error });

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Text, a whole number, or a long one whose digits `readJson` keeps. */
const isId = (id: unknown): boolean =>
  typeof id === 'string' || Number.isSafeInteger(id) || /^-?\d+$/.test(keptDigits(id) ?? '');
