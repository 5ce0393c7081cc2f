import { z } from 'zod';
import type { Decimal } from '../../model/decimal.ts';
import { decode, encode, type MemberCodes, type Printable, type Scalar } from './decoding.ts';
import type { ServiceErrorCode } from './error-codes.ts';
import { decoded, type Decoded } from './faults.ts';
import { choice, code, text } from './fields.ts';
import { writeForm, type RawParameters } from './json.ts';
import type { Access } from './rights.ts';

/**
 * One row of a table of calls, with three readers: the server routes by method and path and decodes the
 * parameters, the client is typed by it, and the description is generated from it.
 */
export interface Call<
  Path extends string = string,
  Params extends z.ZodType = z.ZodType,
  Response extends z.ZodType = z.ZodType,
> {
  readonly method: Method;
  /** Below the prefix, with members in braces: `/spot/order/{client_order_id}`. */
  readonly path: Path;
  readonly access: Access;
  /** Summary of the call in a sentence, for readers of the description. */
  readonly summary: string;
  /** Query, form or JSON body. An array if the body is one. */
  readonly params: Params;
  readonly response: Response;
  /** Error codes of malformed members. */
  readonly codes: MemberCodes;
  /** A parameter that, if given, makes the server ignore all others. */
  readonly overriding?: string;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A call without its path, as in the rows of a table. */
interface Row<Params extends z.ZodType, Response extends z.ZodType> {
  readonly access: Access;
  readonly summary: string;
  readonly params?: Params;
  readonly response: Response;
  readonly codes?: MemberCodes;
  readonly overriding?: string;
}

/** A call without parameters besides those of its path. */
export const NO_PARAMS = z.object({});
type NoParams = typeof NO_PARAMS;

const rowMaker =
  (method: Method) =>
  <const Path extends string, Response extends z.ZodType, Params extends z.ZodType = NoParams>(
    path: Path,
    row: Row<Params, Response>,
  ): Call<Path, Params, Response> => ({
    method,
    path,
    access: row.access,
    summary: row.summary,
    // If a row has none, the type of its parameters is that of NO_PARAMS.
    params: row.params ?? (NO_PARAMS as unknown as Params),
    response: row.response,
    codes: row.codes ?? {},
    overriding: row.overriding,
  });

export const get = rowMaker('GET');
export const post = rowMaker('POST');
export const put = rowMaker('PUT');
export const patch = rowMaker('PATCH');
export const del = rowMaker('DELETE');

/** The names in braces of a path. */
export type PathMembers<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathMembers<Rest>
  : never;

type Flat<T> = { [K in keyof T]: T[K] };

type OptionalKeys<T> = { [K in keyof T]-?: object extends Pick<T, K> ? K : never }[keyof T];

/** A given object: members that its message may omit may be omitted here too. */
type GivenObject<In, Out> = Flat<
  {
    readonly [K in Exclude<keyof Out, OptionalKeys<In>>]: GivenMember<
      K extends keyof In ? In[K] : unknown,
      Out[K]
    >;
  } & {
    readonly [K in keyof Out & OptionalKeys<In>]?: GivenMember<In[K], Out[K]> | undefined;
  }
>;

/** Objects in a list are handed in as those around them; everything else as it is printed. */
type GivenMember<In, Out> = Out extends readonly (infer Item)[]
  ? Item extends Scalar | Decimal
    ? Printable<Out>
    : readonly GivenObject<In extends readonly (infer I)[] ? I : unknown, Item>[]
  : Printable<Out>;

/** Arguments of a caller: parameters that are optional or have a default may be omitted. */
export type ArgumentsOf<Params extends z.ZodType> = Params extends z.ZodObject
  ? GivenObject<z.input<Params>, z.output<Params>>
  : GivenMember<z.input<Params>, z.output<Params>>;

/** The arguments of a call, those of its path apart. */
export interface Arguments<C extends Call> {
  readonly path: Readonly<Record<PathMembers<C['path']>, string>>;
  readonly params: ArgumentsOf<C['params']>;
}

/** The parsed answer of a call. */
export type Answer<C extends Call> = z.output<C['response']>;

/** The names in the braces of a path, in their order. */
export const pathMembers = (path: string): readonly string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

/** A path with its members filled in, percent-encoded. Throws if one is missing or empty. */
export const fillPath = (path: string, members: Readonly<Record<string, string>>): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = members[name];
    if (value === undefined || value === '') {
      throw new TypeError(`The path ${path} needs a ${name}.`);
    }
    return encodeURIComponent(value);
  });

