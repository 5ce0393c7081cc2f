/** The used members of a JSON-RPC 2.0 reply. */

export interface ReplyError {
  readonly code: number;
  readonly message: string;
  readonly data: unknown;
}

export type Reply =
  | { readonly kind: 'result'; readonly result: unknown }
  | { readonly kind: 'error'; readonly error: ReplyError }
  | { readonly kind: 'fault'; readonly why: string; readonly member: string };

/**
 * Reads a reply. An error is read first, whatever the HTTP status and the id are: a request that could not
 * be parsed is answered without its id.
 */
export function replyOf(json: unknown, id: string): Reply {
  if (json === undefined) return fault('it is no JSON');
  if (!isObject(json)) return fault('it is no reply of JSON-RPC');
  const error = json['error'] ?? undefined;
  if (error !== undefined) return errorIn(error);
  if (json['jsonrpc'] !== '2.0') return fault('it is no reply of JSON-RPC 2.0', 'jsonrpc');
  if (json['id'] !== id) return fault('it is that to another request', 'id');
  if (json['result'] === undefined) return fault('it has neither a result nor an error', 'result');
  return { kind: 'result', result: json['result'] };
}

function errorIn(error: unknown): Reply {
  const { code, message, data } = isObject(error) ? error : {};
  if (typeof message !== 'string') return fault('its error has no message', 'error.message');
  // Some servers write the code as text.
  const number = Number(code);
  return {
    kind: 'error',
    error: { code: Number.isSafeInteger(number) ? number : 0, message, data },
  };
}

const fault = (why: string, member = ''): Reply => ({ kind: 'fault', why, member });

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
