import { errorBody } from '../../wire/trading/error-body.ts';
import { pathMembers, type Call } from '../../wire/trading/call.ts';
import type { JsonSchema } from '../../wire/trading/json-schema.ts';
import { RIGHTS, type Access } from '../../wire/trading/rights.ts';
import { V2_CALLS, V2_PREFIX } from '../../wire/trading/v2/calls/table.ts';
import { V3_CALLS, V3_PREFIX } from '../../wire/trading/v3/calls/table.ts';
import { Schemas } from './schemas.ts';

/** A table of calls as it is served. */
interface Table {
  readonly version: 2 | 3;
  readonly prefix: string;
  readonly calls: Readonly<Record<string, Call>>;
}

const TABLES: readonly Table[] = [
  { version: 3, prefix: V3_PREFIX, calls: V3_CALLS },
  { version: 2, prefix: V2_PREFIX, calls: V2_CALLS },
];

type Node = Readonly<Record<string, unknown>>;

const ERRORS = ['400', '401', '403', '404', '429', '500', '503', '504'] as const;

const ABOUT = `The trading service as Millrace simulates it. Numbers that are money are text. Parameters of GET
and DELETE go in the query, those of POST, PUT and PATCH in a JSON or form body. The sockets are described in /asyncapi.json.`;

/** The OpenAPI 3.1 description of every REST call of both versions. */
export function openApi(): Node {
  const schemas = new Schemas();
  const error = schemas.of(errorBody);
  const paths: Record<string, Record<string, Node>> = {};
  for (const table of TABLES) {
    for (const [name, call] of Object.entries(table.calls)) {
      const path = table.prefix + call.path;
      paths[path] = {
        ...paths[path],
        [call.method.toLowerCase()]: operation(table, name, call, schemas),
      };
    }
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Trading service',
      version: '3.0',
      description: ABOUT,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'This venue' }],
    tags: tagsOf(),
    paths,
    components: {
      securitySchemes: SECURITY,
      responses: {
        Error: {
          description: 'What is wrong, by code, message and description.',
          content: { 'application/json': { schema: error } },
        },
      },
      schemas: schemas.records,
    },
  };
}

/** Group of a call: the version and the first part of the path. */
const tagOf = ({ version }: Table, { path }: Call): string => `v${version} ${path.split('/')[1]}`;

const tagsOf = (): { readonly name: string }[] =>
  [
    ...new Set(
      TABLES.flatMap((table) => Object.values(table.calls).map((call) => tagOf(table, call))),
    ),
  ].map((name) => ({ name }));

function operation(table: Table, name: string, call: Call, schemas: Schemas): Node {
  const params = schemas.of(call.params);
  const isInQuery = call.method === 'GET' || call.method === 'DELETE';
  const query = isInQuery ? queryOf(params) : [];
  const parameters = [...pathMembers(call.path).map(pathParameter), ...query];
  return {
    operationId: table.version === 3 ? name : `${name}V2`,
    tags: [tagOf(table, call)],
    summary: call.summary,
    ...accessOf(call.access),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(isInQuery || isEmpty(params) ? {} : { requestBody: bodyOf(params) }),
    responses: {
      200: {
        description: 'Done.',
        content: { 'application/json': { schema: schemas.of(call.response) } },
      },
      ...Object.fromEntries(
        ERRORS.map((status) => [status, { $ref: '#/components/responses/Error' }]),
      ),
    },
  };
}

const pathParameter = (name: string): Node => ({
  name,
  in: 'path',
  required: true,
  schema: { type: 'string' },
});

function queryOf(params: JsonSchema): Node[] {
  const { properties = {}, required = [] } = params as {
    readonly properties?: Readonly<Record<string, JsonSchema>>;
    readonly required?: readonly string[];
  };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    ...(required.includes(name) ? { required: true } : {}),
    ...(description === undefined ? {} : { description }),
    schema,
  }));
}

const isEmpty = (params: JsonSchema): boolean =>
  params['type'] === 'object' && Object.keys(params['properties'] ?? {}).length === 0;

function bodyOf(params: JsonSchema): Node {
  const json = { 'application/json': { schema: params } };
  // A form cannot express a list of records.
  const hasForm = params['type'] === 'object' && !JSON.stringify(params).includes('"array"');
  const form = { 'application/x-www-form-urlencoded': { schema: params } };
  return {
    required: ((params['required'] ?? []) as readonly string[]).length > 0,
    content: hasForm ? { ...json, ...form } : json,
  };
}

function accessOf(access: Access): Node {
  if (access === 'public') return { description: 'Open to everybody.', security: [] };
  const right = access === 'key' ? 'any key' : `a key with the right "${RIGHTS[access]}"`;
  return { description: `Needs ${right}.`, security: [{ basic: [] }, { hs256: [] }] };
}

const SECURITY: Node = {
  basic: {
    type: 'http',
    scheme: 'basic',
    description: 'The API key as user name and the secret as password.',
  },
  hs256: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description:
      'HS256 and the Base64 of `key:signature:timestamp[:window]`: the HMAC-SHA-256, in hexadecimal, of method, path, `?` and query, body, timestamp in milliseconds and window, with the secret as key. In version 2 Base64 of `key:timestamp:signature` over method, timestamp in seconds, path, `?` and query, body.',
  },
};