/** A request as it goes over HTTP, before it is signed. */
export interface EncodedRequest {
  readonly method: Method;
  /** Prefix included, percent-encoded. */
  readonly path: string;
  /** Percent-encoded, without `?`; empty if there is none. */
  readonly query: string;
  /** JSON text; empty if there is none. */
  readonly body: string;
}

const IN_QUERY: ReadonlySet<Method> = new Set<Method>(['GET', 'DELETE']);

/** Writes the parameters of a call: into the query of GET and DELETE, else into a JSON body. */
export function encodeRequest<C extends Call>(
  call: C,
  prefix: string,
  { path, params }: Arguments<C>,
): EncodedRequest {
  const written = encodeParams<C['params']>(call.params, params) as RawParameters;
  const inQuery = IN_QUERY.has(call.method);
  const empty = Object.keys(written).length === 0 && !Array.isArray(written);
  return {
    method: call.method,
    path: prefix + fillPath(call.path, path),
    query: inQuery ? writeForm(written) : '',
    body: inQuery || empty ? '' : JSON.stringify(written),
  };
}

/** Writes parameters; absent ones are left out, so that the other side's default applies. */
export const encodeParams = <S extends z.ZodType>(schema: S, given: ArgumentsOf<S>): unknown =>
  encodeGiven(schema, given, '');

/** The same of a part of them, which the message calls `name`. */
function encodeGiven(schema: z.ZodType, given: unknown, name: string): unknown {
  if (schema instanceof z.ZodObject && isObject(given)) {
    const written: Record<string, unknown> = {};
    const values = given as RawParameters;
    for (const [member, inside] of Object.entries<z.ZodType>(schema.shape)) {
      const value = values[member];
      const path = name === '' ? member : `${name}.${member}`;
      if (value !== undefined) written[member] = encodeGiven(inside, value, path);
    }
    return written;
  }
  if (schema instanceof z.ZodArray && Array.isArray(given)) {
    const element = schema.element as z.ZodType;
    return given.map((item, index) => encodeGiven(element, item, `${name}[${index}]`));
  }
  return encode(schema, given, name);
}

/** Sources of a request's parameters, each parsed but unchecked. */
export interface Sources {
  readonly query: RawParameters;
  /** The form or JSON body; `undefined` if there is none. */
  readonly body: unknown;
}

/**
 * Reads the parameters of a request: from the query of a GET, from the body of a POST or PATCH, and from
 * both of a PUT or DELETE, whose body wins. Unknown parameters are left out.
 */
export function decodeRequest<C extends Call>(
  call: C,
  { query, body }: Sources,
): Decoded<z.output<C['params']>> {
  const given = parametersOf(call.method, { query, body });
  return decode<C['params']>(call.params, withoutOverridden(call, given), call.codes);
}

/** Only the overriding parameter, if given: even a malformed other one is ignored then. */
function withoutOverridden({ overriding }: Call, given: unknown): unknown {
  if (overriding === undefined || !isObject(given)) return given;
  const value = (given as RawParameters)[overriding];
  return value === undefined ? given : { [overriding]: value };
}

function parametersOf(method: Method, { query, body }: Sources): unknown {
  if (method === 'GET') return query;
  if (method === 'POST' || method === 'PATCH') return body ?? {};
  return isObject(body) ? { ...query, ...body } : query;
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Members of paths that are more than text, and the error code of those that do not fit. */
const PATH_MEMBERS: Readonly<Record<string, readonly [z.ZodType<string>, ServiceErrorCode]>> = {
  margin_mode: [choice(['isolated', 'cross']), 2024],
  symbol: [code, 10001],
  currency: [code, 10001],
};

/** Reads the members of a path, which come percent-decoded. */
export function decodePath<C extends Call>(
  call: C,
  given: Readonly<Record<string, string>>,
): Decoded<Readonly<Record<PathMembers<C['path']>, string>>> {
  const members: Record<string, string> = {};
  for (const name of pathMembers(call.path)) {
    const [schema, code] = PATH_MEMBERS[name] ?? [text, 10001];
    const read = decode(z.object({ [name]: schema }), given, { [name]: code });
    if (read.kind === 'fault') return read;
    members[name] = read.value[name] ?? '';
  }
  // Every name in braces was read.
  return decoded(members as Readonly<Record<PathMembers<C['path']>, string>>);
}

/** Reads the body of an answer. */
export const decodeAnswer = <C extends Call>(call: C, body: unknown): Decoded<Answer<C>> =>
  decode<C['response']>(call.response, body);
