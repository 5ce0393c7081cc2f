import { z } from 'zod';
import { errorMember } from '../../wire/trading/error-body.ts';
import type { JsonSchema } from '../../wire/trading/json-schema.ts';
import type { Method } from '../../wire/trading/rpc.ts';
import { RIGHTS, type Access } from '../../wire/trading/rights.ts';
import { LOGIN_PARAMS } from '../../wire/trading/signing/login.ts';
import { MARKET_FEEDS } from './feeds.ts';
import { Schemas } from './schemas.ts';
import { SOCKETS, type Socket } from './sockets.ts';

type Node = Readonly<Record<string, unknown>>;

/** Messages that a socket sends and receives, collected. */
interface CollectedParts {
  readonly messages: Record<string, Node>;
  readonly operations: Record<string, Node>;
}

const ABOUT = `The sockets of the trading service as Millrace simulates it. Requests and replies are in the manner of
JSON-RPC 2.0; an id comes back as it was, and a request without one gets no reply, login excepted.`;

/**
 * The AsyncAPI 3 description of the sockets of both versions, seen from the venue: it receives
 * requests and sends replies, notifications and market data.
 */
export function asyncApi(host: string): Node {
  const schemas = new Schemas();
  const channels: Record<string, Node> = {};
  let operations: Record<string, Node> = {};
  for (const socket of SOCKETS) {
    const collected: CollectedParts = { messages: {}, operations: {} };
    if (socket.login !== undefined)
      request(collected, socket, 'login', login(socket.login), schemas);
    for (const [name, row] of Object.entries(socket.methods)) {
      request(collected, socket, name, row, schemas);
    }
    for (const [name, schema] of Object.entries(socket.notifications)) {
      notify(collected, socket, name, schema, schemas);
    }
    if (socket.hasFeeds) emitFeeds(collected, socket, schemas);
    collected.messages['error'] = ERROR(schemas);
    channels[socket.name] = {
      address: socket.path,
      description: socket.about,
      servers: [{ $ref: '#/servers/venue' }],
      messages: collected.messages,
    };
    operations = { ...operations, ...collected.operations };
  }
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Sockets of the trading service',
      version: '3.0',
      description: ABOUT,
      license: { name: 'Apache-2.0' },
    },
    defaultContentType: 'application/json',
    servers: { venue: { host, protocol: 'ws', description: 'This venue' } },
    channels,
    operations,
    components: { schemas: asDraft7(schemas.records) },
  };
}

const ID: JsonSchema = { type: ['string', 'number'], description: 'Comes back as it was' };

const messageOf = (title: string, payload: JsonSchema): Node => ({
  title,
  payload: asDraft7(payload),
});

const objectOf = (properties: Node, required: readonly string[]): JsonSchema => ({
  type: 'object',
  properties,
  required,
});

const VERSION = { jsonrpc: { const: '2.0' } };

const ERROR = (schemas: Schemas): Node =>
  messageOf(
    'What is wrong with a request',
    objectOf({ ...VERSION, error: schemas.of(errorMember), id: ID }, ['error']),
  );

const login = (version: 2 | 3): Method => ({
  access: 'public',
  summary: 'Log in, with the secret or with a signature',
  params: LOGIN_PARAMS[version],
  result: z.literal(true),
  replies: 'one',
  codes: {},
});

/** A request and its reply. */
function request(
  { messages, operations }: CollectedParts,
  socket: Socket,
  name: string,
  { params, result, summary, access, replies }: Method,
  schemas: Schemas,
): void {
  const ch = socket.hasFeeds
    ? { ch: { enum: MARKET_FEEDS.map(({ ch: channel }) => channel) } }
    : {};
  messages[name] = messageOf(
    name,
    objectOf({ method: { const: name }, ...ch, params: schemas.of(params), id: ID }, [
      'method',
      ...Object.keys(ch),
    ]),
  );
  const version = socket.hasFeeds ? {} : VERSION;
  messages[`${name}.reply`] = messageOf(
    `Reply to ${name}`,
    objectOf({ ...version, result: schemas.of(result), id: ID }, ['result']),
  );
  const more = replies === 'each' ? ' One reply for each order, all with the same id.' : '';
  operations[`${socket.name}.${name}`] = {
    action: 'receive',
    channel: { $ref: `#/channels/${socket.name}` },
    summary,
    description: `${rightOf(access)}${more}`,
    messages: [refTo(socket, name)],
    reply: {
      channel: { $ref: `#/channels/${socket.name}` },
      messages: [refTo(socket, `${name}.reply`), refTo(socket, 'error')],
    },
  };
}

/** Adds an unrequested message of the venue. */
function notify(
  { messages, operations }: CollectedParts,
  socket: Socket,
  name: string,
  schema: z.ZodType,
  schemas: Schemas,
): void {
  const key = `notify.${name}`;
  messages[key] = messageOf(
    name,
    objectOf({ ...VERSION, method: { const: name }, params: schemas.of(schema) }, [
      'jsonrpc',
      'method',
      'params',
    ]),
  );
  operations[`${socket.name}.${key}`] = sending(socket, key, `Notification ${name}`);
}

/** Market data of version 3, which has its own envelope. */
function emitFeeds(collected: CollectedParts, socket: Socket, schemas: Schemas): void {
  for (const { ch, parts, payload } of MARKET_FEEDS) {
    const key = `feed.${ch.replaceAll('/', '.')}`;
    const bySymbol = { type: 'object', additionalProperties: schemas.of(payload) };
    const ways = parts.map((part) =>
      objectOf({ ch: { const: ch }, [part]: bySymbol }, ['ch', part]),
    );
    collected.messages[key] = messageOf(ch, ways.length === 1 ? { ...ways[0] } : { oneOf: ways });
    collected.operations[`${socket.name}.${key}`] = sending(socket, key, `Market data ${ch}`);
  }
}

const sending = (socket: Socket, key: string, summary: string): Node => ({
  action: 'send',
  channel: { $ref: `#/channels/${socket.name}` },
  summary,
  messages: [refTo(socket, key)],
});

const refTo = ({ name }: Socket, key: string): Node => ({
  $ref: `#/channels/${name}/messages/${key}`,
});

function rightOf(access: Access): string {
  if (access === 'public') return 'Open to everybody.';
  return access === 'key' ? 'Needs any key.' : `Needs a key with the right "${RIGHTS[access]}".`;
}

/** AsyncAPI takes schemas of draft 7, which has another word for lists of fixed length. */
function asDraft7<T>(value: T): T {
  if (Array.isArray(value)) return value.map(asDraft7) as T;
  if (typeof value !== 'object' || value === null) return value;
  const { prefixItems, ...rest } = value as Readonly<Record<string, unknown>>;
  const node =
    prefixItems === undefined
      ? rest
      : { ...rest, items: prefixItems, additionalItems: rest['items'] };
  return Object.fromEntries(Object.entries(node).map(([name, one]) => [name, asDraft7(one)])) as T;
}
